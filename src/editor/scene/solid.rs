//! Shapes of the bodies: a parametric surface per kind, and the direction of its vibration.

use std::f32::consts::{PI, TAU};

use super::camera::Place;
use crate::body::{BodyKind, Geometry, Point};

/// Length of a wine glass's stem, in scene units.
const GLASS_STEM: f32 = 0.4;

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

/// The form of a surface.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// A bar along x of this half width.
    Bar { width: f32 },
    /// A string along x.
    String,
    /// A tube along x.
    Tube,
    /// A disc.
    Disc,
    /// A rectangle.
    Plate,
    /// A surface of revolution: radius and height along its profile.
    Revolved(fn(f32) -> (f32, f32)),
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
    form: Form,
    kind: BodyKind,
    aspect: f32,
}

impl Solid {
    /// Creates the surface of a body.
    pub fn new(geometry: &Geometry) -> Self {
        let form = match geometry.kind {
            BodyKind::FreeBar | BodyKind::PinnedBar | BodyKind::User => Form::Bar { width: 0.16 },
            BodyKind::ClampedBar => Form::Bar { width: 0.09 },
            BodyKind::Marimba | BodyKind::Xylophone | BodyKind::Vibraphone => {
                Form::Bar { width: 0.26 }
            }
            BodyKind::String => Form::String,
            BodyKind::Membrane | BodyKind::FreeDisc | BodyKind::ClampedDisc => Form::Disc,
            BodyKind::FreePlate | BodyKind::SupportedPlate => Form::Plate,
            BodyKind::TubularBell | BodyKind::OpenTube | BodyKind::ClosedTube => Form::Tube,
            BodyKind::ChurchBell => Form::Revolved(church_bell),
            BodyKind::WineGlass => Form::Revolved(wine_glass),
            BodyKind::Bowl => Form::Revolved(bowl),
            BodyKind::Ring => Form::Revolved(ring),
        };
        Self { form, kind: geometry.kind, aspect: geometry.aspect as f32 }
    }

    /// Mesh resolution along and across the body.
    pub fn steps(&self) -> (usize, usize) {
        match self.form {
            Form::Bar { .. } => (56, 2),
            Form::String => (72, 1),
            Form::Tube => (48, 12),
            Form::Disc => (12, 48),
            Form::Plate => (32, 22),
            Form::Revolved(_) => (14, 48),
        }
    }

    /// The visible edge.
    pub fn edge(&self) -> Edge {
        match (self.form, self.kind) {
            (Form::Disc, BodyKind::Membrane) => Edge::Rim(0.26),
            (Form::Disc, _) => Edge::Rim(0.045),
            (Form::Plate, _) => Edge::Front(0.05),
            (Form::Bar { .. }, _) => Edge::Front(0.09),
            _ => Edge::None,
        }
    }

    /// True if the surface is closed, so that its last column is its first.
    pub fn is_round(&self) -> bool {
        matches!(self.form, Form::Disc | Form::Tube | Form::Revolved(_))
    }

    /// True if the inside is visible. A bell is open only from below.
    pub fn is_open(&self) -> bool {
        matches!(self.form, Form::Tube | Form::Revolved(_)) && self.kind != BodyKind::ChurchBell
    }

    /// Height of the lowest point over the ground.
    pub fn height_over_ground(&self) -> f32 {
        match (self.form, self.kind) {
            (Form::Disc, BodyKind::Membrane) => 0.26,
            (Form::Disc | Form::Plate, _) => 0.2,
            (Form::Bar { .. } | Form::String, _) => 0.26,
            (Form::Tube, _) => 0.1,
            (Form::Revolved(_), BodyKind::WineGlass) => GLASS_STEM,
            (Form::Revolved(_), BodyKind::ChurchBell) => 0.12,
            _ => 0.0,
        }
    }

