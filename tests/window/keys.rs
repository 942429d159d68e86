//! Keyboard ownership: the host gets all keys that are not typed into a text field, above all the
//! space bar.

use std::time::{Duration, Instant};

use crate::in_host::{BLOCK, MASS, RATE};
use crate::screen::Screen;
use crate::support::clap_host::{ClapHost, Score, fixed_blocks};
use crate::window::{Open, PATIENCE, close, holds_within, load, open, wait_for, wait_for_picture};

/// Key symbols.
const SPACE: u32 = 0x20;
const RETURN: u32 = 0xff0d;
const P: u32 = 0x70;
const Z: u32 = 0x7a;
/// The dial beside that of the mass.
const NEXT: (i16, i16) = (MASS.0 + 65, MASS.1);
/// A place without a control.
const FREE: (i16, i16) = (680, 18);
/// The value below the dial of the mass.
const VALUE: (i16, i16) = (MASS.0, MASS.1 + 29);

/// Presses a key until the host's window receives it, and returns the window that had it; a busy
/// machine may need time to draw before keys go back.
fn reaches_host(screen: &Screen, symbol: u32) -> Option<u32> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        screen.type_key(symbol);
        if let Some((window, _, _)) =
            screen.keys_heard().into_iter().find(|(_, heard, _)| *heard == symbol)
        {
            return Some(window);
        }
    }
    None
}

fn begin(screen: &Screen) -> (ClapHost, Open) {
    let mut host = load("ICTUS_CLAP").expect("it loads");
    host.activate(RATE, BLOCK).expect("it plays");
    let opened = open(&mut host, screen, (0, 0)).expect("it opens");
    wait_for_picture(&mut host, screen, &opened);
    (host, opened)
}

/// Clicks on the value of the mass, and waits until its text field has the focus that another
/// window had.
fn begin_typing(host: &mut ClapHost, screen: &Screen, before: u32) {
    wait_for(host, "the focus", |host| {
        // Sooner after the last click it would be a double click; a busy machine may take it for
        // one nevertheless.
        std::thread::sleep(Duration::from_millis(400));
        screen.click(VALUE.0, VALUE.1);
        let has_it = holds_within(Duration::from_secs(10), host, |_| screen.focus() != before);
        if !has_it {
            screen.click(FREE.0, FREE.1);
        }
        has_it
    });
}

/// Presses a key that plays until the editor has it. Until the editor has seen a click, the key is
/// the host's.
fn hold_playing_key(host: &mut ClapHost, screen: &Screen) {
    screen.keys_heard();
    wait_for(host, "a key that plays", |_| {
        screen.hold_key(Z, true);
        let is_taken = screen.keys_heard().is_empty();
        if !is_taken {
            screen.hold_key(Z, false);
        }
        is_taken
    });
}

/// Clicks on the dial of the mass, and waits until the editor has seen it: it shows the pointer on
/// the next dial.
fn click_dial(host: &mut ClapHost, screen: &Screen) {
    let (at, size) = ((NEXT.0 - 25, NEXT.1 - 30), (50, 60));
    let before = screen.look(at, size);
    screen.click(MASS.0, MASS.1);
    screen.point_at(NEXT.0, NEXT.1);
    wait_for(host, "a dial under the pointer", |_| screen.look(at, size) != before);
}

