//! Panics stop here.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `act` and turns a panic into `failed`. Every call of a host goes through it somewhere: a
/// panic that reaches a C function aborts the host.
pub fn catch_panic<T>(failed: T, act: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or(failed)
}
