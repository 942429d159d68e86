//! What the engine does at an event.

use super::{Engine, NoteEnds, context, controls, pool, report_event};
use crate::modulation::controllers::gate_bend;
use crate::modulation::{Destination, Onset, velocity};
use crate::params::event::{Event, EventKind, NoteAddress, NoteEnd};
use crate::params::{Param, Patch};
use crate::voice::Voice;

impl Engine {
    pub(super) fn play(
        &mut self,
        patch: &Patch,
        event: &Event,
        offset: usize,
        ends: &mut NoteEnds,
    ) {
        match event.kind {
            EventKind::NoteOn { velocity } => {
                if let Some(note) = self.begin(patch, event.note, gate_velocity(velocity)) {
                    report_event(ends, NoteEnd { offset, note });
                }
            }
            EventKind::NoteOff => {
                let controls = &self.controls;
                self.pool.matching(&event.note).for_each(|voice| controls.let_go(voice, patch));
            }
            EventKind::Choke => self.pool.matching(&event.note).for_each(Voice::choke),
            EventKind::Controller { number, value } => {
                self.turn(patch, event.note.channel, number, controls::gate(value));
            }
            EventKind::Pressure { value } => self.press(patch, &event.note, value),
            EventKind::Bend { value } => self.bend(patch, event.note.channel, gate_bend(value)),
            EventKind::Expression { kind, value } => {
                self.pool.matching(&event.note).for_each(|voice| voice.express(kind, value));
            }
            EventKind::Modulation { param, offset } if Destination::takes(param) => {
                self.pool.matching(&event.note).for_each(|voice| voice.modulate(param, offset));
            }
            EventKind::Modulation { .. } => {}
        }
    }

    /// Begin a note. Returns one that is over by it: this very one, if its key has no pitch.
    fn begin(&mut self, patch: &Patch, note: NoteAddress, velocity: f64) -> Option<NoteAddress> {
        if self.tuning.pitch_st(pool::key_of(&note)).is_none() {
            return Some(note);
        }
        let onset = Onset { velocity: velocity::curved(patch, velocity), count: self.count(patch) };
        let context =
            context(patch, &self.surfaces, (&self.list, self.lists), &self.tuning, self.tempo_bpm);
        let (voice, before) = self.pool.voice_for(note, &context);
        let held = self.controls.felt(note.channel, self.controls.zone(patch));
        voice.mute(held.mutes());
        voice.feel(&held.controllers);
        voice.play(onset, &context);
        self.budget.note_begun();
        before
    }

    /// Number of the next note, for all that looks random.
    fn count(&mut self, patch: &Patch) -> u64 {
        let count = if patch.choice(Param::Fresh) == 1 { self.notes_ever } else { self.notes };
        self.notes += 1;
        self.notes_ever = self.notes_ever.wrapping_add(1);
        count
    }
}

/// Velocities are 0…1, whatever is sent; what is no number strikes at full speed rather than not at
/// all.
fn gate_velocity(velocity: f32) -> f64 {
    if velocity.is_nan() { 1.0 } else { f64::from(velocity).clamp(0.0, 1.0) }
}