/// Types into the field of the mass, which contains a text.
fn type_mass(host: &mut ClapHost, screen: &Screen, opened: &Open, letters: &str) {
    begin_typing(host, screen, opened.parent);
    screen.keys_heard();
    letters.chars().for_each(|letter| screen.type_key(letter.into()));
    assert_eq!(screen.keys_heard(), [], "the host hears nothing of what is typed");
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn keys_are_the_hosts() {
    let screen = Screen::new();
    let (mut host, opened) = begin(&screen);
    // The host's own window has the focus, as with Qt and JUCE, and the pointer is over the editor
    // all the time.
    screen.give_focus(opened.parent);
    click_dial(&mut host, &screen);
    for key in [SPACE, P] {
        assert_eq!(
            reaches_host(&screen, key),
            Some(opened.parent),
            "{key:#x} after a click on a dial"
        );
    }
    assert_eq!(screen.focus(), opened.parent, "a click does not take the focus");
    // Types a value with a space in it; afterwards the host has the focus and the keys again.
    type_mass(&mut host, &screen, &opened, "250 g");
    screen.type_key(RETURN);
    wait_for_mass(&mut host, "250.0 g");
    wait_for(&mut host, "the focus back", |_| screen.focus() == opened.parent);
    assert_eq!(reaches_host(&screen, SPACE), Some(opened.parent), "after a value was typed");
    // Closed while typing: the host's window gets the focus.
    type_mass(&mut host, &screen, &opened, "3");
    let parent = opened.parent;
    crate::window::close_editor(&mut host);
    wait_for(&mut host, "the focus falls to the host", |_| screen.focus() == parent);
    screen.close(parent);
}

/// Asserts that the host reads this mass.
fn wait_for_mass(host: &mut ClapHost, wanted: &str) {
    let mass = host.param("Mass").expect("it is there");
    wait_for(host, "a value", |host| {
        host.render(&Score::new(), &fixed_blocks(256, BLOCK)).expect("it plays");
        host.value(mass.id)
            .and_then(|value| host.text(mass.id, value))
            .is_ok_and(|text| text == wanted)
    });
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn keys_of_another_country() {
    let screen = Screen::new();
    // The minus is at the place of the slash of an American keyboard.
    let set = std::process::Command::new("setxkbmap").arg("de").status();
    assert!(set.expect("it starts (Debian, Ubuntu: apt-get install x11-xkb-utils)").success());
    let (mut host, opened) = begin(&screen);
    screen.give_focus(opened.parent);
    type_mass(&mut host, &screen, &opened, "2e-1 kg");
    screen.type_key(RETURN);
    wait_for_mass(&mut host, "200.0 g");
    close(&mut host, &screen, opened);
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn keys_at_once() {
    let screen = Screen::new();
    let (mut host, opened) = begin(&screen);
    screen.give_focus(opened.parent);
    for (letters, wanted) in [("250 g", "250.0 g"), ("3 g", "3.000 g"), ("1 kg", "1.000 kg")] {
        begin_typing(&mut host, &screen, opened.parent);
        let symbols: Vec<u32> = letters.chars().map(u32::from).chain([RETURN]).collect();
        screen.type_at_once(&symbols);
        wait_for_mass(&mut host, wanted);
        wait_for(&mut host, "the focus back", |_| screen.focus() == opened.parent);
    }
    close(&mut host, &screen, opened);
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn keys_of_a_window_beside() {
    let screen = Screen::new();
    let (mut host, opened) = begin(&screen);
    // The focus is on an invisible window beside the editor in the host's, as with GTK.
    let beside = screen.window_in(opened.parent, (-10, -10), (1, 1));
    screen.give_focus(beside);
    click_dial(&mut host, &screen);
    assert_eq!(reaches_host(&screen, SPACE), Some(beside));
    assert_eq!(screen.focus(), beside);
    type_mass_beside(&mut host, &screen, beside);
    assert_eq!(reaches_host(&screen, SPACE), Some(beside), "after something was typed");
    assert_eq!(screen.focus(), beside, "the focus returns");
    close(&mut host, &screen, opened);
}

/// Begins to type, and leaves the field by a click elsewhere.
fn type_mass_beside(host: &mut ClapHost, screen: &Screen, beside: u32) {
    begin_typing(host, screen, beside);
    screen.type_key('4'.into());
    screen.click(FREE.0, FREE.1);
    wait_for(host, "the focus back", |_| screen.focus() == beside);
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn keys_that_play() {
    let screen = Screen::new();
    let (mut host, opened) = begin(&screen);
    screen.give_focus(opened.parent);
    screen.point_at(MASS.0, MASS.1);
    assert_eq!(reaches_host(&screen, Z), Some(opened.parent), "a pointer on its way takes nothing");
    screen.click(MASS.0, MASS.1);
    let mut sounds = |host: &mut ClapHost| {
        host.render(&Score::new(), &fixed_blocks(4_800, BLOCK)).expect("it plays").peak() > 1e-3
    };
    assert!(!sounds(&mut host));
    hold_playing_key(&mut host, &screen);
    wait_for(&mut host, "a note", &mut sounds);
    // While it is held the space bar still starts the host.
    let mut heard = Vec::new();
    wait_for(&mut host, "the space bar", |_| {
        screen.type_key(SPACE);
        heard = screen.keys_heard();
        !heard.is_empty()
    });
    assert_eq!(heard.first(), Some(&(opened.parent, SPACE, true)), "{heard:?}");
    screen.hold_key(Z, false);
    assert_eq!(reaches_host(&screen, SPACE), Some(opened.parent));
    assert!(
        screen.keys_heard().iter().all(|(_, key, _)| *key == SPACE),
        "a key that plays does nothing else"
    );
    screen.point_at(1300, 900);
    assert_eq!(reaches_host(&screen, Z), Some(opened.parent), "nor does one that has left");
    close(&mut host, &screen, opened);
}
