//! Shapes of the bodies: a parametric surface per kind, and the direction of its vibration.

use std::f32::consts::TAU;

use super::camera::Place;
use crate::body::shape::kind::{Form, GLASS_STEM, Picture, Supports};
use crate::body::{Geometry, Layout, Point};

/// A point of a surface.
#[derive(Clone, Copy, Debug)]
pub struct SurfacePoint {
    /// Position at rest.
    pub rest: Place,
    /// Direction of the vibration.
    pub direction: Place,
    /// Normal of the surface.
    pub normal: Place,
    /// The same point in the body's coordinates.
    pub point: Point,
}

/// The visible edge of a flat body, with its thickness in scene units.
#[derive(Clone, Copy, Debug)]
pub enum Edge {
    /// No edge.
    None,
    /// All around the body.
    Rim(f32),
    /// At the two sides that face the viewer.
    Front(f32),
}

/// The surface of a body.
#[derive(Clone, Copy, Debug)]
pub struct Solid {
    picture: Picture,
    layout: Layout,
    aspect: f32,
}

impl Solid {
    /// Creates the surface of a body.
    pub fn new(geometry: &Geometry) -> Self {
        let spec = geometry.kind.spec();
        Self { picture: spec.picture, layout: spec.layout, aspect: geometry.aspect as f32 }
    }

    /// Mesh resolution along and across the body.
    pub fn steps(&self) -> (usize, usize) {
        match self.picture.form {
            Form::Plank { .. } => (56, 2),
            Form::Wire => (72, 1),
            Form::Pipe { .. } => (48, 12),
            Form::Disc { .. } => (12, 48),
            Form::Plate => (32, 22),
            Form::Revolved { .. } => (14, 48),
        }
    }

    /// The visible edge.
    pub fn edge(&self) -> Edge {
        match self.picture.form {
            Form::Disc { thickness } => Edge::Rim(thickness),
            Form::Plate => Edge::Front(0.05),
            Form::Plank { .. } => Edge::Front(0.09),
            _ => Edge::None,
        }
    }

    /// True if the surface is closed, so that its last column is its first.
    pub fn is_round(&self) -> bool {
        matches!(self.picture.form, Form::Disc { .. } | Form::Pipe { .. } | Form::Revolved { .. })
    }

    /// True if the inside is visible. A bell is open only from below.
    pub fn is_open(&self) -> bool {
        matches!(self.picture.form, Form::Pipe { .. } | Form::Revolved { is_open: true, .. })
    }

    /// Height of the lowest point over the ground.
    pub fn height_over_ground(&self) -> f32 {
        match self.picture.form {
            Form::Disc { thickness } => thickness.max(0.2),
            Form::Plate => 0.2,
            Form::Plank { .. } | Form::Wire => 0.26,
            Form::Pipe { .. } => 0.1,
            Form::Revolved { standing, .. } => standing,
        }
    }

    /// The supports on a ground of this height: blocks by their minimum and maximum corners.
    pub fn supports(&self, ground: f32) -> Vec<[Place; 2]> {
        let post =
            |x: f32, width: f32, top: f32| [[x - 0.035, -width, ground], [x + 0.035, width, top]];
        match self.picture.supports {
            Supports::None => Vec::new(),
            Supports::Clamp => vec![[[0.96, -0.2, ground], [1.16, 0.2, 0.08]]],
            Supports::Posts { at, width, top } => [at, -at].map(|x| post(x, width, top)).to_vec(),
            Supports::Corners => {
                let y = 0.6 / self.aspect;
                let corner =
                    |x: f32, y: f32| [[x - 0.05, y - 0.05, ground], [x + 0.05, y + 0.05, -0.05]];
                vec![corner(0.6, y), corner(-0.6, y), corner(0.6, -y), corner(-0.6, -y)]
            }
            Supports::Stem => vec![
                [[-0.26, -0.26, ground - 0.02], [0.26, 0.26, ground]],
                [[-0.022, -0.022, ground], [0.022, 0.022, ground + GLASS_STEM]],
            ],
            Supports::Pedestal => vec![[[-0.06, -0.06, ground], [0.06, 0.06, -0.045]]],
        }
    }

    /// Surface coordinates of a point on the body, for [`Solid::surface_point`]. Bodies without a y
    /// take the middle of their width, or the top of a tube.
    pub fn coordinates(&self, point: Point) -> (f32, f32) {
        let (x, y) = (point.x as f32, point.y as f32);
        let along = if self.layout == Layout::LineFromTip { 1.0 - x } else { x };
        match self.picture.form {
            Form::Plank { .. } | Form::Wire => (along, 0.5),
            Form::Pipe { .. } => (along, 0.0),
            Form::Plate => (x, y),
            Form::Disc { .. } | Form::Revolved { .. } => (x, y.rem_euclid(1.0)),
        }
    }

    /// The surface point at `u` along (or outwards, or upwards) and `v` across (or around), 0…1.
    pub fn surface_point(&self, u: f32, v: f32) -> SurfacePoint {
        let up = [0.0, 0.0, 1.0];
        // The parameters of a clamped bar count from its free end, the body's coordinates from the
        // clamp, which is drawn at the right.
        let along = |u: f32| {
            if self.layout == Layout::LineFromTip {
                Point::along(f64::from(1.0 - u))
            } else {
                Point::along(f64::from(u))
            }
        };
        match self.picture.form {
            Form::Plank { width } => {
                let rest = [2.0 * u - 1.0, width * (2.0 * v - 1.0), 0.0];
                SurfacePoint { rest, direction: up, normal: up, point: along(u) }
            }
            Form::Wire => SurfacePoint {
                rest: [2.0 * u - 1.0, 0.012 * (2.0 * v - 1.0), 0.0],
                direction: up,
                normal: up,
                point: along(u),
            },
            Form::Pipe { is_air } => {
                let (sin, cos) = (TAU * v).sin_cos();
                let radial = [0.0, -sin, cos];
                let radius = if is_air { 0.17 } else { 0.1 };
                let rest = [2.0 * u - 1.0, radius * radial[1], radius * radial[2]];
                SurfacePoint {
                    rest,
                    direction: if is_air { radial } else { up },
                    normal: radial,
                    point: along(u),
                }
            }
            Form::Disc { .. } => {
                let (sin, cos) = (TAU * v).sin_cos();
                SurfacePoint {
                    rest: [0.95 * u * cos, 0.95 * u * sin, 0.0],
                    direction: up,
                    normal: up,
                    point: Point::new(u.into(), v.into()),
                }
            }
            Form::Plate => {
                let rest = [2.0 * u - 1.0, (2.0 * v - 1.0) / self.aspect, 0.0];
                SurfacePoint {
                    rest,
                    direction: up,
                    normal: up,
                    point: Point::new(u.into(), v.into()),
                }
            }
            Form::Revolved { profile, .. } => {
                let (sin, cos) = (TAU * v).sin_cos();
                let (radius, height) = profile(u);
                let (ahead, behind) = (profile((u + 0.01).min(1.0)), profile((u - 0.01).max(0.0)));
                let (dr, dz) = (ahead.0 - behind.0, ahead.1 - behind.1);
                let length = dr.hypot(dz).max(1e-6);
                let (out, lift) = (dz / length, -dr / length);
                let out_sign = if out < 0.0 { -1.0 } else { 1.0 };
                SurfacePoint {
                    rest: [radius * cos, radius * sin, height],
                    direction: [cos, sin, 0.0],
                    normal: [out_sign * out * cos, out_sign * out * sin, out_sign * lift],
                    point: Point::new(u.into(), v.into()),
                }
            }
        }
    }
}
