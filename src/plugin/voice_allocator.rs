//! Brings more voices, or voices with room for more modes, to the audio thread.
//!
//! An engine has 32 voices of 64 modes until a patch asks for more. Whoever loads a preset or a
//! state makes larger voices before the loading returns; notes that begin afterwards have them. If
//! a parameter changes by itself, a worker makes them within a tenth of a second, or the audio
//! thread does when the host renders offline.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crossbeam_queue::ArrayQueue;
use nice_plug::util::permit_alloc;

use crate::engine::{Engine, VoiceRoom, VoiceSet};
use crate::params::Patch;

/// Shared by the audio thread, the worker and whoever loads.
#[derive(Debug)]
pub struct VoiceAllocator {
    /// The largest room that was made. Never locked by the audio thread, unless it renders offline.
    allocated_room: Mutex<VoiceRoom>,
    /// What the audio thread asks for; 0 if it asks for nothing.
    requested_modes: AtomicUsize,
    requested_voices: AtomicUsize,
    sample_rate_hz: AtomicU32,
    built: ArrayQueue<VoiceSet>,
    retired: ArrayQueue<VoiceSet>,
}

impl Default for VoiceAllocator {
    fn default() -> Self {
        Self {
            allocated_room: Mutex::new(VoiceRoom::USUAL),
            requested_modes: AtomicUsize::new(0),
            requested_voices: AtomicUsize::new(0),
            sample_rate_hz: AtomicU32::new(48_000),
            built: ArrayQueue::new(1),
            // Rooms only grow, by a power of two: there are no more growths than this.
            retired: ArrayQueue::new(4),
        }
    }
}

impl VoiceAllocator {
    /// The engine has been prepared at this sample rate.
    pub fn prepare(&self, engine: &Engine, sample_rate_hz: f64) {
        self.free_retired();
        *self.allocated_room.lock().unwrap_or_else(PoisonError::into_inner) = engine.room();
        self.request(VoiceRoom { modes: 0, voices: 0 });
        self.sample_rate_hz.store(sample_rate_hz as u32, Ordering::Release);
    }

    /// Makes larger voices if the patch needs them. Not for the audio thread.
    pub fn reserve_for(&self, patch: &Patch) {
        self.build(VoiceRoom::of(patch));
    }

    /// The worker's part.
    pub fn work(&self) {
        self.free_retired();
        self.build(VoiceRoom {
            modes: self.requested_modes.load(Ordering::Acquire),
            voices: self.requested_voices.load(Ordering::Acquire),
        });
    }

    fn request(&self, room: VoiceRoom) {
        self.requested_modes.store(room.modes, Ordering::Release);
        self.requested_voices.store(room.voices, Ordering::Release);
    }

    fn build(&self, room: VoiceRoom) {
        let mut allocated_room = self.allocated_room.lock().unwrap_or_else(PoisonError::into_inner);
        if !allocated_room.covers(room) {
            *allocated_room = allocated_room.max(room);
            let rate_hz = f64::from(self.sample_rate_hz.load(Ordering::Acquire));
            drop(self.built.force_push(VoiceSet::new(*allocated_room, rate_hz)));
        }
    }

    fn free_retired(&self) {
        while self.retired.pop().is_some() {}
    }

    /// Audio thread, before a block of a patch: gives the engine the voices that were made, and
    /// asks for those that it lacks.
    pub fn follow(&self, patch: &Patch, engine: &mut Engine, is_offline: bool) {
        self.give(engine);
        let room = VoiceRoom::of(patch);
        if engine.room().covers(room) {
            return;
        }
        if is_offline {
            permit_alloc(|| self.build(room));
            self.give(engine);
        } else {
            self.request(room);
        }
    }

    fn give(&self, engine: &mut Engine) {
        if !self.retired.is_full()
            && let Some(set) = self.built.pop()
            && let Some(retired) = engine.offer_voices(set)
        {
            let _ = self.retired.push(retired);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Param;

    fn patch(modes: f64, voices: f64) -> Patch {
        let mut patch = Patch::default();
        patch.set(Param::Modes, modes);
        patch.set(Param::Voices, voices);
        patch
    }

    fn usual() -> (VoiceAllocator, Engine) {
        let (supply, engine) = (VoiceAllocator::default(), Engine::with_room(VoiceRoom::USUAL));
        supply.prepare(&engine, 48_000.0);
        (supply, engine)
    }

    #[test]
    fn room_grows_when_a_patch_is_loaded_and_never_shrinks() {
        let (supply, mut engine) = usual();
        for (modes, voices, expected) in [
            (64.0, 32.0, (64, 32)),
            (65.0, 9.0, (128, 32)),
            (10.0, 33.0, (128, 64)),
            (256.0, 1.0, (256, 64)),
        ] {
            supply.reserve_for(&patch(modes, voices));
            supply.follow(&patch(modes, voices), &mut engine, false);
            assert_eq!(engine.room(), VoiceRoom { modes: expected.0, voices: expected.1 });
        }
    }

    #[test]
    fn a_parameter_that_changes_by_itself_waits_for_the_worker_unless_the_host_renders() {
        for is_offline in [false, true] {
            let (supply, mut engine) = usual();
            let patch = patch(200.0, 64.0);
            supply.follow(&patch, &mut engine, is_offline);
            assert_eq!(engine.room(), if is_offline { VoiceRoom::ALL } else { VoiceRoom::USUAL });
            supply.work();
            supply.follow(&patch, &mut engine, is_offline);
            assert_eq!(engine.room(), VoiceRoom::ALL);
        }
    }
}
