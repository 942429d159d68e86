//! A surface as projects and presets keep it.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

use crate::exciter::surface::UserSurface;

/// Heights that are kept of a surface; more are thinned out.
const MAX_HEIGHTS: usize = 1 << 15;

/// Nanometres are fine enough, and whole numbers short.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StoredSurface {
    length_m: f64,
    heights_nm: Vec<i64>,
}

impl StoredSurface {
    /// A surface, thinned out if it is long.
    pub fn of(surface: &UserSurface) -> Self {
        let heights = surface.heights_m();
        let apart = heights.len().div_ceil(MAX_HEIGHTS);
        let heights_nm = heights
            .chunks(apart)
            .map(|some| (1e9 * some.iter().sum::<f64>() / some.len() as f64).round() as i64);
        Self { length_m: surface.whole_length_m(), heights_nm: heights_nm.collect() }
    }

    /// The surface that is meant.
    pub fn read(&self) -> Result<UserSurface> {
        ensure!(self.heights_nm.len() <= MAX_HEIGHTS, "more than {MAX_HEIGHTS} heights");
        let heights_m = self.heights_nm.iter().map(|nm| *nm as f64 * 1e-9).collect();
        Ok(UserSurface::new(heights_m, self.length_m)?)
    }
}
