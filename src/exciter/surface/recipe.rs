//! What a surface is made of.

use crate::math::clamp_or;

/// Points of a ground table. With the usual loop of 3.3 m they lie 25 um apart.
pub const GROUND_POINTS: usize = 1 << 17;

/// Points around a ball.
pub const BALL_POINTS: usize = 1 << 14;

/// Self-affine roughness: what sanding, casting, breaking and wear leave.
///
/// Power spectral density over the wave number k (1/m): flat below `1/longest`, then falling as
/// `k^-slope`. Heights are Gaussian. Real surfaces have a slope of 1 to 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roughness {
    /// Root mean square height, m.
    pub rms_m: f64,
    /// Exponent B of the spectrum.
    pub slope: f64,
    /// Longest wavelength that still gains from the slope, m.
    pub longest_m: f64,
}

/// What repeats along the way.
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
    /// From one to the next, m.
    pub pitch_m: f64,
    /// From bottom to top, m. 0: none.
    pub depth_m: f64,
    /// Width of a ridge or groove, m.
    pub width_m: f64,
    /// Their shape.
    pub shape: RibShape,
    /// Each tile lies up to this much higher or lower than the mean, m.
    pub uneven_m: f64,
}

/// Grains that lie about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grit {
    /// Mean number per metre; where each lies is left to chance (Poisson).
    pub per_m: f64,
    /// Height of the largest, m. They are half as wide again as they are high, and some are a third
    /// as high.
    pub height_m: f64,
}

/// A surface, in a few numbers. The same numbers give the same surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// Length after which it repeats, m. Rounded to a whole number of ribs.
    pub length_m: f64,
    /// Roughness of the ground.
    pub roughness: Roughness,
    /// What repeats.
    pub ribs: Ribs,
    /// What lies about.
    pub grit: Grit,
    /// Roughness of the ball itself, rms in m; its spectrum falls like that of the ground.
    pub ball_rms_m: f64,
    /// Seed of all that is left to chance.
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
    /// The same with every number inside its range; what is not a number becomes the default.
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
