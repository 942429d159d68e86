//! Any sample rate and any block size plays: audible, finite and below the ceiling. Unusual rates
//! put modes beyond half the rate, contacts into a fraction of a sample, and buffers to their
//! limits.

use crate::common::{CEILING, playing};
use crate::support::clap_host::{Score, fixed_blocks};

const RATES: [f64; 12] = [
    1000.0, 8000.0, 22_050.0, 44_100.0, 44_056.943, 48_000.0, 88_200.0, 96_000.0, 176_400.0,
    192_000.0, 384_000.0, 768_000.0,
];

#[test]
fn every_rate_with_every_block_sounds_and_stays_in_bounds() {
    let mut extremes = (f32::MAX, 0.0f32);
    for rate in RATES {
        for block in [1, 16, 1024, 16_384] {
            // A quarter of a second, and two of the largest blocks at least.
            let length = ((rate * 0.25) as u64).max(2 * u64::from(block));
            let mut host = playing(rate, block);
            let level = host.param("Level").expect("it has a level");
            let at = |share: f64| (length as f64 * share) as u64;
            let mut score = Score::new().on(3, 33, 0.8).on(at(0.2), 100, 1.0);
            // Above the ceiling: a chord of hard strikes at the highest level.
            score = score.param(at(0.5), level.id, level.max);
            for key in [21, 28, 33, 36, 45, 60, 127] {
                score = score.on(at(0.5), key, 1.0);
            }
            let heard = host.render(&score, &fixed_blocks(length, block)).expect("plays");
            let peak = heard.peak();
            assert!(peak <= CEILING, "{peak} at {rate} Hz in blocks of {block}");
            // Before the chord: one note at the default level.
            let note =
                heard.left[..at(0.5) as usize].iter().fold(0.0f32, |peak, x| peak.max(x.abs()));
            extremes = (extremes.0.min(note), extremes.1.max(peak));
            assert!(note > 0.01, "only {note} at {rate} Hz in blocks of {block}");
            assert!(peak > 0.5, "only {peak} at {rate} Hz in blocks of {block}");
            assert!(
                heard.onset().is_some_and(|onset| onset >= 3),
                "{rate} Hz in blocks of {block}"
            );
        }
    }
    println!("the softest note {}, the loudest chord {}", extremes.0, extremes.1);
}

#[test]
fn one_instance_may_change_its_rate_and_block() {
    let mut host = playing(48_000.0, 64);
    for (rate, block) in [(768_000.0, 16_384), (1000.0, 1), (48_000.0, 512)] {
        host.activate(rate, block).expect("it can be activated again");
        let heard =
            host.render(&Score::new().on(0, 40, 0.9), &fixed_blocks(16_384, block)).expect("plays");
        assert!(heard.peak() > 0.01 && heard.peak() <= CEILING, "{} at {rate} Hz", heard.peak());
    }
}
