//! What opening and closing leaves allocated.

use crate::in_host::{BLOCK, RATE};
use crate::memory;
use crate::screen::Screen;
use crate::support::clap_host::{Score, fixed_blocks};
use crate::window::{close, load, open, resize, wait_for_picture};

/// Bounds the memory that one window may leave behind, bytes. About 72 kB are the keyboard map that
/// baseview 0.4.2 reads through `xkbcommon-dl` and never releases; the graphics driver keeps the
/// rest, which differs between machines. A window that leaks completely leaves megabytes.
const LEFT: usize = 256_000;

#[test]
#[ignore = "run by another test on a virtual display"]
fn a_hundred_openings() {
    const MANY: usize = 100;
    // The first openings load libraries that stay loaded.
    const FIRST: usize = 20;
    let screen = Screen::new();
    let mut host = load("ICTUS_CLAP").expect("it loads");
    let mut after_first = 0;
    for i in 0..MANY {
        let opened = open(&mut host, &screen, (0, 0)).expect("it opens");
        // Some are drawn; the others are closed while they draw.
        if i % 4 == 0 {
            wait_for_picture(&mut host, &screen, &opened);
        }
        let i = i as u32;
        resize(&mut host, 900 + 7 * (i % 11), 620 + 5 * (i % 13)).expect("it takes another size");
        host.answer_requests();
        close(&mut host, &screen, opened);
        if i as usize + 1 == FIRST {
            after_first = memory::in_use();
        }
    }
    let each = memory::in_use().saturating_sub(after_first) / (MANY - FIRST);
    println!(
        "{:.1} MB in use after {FIRST} openings, {each} bytes more with each other",
        after_first as f64 / 1e6
    );
    assert!(each < LEFT, "{each} bytes");
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn ten_at_once() {
    const ROUNDS: usize = 11;
    // The first openings load libraries that stay loaded.
    const FIRST: usize = 6;
    let screen = Screen::new();
    let mut hosts: Vec<_> = (0..10).map(|_| load("ICTUS_CLAP").expect("it loads")).collect();
    let (mut before, mut growth) = (0, Vec::new());
    for round in 0..ROUNDS {
        let mut opened = Vec::new();
        for (i, host) in hosts.iter_mut().enumerate() {
            let at = (60 * i as i16, 50 * i as i16);
            let window = open(host, &screen, at).expect("it opens");
            // Later windows cover earlier ones, so each is checked when it opens.
            wait_for_picture(host, &screen, &window);
            opened.push(window);
        }
        // They play while all are open.
        for host in &mut hosts {
            host.activate(RATE, BLOCK).expect("it plays");
            let heard = host
                .render(&Score::new().note(0, 4000, 60, 0.8), &fixed_blocks(9_600, BLOCK))
                .expect("it plays");
            assert!(heard.peak() > 1e-3);
        }
        let with_all = memory::in_use();
        for (host, window) in hosts.iter_mut().zip(opened) {
            close(host, &screen, window);
        }
        let now = memory::in_use();
        println!(
            "a window takes {:.2} MB while it is open",
            with_all.saturating_sub(now) as f64 / 1e7
        );
        println!("round {round}: {:.3} MB", now as f64 / 1e6);
        if round >= FIRST {
            growth.push(now.saturating_sub(before) / 10);
        }
        before = now;
    }
    // A leak grows in every round; late loading and late freeing do not.
    growth.sort_unstable();
    let each = growth[growth.len() / 2];
    println!("{each} bytes more with each window: {growth:?}");
    assert!(each < LEFT, "{each} bytes");
}
