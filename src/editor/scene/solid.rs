//! What bodies look like: for each kind a surface over two coordinates, and the way it bends.

use std::f32::consts::TAU;

use super::camera::Place;
use crate::body::shape::kind::{Form, GLASS_STEM, Picture, Supports};
use crate::body::{Geometry, Layout, Point};

/// One spot of a surface.
#[derive(Clone, Copy, Debug)]
pub struct SurfacePoint {
    /// Where it is at rest.
    pub rest: Place,
    /// Which way it moves when the body bends.
    pub way: Place,
    /// Which way the surface looks.
    pub normal: Place,
    /// The place on the body.
    pub point: Point,
}

/// Where the thickness of a flat body is seen, and how thick it looks.
#[derive(Clone, Copy, Debug)]
pub enum Edge {
    /// Nowhere.
    None,
    /// All around.
    Rim(f32),
    /// At the two sides that face the eye.
    Front(f32),
}

/// The surface of one body.
#[derive(Clone, Copy, Debug)]
pub struct Solid {
    picture: Picture,
    layout: Layout,
    aspect: f32,
}

impl Solid {
    /// Of a body.
    pub fn new(geometry: &Geometry) -> Self {
        let spec = geometry.kind.spec();
        Self { picture: spec.picture, layout: spec.layout, aspect: geometry.aspect as f32 }
    }

    /// How many steps it takes along and around to look smooth.
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

    /// Where its thickness is seen.
    pub fn edge(&self) -> Edge {
        match self.picture.form {
            Form::Disc { thickness } => Edge::Rim(thickness),
            Form::Plate => Edge::Front(0.05),
            Form::Plank { .. } => Edge::Front(0.09),
            _ => Edge::None,
        }
    }

    /// Whether it closes around, so that its last column is its first.
    pub fn is_round(&self) -> bool {
        matches!(self.picture.form, Form::Disc { .. } | Form::Pipe { .. } | Form::Revolved { .. })
    }

    /// Whether its inside can be seen.
    pub fn is_open(&self) -> bool {
        matches!(self.picture.form, Form::Pipe { .. } | Form::Revolved { is_open: true, .. })
    }

    /// How high its lowest part stands over the ground.
    pub fn standing(&self) -> f32 {
        match self.picture.form {
            Form::Disc { thickness } => thickness.max(0.2),
            Form::Plate => 0.2,
            Form::Plank { .. } | Form::Wire => 0.26,
            Form::Pipe { .. } => 0.1,
            Form::Revolved { standing, .. } => standing,
        }
    }

    /// What it stands on or is held by, over a ground of this height: blocks by their least and
    /// largest corners.
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

    /// The coordinates of a place on the body, as [`Solid::spot`] takes them. On bodies without a y
    /// the middle of their width stands for all of it, or the top of a pipe.
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

    /// The spot at `u` along (or out from the middle, or up) and `v` across (or around), 0…1 each.
    pub fn spot(&self, u: f32, v: f32) -> SurfacePoint {
        let up = [0.0, 0.0, 1.0];
        // Knobs of a clamped bar count from its free end, places from the clamp, which is drawn at
        // the right.
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
                SurfacePoint { rest, way: up, normal: up, point: along(u) }
            }
            Form::Wire => SurfacePoint {
                rest: [2.0 * u - 1.0, 0.012 * (2.0 * v - 1.0), 0.0],
                way: up,
                normal: up,
                point: along(u),
            },
            Form::Pipe { is_air: air } => {
                let (sin, cos) = (TAU * v).sin_cos();
                let radial = [0.0, -sin, cos];
                let radius = if air { 0.17 } else { 0.1 };
                let rest = [2.0 * u - 1.0, radius * radial[1], radius * radial[2]];
                SurfacePoint {
                    rest,
                    way: if air { radial } else { up },
                    normal: radial,
                    point: along(u),
                }
            }
            Form::Disc { .. } => {
                let (sin, cos) = (TAU * v).sin_cos();
                SurfacePoint {
                    rest: [0.95 * u * cos, 0.95 * u * sin, 0.0],
                    way: up,
                    normal: up,
                    point: Point::new(u.into(), v.into()),
                }
            }
            Form::Plate => {
                let rest = [2.0 * u - 1.0, (2.0 * v - 1.0) / self.aspect, 0.0];
                SurfacePoint { rest, way: up, normal: up, point: Point::new(u.into(), v.into()) }
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
                    way: [cos, sin, 0.0],
                    normal: [out_sign * out * cos, out_sign * out * sin, out_sign * lift],
                    point: Point::new(u.into(), v.into()),
                }
            }
        }
    }
}
