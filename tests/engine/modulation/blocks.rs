//! A modulated sound is the same to the last bit in blocks of any size.

use ictus::exciter::Gesture;
use ictus::modulation::slots::SLOTS;
use ictus::params::event::{Event, EventKind, ExpressionKind};
use ictus::params::{Param, ParamKind, Patch};

use super::common::{RATE_HZ, at, bend, channel, engine, named, off, on, play_in, random, turn};

/// Every slot filled, and oscillator, envelope and chance set, at random.
fn some_patch(seed: u64, gesture: usize) -> Patch {
    let mut next = random(seed);
    let mut patch = Patch::default();
    let mut some = |param: Param, next: &mut dyn FnMut() -> u64| {
        let (min, max) = param.spec().range_stored();
        let share = (next() % 1001) as f32 / 1000.0;
        let share = if matches!(param.spec().kind, ParamKind::Float { .. }) {
            0.3 + 0.4 * share
        } else {
            share
        };
        patch.set_stored(param, min + share * (max - min));
    };
    for param in SLOTS.into_iter().flatten() {
        some(param, &mut next);
    }
    for id in [
        "vcurve", "velhrd", "velsiz", "velthk", "velsup", "bend", "mpe", "mpebnd", "hhard",
        "hmass", "hspeed", "htime", "lforat", "lfosyn", "lfoshp", "lfofad", "lfophs", "envdel",
        "envatt", "envdec", "envsus", "envrel", "scat", "noff", "coupl", "body",
    ] {
        some(Param::from_id(id).expect(id), &mut next);
    }
    patch.set(Param::Gesture, gesture as f64);
    patch.set(Param::Height, 0.02);
    patch.set(Param::FirstHit, 1.0);
    patch
}

/// Notes with all kinds of messages.
fn some_events(seed: u64, count: usize, samples: usize) -> Vec<Event> {
    let mut next = random(seed);
    let mut events: Vec<_> = (0..count)
        .map(|_| {
            let offset = next() as usize % samples;
            let lane = (next() % 4) as u8;
            let note = named(i32::from(lane), lane, 48 + 7 * lane);
            let value = (next() % 1001) as f32 / 1000.0;
            match next() % 9 {
                0 | 1 => on(offset, note, 0.2 + 0.8 * value),
                2 => off(offset, note),
                3 => bend(offset, lane, 2.0 * value - 1.0),
                4 => turn(offset, lane, [1, 2, 11, 64, 74][next() as usize % 5], value),
                5 => at(offset, channel(lane), EventKind::Pressure { value }),
                6 | 7 => {
                    let kind = ExpressionKind::ALL[next() as usize % ExpressionKind::ALL.len()];
                    at(offset, note, EventKind::Expression { kind, value })
                }
                _ => {
                    let param = [Param::Tune, Param::Hardness, Param::Support][next() as usize % 3];
                    at(offset, note, EventKind::Modulation { param, offset: 0.4 * value - 0.2 })
                }
            }
        })
        .collect();
    events.push(on(0, named(0, 0, 48), 0.9));
    events.sort_by_key(|event| event.offset);
    events
}

#[test]
fn blocks_of_any_size_give_the_same_bits() {
    let samples = 9600;
    for (gesture, seed) in (0..Gesture::ALL.len()).zip(11..) {
        let (patch, events) = (some_patch(seed, gesture), some_events(seed, 60, samples));
        let sound = |size: &mut dyn FnMut() -> usize| {
            play_in(&mut engine(&patch, RATE_HZ), &patch, &events, samples, size)
        };
        let whole = sound(&mut || samples);
        assert!(whole.0[0].iter().all(|x| x.is_finite()));
        assert!(whole.0[0].iter().any(|x| x.abs() > 1e-5), "gesture {gesture} is silent");
        let mut next = random(seed);
        assert!(
            sound(&mut || 1 + next() as usize % 200) == whole,
            "gesture {gesture}: random blocks"
        );
        assert!(sound(&mut || 1) == whole, "gesture {gesture}: single samples");
    }
}
