//! The pictures of the manual, taken from the real window in a host.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::time::Duration;

use crate::in_host::{BLOCK, RATE};
use crate::screen::Screen;
use crate::support::clap_host::{ClapHost, Score, fixed_blocks};
use crate::window::{Open, close, load, open, resize, size, wait_for, wait_for_picture};

/// Key symbols.
const RETURN: u32 = 0xff0d;
const ESCAPE: u32 = 0xff1b;
const SHIFT: u32 = 0xffe1;

/// The name of the preset, the search field in the list below it, and the first result.
const NAME: (i16, i16) = (196, 18);
const SEARCH: (i16, i16) = (326, 105);
const FIRST: (i16, i16) = (300, 141);
/// A place without a control.
const FREE: (i16, i16) = (680, 18);
/// The close button of the list.
const CLOSE: (i16, i16) = (576, 70);

/// Plays on for a while, as a host does.
fn pass(host: &mut ClapHost, ms: u64) {
    for _ in 0..ms / 20 {
        host.render(&Score::new(), &fixed_blocks(960, BLOCK)).expect("it plays");
        host.answer_requests();
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn click(host: &mut ClapHost, screen: &Screen, (x, y): (i16, i16)) {
    screen.click(x, y);
    pass(host, 300);
}

fn take(screen: &Screen, opened: &Open, name: &str) {
    let folder = std::env::var("ICTUS_PICTURES").expect("the command says where they go");
    let file =
        File::create(Path::new(&folder).join(format!("{name}.png"))).expect("it can be written");
    let (width, height) = opened.size;
    let mut encoder = png::Encoder::new(BufWriter::new(file), width.into(), height.into());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Best);
    encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
    // The screen has blue first.
    let bytes: Vec<u8> =
        screen.look(opened.at, opened.size).iter().flat_map(|[b, g, r, _]| [*r, *g, *b]).collect();
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&bytes))
        .expect("it can be written");
    println!("{name}: {width} by {height}");
}

/// Holds a key of the keyboard strip during `work`.
fn playing(host: &mut ClapHost, screen: &Screen, opened: &Open, act: impl FnOnce()) {
    let (width, height) = opened.size;
    screen.point_at((0.64 * f32::from(width)) as i16, height as i16 - 25);
    pass(host, 200);
    screen.press(true);
    pass(host, 400);
    act();
    screen.press(false);
    pass(host, 200);
}

fn is_named(host: &mut ClapHost, name: &str) -> bool {
    String::from_utf8_lossy(&host.save().expect("it has a state")).contains(name)
}

/// Three sizes, with a bell.
fn sizes(screen: &Screen) {
    let mut host = load("ICTUS_CLAP").expect("it loads");
    host.activate(RATE, BLOCK).expect("it plays");
    let opened = open(&mut host, screen, (0, 0)).expect("it opens");
    wait_for_picture(&mut host, screen, &opened);
    click(&mut host, screen, NAME);
    click(&mut host, screen, SEARCH);
    "church".chars().for_each(|letter| screen.type_key(letter.into()));
    pass(&mut host, 300);
    click(&mut host, screen, FIRST);
    assert!(is_named(&mut host, "Church bell"), "the list is elsewhere");
    click(&mut host, screen, CLOSE);
    close(&mut host, screen, opened);
    for (name, wide, tall) in [("default", 1000, 680), ("small", 760, 540), ("large", 1400, 950)] {
        let opened = open(&mut host, screen, (0, 0)).expect("it opens");
        wait_for_picture(&mut host, screen, &opened);
        resize(&mut host, wide, tall).expect("it takes another size");
        wait_for(&mut host, "another size", |host| size(host) == (wide, tall));
        close(&mut host, screen, opened);
        // In a host window with room for it.
        let opened = open(&mut host, screen, (0, 0)).expect("it opens");
        wait_for_picture(&mut host, screen, &opened);
        playing(&mut host, screen, &opened, || take(screen, &opened, name));
        close(&mut host, screen, opened);
    }
}

/// The way to a first sound, step by step.
fn first_sound(screen: &Screen) {
    let mut host = load("ICTUS_CLAP").expect("it loads");
    host.activate(RATE, BLOCK).expect("it plays");
    let opened = open(&mut host, screen, (0, 0)).expect("it opens");
    wait_for_picture(&mut host, screen, &opened);
    if opened.size != (1000, 680) {
        resize(&mut host, 1000, 680).expect("it takes another size");
        wait_for(&mut host, "the usual size", |host| size(host) == (1000, 680));
    }
    let opened = Open { size: (1000, 680), ..opened };
    click(&mut host, screen, NAME);
    click(&mut host, screen, (300, 332));
    assert!(is_named(&mut host, "Bottle"), "the list is elsewhere");
    screen.point_at(FREE.0, FREE.1);
    pass(&mut host, 600);
    take(screen, &opened, "first-1-presets");
    click(&mut host, screen, CLOSE);
    playing(&mut host, screen, &opened, || take(screen, &opened, "first-2-play"));
    click(&mut host, screen, (914, 83));
    pass(&mut host, 400);
    take(screen, &opened, "first-3-body");
    click(&mut host, screen, (896, 371));
    // Upwards, to a harder strike.
    screen.point_at(170, 131);
    pass(&mut host, 200);
    screen.press(true);
    for i in 1..=12 {
        screen.point_at(170, 131 - 4 * i);
        pass(&mut host, 40);
    }
    screen.press(false);
    pass(&mut host, 200);
    screen.point_at(525, 235);
    pass(&mut host, 300);
    screen.press(true);
    pass(&mut host, 100);
    screen.press(false);
    pass(&mut host, 100);
    take(screen, &opened, "first-4-strike");
    click(&mut host, screen, (350, 18));
    pass(&mut host, 500);
    screen.hold_key(SHIFT, true);
    screen.type_key('m'.into());
    screen.hold_key(SHIFT, false);
    "y tray".chars().for_each(|letter| screen.type_key(letter.into()));
    pass(&mut host, 300);
    take(screen, &opened, "first-5-save");
    screen.type_key(RETURN);
    screen.point_at(FREE.0, FREE.1);
    pass(&mut host, 600);
    take(screen, &opened, "first-6-saved");
    assert!(is_named(&mut host, "My tray"), "it is saved");
    screen.type_key(ESCAPE);
    close(&mut host, screen, opened);
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn of_the_documents() {
    let screen = Screen::new();
    first_sound(&screen);
    sizes(&screen);
}
