//! The cost of blocks on a machine with other load.
//!
//! Time is thread time, not wall time. It still contains interrupts and cold caches, so a stretch
//! with a new most expensive block is played again from the same state, and the smallest time of
//! each block counts: the work is the same to the last bit.

/// Blocks between two saved states.
const STRETCH: usize = 2048;
/// How often a stretch with an expensive block is repeated in a measurement.
pub const AGAIN: usize = 3;

/// Time that this thread has used, s.
#[cfg(target_os = "linux")]
pub fn thread_s() -> f64 {
    #[allow(unsafe_code)]
    mod system {
        #[repr(C)]
        pub struct Time {
            pub seconds: i64,
            pub nanoseconds: i64,
        }
        unsafe extern "C" {
            fn clock_gettime(clock: i32, time: *mut Time) -> i32;
        }
        pub fn time() -> Time {
            const THREAD: i32 = 3;
            let mut time = Time { seconds: 0, nanoseconds: 0 };
            // SAFETY: the call fills in its argument, two words on every 64-bit system, and keeps
            // nothing.
            unsafe { clock_gettime(THREAD, &mut time) };
            time
        }
    }
    let time = system::time();
    time.seconds as f64 + 1e-9 * time.nanoseconds as f64
}

/// Elsewhere: wall time.
#[cfg(not(target_os = "linux"))]
pub fn thread_s() -> f64 {
    static BEGAN: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    BEGAN.elapsed().as_secs_f64()
}

/// The cost of each block.
pub struct Costs {
    least_s: Vec<f64>,
    block_s: f64,
}

impl Costs {
    /// Plays `blocks` blocks of `block_s` each with `play`, expensive ones up to `again` times
    /// more; `hear` gets the state after each, once.
    pub fn of<S: Clone>(
        mut state: S,
        (blocks, block_s): (usize, f64),
        again: usize,
        mut play: impl FnMut(&mut S, usize),
        mut hear: impl FnMut(&S, usize),
    ) -> Self {
        let mut least_s = Vec::with_capacity(blocks);
        let mut worst_s = 0.0f64;
        let mut timed = |state: &mut S, block: usize| {
            let began_s = thread_s();
            play(state, block);
            thread_s() - began_s
        };
        while least_s.len() < blocks {
            let first = least_s.len();
            let kept = state.clone();
            for block in first..(first + STRETCH).min(blocks) {
                least_s.push(timed(&mut state, block));
                hear(&state, block);
            }
            let dearest_s = |costs_s: &[f64]| costs_s.iter().copied().fold(0.0, f64::max);
            for _ in 0..again {
                if dearest_s(&least_s[first..]) <= worst_s {
                    break;
                }
                let mut again = kept.clone();
                for (i, least) in least_s[first..].iter_mut().enumerate() {
                    *least = least.min(timed(&mut again, first + i));
                }
            }
            worst_s = worst_s.max(dearest_s(&least_s[first..]));
        }
        Self { least_s, block_s }
    }

    /// The most expensive blocks, worst first.
    #[allow(dead_code, reason = "not everybody asks")]
    pub fn costliest(&self, count: usize) -> Vec<(usize, f64)> {
        let mut order: Vec<(usize, f64)> = self.least_s.iter().copied().enumerate().collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        order.truncate(count);
        order
    }

    /// Mean cost of the selected blocks, as a share of their time, and their number.
    pub fn mean_of(&self, wanted: impl Fn(usize) -> bool) -> (f64, usize) {
        let costs: Vec<f64> =
            (0..self.least_s.len()).filter(|i| wanted(*i)).map(|i| self.least_s[i]).collect();
        (costs.iter().sum::<f64>() / self.block_s / costs.len().max(1) as f64, costs.len())
    }

    /// Prints all figures.
    pub fn print(&self) {
        let (mean, count) = self.mean_of(|_| true);
        let mut sorted = self.least_s.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| sorted[((count - 1) as f64 * share) as usize] / self.block_s;
        println!(
            "{count} blocks, in per cent of their time: mean {:.2}, half below {:.2}, 99 % below {:.2}, 99.99 % below {:.2}, worst {:.2}",
            100.0 * mean,
            100.0 * at(0.5),
            100.0 * at(0.99),
            100.0 * at(0.9999),
            100.0 * at(1.0)
        );
        println!(
            "worst {:.1} times the mean, 99.99 % below {:.1} times",
            at(1.0) / mean,
            at(0.9999) / mean
        );
    }
}
