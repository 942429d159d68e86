//! Circular membranes and plates.
//!
//! Shape: `(J_m(k r) + C I_m(k r)) cos(2 pi m y)`, and the same with a sine for m > 0; C = 0 for
//! the membrane. The wave numbers k, C and the scale to mean square 1 are tables: solving for them
//! takes too long on the audio thread. They hold the 256 lowest modes, pairs counted twice.
//!
//! Bessel functions of integer order by downward recurrence (Miller; Abramowitz and Stegun 9.12 and
//! 9.8): bounded work, at most `MAX_STEPS` steps for the orders and arguments that discs need.

mod table;

/// A mode with m nodal diameters; a pair of modes if m > 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscMode {
    /// Nodal diameters m.
    pub diameters: u8,
    /// Wave number k, radius 1.
    pub k: f64,
    /// C e^k.
    pub c: f64,
    /// Factor to a mean square of 1 over the disc, cosine included.
    pub scale: f64,
}

/// Edge of the disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disc {
    /// Membrane: frequencies as k.
    Membrane,
    /// Free plate: frequencies as k^2.
    Free,
    /// Clamped plate: frequencies as k^2.
    Clamped,
}

impl Disc {
    /// Its table, in rising order of frequency.
    pub fn rows(self) -> &'static [DiscMode] {
        match self {
            Disc::Membrane => &table::MEMBRANE,
            Disc::Free => &table::FREE,
            Disc::Clamped => &table::CLAMPED,
        }
    }

    /// Frequency of a row in units of the lowest one.
    pub fn ratio(self, row: usize) -> f64 {
        let rows = self.rows();
        let k = rows[row].k / rows[0].k;
        if self == Disc::Membrane { k } else { k * k }
    }
}

impl DiscMode {
    /// Shape along the radius r, 0…1.
    pub fn radial(&self, r: f64) -> f64 {
        let m = u32::from(self.diameters);
        let mut shape = j(m, self.k * r);
        if self.c != 0.0 {
            shape += self.c * (-self.k * (1.0 - r)).exp() * i_scaled(m, self.k * r);
        }
        self.scale * shape
    }
}

/// Largest supported argument; the tables stay below it.
pub const MAX_ARGUMENT: f64 = 64.0;
/// Largest order that is meant.
pub const MAX_ORDER: u32 = 64;
const MAX_STEPS: u32 = 256;

/// The recurrence grows without bound on the way down; beyond this all values are rescaled.
const RESCALE_ABOVE: f64 = 1e200;

/// `J_m(x)` for x 0...[`MAX_ARGUMENT`], to about 1e-14.
pub fn j(order: u32, x: f64) -> f64 {
    recur(order, x, -1.0)
}

/// `e^-x I_m(x)` for x 0...[`MAX_ARGUMENT`], to about 1e-14 relative.
pub fn i_scaled(order: u32, x: f64) -> f64 {
    recur(order, x, 1.0)
}

/// `B_(k-1) = (2k/x) B_k + sign B_(k+1)`, down from an order where B is negligible, scaled by
/// `J_0 + 2 (J_2 + J_4 + ...) = 1` or `e^-x (I_0 + 2 (I_1 + I_2 + ...)) = 1`.
fn recur(order: u32, x: f64, sign: f64) -> f64 {
    let order = order.min(MAX_ORDER);
    let x = if x.is_nan() { 0.0 } else { x.clamp(0.0, MAX_ARGUMENT) };
    if x < 0.05 {
        return small(order, x, sign);
    }
    // Starting here, the first value left out is below 1e-17 of the largest.
    let top = f64::from(order).max(x);
    let start = ((top + 14.0 + 6.0 * top.cbrt()) as u32 / 2 * 2).min(MAX_STEPS);
    let per_x = 2.0 / x;
    let (mut above, mut here, mut wanted, mut sum) = (0.0, 1e-200, 0.0, 0.0);
    // A reversed inclusive range is slower than this loop.
    let mut k = start;
    while k > 0 {
        // `here` is B_k
        if k == order {
            wanted = here;
        }
        if sign > 0.0 || k.is_multiple_of(2) {
            sum += 2.0 * here;
        }
        let below = f64::from(k) * per_x * here + sign * above;
        above = here;
        here = below;
        if here.abs() > RESCALE_ABOVE {
            for value in [&mut above, &mut here, &mut wanted, &mut sum] {
                *value /= RESCALE_ABOVE;
            }
        }
        k -= 1;
    }
    if order == 0 {
        wanted = here;
    }
    wanted / (sum + here)
}

/// Three terms of the power series.
fn small(order: u32, x: f64, sign: f64) -> f64 {
    let (half, m) = (0.5 * x, f64::from(order));
    let lead = (1..=order).fold(1.0, |product, k| product * half / f64::from(k));
    let q = sign * half * half;
    let series =
        1.0 + q / (m + 1.0) * (1.0 + q / (2.0 * (m + 2.0)) * (1.0 + q / (3.0 * (m + 3.0))));
    lead * series * if sign > 0.0 { (-x).exp() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_tables() {
        // Abramowitz and Stegun, tables 9.1, 9.2, 9.4, 9.8 and 9.9.
        for (order, x, value) in [
            (0, 1.0, 0.765_197_686_557_966_6),
            (1, 1.0, 0.440_050_585_744_933_5),
            (0, 10.0, -0.245_935_764_451_348_34),
            (2, 5.0, 0.046_565_116_277_752_2),
            (10, 10.0, 0.207_486_106_633_358_86),
        ] {
            assert!((j(order, x) - value).abs() < 1e-14, "J_{order}({x}) = {}", j(order, x));
        }
        for (order, x, value) in
            [(0, 1.0, 0.465_759_607_593_640_5), (1, 2.0, 0.215_269_289_248_937_6)]
        {
            assert!(
                (i_scaled(order, x) - value).abs() < 1e-14,
                "I_{order}({x}) = {}",
                i_scaled(order, x)
            );
        }
    }

    #[test]
    fn the_series_and_the_recurrence_join() {
        for order in 0..=MAX_ORDER {
            for (f, name) in [(j as fn(u32, f64) -> f64, "J"), (i_scaled, "I")] {
                let (below, above) = (f(order, 0.05 - 1e-12), f(order, 0.05));
                let slope = f64::from(order.max(1)) / 0.05 * 1e-12;
                assert!(
                    (below - above).abs() <= (slope + 1e-12) * above.abs() + 1e-300,
                    "{name}_{order}: {below} {above}"
                );
            }
        }
    }

    #[test]
    fn neighbours_obey_their_recurrence_everywhere() {
        for order in 1..MAX_ORDER {
            for n in 1..=640 {
                let x = 0.1 * f64::from(n);
                let k = 2.0 * f64::from(order) / x;
                let left = j(order - 1, x) + j(order + 1, x);
                assert!((left - k * j(order, x)).abs() < 1e-12 * (1.0 + k), "J_{order}({x})");
                let left = i_scaled(order - 1, x) - i_scaled(order + 1, x);
                assert!((left - k * i_scaled(order, x)).abs() < 1e-12, "I_{order}({x})");
            }
        }
    }
}
