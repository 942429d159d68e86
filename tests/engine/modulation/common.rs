//! Patches from text, events, and measurements of a single mode.

use std::f64::consts::PI;

use ictus::cli::render::install_surface;
use ictus::engine::{Engine, NoteEnds};
use ictus::modulation::{Destination, Source};
use ictus::params::Patch;
use ictus::params::event::{Event, EventKind, ExpressionKind, NoteAddress, NoteEnd};

/// Without the limiter, whose look-ahead would delay everything.
pub fn patch(settings: &[(&str, &str)]) -> Patch {
    crate::patches::patch(&[&[("limit", "Off")], settings].concat())
}

pub const RATE_HZ: f64 = 48_000.0;

/// One mode that rings long, far below the limiter, with some parameters set from text.
pub fn one_mode(settings: &[(&str, &str)]) -> Patch {
    patch(
        &[&[("modes", "1"), ("mater", "Steel"), ("supp", "0.3"), ("level", "-12")], settings]
            .concat(),
    )
}

/// Fills a slot.
pub fn connect(patch: &mut Patch, slot: usize, source: Source, target: &str, depth: f64) {
    let [from, to, amount] = ictus::modulation::slots::SLOTS[slot];
    patch.set(from, source as usize as f64);
    let index = Destination::NAMES
        .iter()
        .position(|name| *name == target)
        .unwrap_or_else(|| panic!("{target}"));
    patch.set(to, index as f64);
    patch.set(amount, depth);
}

/// A note with an id.
pub fn named(id: i32, channel: u8, key: u8) -> NoteAddress {
    NoteAddress { id: Some(id), channel: Some(channel), key: Some(key) }
}

/// A note from a keyboard.
pub fn keyed(channel: u8, key: u8) -> NoteAddress {
    NoteAddress { id: None, channel: Some(channel), key: Some(key) }
}

pub fn channel(channel: u8) -> NoteAddress {
    NoteAddress { channel: Some(channel), ..NoteAddress::default() }
}

pub fn at(offset: usize, note: NoteAddress, kind: EventKind) -> Event {
    Event { offset, note, kind }
}

pub fn on(offset: usize, note: NoteAddress, velocity: f32) -> Event {
    at(offset, note, EventKind::NoteOn { velocity })
}

pub fn off(offset: usize, note: NoteAddress) -> Event {
    at(offset, note, EventKind::NoteOff)
}

pub fn express(offset: usize, note: NoteAddress, kind: ExpressionKind, value: f32) -> Event {
    at(offset, note, EventKind::Expression { kind, value })
}

pub fn bend(offset: usize, on: u8, value: f32) -> Event {
    at(offset, channel(on), EventKind::Bend { value })
}

pub fn turn(offset: usize, on: u8, number: u8, value: f32) -> Event {
    at(offset, channel(on), EventKind::Controller { number, value })
}

/// An engine with the surface of the patch.
pub fn engine(patch: &Patch, rate_hz: f64) -> Engine {
    let mut engine = Engine::new();
    engine.prepare(rate_hz);
    install_surface(&mut engine, patch, None);
    engine
}

/// Plays events in order, in blocks whose sizes come from a callback; returns both channels and the
/// notes that ended.
pub fn play_in(
    engine: &mut Engine,
    patch: &Patch,
    events: &[Event],
    samples: usize,
    mut size: impl FnMut() -> usize,
) -> ([Vec<f32>; 2], Vec<NoteEnd>) {
    let mut sound = [vec![0.0f32; samples], vec![0.0f32; samples]];
    let (mut reported, mut ends) = (NoteEnds::new(), Vec::new());
    let mut start = 0;
    while start < samples {
        let end = (start + size().max(1)).min(samples);
        let now: Vec<_> = events
            .iter()
            .filter(|event| (start..end).contains(&event.offset))
            .map(|event| Event { offset: event.offset - start, ..*event })
            .collect();
        let [left, right] = &mut sound;
        engine.process(patch, &now, &mut left[start..end], &mut right[start..end], &mut reported);
        ends.extend(reported.drain(..).map(|end| NoteEnd { offset: end.offset + start, ..end }));
        start = end;
    }
    (sound, ends)
}

/// The same with a new engine.
pub fn play(patch: &Patch, events: &[Event], seconds: f64, rate_hz: f64) -> [Vec<f32>; 2] {
    play_in(&mut engine(patch, rate_hz), patch, events, (seconds * rate_hz) as usize, || 256).0
}

/// Frequency (Hz) of a single decaying sine near `guess_hz` in two windows of `apart_s`, from
/// `first_s` on.
pub fn pitch_hz(sound: &[f32], rate_hz: f64, guess_hz: f64, first_s: f64, apart_s: f64) -> f64 {
    let length = (apart_s * rate_hz) as usize;
    let look = |start: usize| {
        let (mut re, mut im) = (0.0, 0.0);
        for n in 0..length {
            let window = (PI * (n as f64 + 0.5) / length as f64).sin().powi(2);
            let phase = 2.0 * PI * guess_hz * (start + n) as f64 / rate_hz;
            re += window * f64::from(sound[start + n]) * phase.cos();
            im -= window * f64::from(sound[start + n]) * phase.sin();
        }
        (re, im)
    };
    let first = (first_s * rate_hz) as usize;
    let (a, b) = (look(first), look(first + length));
    let turned = (b.1 * a.0 - b.0 * a.1).atan2(b.0 * a.0 + b.1 * a.1);
    guess_hz + turned * rate_hz / (2.0 * PI * length as f64)
}

/// An interval, cents.
pub fn cents(got_hz: f64, wanted_hz: f64) -> f64 {
    1200.0 * (got_hz / wanted_hz).log2()
}

/// Root mean square of pieces of a sound.
pub fn levels(sound: &[f32], piece: usize) -> Vec<f64> {
    let power = |piece: &[f32]| {
        piece.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / piece.len() as f64
    };
    sound.chunks_exact(piece).map(|piece| power(piece).sqrt()).collect()
}

/// Largest difference of neighbouring samples.
pub fn largest_step(sound: &[f32]) -> f32 {
    sound.windows(2).fold(0.0, |step, pair| step.max((pair[1] - pair[0]).abs()))
}

/// Pseudo-random numbers.
pub fn random(mut state: u64) -> impl FnMut() -> u64 {
    move || crate::random::next(&mut state)
}
