//! Where the last blow fell, and how a force there moves the modes: the next one mostly falls there too.

use super::hands::Scene;
use crate::body::{MAX_MODES, PerMode, Point};

/// The place of the last blow.
#[derive(Clone, Debug)]
pub struct Place {
    of: Option<(Point, f64)>,
    gains: PerMode,
    /// Gains from here on are 0.
    len: usize,
}

impl Default for Place {
    fn default() -> Self {
        Self { of: None, gains: [0.0; MAX_MODES], len: 0 }
    }
}

impl Place {
    /// The modes have changed.
    pub fn forget(&mut self) {
        self.of = None;
    }

    /// How a force at a point of the body, of this mass in kg, moves its modes.
    pub fn gains(&mut self, scene: &Scene, point: Point, mass_kg: f64) -> &PerMode {
        if self.of != Some((point, mass_kg)) {
            self.gains[..self.len].fill(0.0);
            scene.modes.add_gains(0, point, mass_kg, &mut self.gains);
            self.len = scene.modes.len;
            self.of = Some((point, mass_kg));
        }
        &self.gains
    }
}
