//! Surface recipes: roughness, ribs and grit, and the heights generated from them.

use std::f64::consts::PI;

use super::fft::{self, Complex};
use crate::math::{clamp_or, lerp, smoothstep};
use crate::random::Random;

/// Points of a ground table; 25 um apart with the usual loop of 3.3 m.
pub const GROUND_POINTS: usize = 1 << 17;

/// Points around a ball.
pub const BALL_POINTS: usize = 1 << 14;

/// Self-affine roughness, as produced by sanding, casting, breaking and wear.
///
/// Power spectral density over the wave number k (1/m): flat below `1/longest`, then falling as
/// `k^-slope`. Heights are Gaussian. Real surfaces have a slope of 1 to 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roughness {
    /// Root mean square height, m.
    pub rms_m: f64,
    /// Exponent B of the spectrum.
    pub slope: f64,
    /// Wavelength above which the spectrum is flat, m.
    pub longest_m: f64,
}

/// Shape of the ribs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RibShape {
    /// A sine wave. The width is not used.
    #[default]
    Sine,
    /// Flat, with rounded ridges of the given width.
    Ridge,
    /// Flat, with grooves of the given width: joints between boards or tiles.
    Groove,
}

/// Ribs, tiles, boards, joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ribs {
    /// Distance between ribs, m.
    pub pitch_m: f64,
    /// Depth from top to bottom, m. 0: none.
    pub depth_m: f64,
    /// Width of a ridge or groove, m.
    pub width_m: f64,
    /// Cross-section of a rib.
    pub shape: RibShape,
    /// Largest height offset of a tile from the mean, m.
    pub uneven_m: f64,
}

/// Loose grains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grit {
    /// Mean number per metre; positions are a Poisson process.
    pub per_m: f64,
    /// Height of the largest grain, m. A grain is 1.5 times as wide as it is high; the smallest
    /// have a third of the height.
    pub height_m: f64,
}

/// Recipe of a surface. Equal recipes give equal surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Length after which it repeats, m. Rounded to a whole number of ribs.
    pub length_m: f64,
    /// Roughness of the ground.
    pub roughness: Roughness,
    /// Periodic part: ribs, tiles or joints.
    pub ribs: Ribs,
    /// Loose grains on the ground.
    pub grit: Grit,
    /// Roughness of the ball itself, rms in m; its spectrum has the ground's slope.
    pub ball_rms_m: f64,
    /// Seed of all random parts.
    pub seed: u64,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            length_m: 3.2768,
            roughness: Roughness { rms_m: 2e-6, slope: 2.0, longest_m: 5e-3 },
            ribs: Ribs {
                pitch_m: 0.1,
                depth_m: 0.0,
                width_m: 2e-3,
                shape: RibShape::Groove,
                uneven_m: 0.0,
            },
            grit: Grit { per_m: 0.0, height_m: 1e-4 },
            ball_rms_m: 5e-7,
            seed: 1,
        }
    }
}

impl Recipe {
    /// Returns a copy within limits; NaN becomes the default.
    ///
    /// Length 0.2...10 m, rms 0...1 mm, slope 0...4, longest wavelength 0.1 mm...1 m, pitch 1...500
    /// mm, depth, width and grit up to 20 mm, unevenness up to 5 mm, 0...5000 grains per metre,
    /// ball rms 0...0.1 mm.
    pub fn within_limits(&self) -> Self {
        let default = Self::default();
        let length_m = clamp_or(self.length_m, 0.2, 10.0, default.length_m);
        let pitch_m = clamp_or(self.ribs.pitch_m, 1e-3, 0.5, default.ribs.pitch_m).min(length_m);
        Self {
            length_m: (length_m / pitch_m).round().max(1.0) * pitch_m,
            roughness: Roughness {
                rms_m: clamp_or(self.roughness.rms_m, 0.0, 1e-3, default.roughness.rms_m),
                slope: clamp_or(self.roughness.slope, 0.0, 4.0, default.roughness.slope),
                longest_m: clamp_or(
                    self.roughness.longest_m,
                    1e-4,
                    1.0,
                    default.roughness.longest_m,
                ),
            },
            ribs: Ribs {
                pitch_m,
                depth_m: clamp_or(self.ribs.depth_m, 0.0, 0.02, default.ribs.depth_m),
                width_m: clamp_or(self.ribs.width_m, 1e-4, 0.02, default.ribs.width_m).min(pitch_m),
                uneven_m: clamp_or(self.ribs.uneven_m, 0.0, 5e-3, default.ribs.uneven_m),
                shape: self.ribs.shape,
            },
            grit: Grit {
                per_m: clamp_or(self.grit.per_m, 0.0, 5000.0, default.grit.per_m),
                height_m: clamp_or(self.grit.height_m, 0.0, 0.02, default.grit.height_m),
            },
            ball_rms_m: clamp_or(self.ball_rms_m, 0.0, 1e-4, default.ball_rms_m),
            seed: self.seed,
        }
    }
}

