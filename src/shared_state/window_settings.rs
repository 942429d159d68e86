//! Size, zoom and theme of the window. Saved with the project.

use serde::{Deserialize, Serialize};

/// Width and height of a fresh window, logical pixels.
pub const SIZE: (f32, f32) = (1000.0, 680.0);

/// The zoom factors that the menu offers.
pub const ZOOMS: [f32; 6] = [0.75, 0.9, 1.0, 1.25, 1.5, 2.0];

/// Size, zoom and theme of a window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowSettings {
    /// Width before the zoom, points.
    pub width: f32,
    /// Height before the zoom, points.
    pub height: f32,
    /// Zoom factor; 1 shows a point as a logical pixel.
    pub zoom: f32,
    /// Whether the theme is light.
    pub light: bool,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self { width: SIZE.0, height: SIZE.1, zoom: 1.0, light: false }
    }
}

impl WindowSettings {
    /// Width and height after the zoom, logical pixels.
    pub fn window(&self) -> (f32, f32) {
        (self.width * self.zoom, self.height * self.zoom)
    }

    /// The nearest settings that a screen can show. Non-finite values take their defaults.
    pub fn within_limits(self) -> Self {
        let limit = |value: f32, min: f32, max: f32, default: f32| {
            if value.is_finite() { value.clamp(min, max) } else { default }
        };
        Self {
            width: limit(self.width, 400.0, 8000.0, SIZE.0),
            height: limit(self.height, 300.0, 8000.0, SIZE.1),
            zoom: limit(self.zoom, ZOOMS[0], ZOOMS[ZOOMS.len() - 1], 1.0),
            light: self.light,
        }
    }
}
