//! Rectangular plates. x runs along the longer side.

pub mod free;

use crate::body::MAX_MODES;

/// Half waves along x and y of the modes of a supported plate, in rising order at an aspect of 1.5. At other aspects a
/// mode keeps its place in the list, so that it keeps ringing as what it is when the aspect moves.
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
