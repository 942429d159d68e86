//! User-supplied surfaces.

use crate::math::lerp;

/// Minimum number of heights.
pub const FEWEST_HEIGHTS: usize = 16;
/// Maximum number of heights: ten minutes at 44.1 kHz.
pub const MAX_HEIGHTS: usize = 1 << 25;
/// Allowed lengths, m.
pub const LENGTHS_M: std::ops::RangeInclusive<f64> = 0.01..=20.0;
/// Largest distance of a height from 0, m.
pub const HIGHEST_M: f64 = 0.05;
/// Share of the length over which the end is crossfaded into the beginning.
const SEAM: f64 = 0.05;

/// Why heights were rejected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unfit {
    /// Fewer than [`FEWEST_HEIGHTS`] or more than [`MAX_HEIGHTS`].
    Count(usize),
    /// The length is outside [`LENGTHS_M`].
    Length(f64),
    /// This height is NaN or more than [`HIGHEST_M`] away from 0.
    Height(usize),
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unfit::Count(n) => {
                write!(f, "{n} heights; a surface has {FEWEST_HEIGHTS} to {MAX_HEIGHTS}")
            }
            Unfit::Length(m) => {
                write!(
                    f,
                    "{m} m long; a surface is {} to {} m long",
                    LENGTHS_M.start(),
                    LENGTHS_M.end()
                )
            }
            Unfit::Height(i) => {
                write!(f, "height {i} is not a number, or more than {HIGHEST_M} m away from 0")
            }
        }
    }
}

impl std::error::Error for Unfit {}

/// Validated heights in metres, evenly spaced along a length.
#[derive(Clone, Debug, PartialEq)]
pub struct UserSurface {
    heights_m: Vec<f64>,
    length_m: f64,
    id: u64,
}

impl UserSurface {
    /// Validates heights and length.
    ///
    /// # Errors
    /// Describes what is wrong with them.
    pub fn new(heights_m: Vec<f64>, length_m: f64) -> Result<Self, Unfit> {
        if !(FEWEST_HEIGHTS..=MAX_HEIGHTS).contains(&heights_m.len()) {
            return Err(Unfit::Count(heights_m.len()));
        }
        if !LENGTHS_M.contains(&length_m) {
            return Err(Unfit::Length(length_m));
        }
        if let Some(i) = heights_m.iter().position(|h| h.is_nan() || h.abs() > HIGHEST_M) {
            return Err(Unfit::Height(i));
        }
        let id = id(&heights_m, length_m);
        Ok(Self { heights_m, length_m, id })
    }

    /// A hash of heights and length; never 0.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The heights, m.
    pub fn heights_m(&self) -> &[f64] {
        &self.heights_m
    }

    /// Length including the seam, m.
    pub fn whole_length_m(&self) -> f64 {
        self.length_m
    }

    /// Length of the loop, m, without the seam.
    pub fn length_m(&self) -> f64 {
        self.length_m * self.kept() as f64 / self.heights_m.len() as f64
    }

    fn kept(&self) -> usize {
        self.heights_m.len() - (SEAM * self.heights_m.len() as f64) as usize
    }

    /// Resamples to `points` heights on a loop without a jump.
    ///
    /// The end is crossfaded into the heights before the beginning.
    ///
    /// More heights than points are averaged; fewer are interpolated linearly.
    pub fn on_a_loop(&self, points: usize) -> Vec<f64> {
        let kept = self.kept();
        let seam = self.heights_m.len() - kept;
        let mut looped = self.heights_m[seam..].to_vec();
        for i in 0..seam {
            let share = (i as f64 + 0.5) / seam as f64;
            let at = kept - seam + i;
            looped[at] = lerp(looped[at], self.heights_m[i], share);
        }
        let per_point = kept as f64 / points as f64;
        let mean = |i: usize| {
            let (from, to) = (i as f64 * per_point, (i + 1) as f64 * per_point);
            let cells = from.floor() as usize..(to.ceil() as usize).min(kept);
            let covered =
                |cell: usize| (to.min((cell + 1) as f64) - from.max(cell as f64)).max(0.0);
            cells.map(|cell| covered(cell) * looped[cell]).sum::<f64>() / per_point
        };
        let between = |i: usize| {
            let place = i as f64 * per_point;
            let (cell, share) = (place as usize, place.fract());
            lerp(looped[cell % kept], looped[(cell + 1) % kept], share)
        };
        (0..points).map(|i| if per_point > 1.0 { mean(i) } else { between(i) }).collect()
    }
}

/// Similar to FNV-1a, one number at a time. Adding 0 maps -0 to 0, because they are equal.
fn id(heights_m: &[f64], length_m: f64) -> u64 {
    let hash = |hash: u64, x: &f64| {
        (hash ^ (x + 0.0).to_bits()).wrapping_mul(0x0100_0000_01B3).rotate_left(29)
    };
    heights_m.iter().chain([&length_m]).fold(0xCBF2_9CE4_8422_2325, hash) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_becomes_a_loop_without_a_jump() {
        for count in [16, 1000, 100_000] {
            let ramp: Vec<f64> = (0..count).map(|i| 1e-3 * i as f64 / count as f64).collect();
            let surface = UserSurface::new(ramp, 0.5).expect("fit");
            let points = 4096;
            let looped = surface.on_a_loop(points);
            let largest = (0..points)
                .map(|i| (looped[(i + 1) % points] - looped[i]).abs())
                .fold(0.0, f64::max);
            // Falls back within the seam: 1 mm over a twentieth of the points, or between two of
            // sixteen heights.
            let wanted = if count == 16 { 16.0 * 1e-3 / 4096.0 } else { 22.0 * 1e-3 / 4096.0 };
            assert!(largest < 1.2 * wanted, "{count}: {largest}");
        }
    }

    #[test]
    fn equal_surfaces_have_one_id_and_others_another() {
        let id =
            |heights: Vec<f64>, length_m| UserSurface::new(heights, length_m).expect("fit").id();
        let mut other = vec![0.0; 30];
        other[29] = 1e-9;
        assert_eq!(id(vec![0.0; 30], 1.0), id(vec![-0.0; 30], 1.0));
        let ids = [
            id(vec![0.0; 30], 1.0),
            id(vec![0.0; 31], 1.0),
            id(vec![0.0; 30], 1.1),
            id(other, 1.0),
        ];
        assert!((1..4).all(|n| !ids[..n].contains(&ids[n])), "{ids:?}");
    }

    #[test]
    fn what_is_no_surface_is_refused() {
        assert_eq!(UserSurface::new(vec![0.0; 3], 1.0), Err(Unfit::Count(3)));
        assert_eq!(
            UserSurface::new(vec![0.0; 30], f64::INFINITY),
            Err(Unfit::Length(f64::INFINITY))
        );
        assert!(UserSurface::new(vec![0.0; 30], f64::NAN).is_err());
        let mut heights = vec![0.0; 30];
        heights[7] = f64::NAN;
        assert_eq!(UserSurface::new(heights, 1.0), Err(Unfit::Height(7)));
    }
}
