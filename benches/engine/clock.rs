//! Time that this thread has had of a core: what else the machine does counts little.

/// Nanoseconds of this thread since some moment.
#[cfg(unix)]
pub fn now_ns() -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::ThreadCPUTime);
    1e9 * now.tv_sec as f64 + now.tv_nsec as f64
}

/// Nanoseconds since some moment.
#[cfg(not(unix))]
pub fn now_ns() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as f64
}

/// What it takes to ask, ns: the shortest of many.
pub fn asking_ns() -> f64 {
    let ask = || {
        let start = now_ns();
        now_ns() - start
    };
    (0..10_000).map(|_| ask()).fold(f64::MAX, f64::min)
}
