//! The surface table that a patch needs. Equal requests build equal tables.

use std::sync::{Arc, LazyLock};

use super::SurfaceFile;
use crate::exciter::roll::note;
use crate::exciter::surface::{
    Feeler, Grit, Recipe, RibShape, Ribs, Roughness, SurfaceTable, UserSurface,
};
use crate::params::{Param, Patch};

/// The built-in surfaces, in the order of the parameter's choices.
const BUILT_IN: [&str; 6] = [
    include_str!("../../../plugin-assets/surfaces/floorboards.json"),
    include_str!("../../../plugin-assets/surfaces/ceramic-tiles.json"),
    include_str!("../../../plugin-assets/surfaces/asphalt.json"),
    include_str!("../../../plugin-assets/surfaces/brushed-steel.json"),
    include_str!("../../../plugin-assets/surfaces/washboard.json"),
    include_str!("../../../plugin-assets/surfaces/marble-table.json"),
];

static RECIPES: LazyLock<[Recipe; BUILT_IN.len()]> = LazyLock::new(|| {
    BUILT_IN.map(|text| SurfaceFile::parse(text).map(|file| file.recipe()).unwrap_or_default())
});

/// Relative change of the ball's radius that needs a new table.
const RADIUS_STEP: f64 = 0.01;
/// Relative change of the contact patch that needs a new table.
const PATCH_STEP: f64 = 0.1;

/// The inputs of a surface table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceRequest {
    recipe: Recipe,
    feeler: Feeler,
    from_file: bool,
}

impl SurfaceRequest {
    /// Parses the built-in surfaces. Call it before the first request on a real-time thread.
    pub fn prepare() {
        LazyLock::force(&RECIPES);
    }

    /// The request of a patch; `None` unless its gesture rolls.
    ///
    /// Neither allocates nor blocks once [prepared](Self::prepare).
    pub fn of(patch: &Patch) -> Option<Self> {
        patch.gesture().rolls().then(|| Self::for_any_gesture(patch))
    }

    /// The request of a patch, whatever its gesture.
    pub fn for_any_gesture(patch: &Patch) -> Self {
        let choice = patch.choice(Param::Surface);
        let feeler = note::settings(patch).feeler();
        Self {
            recipe: choice
                .checked_sub(1)
                .and_then(|index| RECIPES.get(index))
                .copied()
                .unwrap_or_else(|| recipe_of_params(patch)),
            feeler: Feeler {
                radius_m: quantised(feeler.radius_m, RADIUS_STEP),
                patch_m: quantised(feeler.patch_m, PATCH_STEP),
            },
            from_file: choice == BUILT_IN.len() + 1,
        }
    }

    /// Whether the table depends on the user's file.
    pub fn uses_file(&self) -> bool {
        self.from_file
    }

    /// Builds the table, which takes some tens of milliseconds. Without a file the parameters
    /// define the surface.
    pub fn build(&self, file: Option<&UserSurface>) -> Arc<SurfaceTable> {
        Arc::new(match file.filter(|_| self.from_file) {
            Some(file) => SurfaceTable::build_from(file, &self.recipe, &self.feeler),
            None => SurfaceTable::build(&self.recipe, &self.feeler),
        })
    }
}

fn quantised(value: f64, step: f64) -> f64 {
    let log = (1.0 + step).ln();
    if value > 0.0 { ((value.ln() / log).round() * log).exp() } else { 0.0 }
}

/// The recipe of the parameters.
fn recipe_of_params(patch: &Patch) -> Recipe {
    let default = Recipe::default();
    let pitch_m = patch.get(Param::RibPitch);
    Recipe {
        roughness: Roughness {
            rms_m: patch.get(Param::Rough),
            slope: patch.get(Param::RoughSlope),
            ..default.roughness
        },
        ribs: Ribs {
            pitch_m,
            depth_m: patch.get(Param::RibDepth),
            width_m: (0.05 * pitch_m).max(1e-3),
            shape: match patch.choice(Param::RibShape) {
                0 => RibShape::Sine,
                1 => RibShape::Ridge,
                _ => RibShape::Groove,
            },
            ..default.ribs
        },
        grit: Grit { per_m: patch.get(Param::GritDensity), height_m: patch.get(Param::GritHeight) },
        ball_rms_m: patch.get(Param::BallRough),
        seed: 1 + patch.get(Param::Seed) as u64,
        ..default
    }
    .within_limits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::ParamKind;

    #[test]
    fn every_choice_has_a_valid_built_in_surface() {
        let ParamKind::Choice(names) = Param::Surface.spec().kind else { panic!("a choice") };
        assert_eq!(names.len(), BUILT_IN.len() + 2);
        for (name, text) in names[1..].iter().zip(BUILT_IN) {
            let file = SurfaceFile::parse(text).unwrap();
            assert!(
                file.name.to_lowercase().contains(&name.to_lowercase()),
                "{name}: {}",
                file.name
            );
        }
    }

    #[test]
    fn requests_differ_only_if_the_tables_do() {
        let mut patch = Patch::default();
        assert_eq!(SurfaceRequest::of(&patch), None, "nothing rolls");
        patch.set(Param::Gesture, 2.0);
        let first = SurfaceRequest::of(&patch);
        patch.set(Param::Speed, 1.0);
        patch.set(Param::Level, -3.0);
        assert_eq!(SurfaceRequest::of(&patch), first);
        for (param, value) in
            [(Param::Radius, 0.02), (Param::Rough, 1e-5), (Param::Surface, 2.0), (Param::Seed, 5.0)]
        {
            let mut other = patch.clone();
            other.set(param, value);
            assert_ne!(SurfaceRequest::of(&other), first, "{}", param.spec().id);
        }
    }
}
