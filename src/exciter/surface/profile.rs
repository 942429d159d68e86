//! A looped height profile that is read by position.

use std::f64::consts::PI;

use super::fft::{self, Complex, Twiddles};
use crate::math::lerp;

/// Levels of detail, each with half the points of the one before.
pub const LEVELS: usize = 10;

/// [`Profile::zoom`] removes what passes in less than twice this time, s: it keeps everything below
/// 17 kHz and nothing above 58 kHz, at any speed and sample rate.
pub const DETAIL_S: f64 = 1.0 / 176_400.0;

/// Longest interval between two readings, s. Content above half of that rate aliases: it is weak,
/// because the contact patch averages it out.
pub const MAX_READ_S: f64 = 1.0 / 44_100.0;

/// Correction factor for the response of a stepped contact.
///
/// A contact stepped by h acts on the mean of the heights at both ends of a step, with a constant
/// force within the step: together `sin(2 pi f h)/(2 pi f h)` for a wave at f. Reading `s - SHARPEN
/// h^2 d^2s/dt^2` compensates for that. Taylor's series has 1/6; this value keeps the product
/// within 0.07 dB of 1 up to f = 0.2/h.
pub const SHARPEN: f64 = 0.195;

/// Detail at which only the last level is read.
const COARSEST: f64 = (1u32 << (LEVELS - 1)) as f64;
const MANTISSA_BITS: u32 = f64::MANTISSA_DIGITS - 1;

/// A level keeps detail up to this share of its Nyquist wave number, and fades it out above.
const KEPT: f64 = 0.7;

/// The crossfade from one level to the next spans these shares of the octave. The coarser level
/// still keeps everything below 17 kHz there.
const FADE_FROM: f64 = 0.15;
const FADE_TO: f64 = 0.3;

/// The levels of detail to read: a level and the share of the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Zoom {
    level: usize,
    next: f64,
}

/// One level: the coefficients of a cubic B-spline through its points.
///
/// The spline has continuous curvature, which matters because curvature throws a ball off. Its
/// images above the Nyquist wave number are weaker than those of linear interpolation by the fourth
/// power of their distance.
#[derive(Clone, Debug)]
struct Level {
    points_per_m: f64,
    /// Number of points minus one.
    mask: usize,
    /// A sixth of each coefficient; the first three are repeated at the end.
    sixths: Box<[f64]>,
}

/// Heights along a loop.
#[derive(Clone, Debug)]
pub struct Profile {
    length_m: f64,
    points: usize,
    points_per_m: f64,
    levels: Vec<Level>,
}

impl Profile {
    /// Builds a profile through `heights` (m), averaged over a contact patch. Allocates.
    ///
    /// The heights, a power of two of them, are evenly spaced over `length_m`; `patch_m` is the
    /// half-width of the patch.
    ///
    /// The patch averages the heights with the weight of Hertz's pressure over a round patch, `1 -
    /// (x/a)^2` after integration across. In wave numbers: `3 (sin u - u cos u)/u^3`, u = 2 pi
    /// a/lambda.
    ///
    /// # Panics
    /// Unless the number of heights is a power of two, at least `2^LEVELS`.
    #[allow(clippy::disallowed_macros, reason = "surfaces are made outside the audio thread")]
    pub fn new(heights: &[f64], length_m: f64, patch_m: f64) -> Self {
        let points = heights.len();
        assert!(points.is_power_of_two() && points >= 1 << LEVELS, "{points} points");
        let mut spectrum: Vec<Complex> =
            heights.iter().map(|h| (*h / points as f64, 0.0)).collect();
        let twiddles = Twiddles::new(points);
        fft::transform_with(&twiddles, &mut spectrum, false);
        let seen = |k: usize| patch_weight(2.0 * PI * patch_m * k as f64 / length_m);
        let seen: Vec<f64> = (0..points / 2).map(seen).collect();
        let levels = (0..LEVELS)
            .map(|level| {
                let n = points >> level;
                let mut bins: Vec<Complex> = vec![(0.0, 0.0); n];
                for k in 0..n / 2 {
                    let weight = seen[k] * detail_weight(2.0 * k as f64 / n as f64)
                        / spline_weight(twiddles.cos(k, n));
                    bins[k] = (weight * spectrum[k].0, weight * spectrum[k].1);
                    if k > 0 {
                        let mirror = spectrum[points - k];
                        bins[n - k] = (weight * mirror.0, weight * mirror.1);
                    }
                }
                fft::transform_with(&twiddles, &mut bins, true);
                let sixths = (0..n + 3).map(|i| bins[i & (n - 1)].0 / 6.0).collect();
                Level { points_per_m: n as f64 / length_m, mask: n - 1, sixths }
            })
            .collect();
        Self { length_m, points, points_per_m: points as f64 / length_m, levels }
    }

    /// Length of the loop, m.
    pub fn length_m(&self) -> f64 {
        self.length_m
    }

    /// Distance between points, m.
    pub fn step_m(&self) -> f64 {
        self.length_m / self.points as f64
    }

