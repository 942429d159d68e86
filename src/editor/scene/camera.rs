//! Camera and light of the scene: a parallel projection from slightly above, one lamp, and a soft
//! window that glossy surfaces reflect.

use egui::{Color32, Pos2, Rect, pos2};

use crate::editor::material::Material;

/// A point or vector of the scene: along, across (away from the viewer), up.
pub type Place = [f32; 3];

/// The projection from the scene to the window.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    middle: Pos2,
    scale: f32,
    /// Sine and cosine of the camera's angle to the side.
    yaw: (f32, f32),
    /// Sine and cosine of the camera's angle from above.
    pitch: (f32, f32),
}

impl Camera {
    /// Creates a camera that shows a scene of two units in `rect`.
    pub fn new(rect: Rect) -> Self {
        let scale = (0.36 * rect.width()).min(0.57 * rect.height());
        let middle = pos2(rect.center().x, rect.top() + 0.6 * rect.height());
        Self { middle, scale, yaw: 0.32f32.sin_cos(), pitch: 0.46f32.sin_cos() }
    }

    /// Window position of a point.
    pub fn project(&self, [x, y, z]: Place) -> Pos2 {
        let (sin, cos) = self.yaw;
        let (across, away) = (x * cos - y * sin, x * sin + y * cos);
        pos2(
            self.middle.x + self.scale * across,
            self.middle.y - self.scale * (away * self.pitch.0 + z * self.pitch.1),
        )
    }

    /// Distance from the viewer, up to a constant; larger is farther.
    pub fn depth(&self, [x, y, z]: Place) -> f32 {
        let (sin, cos) = self.yaw;
        (x * sin + y * cos) * self.pitch.1 - z * self.pitch.0
    }

    /// Unit vector towards the viewer.
    pub fn eye(&self) -> Place {
        let (sin, cos) = self.yaw;
        [-sin * self.pitch.1, -cos * self.pitch.1, self.pitch.0]
    }

    /// Points per scene unit.
    pub fn scale(&self) -> f32 {
        self.scale
    }
}

/// Direction of the lamp.
const LAMP: Place = [-0.45, -0.55, 0.7];

/// Colour of a surface point with this normal, seen from the direction `eye`.
pub fn lit(material: &Material, point: Place, normal: Place, eye: Place) -> Color32 {
    let facing = dot(normal, LAMP).max(0.0);
    let reflected: Place = std::array::from_fn(|i| 2.0 * dot(normal, eye) * normal[i] - eye[i]);
    // The reflected window is a soft band. It depends on the position too; otherwise a flat surface
    // would have a uniform colour.
    let across = reflected[0] + 0.55 * point[0] + 0.2 * point[1] - 0.02;
    let window = (-across * across / 0.06).exp() * (0.35 + 0.65 * reflected[2].max(0.0));
    let lamp = dot(reflected, LAMP).max(0.0).powi(14);
    let rim = (1.0 - dot(normal, eye).abs()).clamp(0.0, 1.0).powi(3);
    let body = 0.30 + 0.16 * normal[2].max(0.0) + 0.48 * facing;
    let shine = material.gloss * (0.30 * window + 0.42 * lamp + 0.14 * rim);
    let part = |x: u8| (f32::from(x) * body + 255.0 * shine).clamp(0.0, 255.0) as u8;
    let [r, g, b, _] = material.colour.to_array();
    Color32::from_rgb(part(r), part(g), part(b))
}

/// Colour of a flat face in the lamp's light.
pub fn flat(colour: Color32, normal: Place) -> Color32 {
    shade(colour, 0.62 + 0.55 * dot(normal, LAMP).max(-0.4))
}

/// Scales a colour by a brightness.
pub fn shade(colour: Color32, brightness: f32) -> Color32 {
    let part = |x: u8| (f32::from(x) * brightness).clamp(0.0, 255.0) as u8;
    Color32::from_rgb(part(colour.r()), part(colour.g()), part(colour.b()))
}

pub(super) fn dot(a: Place, b: Place) -> f32 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

pub(super) fn cross(a: Place, b: Place) -> Place {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn minus(a: Place, b: Place) -> Place {
    std::array::from_fn(|i| a[i] - b[i])
}
