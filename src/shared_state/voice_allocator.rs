//! Delivers more voices, or voices for more modes, to the audio thread.
//!
//! An engine has 32 voices of 64 modes until a patch needs more. The thread that loads a preset or
//! a state allocates them before the load returns; notes that start afterwards use them. After a
//! single parameter change, a worker allocates them within a tenth of a second, or the audio thread
//! does if the host renders offline.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use crossbeam_queue::ArrayQueue;
use nice_plug::util::permit_alloc;

use super::lock;
use crate::engine::{Engine, VoiceRoom, VoiceSet};
use crate::params::Patch;

/// Shared by the audio thread, the worker and the thread that loads.
#[derive(Debug)]
pub struct VoiceAllocator {
    /// The largest room allocated so far. The audio thread locks it only when it renders offline.
    allocated_room: Mutex<VoiceRoom>,
    /// The room that the audio thread requests; 0 if none.
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
            // Rooms only grow, by powers of two, so they grow no more than four times.
            retired: ArrayQueue::new(4),
        }
    }
}

impl VoiceAllocator {
    /// Takes over the room of a newly prepared engine.
    pub fn prepare(&self, engine: &Engine, sample_rate_hz: f64) {
        self.free_retired();
        *lock(&self.allocated_room) = engine.room();
        self.request(VoiceRoom { modes: 0, voices: 0 });
        self.sample_rate_hz.store(sample_rate_hz as u32, Ordering::Release);
    }

    /// Allocates larger voices if the patch needs them. Not for the audio thread.
    pub fn reserve_for(&self, patch: &Patch) {
        self.build(VoiceRoom::of(patch));
    }

    /// Serves the requests of the audio thread. Worker thread.
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
        let mut allocated_room = lock(&self.allocated_room);
        if !allocated_room.covers(room) {
            *allocated_room = allocated_room.max(room);
            let rate_hz = f64::from(self.sample_rate_hz.load(Ordering::Acquire));
            drop(self.built.force_push(VoiceSet::new(*allocated_room, rate_hz)));
        }
    }

    fn free_retired(&self) {
        while self.retired.pop().is_some() {}
    }

    /// Gives the engine the allocated voices, and requests those that it lacks. Audio thread,
    /// before each block.
    pub fn update(&self, patch: &Patch, engine: &mut Engine, is_offline: bool) {
        self.offer_built(engine);
        let room = VoiceRoom::of(patch);
        if engine.room().covers(room) {
            return;
        }
        if is_offline {
            permit_alloc(|| self.build(room));
            self.offer_built(engine);
        } else {
            self.request(room);
        }
    }

    fn offer_built(&self, engine: &mut Engine) {
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

    fn usual_engine() -> (VoiceAllocator, Engine) {
        let (allocator, engine) = (VoiceAllocator::default(), Engine::with_room(VoiceRoom::USUAL));
        allocator.prepare(&engine, 48_000.0);
        (allocator, engine)
    }

    #[test]
    fn room_grows_when_a_patch_is_loaded_and_never_shrinks() {
        let (allocator, mut engine) = usual_engine();
        for (modes, voices, expected) in [
            (64.0, 32.0, (64, 32)),
            (65.0, 9.0, (128, 32)),
            (10.0, 33.0, (128, 64)),
            (256.0, 1.0, (256, 64)),
        ] {
            allocator.reserve_for(&patch(modes, voices));
            allocator.update(&patch(modes, voices), &mut engine, false);
            assert_eq!(engine.room(), VoiceRoom { modes: expected.0, voices: expected.1 });
        }
    }

    #[test]
    fn a_single_parameter_change_waits_for_the_worker_unless_offline() {
        for is_offline in [false, true] {
            let (allocator, mut engine) = usual_engine();
            let patch = patch(200.0, 64.0);
            allocator.update(&patch, &mut engine, is_offline);
            assert_eq!(engine.room(), if is_offline { VoiceRoom::ALL } else { VoiceRoom::USUAL });
            allocator.work();
            allocator.update(&patch, &mut engine, is_offline);
            assert_eq!(engine.room(), VoiceRoom::ALL);
        }
    }
}
