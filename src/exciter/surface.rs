//! The ground that something rolls over: heights read by position.
//!
//! A [`Recipe`] (plain numbers) or a user's heights become a [`SurfaceTable`], off the audio
//! thread: the relief, smoothed by the ball's radius and by its contact patch, at several levels of
//! detail. It is read by position in metres, so that frequency is speed over wavelength without
//! further ado, and nothing in it knows a sample rate.

pub mod fft;
pub mod profile;
pub mod recipe;
pub mod relief;
pub mod rolling_filter;
pub mod swap_slot;
pub mod user;

use std::f64::consts::PI;

pub use profile::{Profile, Zoom};
pub use recipe::{Grit, Recipe, RibShape, Ribs, Roughness};
pub use swap_slot::SwapSlot;
pub use user::UserSurface;

use crate::math::clamp_or;

/// What the surface is felt with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feeler {
    /// Radius of the ball or the tip, m.
    pub radius_m: f64,
    /// Half-width of the contact patch, m.
    pub patch_m: f64,
}

impl Feeler {
    /// The same with both numbers in range: radius 0.05 mm...0.5 m, patch 0...5 mm.
    pub fn within_limits(&self) -> Self {
        Self {
            radius_m: clamp_or(self.radius_m, 5e-5, 0.5, 5e-5),
            patch_m: clamp_or(self.patch_m, 0.0, 5e-3, 0.0),
        }
    }
}

/// A surface as one ball feels it, ready to be read on the audio thread.
#[derive(Clone, Debug)]
pub struct SurfaceTable {
    feeler: Feeler,
    ground: Profile,
    ball: Profile,
}

impl SurfaceTable {
    /// Make the table of a recipe. Allocates some megabytes and takes some tens of milliseconds.
    pub fn build(recipe: &Recipe, feeler: &Feeler) -> Self {
        let recipe = recipe.within_limits();
        let heights = relief::ground(&recipe, recipe::GROUND_POINTS);
        Self::feel(&heights, recipe.length_m, &recipe, feeler)
    }

    /// Make the table of a user's heights; the recipe gives the ball's own roughness only.
    pub fn build_from(surface: &UserSurface, recipe: &Recipe, feeler: &Feeler) -> Self {
        let heights = surface.on_a_loop(recipe::GROUND_POINTS);
        Self::feel(&heights, surface.length_m(), &recipe.within_limits(), feeler)
    }

    fn feel(heights: &[f64], length_m: f64, recipe: &Recipe, feeler: &Feeler) -> Self {
        let feeler = feeler.within_limits();
        let profile = |heights: &[f64], length_m: f64| {
            let felt =
                rolling_filter::apply(heights, length_m / heights.len() as f64, feeler.radius_m);
            Profile::new(&felt, length_m, feeler.patch_m)
        };
        let circumference_m = 2.0 * PI * feeler.radius_m;
        let around = relief::ball(recipe, circumference_m, recipe::BALL_POINTS);
        Self { feeler, ground: profile(heights, length_m), ball: profile(&around, circumference_m) }
    }

    /// What it was made for.
    pub fn feeler(&self) -> Feeler {
        self.feeler
    }

    /// The ground.
    pub fn ground(&self) -> &Profile {
        &self.ground
    }

    /// The way around the ball.
    pub fn ball(&self) -> &Profile {
        &self.ball
    }
}
