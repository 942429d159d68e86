//! The sound does not depend on the host's blocks, to the last bit, with overlapping notes and
//! moving parameters. A control rate that follows the blocks, or an event at a block's edge, fails
//! here.

use crate::common::{TestRng, assert_same, playing};
use crate::support::clap_host::{ClapHost, Event, Score, fixed_blocks, random_blocks};

const LENGTH: u64 = 30_000;

/// Notes on four keys, one struck again while it rings, more than there are voices, and all
/// parameters moving.
fn score(host: &mut ClapHost, seed: u64) -> Score {
    let mut chance = TestRng(seed);
    let params = host.params().expect("parameters");
    let mut score = Score::new();
    for n in 0..60 {
        let at = chance.below(LENGTH - 1000);
        let key = if n % 3 == 0 { 60 } else { 40 + chance.below(40) as u16 };
        let note = |velocity| Event::NoteOn { key, velocity, channel: n % 4, id: Some(n.into()) };
        score.push(at, note(chance.unit()));
        let off = Event::NoteOff { key, velocity: 0.0, channel: n % 4, id: Some(n.into()) };
        score.push(at + chance.below(1000), off);
    }
    // A gesture for each score, except rolling: its surface comes from another thread at an
    // unpredictable time.
    let gesture = host.param("Gesture").expect("there are gestures");
    score
        .push(0, Event::Param { id: gesture.id, value: [0.0, 1.0, 4.0, 5.0][(seed % 4) as usize] });
    // Level keeps its default: silence would be the same in any blocks.
    let params: Vec<_> = params
        .into_iter()
        .filter(|param| param.id != gesture.id && param.name != "Level")
        .collect();
    for _ in 0..120 {
        let param = &params[chance.below(params.len() as u64) as usize];
        score.push(chance.below(LENGTH), Event::Param { id: param.id, value: chance.value(param) });
    }
    score.push(LENGTH / 2, Event::Choke { key: Some(60) });
    score
}

#[test]
fn blocks_of_1_17_64_512_and_at_random_sound_the_same() {
    for seed in [1, 2, 3, 4] {
        let mut host = playing(48_000.0, 4096);
        let score = score(&mut host, seed);
        let whole = host.render(&score, &fixed_blocks(LENGTH, 4096)).expect("plays");
        assert!(whole.peak() > 0.01, "there is nothing to compare");
        let fixed =
            [1, 17, 64, 512].map(|size| (format!("blocks of {size}"), fixed_blocks(LENGTH, size)));
        let random =
            [1, 2, 3].map(|s| (format!("random blocks {s}"), random_blocks(LENGTH, 2000, s)));
        for (what, blocks) in fixed.into_iter().chain(random) {
            let heard = playing(48_000.0, 4096).render(&score, &blocks).expect("plays");
            assert_same(&format!("{what}, score {seed}"), &heard, &whole);
            assert_eq!(heard.events.len(), whole.events.len(), "{what}: ends of notes");
        }
    }
}
