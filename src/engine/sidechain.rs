//! What the engine does for sound from outside.

use super::{Engine, NoteEnds, context, report_event};
use crate::exciter::external::{self, Trigger};
use crate::params::Patch;
use crate::params::event::{Event, EventKind, NoteEnd};

impl Engine {
    /// Do what the sound from outside asks for.
    pub(super) fn trigger_sidechain(
        &mut self,
        patch: &Patch,
        listening: &external::ExternalSettings,
        trigger: Trigger,
        offset: usize,
        ends: &mut NoteEnds,
    ) {
        let note = listening.note();
        match trigger {
            Trigger::Strike { velocity } => {
                self.play(
                    patch,
                    &Event { offset, note, kind: EventKind::NoteOn { velocity } },
                    offset,
                    ends,
                );
            }
            Trigger::LetGo => {
                self.play(
                    patch,
                    &Event { offset, note: external::NOTES, kind: EventKind::NoteOff },
                    offset,
                    ends,
                );
            }
            Trigger::Push => self.push(patch, listening, offset, ends),
        }
    }

    /// Whether the body that is meant is being driven from outside, or cannot be.
    pub(super) fn is_driven(&mut self, listening: &external::ExternalSettings) -> bool {
        let note = listening.note();
        self.pool.matching(&note).any(|voice| voice.is_pushed())
            || self.tuning.pitch_st(listening.key).is_none()
    }

    /// Let the force from outside drive the body of a note.
    fn push(
        &mut self,
        patch: &Patch,
        listening: &external::ExternalSettings,
        offset: usize,
        ends: &mut NoteEnds,
    ) {
        if self.is_driven(listening) {
            return;
        }
        let note = listening.note();
        self.pool.matching(&external::NOTES).for_each(|voice| voice.push_no_more());
        let context =
            context(patch, &self.surfaces, (&self.list, self.lists), &self.tuning, self.tempo_bpm);
        let (voice, before) = self.pool.voice_for(note, &context);
        voice.push();
        self.budget.wake();
        if let Some(note) = before {
            report_event(ends, NoteEnd { offset, note });
        }
    }
}
