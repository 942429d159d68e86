//! How the window looks: its size, its zoom, its theme. Kept with the project.

use serde::{Deserialize, Serialize};

/// Width and height of a fresh window, logical pixels.
pub const SIZE: (f32, f32) = (1000.0, 680.0);

/// Zooms on offer.
pub const ZOOMS: [f32; 6] = [0.75, 0.9, 1.0, 1.25, 1.5, 2.0];

/// The look of a window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowSettings {
    /// Logical pixels before the zoom: points.
    pub width: f32,
    /// The same.
    pub height: f32,
    /// 1 is plain.
    pub zoom: f32,
    /// Light rather than dark.
    pub light: bool,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self { width: SIZE.0, height: SIZE.1, zoom: 1.0, light: false }
    }
}

impl WindowSettings {
    /// Width and height of the window, logical pixels.
    pub fn window(&self) -> (f32, f32) {
        (self.width * self.zoom, self.height * self.zoom)
    }

    /// The nearest look that a screen can show.
    pub fn within_limits(self) -> Self {
        let keep = |value: f32, low: f32, high: f32, otherwise: f32| {
            if value.is_finite() { value.clamp(low, high) } else { otherwise }
        };
        Self {
            width: keep(self.width, 400.0, 8000.0, SIZE.0),
            height: keep(self.height, 300.0, 8000.0, SIZE.1),
            zoom: keep(self.zoom, ZOOMS[0], ZOOMS[ZOOMS.len() - 1], 1.0),
            light: self.light,
        }
    }
}