/// Random streams of one seed.
const ROUGHNESS: u64 = 1;
const TILES: u64 = 2;
const GRAINS: u64 = 3;
const BALL: u64 = 4;

/// The edges of a ridge or groove are rounded over this share of its width, those of a tile over
/// this share of the joint's width.
const EDGE: f64 = 0.25;

/// Width of a grain as a multiple of its height.
const GRAIN_WIDTH: f64 = 1.5;
/// Height of the smallest grain as a share of the largest.
const MIN_GRAIN: f64 = 1.0 / 3.0;

/// Heights (m) of the ground: `points` of them over the recipe's length, as a loop.
pub fn ground(recipe: &Recipe, points: usize) -> Vec<f64> {
    let step_m = recipe.length_m / points as f64;
    let mut heights = rough(
        &recipe.roughness,
        recipe.length_m,
        points,
        &mut Random::of_stream(recipe.seed, ROUGHNESS),
    );
    add_ribs(&mut heights, &recipe.ribs, step_m, &mut Random::of_stream(recipe.seed, TILES));
    add_grit(&mut heights, &recipe.grit, step_m, &mut Random::of_stream(recipe.seed, GRAINS));
    heights
}

/// Heights (m) around a ball of the given circumference.
pub fn ball(recipe: &Recipe, circumference_m: f64, points: usize) -> Vec<f64> {
    let roughness = Roughness { rms_m: recipe.ball_rms_m, ..recipe.roughness };
    rough(&roughness, circumference_m, points, &mut Random::of_stream(recipe.seed, BALL))
}

/// A Gaussian profile with the spectrum of `roughness`.
///
/// Amplitudes are fixed and phases random, so that the rms is exact.
fn rough(roughness: &Roughness, length_m: f64, points: usize, random: &mut Random) -> Vec<f64> {
    let mut spectrum: Vec<Complex> = vec![(0.0, 0.0); points];
    let mut power = 0.0;
    for k in 1..points / 2 {
        let waves_per_m = k as f64 / length_m;
        let psd = (1.0 + (waves_per_m * roughness.longest_m).powi(2)).powf(-0.5 * roughness.slope);
        let (sin, cos) = (2.0 * PI * random.unit()).sin_cos();
        let amplitude = psd.sqrt();
        spectrum[k] = (amplitude * cos, amplitude * sin);
        spectrum[points - k] = (amplitude * cos, -amplitude * sin);
        power += 2.0 * psd;
    }
    fft::transform(&mut spectrum, true);
    let scale = if power > 0.0 { roughness.rms_m / power.sqrt() } else { 0.0 };
    spectrum.iter().map(|x| x.0 * scale).collect()
}

/// Smooth step from 0 to 1.
fn smooth(x: f64) -> f64 {
    smoothstep(x.clamp(0.0, 1.0))
}

/// 1 within `width` around 0, with rounded edges, otherwise 0.
fn plateau(offset_m: f64, width_m: f64) -> f64 {
    let edge = EDGE * width_m;
    smooth((0.5 * width_m - offset_m.abs()) / edge)
}

