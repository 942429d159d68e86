//! The engine with a steady load: a number of keys, each played again and again.

use std::hint::black_box;
use std::sync::Arc;

use ictus::engine::{Engine, NoteEnds};
use ictus::exciter::surface::{Feeler, Recipe, SurfaceTable};
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};
use ictus::tuning::{Keyboard, ScalaScale, Tuning};
use ictus::voice::events::ContactEventKind;

use super::gestures::Gesture;

/// Sample rate and block of every figure.
pub const RATE_HZ: f64 = 48_000.0;
/// Samples in a block.
pub const BLOCK: usize = 64;

/// The key below which a bar has at least 64 modes under the top of the band at [`RATE_HZ`], Hz.
const LOW_HZ: f64 = 11.5;

/// An engine, and what is played on it.
pub struct BenchEngine {
    engine: Engine,
    patch: Patch,
    gesture: &'static Gesture,
    voices: usize,
    /// All keys are played in the first block, not one after the other.
    at_once: bool,
    block: usize,
    left: [f32; BLOCK],
    right: [f32; BLOCK],
    ends: NoteEnds,
}

/// What a block was like.
#[derive(Clone, Copy, Default)]
pub struct Played {
    /// Voices that sounded at its end.
    pub voices: usize,
    /// Time in contact of all contacts that ended in it, s.
    pub contact_s: f64,
}

impl BenchEngine {
    /// A gesture on so many keys, with some more settings.
    pub fn new(
        gesture: &'static Gesture,
        voices: usize,
        more: &[(&str, &str)],
        at_once: bool,
    ) -> Self {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        engine.set_tuning(&low());
        if gesture.held {
            // Only what is held reads the ground, and making it takes time.
            let table =
                SurfaceTable::build(&Recipe::default(), &Feeler { radius_m: 0.01, patch_m: 5e-5 });
            assert!(engine.set_surface(Arc::new(table)).is_ok());
        }
        let voices_text = voices.to_string();
        let mut patch = Patch::default();
        for (id, text) in
            gesture.settings.iter().chain(more).chain(&[("voices", voices_text.as_str())])
        {
            let param = Param::from_id(id).unwrap_or_else(|| panic!("{id}"));
            patch.set(param, param.spec().parse_si(text).unwrap_or_else(|| panic!("{id} {text}")));
        }
        let (left, right) = ([0.0; BLOCK], [0.0; BLOCK]);
        Self {
            engine,
            patch,
            gesture,
            voices,
            at_once,
            block: 0,
            left,
            right,
            ends: NoteEnds::new(),
        }
    }

    /// The notes of the next block.
    pub fn events(&self) -> Vec<Event> {
        let Gesture { period, held, .. } = *self.gesture;
        let is_due = |voice: &usize| {
            let first = if self.at_once { 0 } else { voice * period / self.voices };
            if held { self.block == first } else { self.block % period == first }
        };
        let on = |voice: usize| Event {
            // Anywhere in the block, as a player has it.
            offset: if self.at_once { 0 } else { voice * 29 % BLOCK },
            note: NoteAddress { id: None, channel: Some(0), key: Some(voice as u8) },
            kind: EventKind::NoteOn { velocity: 0.8 },
        };
        let mut events: Vec<_> = (0..self.voices).filter(is_due).map(on).collect();
        events.sort_by_key(|event| event.offset);
        events
    }

    /// Play one block with its notes.
    pub fn play(&mut self, events: &[Event]) {
        self.ends.clear();
        let status = self.engine.process(
            &self.patch,
            events,
            &mut self.left,
            &mut self.right,
            &mut self.ends,
        );
        black_box((status, &self.left, &self.right));
        self.block += 1;
    }

    /// What the last block was like.
    pub fn played(&mut self) -> Played {
        let contact = |what: &ContactEventKind| {
            if let ContactEventKind::Contact(contact) = what { contact.duration_s } else { 0.0 }
        };
        let contact_s = self
            .engine
            .contact_events()
            .iter()
            .map(|contact_event| contact(&contact_event.what))
            .sum();
        let voices = self.engine.process(&self.patch, &[], &mut [], &mut [], &mut self.ends).voices;
        Played { voices, contact_s }
    }
}

/// Every key a little higher than the one below, all of them so low that a bar has 64 modes.
fn low() -> Tuning {
    let scale = ScalaScale::parse("low\n1\n10.0\n").expect("a scale of one step");
    let keys = Keyboard::parse(&format!("0\n0\n127\n63\n63\n{LOW_HZ}\n0\n")).expect("a keyboard");
    Tuning::new(&scale, &keys).expect("every key has a pitch")
}
