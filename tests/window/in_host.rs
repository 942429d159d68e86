//! Scenes in a process of their own, on the given display.

use std::time::Duration;

use crate::screen::Screen;
use crate::support::clap_host::{ClapHost, Output, Rendered, Score, fixed_blocks};
use crate::window::{close, load, open, wait_for, wait_for_picture};

pub const RATE: f64 = 48_000.0;
pub const BLOCK: u32 = 256;
/// The dial of the mass in a new window.
pub const MASS: (i16, i16) = (105, 131);

#[test]
#[ignore = "run by another test on a virtual display"]
fn a_dial_under_the_mouse() {
    let screen = Screen::new();
    let mut host = load("ICTUS_CLAP").expect("it loads");
    host.activate(RATE, BLOCK).expect("it plays");
    let mass = host.param("Mass").expect("it is there");
    let before = host.value(mass.id).expect("it has a value");
    let opened = open(&mut host, &screen, (0, 0)).expect("it opens");
    wait_for_picture(&mut host, &screen, &opened);
    // The dial of the mass, at the left under the list of gestures.
    let (x, y) = MASS;
    let mut reported = Rendered::default();
    // A busy machine may draw too seldom to see the press; a user would try again.
    wait_for(&mut host, "a dial to be turned", |host| {
        reported.append(drag(host, &screen, (x, y)));
        host.value(mass.id).is_ok_and(|value| value != before)
    });
    // The editor may still be processing the last moves.
    wait_for(&mut host, "the host to read the reported value", |host| {
        reported.append(host.render(&Score::new(), &fixed_blocks(4_800, BLOCK)).expect("it plays"));
        let last = reported.events.iter().rev().find_map(|(_, event)| match event {
            Output::Param { id, value } if *id == mass.id => Some(*value),
            _ => None,
        });
        last.is_some() && last == host.value(mass.id).ok()
    });
    let after = host.value(mass.id).expect("it has a value");
    println!("from {before} to {after}");
    assert!(after > before);
    close(&mut host, &screen, opened);
}

/// Sixty points to the right with the button down, while it plays.
pub fn drag(host: &mut ClapHost, screen: &Screen, (x, y): (i16, i16)) -> Rendered {
    let mut reported = Rendered::default();
    screen.point_at(x, y);
    std::thread::sleep(Duration::from_millis(200));
    screen.press(true);
    for i in 1..=12 {
        screen.point_at(x + 5 * i, y);
        std::thread::sleep(Duration::from_millis(50));
        reported.append(host.render(&Score::new(), &fixed_blocks(256, BLOCK)).expect("it plays"));
    }
    screen.press(false);
    std::thread::sleep(Duration::from_millis(300));
    host.answer_requests();
    reported
}

/// A storm of notes in blocks of odd sizes, with pauses in which the editor draws.
fn storm(host: &mut ClapHost, pauses: bool) -> Rendered {
    host.activate(RATE, BLOCK).expect("it plays");
    host.reset().expect("it is silent");
    let mut heard = Rendered::default();
    for i in 0..60u64 {
        let key = 36 + (i * 7 % 48) as u16;
        let score = Score::new().note(i * 13 % 200, 700, key, 0.3 + 0.01 * i as f64);
        let blocks: Vec<u32> = [61, 256, 3, 180, 256, 244].to_vec();
        heard.append(host.render(&score, &blocks).expect("it plays"));
        if pauses {
            std::thread::sleep(Duration::from_millis(20));
        }
        host.answer_requests();
    }
    heard
}

/// The charts of the contact.
const CHARTS: ((i16, i16), (u16, u16)) = ((480, 420), (500, 130));

#[test]
#[ignore = "run by another test on a virtual display"]
fn sound_with_and_without() {
    let screen = Screen::new();
    // The guarded bundle, which aborts at the first allocation in `process`.
    let mut host = load("ICTUS_GUARDED_CLAP").expect("it loads");
    // Coupled contacts and ball chains report more to the editor.
    for (name, settings) in [
        ("rigid", [("Gesture", "Strike"), ("Coupling", "Rigid")]),
        ("two-way", [("Gesture", "Strike"), ("Coupling", "Two-way")]),
        ("a row", [("Gesture", "Chain"), ("Coupling", "Rigid")]),
    ] {
        host.activate(RATE, BLOCK).expect("it plays");
        for (param, text) in settings {
            let param = host.param(param).expect("it is there");
            let value =
                host.parse(param.id, text).expect("it answers").expect("there is such a choice");
            host.set(&[(param.id, value)]).expect("it is set");
        }
        let closed = storm(&mut host, false);
        let opened = open(&mut host, &screen, (0, 0)).expect("it opens");
        wait_for_picture(&mut host, &screen, &opened);
        let before = screen.look(CHARTS.0, CHARTS.1);
        let open = storm(&mut host, true);
        // The editor has received data, so recording is covered by the measurement. On a busy
        // machine it may have drawn no frame meanwhile, so it is shown further contacts.
        wait_for(&mut host, "the contact", |host| {
            let score = Score::new().note(0, 200, 60, 0.8);
            host.render(&score, &[256]).expect("it plays");
            screen.look(CHARTS.0, CHARTS.1) != before
        });
        close(&mut host, &screen, opened);
        assert!(closed.peak() > 1e-2);
        assert_eq!(closed.left.len(), open.left.len());
        let same = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(
            same(&closed.left, &open.left) && same(&closed.right, &open.right),
            "{name}: the editor is heard"
        );
        println!("{name}: {} samples alike", closed.left.len());
    }
}

/// The expected message, blue first, as far down as it does not depend on the reason.
fn message((width, height): (u16, u16)) -> Vec<[u8; 4]> {
    let [one, other] = ["?", "for some reason"].map(|reason| {
        let picture = ictus::editor::message::picture(reason, [width.into(), height.into()], 1.0);
        picture
            .pixels
            .iter()
            .map(|pixel| [pixel.b(), pixel.g(), pixel.r(), 255])
            .collect::<Vec<_>>()
    });
    let alike = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    one[..alike - alike % usize::from(width)].to_vec()
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn no_graphics() {
    let screen = Screen::new();
    let mut host = load("ICTUS_CLAP").expect("it loads");
    for _ in 0..3 {
        let opened = open(&mut host, &screen, (0, 0)).expect("a window opens all the same");
        let message = message(opened.size);
        let (words, rest) =
            (message.len(), usize::from(opened.size.0) * usize::from(opened.size.1));
        let colours =
            |pixels: &[[u8; 4]]| pixels.iter().collect::<std::collections::HashSet<_>>().len();
        assert!(colours(&message) > 8 && words < rest, "it says something, and then why");
        wait_for(&mut host, "the message, and the reason below it", |_| {
            let seen = screen.look(opened.at, opened.size);
            seen[..words] == message && colours(&seen[words..]) > 8
        });
        close(&mut host, &screen, opened);
    }
    host.activate(RATE, BLOCK).expect("it plays");
    let heard = host
        .render(&Score::new().note(0, 4000, 60, 0.8), &fixed_blocks(9_600, BLOCK))
        .expect("it plays");
    assert!(heard.peak() > 1e-3);
}
