//! Events act at their own sample, whether the note is steady or already modulated.

use ictus::modulation::Source;
use ictus::params::Param;
use ictus::params::event::{Event, EventKind, ExpressionKind};

use super::common::{RATE_HZ, at, bend, channel, connect, express, named, on, patch, play, turn};

#[test]
fn an_event_acts_at_its_own_sample() {
    let note = named(1, 0, 57);
    let mut still = patch(&[]);
    connect(&mut still, 0, Source::Wheel, "Left pickup", 0.5);
    connect(&mut still, 1, Source::Pressure, "Tune", 0.5);
    let mut moving = still.clone();
    connect(&mut moving, 2, Source::Lfo, "Pitch", 0.02);
    for patch in [still, moving] {
        for sample in [777, 1313] {
            let kinds: [Event; 8] = [
                bend(sample, 0, 0.7),
                turn(sample, 0, 1, 0.8),
                at(sample, channel(0), EventKind::Pressure { value: 0.4 }),
                at(sample, note, EventKind::Pressure { value: 0.4 }),
                express(sample, note, ExpressionKind::Tuning, 0.9),
                express(sample, note, ExpressionKind::Volume, 0.3),
                express(sample, note, ExpressionKind::Pan, 0.8),
                at(sample, note, EventKind::Modulation { param: Param::Tune, offset: 0.1 }),
            ];
            let untouched = play(&patch, &[on(5, note, 0.9)], 0.05, RATE_HZ);
            for event in kinds {
                let touched = play(&patch, &[on(5, note, 0.9), event], 0.05, RATE_HZ);
                let differs = |side: usize| {
                    untouched[side].iter().zip(&touched[side]).position(|(a, b)| a != b)
                };
                let first = [0, 1].into_iter().filter_map(differs).min();
                assert_eq!(first, Some(sample), "{:?}", event.kind);
            }
        }
    }
}
