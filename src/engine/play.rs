//! What the engine does at an event.

use super::{Engine, NoteEnds, controls, pool, tell, world};
use crate::event::{Event, EventKind, NoteAddress, NoteEnd};
use crate::gesture::tumble::Toss;
use crate::gesture::{Blow, Gesture, Throw, row};
use crate::patch::Patch;
use crate::voice::{Voice, World};

impl Engine {
    pub(super) fn play(&mut self, patch: &Patch, event: &Event, offset: usize, ends: &mut NoteEnds) {
        match event.kind {
            EventKind::NoteOn { velocity } => {
                if let Some(note) = self.begin(patch, event.note, gate_velocity(velocity)) {
                    tell(ends, NoteEnd { offset, note });
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
            EventKind::Pressure { value } => self.press(&event.note, controls::gate(value)),
        }
    }

    /// Begin a note. Returns one that is over by it: this very one, if its key has no pitch.
    fn begin(&mut self, patch: &Patch, note: NoteAddress, velocity: f64) -> Option<NoteAddress> {
        if self.tuning.pitch_st(pool::key_of(&note)).is_none() {
            return Some(note);
        }
        let motion = Motion { velocity, count: self.notes, tempo_bpm: self.tempo_bpm };
        self.notes += 1;
        let world = world(patch, &self.surfaces, (&self.list, self.lists), &self.tuning);
        let (voice, before) = self.pool.voice_for(note, &world);
        let held = self.controls.of(note.channel);
        voice.mute(held.mutes());
        voice.press(held.pressed(), None);
        motion.begin(voice, &world);
        before
    }
}

/// What a note sets in motion.
struct Motion {
    /// Velocity of the note, 0…1.
    velocity: f64,
    /// Notes before it.
    count: u64,
    /// Quarter notes per minute.
    tempo_bpm: f64,
}

impl Motion {
    fn begin(&self, voice: &mut Voice, world: &World) {
        let &Motion { velocity, count, tempo_bpm } = self;
        let (patch, scale) = (world.patch, voice.scale(world));
        match patch.gesture() {
            Gesture::Strike => voice.strike(&Blow::of_note(patch, &scale, velocity, count), patch),
            Gesture::Bounce => voice.throw(&Throw::of_note(patch, &scale, velocity, count, tempo_bpm), patch),
            Gesture::Tumble => voice.toss(Toss::of_note(patch, &scale, velocity, count)),
            Gesture::Chain => voice.launch(&row::of_note(patch, &scale, velocity)),
            Gesture::Roll | Gesture::Scrape => {
                if let Some(table) = world.table {
                    voice.roll(velocity, table, patch);
                }
            }
        }
    }
}

/// Velocities are 0…1, whatever is sent; what is no number strikes at full speed rather than not at all.
fn gate_velocity(velocity: f32) -> f64 {
    if velocity.is_nan() { 1.0 } else { f64::from(velocity).clamp(0.0, 1.0) }
}
