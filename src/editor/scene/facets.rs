//! The faces of what is thrown, from its corners.

use std::f32::consts::PI;

use egui::{Color32, Painter, Pos2, Shape, Stroke};

use super::camera::{Camera, Place};
use super::light::{cross, dot, flat, minus};
use crate::editor::theme::Palette;
use crate::rigid_body::shape::RigidShape as Rigid;

/// Corners this near to a plane lie in it, in sizes of the body.
const FLAT: f32 = 1e-3;

/// One face.
#[derive(Clone, Debug, PartialEq)]
struct DialStyle {
    /// Outwards, of length one.
    normal: Place,
    /// Its corners, in a round.
    corners: Vec<usize>,
}

/// A solid with flat faces: the smallest convex one around the corners of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facets {
    corners_m: Vec<Place>,
    faces: Vec<DialStyle>,
    radius_m: f32,
}

impl Facets {
    /// Of a body.
    pub fn new(shape: &Rigid) -> Self {
        let corners_m: Vec<Place> =
            shape.corners_m.iter().map(|corner| corner.map(|x| x as f32)).collect();
        let radius_m = shape.radius_m as f32;
        let mut faces: Vec<DialStyle> = Vec::new();
        for i in 0..corners_m.len() {
            for j in i + 1..corners_m.len() {
                for k in j + 1..corners_m.len() {
                    let known = |face: &DialStyle| {
                        [i, j, k].iter().all(|corner| face.corners.contains(corner))
                    };
                    if !faces.iter().any(known) {
                        faces.extend(face_through(&corners_m, [i, j, k], FLAT * radius_m));
                    }
                }
            }
        }
        Self { corners_m, faces, radius_m }
    }

    /// Distance of the farthest corner, m.
    pub fn radius_m(&self) -> f32 {
        self.radius_m
    }

    /// Where its lowest corner is below its centre, m.
    pub fn depth_m(&self, turn: [f32; 4]) -> f32 {
        -self.corners_m.iter().map(|corner| turned(turn, *corner)[2]).fold(0.0, f32::min)
    }

    /// Draw the faces that the eye sees, about a place, `metre` units of the room to a metre. Seen
    /// so, they never hide one another.
    pub fn draw(
        &self,
        painter: &Painter,
        camera: &Camera,
        middle: Place,
        turn: [f32; 4],
        metre: f32,
        palette: &Palette,
    ) {
        let seen: Vec<Pos2> = (self.corners_m.iter())
            .map(|corner| {
                let corner = turned(turn, *corner);
                camera.project(std::array::from_fn(|i| middle[i] + metre * corner[i]))
            })
            .collect();
        for face in &self.faces {
            let normal = turned(turn, face.normal);
            if camera.depth(normal) >= 0.0 {
                continue;
            }
            let outline = face.corners.iter().map(|corner| seen[*corner]).collect();
            let edge = Stroke::new(1.0, palette.text);
            painter.add(Shape::convex_polygon(outline, flat(colour(palette), normal), edge));
        }
    }
}

/// Between the ground and the letters, in both themes.
fn colour(palette: &Palette) -> Color32 {
    palette.muted
}

/// The face through three corners, if all others lie on one side of it.
fn face_through(corners: &[Place], [i, j, k]: [usize; 3], near: f32) -> Option<DialStyle> {
    let across = cross(minus(corners[j], corners[i]), minus(corners[k], corners[i]));
    let length = dot(across, across).sqrt();
    if length <= near * near {
        return None;
    }
    let mut normal = across.map(|x| x / length);
    if dot(normal, corners[i]) < 0.0 {
        normal = normal.map(|x| -x);
    }
    let above = |corner: &Place| dot(normal, minus(*corner, corners[i]));
    if corners.iter().any(|corner| above(corner) > near) {
        return None;
    }
    let mut face: Vec<usize> =
        (0..corners.len()).filter(|corner| above(&corners[*corner]) > -near).collect();
    let count = face.len() as f32;
    let middle: Place = std::array::from_fn(|axis| {
        face.iter().map(|corner| corners[*corner][axis]).sum::<f32>() / count
    });
    let first = minus(corners[face[0]], middle);
    let second = cross(normal, first);
    let angle = |corner: &usize| {
        let way = minus(corners[*corner], middle);
        (dot(way, second).atan2(dot(way, first)) + 2.0 * PI) % (2.0 * PI)
    };
    face.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    Some(DialStyle { normal, corners: face })
}

/// A place turned by a unit quaternion.
fn turned([w, x, y, z]: [f32; 4], v: Place) -> Place {
    let axis = [x, y, z];
    let once = cross(axis, v);
    let twice = cross(axis, once);
    std::array::from_fn(|i| v[i] + 2.0 * (w * once[i] + twice[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid_body::shape::RigidShapeKind;

    #[test]
    fn solids_are_closed() {
        // Corners, edges and faces of what has no holes: V - E + F = 2 (Euler).
        for kind in RigidShapeKind::ALL {
            let facets = Facets::new(&Rigid::new(kind, 0.02, 0.01, 7));
            let edges: usize =
                facets.faces.iter().map(|face| face.corners.len()).sum::<usize>() / 2;
            let used = (0..facets.corners_m.len())
                .filter(|i| facets.faces.iter().any(|face| face.corners.contains(i)));
            assert_eq!(
                used.count() + facets.faces.len(),
                edges + 2,
                "{kind:?}: {} faces",
                facets.faces.len()
            );
            if kind == RigidShapeKind::Die {
                assert_eq!(facets.faces.len(), 6);
            }
        }
    }
}
