//! Rings, glasses, bowls and bells: n waves around, nodal circles along the height.
//!
//! Shape: `sqrt(2) cos(2 pi n y)` and the same with a sine around, times along the height x a mode
//! of the bar clamped at the foot (glass, bowl) or the crown (bell): at rest there, largest at the
//! rim, with as many nodal circles as the mode has. This replaces the true profile and keeps all
//! modes orthogonal. A ring has no height.

/// One pair of modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial {
    /// Frequency in units of the nominal pitch.
    pub ratio: f64,
    /// Waves around.
    pub waves: u8,
    /// Nodal circles.
    pub circles: u8,
}

/// Pairs of a ring: waves 2…129.
pub const RING_PAIRS: usize = 128;
/// Pairs of a glass, a bowl or a bell; there is no basis for more.
pub const SHELL_PAIRS: usize = 32;

/// Measured wine glass, waves 2…6 (Csound manual).
const GLASS: [f64; 5] = [1.0, 2.32, 4.25, 6.63, 9.38];

/// Measured Tibetan bowl of 180 mm, waves 2…8 (Csound manual).
const BOWL: [f64; 7] = [1.0, 2.77828, 5.18099, 8.16289, 11.66063, 15.63801, 19.99];

/// Measured tuned church bell, prime = 1 (Fletcher and Rossing, table 21.1): ratio, waves, circles.
///
/// Hum, prime, tierce, quint, nominal, tenth, eleventh, twelfth, octave nominal, and three more.
/// The quint and the tenth, which do not move at the sound bow, have the mode with a node there.
const BELL: [(f64, u8, u8); 12] = [
    (0.5, 2, 0),
    (1.0, 2, 1),
    (1.183, 3, 1),
    (1.506, 3, 2),
    (2.0, 4, 1),
    (2.514, 4, 2),
    (2.662, 2, 2),
    (3.011, 5, 1),
    (4.166, 6, 1),
    (5.433, 7, 1),
    (6.796, 8, 1),
    (8.215, 9, 1),
];

/// A bell continues above its data as its last two rim modes do: `f ~ n^1.61`.
const BELL_POWER: f64 = 1.61;

/// A thin ring bending in its plane, `f ~ n (n^2 - 1)/sqrt(n^2 + 1)`: n^2 for large n (Rayleigh).
fn ring_law(waves: usize) -> f64 {
    let n = waves as f64;
    n * (n * n - 1.0) / (n * n + 1.0).sqrt()
}

/// Pair number `pair` of a ring.
pub fn ring(pair: usize) -> Partial {
    Partial { ratio: ring_law(pair + 2) / ring_law(2), waves: (pair + 2) as u8, circles: 0 }
}

/// Pair number `pair` of a wine glass; above the data by the law of the ring.
pub fn glass(pair: usize) -> Partial {
    continued(&GLASS, pair)
}

/// Pair number `pair` of a bowl; above the data by the law of the ring.
pub fn bowl(pair: usize) -> Partial {
    continued(&BOWL, pair)
}

fn continued(data: &[f64], pair: usize) -> Partial {
    let last = data.len() - 1;
    let ratio = data
        .get(pair)
        .copied()
        .unwrap_or_else(|| data[last] * ring_law(pair + 2) / ring_law(last + 2));
    Partial { ratio, waves: (pair + 2) as u8, circles: 0 }
}

/// Pair number `pair` of a church bell.
pub fn bell(pair: usize) -> Partial {
    if let Some((ratio, waves, circles)) = BELL.get(pair) {
        return Partial { ratio: *ratio, waves: *waves, circles: *circles };
    }
    let (ratio, last, circles) = BELL[BELL.len() - 1];
    let waves = usize::from(last) + 1 + pair - BELL.len();
    Partial {
        ratio: ratio * (waves as f64 / f64::from(last)).powf(BELL_POWER),
        waves: waves as u8,
        circles,
    }
}
