//! A window that is lost before the host closes the editor: the host plays on, and can open
//! another.

use std::process::Command;
use std::time::Duration;

use crate::display::SERVER;
use crate::in_host::{BLOCK, RATE};
use crate::screen::Screen;
use crate::support::clap_host::{ClapHost, Score, fixed_blocks};
use crate::window::{Open, close, close_editor, create, load, open, show_in, wait_for};
use crate::xlib::Xlib;

/// Openings of one scene. Every second window has been drawn before it is lost.
const TIMES: u64 = 12;

fn begin() -> (Screen, ClapHost) {
    let screen = Screen::new();
    let mut host = load("ICTUS_CLAP").expect("it loads");
    host.activate(RATE, BLOCK).expect("it plays");
    (screen, host)
}

fn assert_plays(host: &mut ClapHost) {
    let score = Score::new().note(0, 4000, 60, 0.8);
    let heard = host.render(&score, &fixed_blocks(9_600, BLOCK)).expect("it plays");
    assert!(heard.peak() > 1e-3 && heard.peak().is_finite());
}

/// Waits until there is more than the host's white: a message has fewer colours than the editor.
fn wait_for_words(host: &mut ClapHost, screen: &Screen, open: &Open) {
    wait_for(host, "a picture", |_| screen.colours(open.at, open.size) > 8);
}

/// Loses a window at another point of its frame each time, and closes it sooner or later.
fn lose_and_close(host: &mut ClapHost, screen: &Screen, lose: impl Fn(&Open)) {
    for i in 0..TIMES {
        let opened = open(host, screen, (0, 0)).expect("it opens");
        if i % 2 == 1 {
            wait_for_words(host, screen, &opened);
        }
        std::thread::sleep(Duration::from_millis(i * 7 % 40));
        lose(&opened);
        if i % 3 > 0 {
            std::thread::sleep(Duration::from_millis(i * 31 % 300));
            assert_plays(host);
        }
        close_editor(host);
        if screen.is_there(opened.parent) {
            screen.close(opened.parent);
        }
    }
    assert_plays(host);
    let opened = open(host, screen, (0, 0)).expect("it opens");
    wait_for_words(host, screen, &opened);
    close(host, screen, opened);
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn connection_is_closed() {
    let (screen, mut host) = begin();
    lose_and_close(&mut host, &screen, |opened| screen.kill_client_within(opened.parent));
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn parent_is_destroyed() {
    let (screen, mut host) = begin();
    lose_and_close(&mut host, &screen, |opened| screen.close(opened.parent));
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn server_ends() {
    let (screen, mut host) = begin();
    let opened = open(&mut host, &screen, (0, 0)).expect("it opens");
    wait_for_words(&mut host, &screen, &opened);
    let server = std::env::var(SERVER).expect("a display says what serves it");
    assert!(Command::new("kill").args(["-9", &server]).status().expect("it starts").success());
    assert_plays(&mut host);
    close_editor(&mut host);
    assert_plays(&mut host);
    create(&mut host).expect("it waits for its parent");
    assert!(show_in(&mut host, opened.parent).is_err(), "there is nowhere to open it");
    close_editor(&mut host);
    assert_plays(&mut host);
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn errors_of_the_host() {
    let xlib = Xlib::open();
    let (screen, mut host) = begin();
    let opened = open(&mut host, &screen, (0, 0)).expect("it opens");
    wait_for_words(&mut host, &screen, &opened);
    // The host's own connection has its own errors, while the editor is open and afterwards.
    assert_eq!(xlib.refused(), 0);
    xlib.use_no_window();
    assert_eq!(xlib.refused(), 1);
    close(&mut host, &screen, opened);
    xlib.use_no_window();
    assert_eq!((xlib.refused(), xlib.lost()), (2, 0));
    screen.kill_client(xlib.window());
    xlib.sync();
    assert!(xlib.lost() > 0);
    assert_plays(&mut host);
}
