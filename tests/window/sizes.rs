//! The size of a window: it is saved and restored, and a host may refuse another one.

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::in_host::{BLOCK, RATE, drag};
use crate::screen::Screen;
use crate::support::clap_host::ClapHost;
use crate::window::{close, holds_within, load, open, resize, size, wait_for, wait_for_picture};

const OTHER: (u32, u32) = (1210, 810);

/// Opens a window, resizes it, and closes it.
fn leave_another_size(host: &mut ClapHost, screen: &Screen) {
    let opened = open(host, screen, (0, 0)).expect("it opens");
    assert_eq!(opened.size, (1000, 680));
    wait_for_picture(host, screen, &opened);
    resize(host, OTHER.0, OTHER.1).expect("it takes another size");
    wait_for(host, "another size", |host| size(host) == OTHER);
    close(host, screen, opened);
}

/// Opens it, and returns its inner size.
fn opens_with(host: &mut ClapHost, screen: &Screen) -> (u32, u32) {
    let opened = open(host, screen, (0, 0)).expect("it opens");
    wait_for_picture(host, screen, &opened);
    let within = screen.size_within(opened.parent).expect("there is a window");
    assert_eq!(within, opened.size, "it has the size reported to the host");
    close(host, screen, opened);
    (within.0.into(), within.1.into())
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn size_comes_back() {
    let screen = Screen::new();
    let mut host = load("ICTUS_CLAP").expect("it loads");
    let plain = host.save().expect("it has a state");
    leave_another_size(&mut host, &screen);
    assert_eq!(opens_with(&mut host, &screen), OTHER, "opened again");
    let state = host.save().expect("it has a state");
    // A new instance takes the last size, and a project has its own.
    let mut other = load("ICTUS_CLAP").expect("it loads");
    assert_eq!(opens_with(&mut other, &screen), OTHER, "a fresh instance");
    other.restore(&plain).expect("it takes it");
    assert_eq!(opens_with(&mut other, &screen), (1000, 680), "a project with another size");
    other.restore(&state).expect("it takes it");
    assert_eq!(opens_with(&mut other, &screen), OTHER, "a project with this size");
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn nothing_is_kept() {
    let screen = Screen::new();
    let mut host = load("ICTUS_CLAP").expect("it loads");
    leave_another_size(&mut host, &screen);
    assert_eq!(opens_with(&mut host, &screen), OTHER, "opened again");
    let mut other = load("ICTUS_CLAP").expect("it loads");
    assert_eq!(opens_with(&mut other, &screen), (1000, 680), "a fresh instance knows nothing");
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn zoom_without_room() {
    let screen = Screen::new();
    let mut host = load("ICTUS_CLAP").expect("it loads");
    host.activate(RATE, BLOCK).expect("it plays");
    let opened = open(&mut host, &screen, (0, 0)).expect("it opens");
    wait_for_picture(&mut host, &screen, &opened);
    // The zoom at the right end of the header, and the last entry of its list, which may take a
    // while to open.
    let around = ((TWICE.0 - 20, TWICE.1 - 10), (40, 20));
    wait_for(&mut host, "another zoom", |host| {
        let before = screen.look(around.0, around.1);
        screen.click(ZOOM.0, ZOOM.1);
        holds_within(STEP, host, |_| screen.look(around.0, around.1) != before);
        screen.click(TWICE.0, TWICE.1);
        let is_chosen = |host: &mut ClapHost| {
            String::from_utf8_lossy(&host.save().expect("it has a state")).contains(r#"zoom\":2.0"#)
        };
        holds_within(STEP, host, is_chosen)
    });
    // The dial of the mass is at its place for 125 %, and follows the mouse.
    let mass = host.param("Mass").expect("it is there");
    let was = host.value(mass.id).expect("it has a value");
    wait_for(&mut host, "a dial to be turned", |host| {
        drag(host, &screen, MASS_LARGER);
        host.value(mass.id).is_ok_and(|value| value > was)
    });
    // It has requested a larger window, and the host has refused.
    wait_for(&mut host, "a wish for more room", |host| {
        host.instance().access_shared_handler(|shared| shared.resizes.load(Ordering::SeqCst)) > 0
    });
    wait_for(&mut host, "the size as it was", |_| {
        screen.size_within(opened.parent) == Some(opened.size)
    });
    close(&mut host, &screen, opened);
}

/// A step that was not seen is tried again after this time.
const STEP: Duration = Duration::from_secs(5);
const ZOOM: (i16, i16) = (931, 18);
const TWICE: (i16, i16) = (948, 160);
/// A place on the dial of the mass at 125 %, where at 100 % there is another dial.
const MASS_LARGER: (i16, i16) = (145, 151);
