//! Rectangular plates. x runs along the longer side.

pub mod free;

use std::f64::consts::PI;

use crate::body::MAX_MODES;

/// Half waves along x and y of the modes of a supported plate, in rising order at an aspect of 1.5.
/// At other aspects a mode keeps its place in the list, so that it keeps ringing as what it is when
/// the aspect moves.
pub static SUPPORTED: [(u8, u8); MAX_MODES] = supported();

/// Merges the rows of modes with n half waves across: `f ~ m^2 + (1.5 n)^2 = (4 m^2 + 9 n^2)/4`.
const fn supported() -> [(u8, u8); MAX_MODES] {
    const ROWS: usize = 32;
    let mut list = [(0, 0); MAX_MODES];
    let mut next = [1usize; ROWS];
    let mut i = 0;
    while i < MAX_MODES {
        let (mut best, mut lowest, mut n) = (1, usize::MAX, 1);
        while n < ROWS {
            let f = 4 * next[n] * next[n] + 9 * n * n;
            if f < lowest {
                (best, lowest) = (n, f);
            }
            n += 1;
        }
        list[i] = (next[best] as u8, best as u8);
        next[best] += 1;
        i += 1;
    }
    list
}

/// Frequency of a mode of a supported plate in units of the lowest one (Navier).
pub fn supported_ratio(mode: usize, aspect: f64) -> f64 {
    let (m, n) = SUPPORTED[mode];
    let across = f64::from(n) * aspect;
    (f64::from(m).powi(2) + across * across) / (1.0 + aspect * aspect)
}

/// Half waves along a side, less than so many.
const MAX_WAVES: usize = 32;
#[allow(clippy::disallowed_macros, reason = "asserted while compiling")]
const _: () = {
    let mut i = 0;
    while i < MAX_MODES {
        assert!((SUPPORTED[i].0 as usize) < MAX_WAVES && (SUPPORTED[i].1 as usize) < MAX_WAVES);
        i += 1;
    }
};

/// The shapes of a supported plate at a point, `2 sin(m pi x) sin(n pi y)`: each sine is made once,
/// and there are far fewer of them than modes.
#[derive(Clone, Copy, Debug)]
pub struct Sines {
    along: [f64; MAX_WAVES],
    across: [f64; MAX_WAVES],
}

impl Sines {
    /// At x, y of 0…1.
    pub fn new(x: f64, y: f64) -> Self {
        Self { along: sines(x), across: sines(y) }
    }

    /// That of a mode with so many half waves along x and y.
    pub fn deflection(&self, m: u8, n: u8) -> f64 {
        let at = |sines: &[f64; MAX_WAVES], waves: u8| {
            sines.get(usize::from(waves)).copied().unwrap_or_default()
        };
        2.0 * at(&self.along, m) * at(&self.across, n)
    }
}

/// `sin(n pi x)`, by `sin((n + 1) a) = 2 cos(a) sin(n a) - sin((n - 1) a)`.
fn sines(x: f64) -> [f64; MAX_WAVES] {
    let (sin, cos) = (PI * x).sin_cos();
    let mut all = [0.0; MAX_WAVES];
    all[1] = sin;
    for n in 2..MAX_WAVES {
        all[n] = 2.0 * cos * all[n - 1] - all[n - 2];
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sine_is_one() {
        for x in [0.0, 0.01, 0.3, 0.5, 0.9, 1.0] {
            for (n, sine) in sines(x).iter().enumerate() {
                assert!((sine - (n as f64 * PI * x).sin()).abs() < 1e-12, "{n} {x}: {sine}");
            }
        }
    }
}
