//! Events, and blocks of any size.

use ictus::engine::{Engine, NoteEnds};
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};
use ictus::voice::events::ContactEventKind;

pub const RATE_HZ: f64 = 48_000.0;

/// No note.
pub const NONE: [i32; 0] = [];

/// The default patch with some parameters set, without the limiter and its delay.
pub fn patch(settings: &[(Param, f64)]) -> Patch {
    let mut patch = Patch::default();
    patch.set(Param::Limiter, 0.0);
    for &(param, value) in settings {
        patch.set(param, value);
    }
    patch
}

/// A note on the first channel with this id.
pub fn note(id: i32, key: u8) -> NoteAddress {
    NoteAddress { id: Some(id), channel: Some(0), key: Some(key) }
}

pub fn on(offset: usize, note: NoteAddress, velocity: f32) -> Event {
    Event { offset, note, kind: EventKind::NoteOn { velocity } }
}

pub fn off(offset: usize, note: NoteAddress) -> Event {
    Event { offset, note, kind: EventKind::NoteOff }
}

pub fn choke(offset: usize, note: NoteAddress) -> Event {
    Event { offset, note, kind: EventKind::Choke }
}

/// A controller of the first channel.
pub fn turn(offset: usize, number: u8, value: f32) -> Event {
    let note = NoteAddress { channel: Some(0), ..NoteAddress::default() };
    Event { offset, note, kind: EventKind::Controller { number, value } }
}

/// What was played, in samples from the start.
pub struct Played {
    pub left: Vec<f32>,
    /// Notes that ended, and when.
    pub ends: Vec<(usize, NoteAddress)>,
    /// When contacts began, in samples, and of which notes.
    pub onsets: Vec<(f64, NoteAddress)>,
    /// Voices that sound at the end.
    pub voices: usize,
}

impl Played {
    /// Ids of the notes that ended, in order.
    pub fn ended(&self) -> Vec<i32> {
        let mut ids: Vec<_> = self.ends.iter().filter_map(|(_, note)| note.id).collect();
        ids.sort_unstable();
        ids
    }

    pub fn energy(&self, samples: std::ops::Range<usize>) -> f64 {
        self.left[samples].iter().map(|x| f64::from(x * x)).sum()
    }

    /// Largest difference of neighbouring samples.
    pub fn step(&self, samples: std::ops::Range<usize>) -> f32 {
        self.left[samples].windows(2).fold(0.0, |step, pair| step.max((pair[1] - pair[0]).abs()))
    }
}

/// Plays events in the order of time, in blocks whose sizes come from a callback; `change` may
/// change the patch before each block, by its first sample.
pub fn play_changing(
    patch: &Patch,
    events: &[Event],
    samples: usize,
    mut size: impl FnMut() -> usize,
    mut change: impl FnMut(&mut Patch, usize),
) -> Played {
    let mut patch = patch.clone();
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let (mut left, mut right) = (vec![0.0f32; samples], vec![0.0f32; samples]);
    let mut played = Played { left: Vec::new(), ends: Vec::new(), onsets: Vec::new(), voices: 0 };
    let (mut start, mut next, mut reported) = (0, 0, NoteEnds::new());
    while start < samples {
        let end = (start + size().max(1)).min(samples);
        change(&mut patch, start);
        let count = events[next..].iter().take_while(|event| event.offset < end).count();
        let now: Vec<_> = events[next..next + count]
            .iter()
            .map(|event| Event { offset: event.offset - start, ..*event })
            .collect();
        next += count;
        let status = engine.process(
            &patch,
            &now,
            &mut left[start..end],
            &mut right[start..end],
            &mut reported,
        );
        played.ends.extend(reported.drain(..).map(|ended| (start + ended.offset, ended.note)));
        for contact_event in engine.contact_events() {
            if let ContactEventKind::Contact(contact) = contact_event.what {
                let onset = (contact_event.after_s - contact.duration_s) * RATE_HZ
                    + (start + contact_event.offset) as f64;
                played.onsets.push((onset, contact_event.note));
            }
        }
        played.voices = status.voices;
        start = end;
    }
    played.left = left;
    played
}

/// The same with a constant patch.
pub fn play(patch: &Patch, events: &[Event], samples: usize) -> Played {
    play_changing(patch, events, samples, || 256, |_, _| {})
}

/// Pseudo-random numbers, the same for the same seed.
pub struct TestRng(pub u64);

impl TestRng {
    /// From 0 to below `most`.
    pub fn below(&mut self, most: usize) -> usize {
        crate::random::next(&mut self.0) as usize % most
    }
}
