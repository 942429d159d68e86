//! Patches from text, notes, and blocks of any size.

use ictus::cli::events::Score;
use ictus::cli::render::install_surface;
use ictus::engine::{Engine, NoteEnds};
use ictus::params::Patch;
use ictus::params::event::{Event, EventKind, NoteAddress};

pub use crate::patches::{patch, set};

pub const RATE_HZ: f64 = 48_000.0;

pub fn note(key: u8) -> NoteAddress {
    NoteAddress { id: None, channel: Some(0), key: Some(key) }
}

pub fn on(offset: usize, key: u8, velocity: f32) -> Event {
    Event { offset, note: note(key), kind: EventKind::NoteOn { velocity } }
}

pub fn off(offset: usize, key: u8) -> Event {
    Event { offset, note: note(key), kind: EventKind::NoteOff }
}

/// A note of full velocity.
pub fn score(key: u8, sample_rate_hz: f64, max_length_s: f64) -> Score {
    Score { key, velocity: 1.0, hold_s: None, sample_rate_hz, tempo_bpm: 120.0, max_length_s }
}

/// An engine with the surface of the patch.
pub fn engine(patch: &Patch, rate_hz: f64) -> Engine {
    let mut engine = Engine::new();
    engine.prepare(rate_hz);
    install_surface(&mut engine, patch, None);
    engine
}

/// What was played.
pub struct Played {
    pub left: Vec<f64>,
    pub right: Vec<f64>,
    /// Notes that ended.
    pub ends: usize,
    /// Smallest gain of the limiter.
    pub limiter_gain: f32,
}

impl Played {
    pub fn peak(&self) -> f64 {
        self.left.iter().chain(&self.right).fold(0.0, |peak, x| peak.max(x.abs()))
    }

    pub fn energy(&self) -> f64 {
        self.left.iter().chain(&self.right).map(|x| x * x).sum()
    }
}

/// Plays events in blocks whose sizes come from a callback; `turn` may change the patch before each
/// block, by its first sample.
pub fn play(
    patch: &Patch,
    events: &[Event],
    samples: usize,
    rate_hz: f64,
    mut size: impl FnMut() -> usize,
    mut turn: impl FnMut(&mut Patch, usize),
) -> Played {
    let mut patch = patch.clone();
    let mut engine = engine(&patch, rate_hz);
    let (mut left, mut right) = (vec![0.0f32; samples], vec![0.0f32; samples]);
    let mut reported = NoteEnds::new();
    let (mut start, mut ends, mut limiter_gain) = (0, 0, 1.0f32);
    while start < samples {
        let end = (start + size().max(1)).min(samples);
        turn(&mut patch, start);
        let now: Vec<_> = events
            .iter()
            .filter(|event| (start..end).contains(&event.offset))
            .map(|event| Event { offset: event.offset - start, ..*event })
            .collect();
        let status = engine.process(
            &patch,
            &now,
            &mut left[start..end],
            &mut right[start..end],
            &mut reported,
        );
        limiter_gain = limiter_gain.min(status.limiter_gain);
        ends += reported.len();
        reported.clear();
        start = end;
    }
    let wide = |side: Vec<f32>| side.into_iter().map(f64::from).collect();
    Played { left: wide(left), right: wide(right), ends, limiter_gain }
}

/// One note of full velocity.
pub fn one(patch: &Patch, key: u8, seconds: f64, rate_hz: f64) -> Played {
    play(patch, &[on(0, key, 1.0)], (seconds * rate_hz) as usize, rate_hz, || 256, |_, _| {})
}

/// Largest difference of neighbouring samples.
pub fn largest_step(sound: &[f64]) -> f64 {
    sound.windows(2).fold(0.0, |step, pair| step.max((pair[1] - pair[0]).abs()))
}

/// Block sizes from 1 to `most`, the same for the same seed.
pub fn random_sizes(mut state: u32, most: usize) -> impl FnMut() -> usize {
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        1 + (state >> 8) as usize % most
    }
}
