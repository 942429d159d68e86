//! What bodies look like: for each kind a surface over two coordinates, and the way it bends.

use std::f32::consts::{PI, TAU};

use super::camera::Place;
use crate::body::{BodyKind, Geometry, Point};

/// Length of a glass's stem.
const GLASS_STEM: f32 = 0.4;

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

/// How a kind is laid out.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// A plank along x, this wide; thinner in the middle or not.
    Plank { width: f32 },
    /// A wire along x.
    Wire,
    /// A pipe along x.
    Pipe,
    /// A disc.
    Disc,
    /// A rectangle.
    Plate,
    /// Walls around an upright axis.
    EditorFactory(fn(f32) -> (f32, f32)),
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
    form: Form,
    kind: BodyKind,
    aspect: f32,
}

impl Solid {
    /// Of a body.
    pub fn new(geometry: &Geometry) -> Self {
        let form = match geometry.kind {
            BodyKind::FreeBar | BodyKind::PinnedBar | BodyKind::User => Form::Plank { width: 0.16 },
            BodyKind::ClampedBar => Form::Plank { width: 0.09 },
            BodyKind::Marimba | BodyKind::Xylophone | BodyKind::Vibraphone => {
                Form::Plank { width: 0.26 }
            }
            BodyKind::String => Form::Wire,
            BodyKind::Membrane | BodyKind::FreeDisc | BodyKind::ClampedDisc => Form::Disc,
            BodyKind::FreePlate | BodyKind::SupportedPlate => Form::Plate,
            BodyKind::TubularBell | BodyKind::OpenTube | BodyKind::ClosedTube => Form::Pipe,
            BodyKind::ChurchBell => Form::EditorFactory(church_bell),
            BodyKind::WineGlass => Form::EditorFactory(wine_glass),
            BodyKind::Bowl => Form::EditorFactory(bowl),
            BodyKind::Ring => Form::EditorFactory(ring),
        };
        Self { form, kind: geometry.kind, aspect: geometry.aspect as f32 }
    }

    /// How many steps it takes along and around to look smooth.
    pub fn steps(&self) -> (usize, usize) {
        match self.form {
            Form::Plank { .. } => (56, 2),
            Form::Wire => (72, 1),
            Form::Pipe => (48, 12),
            Form::Disc => (12, 48),
            Form::Plate => (32, 22),
            Form::EditorFactory(_) => (14, 48),
        }
    }

    /// Where its thickness is seen.
    pub fn edge(&self) -> Edge {
        match (self.form, self.kind) {
            (Form::Disc, BodyKind::Membrane) => Edge::Rim(0.26),
            (Form::Disc, _) => Edge::Rim(0.045),
            (Form::Plate, _) => Edge::Front(0.05),
            (Form::Plank { .. }, _) => Edge::Front(0.09),
            _ => Edge::None,
        }
    }

    /// Whether it closes around, so that its last column is its first.
    pub fn is_round(&self) -> bool {
        matches!(self.form, Form::Disc | Form::Pipe | Form::EditorFactory(_))
    }

    /// Whether its inside can be seen: into a bell one would look from below.
    pub fn is_open(&self) -> bool {
        matches!(self.form, Form::Pipe | Form::EditorFactory(_))
            && self.kind != BodyKind::ChurchBell
    }

    /// How high its lowest part stands over the ground.
    pub fn standing(&self) -> f32 {
        match (self.form, self.kind) {
            (Form::Disc, BodyKind::Membrane) => 0.26,
            (Form::Disc | Form::Plate, _) => 0.2,
            (Form::Plank { .. } | Form::Wire, _) => 0.26,
            (Form::Pipe, _) => 0.1,
            (Form::EditorFactory(_), BodyKind::WineGlass) => GLASS_STEM,
            (Form::EditorFactory(_), BodyKind::ChurchBell) => 0.12,
            _ => 0.0,
        }
    }

