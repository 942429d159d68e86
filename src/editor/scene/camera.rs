//! From the room to the window: a level view from a little above, without perspective.

use egui::{Pos2, Rect, pos2};

/// A place in the room: along, across (away from the eye), up.
pub type Place = [f32; 3];

/// Where the eye is, and how large things look.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    middle: Pos2,
    scale: f32,
    aside: (f32, f32),
    above: (f32, f32),
}

impl Camera {
    /// An eye that sees a room two units wide in `rect`.
    pub fn new(rect: Rect) -> Self {
        let scale = (0.36 * rect.width()).min(0.57 * rect.height());
        let middle = pos2(rect.center().x, rect.top() + 0.6 * rect.height());
        Self { middle, scale, aside: 0.32f32.sin_cos(), above: 0.46f32.sin_cos() }
    }

    /// Where a place is seen.
    pub fn project(&self, [x, y, z]: Place) -> Pos2 {
        let (sin, cos) = self.aside;
        let (across, away) = (x * cos - y * sin, x * sin + y * cos);
        pos2(
            self.middle.x + self.scale * across,
            self.middle.y - self.scale * (away * self.above.0 + z * self.above.1),
        )
    }

    /// How far away a place is; larger is farther.
    pub fn depth(&self, [x, y, z]: Place) -> f32 {
        let (sin, cos) = self.aside;
        (x * sin + y * cos) * self.above.1 - z * self.above.0
    }

    /// Towards the eye, of length one.
    pub fn eye(&self) -> Place {
        let (sin, cos) = self.aside;
        [-sin * self.above.1, -cos * self.above.1, self.above.0]
    }

    /// Pixels of a length of one.
    pub fn scale(&self) -> f32 {
        self.scale
    }
}