    /// Levels of detail that can be read at a speed, m/s, without audible aliasing.
    pub fn zoom(&self, speed_m_per_s: f64) -> Zoom {
        let detail =
            (2.0 * DETAIL_S * self.points_per_m * speed_m_per_s.abs()).clamp(1.0, COARSEST);
        // The exponent is the level and the mantissa the share: a piecewise linear logarithm.
        let bits = detail.to_bits();
        let level = (bits >> MANTISSA_BITS) - (1.0f64.to_bits() >> MANTISSA_BITS);
        let next = f64::from_bits(bits - (level << MANTISSA_BITS)) - 1.0;
        let next = ((next - FADE_FROM) / (FADE_TO - FADE_FROM)).clamp(0.0, 1.0);
        // Most speeds read a single level.
        let level = level as usize + usize::from(next == 1.0);
        if level >= LEVELS - 1 {
            Zoom { level: LEVELS - 1, next: 0.0 }
        } else {
            Zoom { level, next: next % 1.0 }
        }
    }

    /// Height at a place, m.
    pub fn height_m(&self, x_m: f64, zoom: Zoom) -> f64 {
        self.sharpened_m(x_m, zoom, 0.0)
    }

    /// Height minus `by_m2` times the curvature, m. See [`SHARPEN`].
    ///
    /// The curvature is read from the next level: it grows with the square of the frequency, and
    /// content above half of the reading rate aliases.
    #[inline]
    pub fn sharpened_m(&self, x_m: f64, zoom: Zoom, by_m2: f64) -> f64 {
        let height_m = self.mix(zoom, |level| {
            let ([a, b, c, d], f) = level.cubic(x_m);
            a + f * (b + f * (c + f * d))
        });
        if by_m2 == 0.0 {
            return height_m;
        }
        let level = &self.levels[(zoom.level + 1).min(LEVELS - 1)];
        let ([_, _, c, d], f) = level.cubic(x_m);
        height_m - by_m2 * 2.0 * (c + 3.0 * f * d) * level.points_per_m * level.points_per_m
    }

    /// Slope at a place.
    #[inline]
    pub fn slope(&self, x_m: f64, zoom: Zoom) -> f64 {
        self.mix(zoom, |level| {
            let ([_, b, c, d], f) = level.cubic(x_m);
            (b + f * (2.0 * c + f * 3.0 * d)) * level.points_per_m
        })
    }

    #[inline]
    fn mix(&self, zoom: Zoom, read: impl Fn(&Level) -> f64) -> f64 {
        let here = read(&self.levels[zoom.level]);
        if zoom.next > 0.0 {
            lerp(here, read(&self.levels[zoom.level + 1]), zoom.next)
        } else {
            here
        }
    }
}

impl Level {
    /// The polynomial between the points around a position, and the fraction of the interval.
    #[inline]
    fn cubic(&self, x_m: f64) -> ([f64; 4], f64) {
        let place = x_m * self.points_per_m;
        // The whole number below, without a call.
        let towards_0 = place as i64;
        let whole = towards_0.wrapping_sub(i64::from(place < towards_0 as f64));
        // The mask wraps around the loop, because the number of points is a power of two.
        let before = (whole as usize).wrapping_sub(1) & self.mask;
        let Some(&[p, q, r, s]) = self.sixths.get(before..).and_then(|rest| rest.first_chunk())
        else {
            return ([0.0; 4], 0.0);
        };
        (
            [p + 4.0 * q + r, 3.0 * (r - p), 3.0 * (p - 2.0 * q + r), (s - p) + 3.0 * (q - r)],
            place - whole as f64,
        )
    }
}

/// 1 up to [`KEPT`], 0 at 1 and above.
fn detail_weight(share: f64) -> f64 {
    let over = ((share - KEPT) / (1.0 - KEPT)).clamp(0.0, 1.0);
    if over > 0.0 { (0.5 * PI * over).cos().powi(2) } else { 1.0 }
}

/// Response of the B-spline to a wave with the heights as coefficients, for the cosine of its angle
/// per point.
fn spline_weight(cos: f64) -> f64 {
    (2.0 + cos) / 3.0
}

fn patch_weight(u: f64) -> f64 {
    let (sin, cos) = u.sin_cos();
    if u < 0.1 { 1.0 - u * u / 10.0 } else { 3.0 * (sin - u * cos) / (u * u * u) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_none_does_no_harm() {
        let heights: Vec<f64> = (0..1 << 14).map(|i| f64::from(i % 7)).collect();
        let profile = Profile::new(&heights, 1.0, 0.0);
        for x_m in [f64::NEG_INFINITY, f64::INFINITY, f64::NAN, -1e300, 1e300] {
            for speed_m_per_s in [0.0, 1.0, f64::NAN] {
                // The result may be NaN, which the voice handles; it must not panic or hang.
                let zoom = profile.zoom(speed_m_per_s);
                let (height_m, slope) = (profile.height_m(x_m, zoom), profile.slope(x_m, zoom));
                assert!(
                    height_m.is_nan() || height_m.is_infinite() || x_m.is_finite(),
                    "{x_m}: {height_m}, {slope}"
                );
            }
        }
        assert!(profile.height_m(-0.3, profile.zoom(1.0)).is_finite());
    }
}
