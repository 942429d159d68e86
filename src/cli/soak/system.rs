//! What the system says of this program, where it says anything.

/// Memory that is held, kB.
pub fn memory_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Time that the processor has given this thread, s.
pub fn cpu_s() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(1e-9 * stat.split_whitespace().next()?.parse::<f64>().ok()?)
}
