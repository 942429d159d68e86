//! After a reset the instrument is silent, playable, and the same to the last bit. A mode, a
//! limiter or a counter that survives makes two renders of one song differ.

use crate::common::{assert_same, playing};
use crate::support::clap_host::{ClapHost, Rendered, Score, fixed_blocks};

fn disturb(host: &mut ClapHost) {
    let chord = (0..40).fold(Score::new(), |score, n| score.on(u64::from(n) * 11, 30 + n, 1.0));
    let heard = host.render(&chord, &fixed_blocks(3000, 512)).expect("plays");
    assert!(heard.peak() > 0.1, "there is nothing to forget");
}

fn phrase(host: &mut ClapHost) -> Rendered {
    let score = Score::new().note(40, 500, 48, 0.8).on(700, 48, 0.6).on(1500, 55, 0.9);
    host.render(&score, &fixed_blocks(9600, 512)).expect("plays")
}

/// Scatter depends on the count of strikes: a counter that continues would show.
fn scattered() -> ClapHost {
    let mut host = playing(48_000.0, 512);
    let scatter = host.param("Scatter").expect("it scatters");
    host.set(&[(scatter.id, scatter.max)]).expect("set");
    host
}

#[test]
fn reset_is_a_fresh_start() {
    let fresh = phrase(&mut scattered());
    assert!(fresh.peak() > 0.01);
    let mut host = scattered();
    disturb(&mut host);
    host.reset().expect("resets");
    assert_same("after a reset", &phrase(&mut host), &fresh);
}

#[test]
fn reset_silences_at_once() {
    let mut host = scattered();
    disturb(&mut host);
    host.reset().expect("resets");
    let heard = host.render(&Score::new(), &fixed_blocks(2048, 512)).expect("plays");
    assert_eq!(heard.onset(), None);
}

#[test]
fn activation_is_a_fresh_start() {
    let fresh = phrase(&mut scattered());
    let mut host = scattered();
    disturb(&mut host);
    for rate in [96_000.0, 48_000.0] {
        host.activate(rate, 512).expect("it can be activated again");
    }
    assert_same("after another rate", &phrase(&mut host), &fresh);
}
