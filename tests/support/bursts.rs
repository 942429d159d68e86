//! A hundred thousand notes at random times, in bursts down to 50 us apart.

use ictus::params::{Param, Patch};

pub const RATE_HZ: f64 = 48_000.0;

/// One strike.
#[derive(Clone, Copy)]
pub struct TimedStrike {
    /// Its sample.
    pub at: usize,
    pub key: u8,
    pub velocity: f32,
}

/// Each note has its own body, hard and soon silent.
pub fn crisp() -> Patch {
    let mut patch = Patch::default();
    let settings = [
        (Param::Voices, 64.0),
        (Param::Restrike, 1.0),
        (Param::Modes, 4.0),
        (Param::Hardness, 1.0),
        (Param::Support, 300.0),
        // Without the limiter's look-ahead, and below the ceiling.
        (Param::Limiter, 0.0),
        (Param::Level, -30.0),
    ];
    for (param, value) in settings {
        patch.set(param, value);
    }
    patch
}

/// Up to thirty notes, 50 to 200 us apart, then a pause of up to 6 ms; in the order of time.
pub fn bursts(count: usize) -> Vec<TimedStrike> {
    let mut state = 11u64;
    let mut below = move |most: usize| crate::random::next(&mut state) as usize % most;
    let (mut time_s, mut left) = (0.0, 0);
    let struck = |_| {
        if left == 0 {
            left = 2 + below(29);
            time_s += 1e-6 * below(6000) as f64;
        }
        left -= 1;
        time_s += 50e-6 + 1e-6 * below(151) as f64;
        let velocity = 0.2 + 0.008 * below(100) as f32;
        TimedStrike { at: (time_s * RATE_HZ) as usize, key: 30 + below(70) as u8, velocity }
    };
    (0..count).map(struck).collect()
}
