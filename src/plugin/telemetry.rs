//! What passes between the audio thread and the editor besides parameters: meters out, notes in.
//! Lock-free; either side may miss something, neither ever waits.

use std::sync::atomic::{AtomicU32, Ordering};

use atomic_float::AtomicF32;
use crossbeam_queue::ArrayQueue;

use crate::engine::Status;

/// Notes the editor may send in one block.
const NOTES: usize = 64;

/// Shared between audio thread and editor.
pub struct Telemetry {
    peak: [AtomicF32; 2],
    limiter_gain: AtomicF32,
    voices: AtomicU32,
    /// Key, and velocity of a note on or nothing for a note off.
    notes: ArrayQueue<(u8, Option<f32>)>,
}

impl Telemetry {
    /// Nothing has happened yet.
    pub fn new() -> Self {
        Self {
            peak: [AtomicF32::new(0.0), AtomicF32::new(0.0)],
            limiter_gain: AtomicF32::new(1.0),
            voices: AtomicU32::new(0),
            notes: ArrayQueue::new(NOTES),
        }
    }

    /// Audio thread: tell how it went.
    pub fn report(&self, status: &Status) {
        for (shown, peak) in self.peak.iter().zip(status.peak) {
            shown.fetch_max(peak, Ordering::Relaxed);
        }
        self.limiter_gain.fetch_min(status.limiter_gain, Ordering::Relaxed);
        self.voices.store(status.voices as u32, Ordering::Relaxed);
    }

    /// Audio thread: the notes played in the editor since the last call. At most as many as fit the queue,
    /// however fast the editor sends.
    pub fn take_notes(&self) -> impl Iterator<Item = (u8, Option<f32>)> {
        (0..NOTES).map_while(|_| self.notes.pop())
    }

    /// Editor: play a key, or let go of it (no velocity). Dropped when the queue is full.
    pub fn play(&self, key: u8, velocity: Option<f32>) {
        let _ = self.notes.push((key, velocity));
    }

    /// Editor: largest output since the last call, left and right.
    pub fn take_peak(&self) -> [f32; 2] {
        self.peak.each_ref().map(|peak| peak.swap(0.0, Ordering::Relaxed))
    }

    /// Editor: smallest gain of the limiter since the last call.
    pub fn take_limiter_gain(&self) -> f32 {
        self.limiter_gain.swap(1.0, Ordering::Relaxed)
    }

    /// Editor: voices that sound.
    pub fn voices(&self) -> u32 {
        self.voices.load(Ordering::Relaxed)
    }
}

impl Default for Telemetry {
    fn default() -> Self {
        Self::new()
    }
}
