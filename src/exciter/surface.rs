//! Rolling surfaces: heights read by position.
//!
//! A [`Recipe`] (plain numbers) or a user's heights become a [`SurfaceTable`], built off the audio
//! thread: the relief, smoothed by the ball's radius and by its contact patch, at several levels of
//! detail. It is read by position in metres, so that frequency equals speed over wavelength,
//! independently of the sample rate.

pub mod fft;
pub mod profile;
pub mod recipe;
pub mod swap_slot;
pub mod user;

use std::f64::consts::PI;

pub use profile::{Profile, Zoom};
pub use recipe::{Grit, Recipe, RibShape, Ribs, Roughness};
pub use swap_slot::SwapSlot;
pub use user::UserSurface;

use crate::math::clamp_or;

/// Geometry of the contact that reads a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feeler {
    /// Radius of the ball or the tip, m.
    pub radius_m: f64,
    /// Half-width of the contact patch, m.
    pub patch_m: f64,
}

impl Feeler {
    /// Returns a copy within limits: radius 0.05 mm...0.5 m, patch 0...5 mm.
    pub fn within_limits(&self) -> Self {
        Self {
            radius_m: clamp_or(self.radius_m, 5e-5, 0.5, 5e-5),
            patch_m: clamp_or(self.patch_m, 0.0, 5e-3, 0.0),
        }
    }
}

/// A surface filtered for one ball, ready to be read on the audio thread.
#[derive(Clone, Debug)]
pub struct SurfaceTable {
    feeler: Feeler,
    ground: Profile,
    ball: Profile,
}

impl SurfaceTable {
    /// Builds the table of a recipe.
    ///
    /// Allocates some megabytes and takes tens of milliseconds.
    pub fn build(recipe: &Recipe, feeler: &Feeler) -> Self {
        let recipe = recipe.within_limits();
        let heights = recipe::ground(&recipe, recipe::GROUND_POINTS);
        Self::feel(&heights, recipe.length_m, &recipe, feeler)
    }

    /// Builds the table of a user's heights.
    ///
    /// The recipe provides the ball's own roughness only.
    pub fn build_from(surface: &UserSurface, recipe: &Recipe, feeler: &Feeler) -> Self {
        let heights = surface.on_a_loop(recipe::GROUND_POINTS);
        Self::feel(&heights, surface.length_m(), &recipe.within_limits(), feeler)
    }

    fn feel(heights: &[f64], length_m: f64, recipe: &Recipe, feeler: &Feeler) -> Self {
        let feeler = feeler.within_limits();
        let profile = |heights: &[f64], length_m: f64| {
            let felt = rolling_filter(heights, length_m / heights.len() as f64, feeler.radius_m);
            Profile::new(&felt, length_m, feeler.patch_m)
        };
        let circumference_m = 2.0 * PI * feeler.radius_m;
        let around = recipe::ball(recipe, circumference_m, recipe::BALL_POINTS);
        Self { feeler, ground: profile(heights, length_m), ball: profile(&around, circumference_m) }
    }

    /// Contact geometry for which the table was built.
    pub fn feeler(&self) -> Feeler {
        self.feeler
    }

    /// Profile of the ground.
    pub fn ground(&self) -> &Profile {
        &self.ground
    }

    /// Profile around the ball.
    pub fn ball(&self) -> &Profile {
        &self.ball
    }
}

/// The ball-radius filter `s_R(x) = max over q of [s(x+q) - q^2/(2R)]`, on a loop.
///
/// A ball of radius R does not reach the bottom of a narrow groove and rolls over a peak in a wide
/// arc: its lowest point follows s_R (Rath 2003, with the circle replaced by its parabola, valid
/// for heights far below R). Crests of s_R are never sharper than 1/R; valleys may have kinks, at
/// which the ball knocks.
///
/// The maximum of parabolas of one shape is an upper envelope, found in one pass over the points
/// and one over the result (Felzenszwalb and Huttenlocher, "Distance transforms of sampled
/// functions", 2012). On the loop, points further than half its length cannot matter, because a
/// nearer copy has the same height.
pub fn rolling_filter(heights: &[f64], step_m: f64, radius_m: f64) -> Vec<f64> {
    let n = heights.len();
    let curve = step_m * step_m / (2.0 * radius_m);
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Beyond this distance the parabola of the highest point lies below the lowest point.
    let reach = (((high - low) / curve).sqrt().ceil() + 1.0).min((n / 2) as f64) as usize;
    let height = |i: usize| heights[(i + n - reach) % n];

    // Indices of the parabolas on the envelope, and where each becomes the highest.
    let mut summits: Vec<usize> = Vec::with_capacity(n + 2 * reach);
    let mut from: Vec<f64> = Vec::with_capacity(n + 2 * reach);
    for i in 0..n + 2 * reach {
        let mut start = f64::NEG_INFINITY;
        while let Some(&last) = summits.last() {
            let apart = (i - last) as f64;
            start = 0.5 * (i + last) as f64 + (height(last) - height(i)) / (2.0 * curve * apart);
            if start > from[from.len() - 1] {
                break;
            }
            summits.pop();
            from.pop();
            start = f64::NEG_INFINITY;
        }
        summits.push(i);
        from.push(start);
    }
    let mut summit = 0;
    (reach..reach + n)
        .map(|i| {
            while summit + 1 < summits.len() && from[summit + 1] <= i as f64 {
                summit += 1;
            }
            let apart = i as f64 - summits[summit] as f64;
            height(summits[summit]) - curve * apart * apart
        })
        .collect()
}