fn add_ribs(heights: &mut [f64], ribs: &Ribs, step_m: f64, random: &mut Random) {
    let count = ((heights.len() as f64 * step_m) / ribs.pitch_m).round().max(1.0) as usize;
    let levels: Vec<f64> = (0..count).map(|_| ribs.uneven_m * random.signed()).collect();
    for (i, height) in heights.iter_mut().enumerate() {
        let tiles = i as f64 * step_m / ribs.pitch_m;
        let nearest = tiles.round();
        // Joints, ridges and crests lie at whole numbers of the pitch.
        let offset_m = (tiles - nearest) * ribs.pitch_m;
        *height += match ribs.shape {
            RibShape::Sine => 0.5 * ribs.depth_m * (2.0 * PI * tiles).cos(),
            RibShape::Ridge => ribs.depth_m * plateau(offset_m, ribs.width_m),
            RibShape::Groove => -ribs.depth_m * plateau(offset_m, ribs.width_m),
        };
        if ribs.uneven_m > 0.0 {
            let (left, right) = ((nearest as usize + count - 1) % count, nearest as usize % count);
            let across = smooth(offset_m / (EDGE * ribs.width_m) + 0.5);
            *height += lerp(levels[left], levels[right], across);
        }
    }
}

fn add_grit(heights: &mut [f64], grit: &Grit, step_m: f64, random: &mut Random) {
    let mean = grit.per_m * heights.len() as f64 * step_m;
    if mean <= 0.0 || grit.height_m <= 0.0 {
        return;
    }
    // Gaps between the events of a Poisson process are exponential.
    let mut place = 0.0;
    loop {
        place -= (1.0 - random.unit()).ln() / mean;
        if place >= 1.0 {
            return;
        }
        let top_m = grit.height_m * (MIN_GRAIN + (1.0 - MIN_GRAIN) * random.unit());
        let half = (0.5 * GRAIN_WIDTH * top_m / step_m).max(1.0);
        let centre = place * heights.len() as f64;
        let reach = half.ceil() as isize;
        for offset in -reach..=reach {
            let at = centre.floor() as isize + offset;
            let share = (at as f64 - centre) / half;
            let n = heights.len() as isize;
            heights[at.rem_euclid(n) as usize] += top_m * (1.0 - share * share).max(0.0);
        }
    }
}

#[cfg(test)]
mod relief_tests {
    use super::*;

    fn flat() -> Recipe {
        let mut recipe = Recipe::default();
        recipe.roughness.rms_m = 0.0;
        recipe.within_limits()
    }

    #[test]
    fn roughness_has_its_rms_and_its_slope() {
        let n = 1 << 14;
        let roughness = Roughness { rms_m: 3e-6, slope: 2.0, longest_m: 0.05 };
        let heights = rough(&roughness, 1.0, n, &mut Random::of_stream(5, 0));
        let rms = (heights.iter().map(|h| h * h).sum::<f64>() / n as f64).sqrt();
        assert!((rms / 3e-6 - 1.0).abs() < 1e-9, "{rms}");
        let mut spectrum: Vec<Complex> = heights.iter().map(|h| (*h, 0.0)).collect();
        fft::transform(&mut spectrum, false);
        let power = |k: usize| (spectrum[k].0.powi(2) + spectrum[k].1.powi(2)).log10();
        let slope = power(4000) - power(400);
        assert!((slope + 2.0).abs() < 0.01, "{slope}");
    }

    #[test]
    fn ribs_repeat_at_their_pitch_and_grains_come_in_their_number() {
        let mut recipe = flat();
        recipe.ribs = Ribs {
            pitch_m: 0.05,
            depth_m: 1e-3,
            width_m: 4e-3,
            shape: RibShape::Groove,
            uneven_m: 0.0,
        };
        let recipe = recipe.within_limits();
        let heights = ground(&recipe, 1 << 17);
        let down = heights.windows(2).filter(|w| w[0] >= -5e-4 && w[1] < -5e-4).count();
        assert_eq!(down, (recipe.length_m / 0.05).round() as usize);
        let deepest = heights.iter().copied().fold(0.0, f64::min);
        assert!((deepest + 1e-3).abs() < 1e-9, "{deepest}");

        let mut recipe = flat();
        recipe.grit = Grit { per_m: 40.0, height_m: 2e-4 };
        recipe.length_m = 10.0;
        let recipe = recipe.within_limits();
        let heights = ground(&recipe, 1 << 17);
        let grains = heights.windows(2).filter(|w| w[0] <= 0.0 && w[1] > 0.0).count() as f64;
        // A Poisson count of 400 has a standard deviation of 20; a few grains overlap.
        assert!((330.0..450.0).contains(&grains), "{grains}");
        assert!(heights.iter().all(|h| (0.0..4e-4).contains(h)));
    }
}
