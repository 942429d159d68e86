//! What the system says of this program, where it says anything.

use std::time::Instant;

use stats_alloc::INSTRUMENTED_SYSTEM;

use super::checks::Memory;

/// Memory now. What is in use is counted by the allocator of the program (`bin/ictus.rs`).
pub fn memory() -> Memory {
    let counted = INSTRUMENTED_SYSTEM.stats();
    Memory {
        in_use_bytes: counted.bytes_allocated.saturating_sub(counted.bytes_deallocated),
        held_kb: held_kb(),
    }
}

fn held_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Time that the processor has given this thread, s: while other programs have their turn it stands
/// still.
#[cfg(unix)]
pub fn time_s(_since: Instant) -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Elsewhere the time of the clock on the wall, s.
#[cfg(not(unix))]
pub fn time_s(since: Instant) -> f64 {
    since.elapsed().as_secs_f64()
}
