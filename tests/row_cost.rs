//! What rows of balls cost: `cargo test --no-default-features --features cli --test row_cost -- --ignored --nocapture`.
//!
//! Nothing is asserted about time. Every block is taken three times and its fastest run counts, because this measures the
//! code and not the other programs of the machine.

#![cfg(feature = "cli")]

#[path = "support/playing.rs"]
mod playing;

use std::time::Instant;

use ictus::engine::{Engine, NoteEnds};
use ictus::event::Event;
use playing::{on, patch_of};

const BLOCK: usize = 64;
/// Keys of one engine.
const KEYS: u8 = 16;

/// Half a second of as many rows let go at once, in blocks of 64 at 48 kHz: mean, busiest 85 ms and worst block after the
/// first, in per cent of real time.
fn storm(rows: u8, settings: &[(&str, &str)]) -> [f64; 3] {
    let patch = patch_of(&[("gest", "Chain"), ("dmode", "Restitution"), ("first", "On the note")], settings);
    let events: Vec<Event> = (0..KEYS).map(|n| on(0, 40 + n)).collect();
    let mut fastest = vec![f64::INFINITY; 375];
    for _ in 0..3 {
        // More voices than one engine has: several engines.
        let mut engines: Vec<_> = (0..rows / KEYS).map(|_| Engine::new()).collect();
        let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
        let mut ends = NoteEnds::new();
        for (block, best) in fastest.iter_mut().enumerate() {
            let now: &[Event] = if block == 0 { &events } else { &[] };
            let start = Instant::now();
            for engine in &mut engines {
                engine.process(&patch, now, &mut left, &mut right, &mut ends);
                ends.clear();
            }
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    let share = |seconds: f64| 100.0 * seconds * 48_000.0 / BLOCK as f64;
    let mean = fastest.iter().sum::<f64>() / fastest.len() as f64;
    let busiest = fastest[1..].windows(64).map(|blocks| blocks.iter().sum::<f64>() / 64.0).fold(0.0f64, f64::max);
    [mean, busiest, fastest[1..].iter().fold(0.0f64, |worst, &took| worst.max(took))].map(share)
}

#[test]
#[ignore = "prints times"]
fn rows() {
    for rows in [16, 32] {
        for balls in ["5", "16"] {
            for (name, more) in [
                ("plain", &[("hard", "50 %"), ("bgap", "1 mm")][..]),
                ("hard, close", &[("hard", "100 %"), ("bgap", "0.01 mm")]),
                ("hard, touching", &[("hard", "100 %"), ("bgap", "0")]),
                ("soft, touching", &[("hard", "20 %"), ("bgap", "0")]),
                ("each rings", &[("hard", "50 %"), ("ballrg", "Each ball"), ("bsprd", "10 %")]),
                ("linear damper", &[("hard", "50 %"), ("law", "Hertz-damper")]),
            ] {
                let [mean, busiest, worst] =
                    storm(rows, &[&[("balls", balls), ("rest", "0.95"), ("cord", "3 cm")], more].concat());
                println!(
                    "{rows} rows of {balls}, {name}: mean {mean:.0} %, busiest {busiest:.0} %, worst {worst:.0} %"
                );
            }
        }
    }
}