    /// The supports on a ground of this height: blocks by their minimum and maximum corners.
    pub fn supports(&self, ground: f32) -> Vec<[Place; 2]> {
        let post =
            |x: f32, width: f32, top: f32| [[x - 0.035, -width, ground], [x + 0.035, width, top]];
        match (self.form, self.kind) {
            (_, BodyKind::ClampedBar) => vec![[[0.96, -0.2, ground], [1.16, 0.2, 0.08]]],
            // A pinned bar is supported at its ends, other bars at the nodes of their lowest mode.
            (Form::Bar { width }, BodyKind::PinnedBar) => {
                [0.98, -0.98].map(|x| post(x, width, -0.09)).to_vec()
            }
            (Form::Bar { width }, _) => [0.552, -0.552].map(|x| post(x, width, -0.09)).to_vec(),
            (Form::String, _) => [1.0, -1.0].map(|x| post(x, 0.12, 0.0)).to_vec(),
            (Form::Tube, _) => [0.552, -0.552].map(|x| post(x, 0.1, -0.08)).to_vec(),
            (Form::Plate, _) => {
                let y = 0.6 / self.aspect;
                let corner =
                    |x: f32, y: f32| [[x - 0.05, y - 0.05, ground], [x + 0.05, y + 0.05, -0.05]];
                vec![corner(0.6, y), corner(-0.6, y), corner(0.6, -y), corner(-0.6, -y)]
            }
            (Form::Revolved(_), BodyKind::WineGlass) => vec![
                [[-0.26, -0.26, ground - 0.02], [0.26, 0.26, ground]],
                [[-0.022, -0.022, ground], [0.022, 0.022, ground + GLASS_STEM]],
            ],
            (Form::Disc, BodyKind::FreeDisc | BodyKind::ClampedDisc) => {
                vec![[[-0.06, -0.06, ground], [0.06, 0.06, -0.045]]]
            }
            _ => Vec::new(),
        }
    }

    /// Surface coordinates of a point on the body, for [`Solid::surface_point`]. Bodies without a y
    /// take the middle of their width, or the top of a tube.
    pub fn coordinates(&self, point: Point) -> (f32, f32) {
        let (x, y) = (point.x as f32, point.y as f32);
        let along = if self.kind == BodyKind::ClampedBar { 1.0 - x } else { x };
        match self.form {
            Form::Bar { .. } | Form::String => (along, 0.5),
            Form::Tube => (along, 0.0),
            Form::Plate => (x, y),
            Form::Disc | Form::Revolved(_) => (x, y.rem_euclid(1.0)),
        }
    }

    /// The surface point at `u` along (or outwards, or upwards) and `v` across (or around), 0…1.
    pub fn surface_point(&self, u: f32, v: f32) -> SurfacePoint {
        let up = [0.0, 0.0, 1.0];
        // The parameters of a clamped bar count from its free end, the body's coordinates from the
        // clamp, which is drawn at the right.
        let along = |u: f32| {
            if self.kind == BodyKind::ClampedBar {
                Point::along(f64::from(1.0 - u))
            } else {
                Point::along(f64::from(u))
            }
        };
        match self.form {
            Form::Bar { width } => {
                let rest = [2.0 * u - 1.0, width * (2.0 * v - 1.0), 0.0];
                SurfacePoint { rest, direction: up, normal: up, point: along(u) }
            }
            Form::String => SurfacePoint {
                rest: [2.0 * u - 1.0, 0.012 * (2.0 * v - 1.0), 0.0],
                direction: up,
                normal: up,
                point: along(u),
            },
            Form::Tube => {
                let (sin, cos) = (TAU * v).sin_cos();
                let radial = [0.0, -sin, cos];
                let is_air = matches!(self.kind, BodyKind::OpenTube | BodyKind::ClosedTube);
                let radius = if is_air { 0.17 } else { 0.1 };
                let rest = [2.0 * u - 1.0, radius * radial[1], radius * radial[2]];
                SurfacePoint {
                    rest,
                    direction: if is_air { radial } else { up },
                    normal: radial,
                    point: along(u),
                }
            }
            Form::Disc => {
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
            Form::Revolved(profile) => {
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

/// Profile from the crown (0) down to the rim (1).
fn church_bell(u: f32) -> (f32, f32) {
    let shoulder = (u * 4.0).min(1.0);
    let flare = (u - 0.55).max(0.0) / 0.45;
    (0.41 * (0.5 * PI * shoulder).sin().sqrt() + 0.06 * u + 0.28 * flare * flare, 0.95 - 1.15 * u)
}

/// Profile from the stem up to the rim.
fn wine_glass(u: f32) -> (f32, f32) {
    let round = (PI * (0.12 + 0.6 * u)).sin();
    (0.44 * round * (1.0 - (1.0 - u).powi(6)), 0.02 + 0.92 * u)
}

/// Profile from the foot up to the rim.
fn bowl(u: f32) -> (f32, f32) {
    (0.28 + 0.55 * (0.5 * PI * u).sin(), -0.22 + 0.55 * (1.0 - (0.5 * PI * u).cos()))
}

/// Profile of a ring.
fn ring(u: f32) -> (f32, f32) {
    (0.8, -0.08 + 0.16 * u)
}