    /// What it stands on or is held by, over a ground of this height: blocks by their least and
    /// largest corners.
    pub fn supports(&self, ground: f32) -> Vec<[Place; 2]> {
        let post =
            |x: f32, width: f32, top: f32| [[x - 0.035, -width, ground], [x + 0.035, width, top]];
        match (self.form, self.kind) {
            (_, BodyKind::ClampedBar) => vec![[[0.96, -0.2, ground], [1.16, 0.2, 0.08]]],
            // Held where it bends least, or at its ends.
            (Form::Plank { width }, BodyKind::PinnedBar) => {
                [0.98, -0.98].map(|x| post(x, width, -0.09)).to_vec()
            }
            (Form::Plank { width }, _) => [0.552, -0.552].map(|x| post(x, width, -0.09)).to_vec(),
            (Form::Wire, _) => [1.0, -1.0].map(|x| post(x, 0.12, 0.0)).to_vec(),
            (Form::Pipe, _) => [0.552, -0.552].map(|x| post(x, 0.1, -0.08)).to_vec(),
            (Form::Plate, _) => {
                let y = 0.6 / self.aspect;
                let corner =
                    |x: f32, y: f32| [[x - 0.05, y - 0.05, ground], [x + 0.05, y + 0.05, -0.05]];
                vec![corner(0.6, y), corner(-0.6, y), corner(0.6, -y), corner(-0.6, -y)]
            }
            (Form::EditorFactory(_), BodyKind::WineGlass) => vec![
                [[-0.26, -0.26, ground - 0.02], [0.26, 0.26, ground]],
                [[-0.022, -0.022, ground], [0.022, 0.022, ground + GLASS_STEM]],
            ],
            (Form::Disc, BodyKind::FreeDisc | BodyKind::ClampedDisc) => {
                vec![[[-0.06, -0.06, ground], [0.06, 0.06, -0.045]]]
            }
            _ => Vec::new(),
        }
    }

    /// The coordinates of a place on the body, as [`Solid::spot`] takes them. On bodies without a y
    /// the middle of their width stands for all of it, or the top of a pipe.
    pub fn coordinates(&self, point: Point) -> (f32, f32) {
        let (x, y) = (point.x as f32, point.y as f32);
        let along = if self.kind == BodyKind::ClampedBar { 1.0 - x } else { x };
        match self.form {
            Form::Plank { .. } | Form::Wire => (along, 0.5),
            Form::Pipe => (along, 0.0),
            Form::Plate => (x, y),
            Form::Disc | Form::EditorFactory(_) => (x, y.rem_euclid(1.0)),
        }
    }

    /// The spot at `u` along (or out from the middle, or up) and `v` across (or around), 0…1 each.
    pub fn spot(&self, u: f32, v: f32) -> SurfacePoint {
        let up = [0.0, 0.0, 1.0];
        // Knobs of a clamped bar count from its free end, places from the clamp, which is drawn at
        // the right.
        let along = |u: f32| {
            if self.kind == BodyKind::ClampedBar {
                Point::along(f64::from(1.0 - u))
            } else {
                Point::along(f64::from(u))
            }
        };
        match self.form {
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
            Form::Pipe => {
                let (sin, cos) = (TAU * v).sin_cos();
                let radial = [0.0, -sin, cos];
                let air = matches!(self.kind, BodyKind::OpenTube | BodyKind::ClosedTube);
                let radius = if air { 0.17 } else { 0.1 };
                let rest = [2.0 * u - 1.0, radius * radial[1], radius * radial[2]];
                SurfacePoint {
                    rest,
                    way: if air { radial } else { up },
                    normal: radial,
                    point: along(u),
                }
            }
            Form::Disc => {
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
            Form::EditorFactory(profile) => {
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

/// Radius and height from the crown (0) down to the rim (1).
fn church_bell(u: f32) -> (f32, f32) {
    let shoulder = (u * 4.0).min(1.0);
    let flare = (u - 0.55).max(0.0) / 0.45;
    (0.41 * (0.5 * PI * shoulder).sin().sqrt() + 0.06 * u + 0.28 * flare * flare, 0.95 - 1.15 * u)
}

/// From the stem up to the rim.
fn wine_glass(u: f32) -> (f32, f32) {
    let round = (PI * (0.12 + 0.6 * u)).sin();
    (0.44 * round * (1.0 - (1.0 - u).powi(6)), 0.02 + 0.92 * u)
}

/// From the foot up to the rim.
fn bowl(u: f32) -> (f32, f32) {
    (0.28 + 0.55 * (0.5 * PI * u).sin(), -0.22 + 0.55 * (1.0 - (0.5 * PI * u).cos()))
}

/// A band.
fn ring(u: f32) -> (f32, f32) {
    (0.8, -0.08 + 0.16 * u)
}
