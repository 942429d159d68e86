//! Plays the instrument block by block, for tests of its gestures.
// Every test program compiles this module for itself and uses a part of it.
#![allow(dead_code)]

use assert_no_alloc::assert_no_alloc;
use ictus::cli::events::Score;
use ictus::engine::{Engine, NoteEnds};
use ictus::params::Patch;
use ictus::params::event::{Event, EventKind, NoteAddress};

/// Samples per second of [`play`].
pub const RATE_HZ: f64 = 48_000.0;

/// A patch with some parameters set from text, the later ones over the earlier.
pub fn patch_of(first: &[(&str, &str)], then: &[(&str, &str)]) -> Patch {
    crate::patches::patch(&[first, then].concat())
}

/// One note until it is over.
pub fn score(rate_hz: f64) -> Score {
    Score {
        key: 69,
        velocity: 0.8,
        hold_s: None,
        sample_rate_hz: rate_hz,
        tempo_bpm: 120.0,
        max_length_s: 120.0,
    }
}

/// Plays events in blocks of the given sizes under the allocation guard; returns the left channel
/// and the number of note ends.
pub fn play(
    patch: &Patch,
    events: &[Event],
    samples: usize,
    mut size: impl FnMut() -> usize,
) -> (Vec<f32>, usize) {
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let (mut left, mut right) = (vec![0.0; samples], vec![0.0; samples]);
    let (mut ends, mut ended) = (NoteEnds::new(), 0);
    let mut start = 0;
    while start < samples {
        let end = (start + size()).min(samples);
        let now: Vec<_> = events
            .iter()
            .filter(|event| (start..end).contains(&event.offset))
            .map(|event| Event { offset: event.offset - start, ..*event })
            .collect();
        let (left, right) = (&mut left[start..end], &mut right[start..end]);
        assert_no_alloc(|| engine.process(patch, &now, left, right, &mut ends));
        ended += ends.drain(..).count();
        start = end;
    }
    (left, ended)
}

/// An event of a key.
pub fn event(offset: usize, key: u8, kind: EventKind) -> Event {
    Event { offset, note: NoteAddress { id: None, channel: Some(0), key: Some(key) }, kind }
}

/// A note-on.
pub fn on(offset: usize, key: u8) -> Event {
    event(offset, key, EventKind::NoteOn { velocity: 0.8 })
}

/// A note-off.
pub fn off(offset: usize, key: u8) -> Event {
    event(offset, key, EventKind::NoteOff)
}

/// Asserts the same bits in one block, in blocks of 1 to 700 samples, and sample by sample; and
/// that they are not silent.
pub fn is_the_same_in_all_blocks(patch: &Patch, events: &[Event], samples: usize, what: &str) {
    let (whole, _) = play(patch, events, samples, || samples);
    assert!(whole.iter().any(|x| x.abs() > 0.01), "{what}: silent");
    let mut state = 3u64;
    let (cut, _) =
        play(patch, events, samples, || crate::random::next(&mut state) as usize % 700 + 1);
    assert!(whole == cut, "{what}");
    let (single, _) = play(patch, events, samples, || 1);
    assert!(whole == single, "{what}: sample by sample");
}

/// Largest second difference, which reveals clicks.
pub fn kink(sound: &[f32]) -> f32 {
    sound.windows(3).fold(0.0, |most, w| most.max((w[0] - 2.0 * w[1] + w[2]).abs()))
}

/// Amplitude of a sound at a frequency, through a window with negligible side lobes.
pub fn amplitude_at(sound: &[f32], frequency_hz: f64) -> f64 {
    let turn = std::f64::consts::TAU / sound.len() as f64;
    let (mut re, mut im) = (0.0, 0.0);
    for (n, &x) in sound.iter().enumerate() {
        let n = n as f64;
        let window = 0.42 - 0.5 * (turn * n).cos() + 0.08 * (2.0 * turn * n).cos();
        let (sin, cos) = (std::f64::consts::TAU * frequency_hz / RATE_HZ * n).sin_cos();
        re += window * f64::from(x) * cos;
        im += window * f64::from(x) * sin;
    }
    re.hypot(im) / (0.42 * sound.len() as f64)
}

/// Root mean square.
pub fn level(sound: &[f32]) -> f64 {
    (sound.iter().map(|x| f64::from(x * x)).sum::<f64>() / sound.len() as f64).sqrt()
}
