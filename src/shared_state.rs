//! The state of one plug-in instance that host, audio thread and editor share.
//!
//! The plug-in and the editor both use it; it uses neither of them.

pub mod extras;
pub mod params;
pub mod session;
pub mod state;
pub mod telemetry;
pub mod voice_allocator;
pub mod window_settings;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs `act` and returns `fallback` if it panics.
///
/// Every entry point that a host calls needs this: a panic that unwinds into C aborts the host.
pub fn catch_panic<T>(fallback: T, act: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or(fallback)
}

/// Locks a mutex, even if a panic of another thread has poisoned it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
