//! Stored forms of surfaces: recipes in files, and heights in projects and presets.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::exciter::surface::{Grit, Recipe, RibShape, Ribs, Roughness, UserSurface};
use crate::io::read_text;

/// Largest recipe file, bytes; a recipe is a short text.
const MAX_BYTES: u64 = 1 << 16;

/// The recipe of a named surface. Missing fields have their default; lengths are in metres.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceFile {
    /// Version of Ictus that wrote it.
    pub ictus: String,
    /// Displayed name.
    pub name: String,
    /// Description.
    #[serde(default)]
    pub description: String,
    recipe: RecipeText,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
struct RecipeText {
    length_m: f64,
    rms_m: f64,
    slope: f64,
    longest_m: f64,
    rib_shape: ShapeText,
    rib_pitch_m: f64,
    rib_depth_m: f64,
    rib_width_m: f64,
    rib_uneven_m: f64,
    grit_per_m: f64,
    grit_height_m: f64,
    ball_rms_m: f64,
    seed: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum ShapeText {
    Sine,
    Ridge,
    Groove,
}

impl Default for RecipeText {
    fn default() -> Self {
        let r = Recipe::default();
        Self {
            length_m: r.length_m,
            rms_m: r.roughness.rms_m,
            slope: r.roughness.slope,
            longest_m: r.roughness.longest_m,
            rib_shape: ShapeText::Groove,
            rib_pitch_m: r.ribs.pitch_m,
            rib_depth_m: r.ribs.depth_m,
            rib_width_m: r.ribs.width_m,
            rib_uneven_m: r.ribs.uneven_m,
            grit_per_m: r.grit.per_m,
            grit_height_m: r.grit.height_m,
            ball_rms_m: r.ball_rms_m,
            seed: 1,
        }
    }
}

impl SurfaceFile {
    /// Reads and checks a file.
    pub fn load(path: &Path) -> Result<Self> {
        let read = || -> Result<Self> { Self::parse(&read_text(path, MAX_BYTES, "a recipe")?) };
        read().with_context(|| path.display().to_string())
    }

    /// Parses and checks a text.
    pub fn parse(text: &str) -> Result<Self> {
        let file: Self = serde_json::from_str(text).context("is not the recipe of a surface")?;
        ensure!(!file.ictus.is_empty(), "field 'ictus': expected the version that wrote the file");
        ensure!(!file.name.is_empty(), "field 'name': expected a name");
        let (asked, kept) = (file.unchecked(), file.unchecked().within_limits());
        // The length is rounded to whole ribs, so only its range is checked.
        ensure!(
            (0.2..=10.0).contains(&asked.length_m),
            "field 'recipe.length_m': {}: expected 0.2 to 10",
            asked.length_m
        );
        for (field, asked, kept) in [
            ("rms_m", asked.roughness.rms_m, kept.roughness.rms_m),
            ("slope", asked.roughness.slope, kept.roughness.slope),
            ("longest_m", asked.roughness.longest_m, kept.roughness.longest_m),
            ("rib_pitch_m", asked.ribs.pitch_m, kept.ribs.pitch_m),
            ("rib_depth_m", asked.ribs.depth_m, kept.ribs.depth_m),
            ("rib_width_m", asked.ribs.width_m, kept.ribs.width_m),
            ("rib_uneven_m", asked.ribs.uneven_m, kept.ribs.uneven_m),
            ("grit_per_m", asked.grit.per_m, kept.grit.per_m),
            ("grit_height_m", asked.grit.height_m, kept.grit.height_m),
            ("ball_rms_m", asked.ball_rms_m, kept.ball_rms_m),
        ] {
            ensure!(
                asked == kept,
                "field 'recipe.{field}': {asked} is out of range; the nearest allowed is {kept}"
            );
        }
        Ok(file)
    }

    /// The recipe within its limits.
    pub fn recipe(&self) -> Recipe {
        self.unchecked().within_limits()
    }

    fn unchecked(&self) -> Recipe {
        let r = &self.recipe;
        let shape = match r.rib_shape {
            ShapeText::Sine => RibShape::Sine,
            ShapeText::Ridge => RibShape::Ridge,
            ShapeText::Groove => RibShape::Groove,
        };
        Recipe {
            length_m: r.length_m,
            roughness: Roughness { rms_m: r.rms_m, slope: r.slope, longest_m: r.longest_m },
            ribs: Ribs {
                pitch_m: r.rib_pitch_m,
                depth_m: r.rib_depth_m,
                width_m: r.rib_width_m,
                shape,
                uneven_m: r.rib_uneven_m,
            },
            grit: Grit { per_m: r.grit_per_m, height_m: r.grit_height_m },
            ball_rms_m: r.ball_rms_m,
            seed: u64::from(r.seed),
        }
    }
}

/// Most heights that are stored; longer surfaces are averaged down.
const MAX_HEIGHTS: usize = 1 << 15;

/// The heights of a surface in whole nanometres, which is precise enough and compact.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StoredSurface {
    length_m: f64,
    heights_nm: Vec<i64>,
}

impl StoredSurface {
    /// Stores a surface; a long one is averaged down.
    pub fn of(surface: &UserSurface) -> Self {
        let heights = surface.heights_m();
        let apart = heights.len().div_ceil(MAX_HEIGHTS);
        let heights_nm = heights
            .chunks(apart)
            .map(|some| (1e9 * some.iter().sum::<f64>() / some.len() as f64).round() as i64);
        Self { length_m: surface.whole_length_m(), heights_nm: heights_nm.collect() }
    }

    /// Restores the surface.
    pub fn read(&self) -> Result<UserSurface> {
        ensure!(self.heights_nm.len() <= MAX_HEIGHTS, "more than {MAX_HEIGHTS} heights");
        let heights_m = self.heights_nm.iter().map(|nm| *nm as f64 * 1e-9).collect();
        Ok(UserSurface::new(heights_m, self.length_m)?)
    }
}
