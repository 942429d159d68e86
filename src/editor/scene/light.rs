//! How bright things are: one lamp, a soft window that polished things reflect, and the ground's
//! own light.

use egui::Color32;

use super::camera::Place;
use crate::editor::material::Material;

/// Where the lamp is.
const LAMP: Place = [-0.45, -0.55, 0.7];

/// The colour of a spot of a surface, which looks along `normal`, seen from `eye`.
pub fn lit(material: &Material, spot: Place, normal: Place, eye: Place) -> Color32 {
    let facing = dot(normal, LAMP).max(0.0);
    let reflected: Place = std::array::from_fn(|i| 2.0 * dot(normal, eye) * normal[i] - eye[i]);
    // The window is a soft band; where it is seen depends on the place, too, or a flat thing would
    // have one colour.
    let across = reflected[0] + 0.55 * spot[0] + 0.2 * spot[1] - 0.02;
    let window = (-across * across / 0.06).exp() * (0.35 + 0.65 * reflected[2].max(0.0));
    let lamp = dot(reflected, LAMP).max(0.0).powi(14);
    let rim = (1.0 - dot(normal, eye).abs()).clamp(0.0, 1.0).powi(3);
    let body = 0.30 + 0.16 * normal[2].max(0.0) + 0.48 * facing;
    let shine = material.gloss * (0.30 * window + 0.42 * lamp + 0.14 * rim);
    let part = |x: u8| (f32::from(x) * body + 255.0 * shine).clamp(0.0, 255.0) as u8;
    let [r, g, b, _] = material.colour.to_array();
    Color32::from_rgb(part(r), part(g), part(b))
}

/// A colour of a flat face in the lamp's light.
pub fn flat(colour: Color32, normal: Place) -> Color32 {
    shade(colour, 0.62 + 0.55 * dot(normal, LAMP).max(-0.4))
}

/// A colour in that much light.
pub fn shade(colour: Color32, lit: f32) -> Color32 {
    let part = |x: u8| (f32::from(x) * lit).clamp(0.0, 255.0) as u8;
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
