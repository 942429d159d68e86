//! Size, zoom and theme of the window, saved with the project.

use serde::{Deserialize, Serialize};

/// Width and height of a fresh window, logical pixels.
pub const SIZE: (f32, f32) = (1000.0, 680.0);

/// Zoom factors in the menu.
pub const ZOOMS: [f32; 6] = [0.75, 0.9, 1.0, 1.25, 1.5, 2.0];

/// Size, zoom and theme of the window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowSettings {
    /// Width in points: logical pixels divided by the zoom.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// Zoom factor; 1 is the default.
    pub zoom: f32,
    /// True for the light theme.
    pub light: bool,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self { width: SIZE.0, height: SIZE.1, zoom: 1.0, light: false }
    }
}

impl WindowSettings {
    /// Width and height of the window in logical pixels.
    pub fn window(&self) -> (f32, f32) {
        (self.width * self.zoom, self.height * self.zoom)
    }

    /// Clamps all values to a usable range.
    pub fn within_limits(self) -> Self {
        let clamp = |value: f32, low: f32, high: f32, default: f32| {
            if value.is_finite() { value.clamp(low, high) } else { default }
        };
        Self {
            width: clamp(self.width, 400.0, 8000.0, SIZE.0),
            height: clamp(self.height, 300.0, 8000.0, SIZE.1),
            zoom: clamp(self.zoom, ZOOMS[0], ZOOMS[ZOOMS.len() - 1], 1.0),
            light: self.light,
        }
    }
}
