//! Brings voices with more room for modes to the audio thread.
//!
//! A voice has room for 64 modes until a patch asks for more. Whoever loads a preset or a state makes
//! larger voices before the loading returns; notes that begin afterwards have them. If a parameter
//! changes by itself, a worker makes them within a tenth of a second, or the audio thread does when
//! the host renders offline.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use crossbeam_queue::ArrayQueue;
use nice_plug::util::permit_alloc;

use crate::engine::{Engine, VoiceSet, modes_of};
use crate::patch::Patch;

/// Shared by the audio thread, the worker and whoever loads.
#[derive(Debug)]
pub struct VoiceSupply {
    /// Modes of the largest voices that were made or asked for.
    modes: AtomicUsize,
    /// Modes that the audio thread asks for; 0 if it asks for nothing.
    asked: AtomicUsize,
    sample_rate_hz: AtomicU32,
    made: ArrayQueue<VoiceSet>,
    retired: ArrayQueue<VoiceSet>,
}

impl Default for VoiceSupply {
    fn default() -> Self {
        Self {
            modes: AtomicUsize::new(0),
            asked: AtomicUsize::new(0),
            sample_rate_hz: AtomicU32::new(48_000),
            made: ArrayQueue::new(1),
            // Each set has room for twice the modes of the one before: there are two growths.
            retired: ArrayQueue::new(4),
        }
    }
}

impl VoiceSupply {
    /// The engine has voices of so many modes, at this sample rate.
    pub fn prepare(&self, engine: &Engine, sample_rate_hz: f64) {
        self.free_retired();
        self.modes.store(engine.modes(), Ordering::Release);
        self.asked.store(0, Ordering::Release);
        self.sample_rate_hz.store(sample_rate_hz as u32, Ordering::Release);
    }

    /// Makes larger voices if the patch needs them. Not for the audio thread.
    pub fn make_room_for(&self, patch: &Patch) {
        self.make(modes_of(patch));
    }

    /// The worker's part.
    pub fn work(&self) {
        self.free_retired();
        self.make(self.asked.load(Ordering::Acquire));
    }

    fn make(&self, modes: usize) {
        if self.modes.fetch_max(modes, Ordering::AcqRel) < modes {
            let rate_hz = f64::from(self.sample_rate_hz.load(Ordering::Acquire));
            drop(self.made.force_push(VoiceSet::new(modes, rate_hz)));
        }
    }

    fn free_retired(&self) {
        while self.retired.pop().is_some() {}
    }

    /// Audio thread, before a block of a patch: gives the engine the voices that were made, and asks
    /// for those that it lacks.
    pub fn follow(&self, patch: &Patch, engine: &mut Engine, is_offline: bool) {
        if !self.retired.is_full()
            && let Some(set) = self.made.pop()
        {
            self.give(set, engine);
        }
        let modes = modes_of(patch);
        if modes <= engine.modes() {
            return;
        }
        if is_offline {
            permit_alloc(|| self.make(modes));
            if let Some(set) = self.made.pop() {
                self.give(set, engine);
            }
        } else {
            self.asked.store(modes, Ordering::Release);
        }
    }

    fn give(&self, set: VoiceSet, engine: &mut Engine) {
        if let Some(retired) = engine.offer_voices(set) {
            let _ = self.retired.push(retired);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{MAX_MODES, USUAL_MODES};
    use crate::patch::Param;

    fn patch(modes: f64) -> Patch {
        let mut patch = Patch::default();
        patch.set(Param::Modes, modes);
        patch
    }

    #[test]
    fn voices_grow_when_a_patch_is_loaded_and_never_shrink() {
        let (supply, mut engine) = (VoiceSupply::default(), Engine::with_modes(USUAL_MODES));
        supply.prepare(&engine, 48_000.0);
        for (modes, expected) in [(64.0, 64), (65.0, 128), (10.0, 128), (256.0, MAX_MODES)] {
            supply.make_room_for(&patch(modes));
            supply.follow(&patch(modes), &mut engine, false);
            assert_eq!(engine.modes(), expected);
        }
    }

    #[test]
    fn a_parameter_that_changes_by_itself_waits_for_the_worker_unless_the_host_renders() {
        for is_offline in [false, true] {
            let (supply, mut engine) = (VoiceSupply::default(), Engine::with_modes(USUAL_MODES));
            supply.prepare(&engine, 48_000.0);
            supply.follow(&patch(200.0), &mut engine, is_offline);
            assert_eq!(engine.modes(), if is_offline { MAX_MODES } else { USUAL_MODES });
            supply.work();
            supply.follow(&patch(200.0), &mut engine, is_offline);
            assert_eq!(engine.modes(), MAX_MODES);
        }
    }
}
