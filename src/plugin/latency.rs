//! The latency that a host is told.
//!
//! The limiter delays the output, and its switch changes the delay at once. The host learns of it
//! when it restarts the instance: the audio thread asks for its main thread, and that asks for a
//! restart.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Shared by an instance and the code that offers it to hosts.
#[derive(Default)]
pub struct Latency {
    samples: AtomicU32,
    needs_callback: AtomicBool,
    needs_restart: AtomicBool,
}

impl Latency {
    /// Samples by which the output is late.
    pub fn samples(&self) -> u32 {
        self.samples.load(Ordering::Acquire)
    }

    /// While the instance is being activated.
    pub fn set(&self, samples: usize) {
        self.samples.store(samples as u32, Ordering::Release);
        self.needs_restart.store(false, Ordering::Release);
    }

    /// Audio thread, in every block.
    pub fn follow(&self, samples: usize) {
        if self.samples.swap(samples as u32, Ordering::AcqRel) != samples as u32 {
            self.needs_restart.store(true, Ordering::Release);
            self.needs_callback.store(true, Ordering::Release);
        }
    }

    /// Audio thread, after a block: whether to ask for the main thread.
    pub fn take_callback(&self) -> bool {
        // A load is cheaper than a swap, and nearly always enough.
        self.needs_callback.load(Ordering::Acquire)
            && self.needs_callback.swap(false, Ordering::AcqRel)
    }

    /// Main thread: whether to ask for a restart.
    pub fn take_restart(&self) -> bool {
        self.needs_restart.swap(false, Ordering::AcqRel)
    }
}
