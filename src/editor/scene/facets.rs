//! The faces of a tumbling body, computed from its corners.

use std::f32::consts::PI;

use egui::{Painter, Pos2, Shape, Stroke};

use super::camera::{Camera, Place, cross, dot, flat, minus};
use crate::editor::theme::Palette;
use crate::rigid_body::shape::RigidShape;

/// Corners this close to a plane lie in it, relative to the body's radius.
const PLANE_TOLERANCE: f32 = 1e-3;

/// One face.
#[derive(Clone, Debug, PartialEq)]
struct Face {
    /// Outward unit normal.
    normal: Place,
    /// Indices of its corners, in order around the face.
    corners: Vec<usize>,
}

/// The convex hull of a body's corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facets {
    corners_m: Vec<Place>,
    faces: Vec<Face>,
    radius_m: f32,
}

impl Facets {
    /// Creates the facets of a body.
    pub fn new(shape: &RigidShape) -> Self {
        let corners_m: Vec<Place> =
            shape.corners_m.iter().map(|corner| corner.map(|x| x as f32)).collect();
        let radius_m = shape.radius_m as f32;
        let mut faces: Vec<Face> = Vec::new();
        for i in 0..corners_m.len() {
            for j in i + 1..corners_m.len() {
                for k in j + 1..corners_m.len() {
                    let is_known =
                        |face: &Face| [i, j, k].iter().all(|corner| face.corners.contains(corner));
                    if !faces.iter().any(is_known) {
                        faces.extend(face_through(
                            &corners_m,
                            [i, j, k],
                            PLANE_TOLERANCE * radius_m,
                        ));
                    }
                }
            }
        }
        Self { corners_m, faces, radius_m }
    }

    /// Distance of the farthest corner from the centre, m.
    pub fn radius_m(&self) -> f32 {
        self.radius_m
    }

    /// Depth of the lowest corner below the centre, m.
    pub fn depth_m(&self, rotation: [f32; 4]) -> f32 {
        -self.corners_m.iter().map(|corner| rotated(rotation, *corner)[2]).fold(0.0, f32::min)
    }

    /// Draws the faces towards the viewer, with the centre at `middle`. In a convex body they never
    /// hide one another.
    pub fn draw(
        &self,
        painter: &Painter,
        camera: &Camera,
        middle: Place,
        rotation: [f32; 4],
        units_per_m: f32,
        palette: &Palette,
    ) {
        let projected: Vec<Pos2> = (self.corners_m.iter())
            .map(|corner| {
                let corner = rotated(rotation, *corner);
                camera.project(std::array::from_fn(|i| middle[i] + units_per_m * corner[i]))
            })
            .collect();
        for face in &self.faces {
            let normal = rotated(rotation, face.normal);
            if camera.depth(normal) >= 0.0 {
                continue;
            }
            let outline = face.corners.iter().map(|corner| projected[*corner]).collect();
            let edge = Stroke::new(1.0, palette.text);
            painter.add(Shape::convex_polygon(outline, flat(palette.muted, normal), edge));
        }
    }
}

/// The face through three corners, if all other corners lie on one side of it.
fn face_through(corners: &[Place], [i, j, k]: [usize; 3], tolerance: f32) -> Option<Face> {
    let across = cross(minus(corners[j], corners[i]), minus(corners[k], corners[i]));
    let length = dot(across, across).sqrt();
    if length <= tolerance * tolerance {
        return None;
    }
    let mut normal = across.map(|x| x / length);
    if dot(normal, corners[i]) < 0.0 {
        normal = normal.map(|x| -x);
    }
    let above = |corner: &Place| dot(normal, minus(*corner, corners[i]));
    if corners.iter().any(|corner| above(corner) > tolerance) {
        return None;
    }
    let mut face: Vec<usize> =
        (0..corners.len()).filter(|corner| above(&corners[*corner]) > -tolerance).collect();
    let count = face.len() as f32;
    let middle: Place = std::array::from_fn(|axis| {
        face.iter().map(|corner| corners[*corner][axis]).sum::<f32>() / count
    });
    let first = minus(corners[face[0]], middle);
    let second = cross(normal, first);
    let angle = |corner: &usize| {
        let direction = minus(corners[*corner], middle);
        (dot(direction, second).atan2(dot(direction, first)) + 2.0 * PI) % (2.0 * PI)
    };
    face.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    Some(Face { normal, corners: face })
}

/// Rotates a vector by a unit quaternion.
fn rotated([w, x, y, z]: [f32; 4], v: Place) -> Place {
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
    fn the_hull_is_closed() {
        // Vertices, edges and faces of a closed surface without holes: V - E + F = 2 (Euler).
        for kind in RigidShapeKind::ALL {
            let facets = Facets::new(&RigidShape::new(kind, 0.02, 0.01, 7));
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
