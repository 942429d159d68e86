//! Rolling starts at once, and alike in every run. Otherwise a note right after loading a preset
//! would be silent, and no two renders of a project would be the same.

use crate::common::{assert_same, first_difference, playing};
use crate::presets::load;
use crate::support::clap_host::{ClapHost, Rendered, Score, fixed_blocks};
use clack_extensions::preset_discovery::prelude::Location;

const RUNS: usize = 50;
const BLOCK: u32 = 480;
/// The surface changes a quarter of a second after a parameter.
const SWITCH_DELAY: usize = 12_000;

/// The sound of a new instance, the same in every run and not silent.
fn alike(what: &str, play: impl Fn(&mut ClapHost) -> Rendered) -> Rendered {
    let fresh = || play(&mut playing(48_000.0, BLOCK));
    let first = fresh();
    assert!(first.peak() > 1e-3, "{what}: silent");
    (1..RUNS).for_each(|run| assert_same(&format!("{what}, run {run}"), &fresh(), &first));
    first
}

#[test]
fn a_roll_that_has_just_been_loaded_sounds_in_the_same_block() {
    let blocks = fixed_blocks(9_600, BLOCK);
    alike("Marble roll", |host| {
        assert!(load(host, Location::Plugin, Some("marble-roll")));
        host.render(&Score::new().on(0, 60, 0.8), &blocks).expect("plays")
    });
}

#[test]
fn a_state_brings_its_surface_along() {
    let mut saved = playing(48_000.0, BLOCK);
    assert!(load(&mut saved, Location::Plugin, Some("washboard-scrape")));
    let state = saved.save().expect("saves");
    let blocks = fixed_blocks(4_800, BLOCK);
    let score = Score::new().on(0, 60, 0.8);
    let preset = saved.render(&score, &blocks).expect("plays");
    let restored = alike("Washboard scrape", |host| {
        host.restore(&state).expect("its own state");
        host.render(&score, &blocks).expect("plays")
    });
    assert_same("a preset and a state", &restored, &preset);
}

/// A host that renders as fast as it can without saying so.
#[test]
fn a_gesture_and_a_surface_that_are_automated_act_at_their_samples() {
    let (gesture, surface) = {
        let mut host = playing(48_000.0, BLOCK);
        (host.param("Gesture").expect("a gesture"), host.param("Surface").expect("a surface"))
    };
    let blocks = fixed_blocks(24_000, BLOCK);
    let (begin, change) = (333, 5_000);
    let rolling = Score::new().param(begin, gesture.id, 2.0).on(begin, 60, 0.8);
    let plain = alike("Gesture", |host| host.render(&rolling, &blocks).expect("plays"));
    assert!(plain.onset().is_some_and(|onset| onset >= begin as usize));
    let washboard = rolling.clone().param(change, surface.id, 5.0);
    let changed = alike("Surface", |host| host.render(&washboard, &blocks).expect("plays"));
    let parted = first_difference(&changed, &plain).expect("it is heard");
    let due = change as usize + SWITCH_DELAY;
    // The ball may be in the air when the surface changes.
    assert!((due..due + 2_400).contains(&parted), "at {parted}, and not at {due}");
    assert_same("no faster than real time", &slowly(&washboard, change), &changed);
}

/// The same in a real-time host, for which nothing is built on the audio thread. It waits after the
/// last event, so that a worker on a busy machine has time.
fn slowly(score: &Score, last_event: u64) -> Rendered {
    let mut host = playing(48_000.0, BLOCK);
    let blocks = (last_event / u64::from(BLOCK) + 1) * u64::from(BLOCK);
    let mut heard = host.render(score, &fixed_blocks(blocks, BLOCK)).expect("plays");
    std::thread::sleep(std::time::Duration::from_secs(10));
    while heard.left.len() < 24_000 {
        heard.append(host.render(&Score::new(), &[BLOCK]).expect("plays"));
    }
    heard
}
