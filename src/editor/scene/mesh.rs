//! The body as a net of small faces, bent by its modes and lit.

use egui::{Color32, Mesh, Painter, Shape};

use super::camera::{Camera, Place};
use super::solid::{Edge, Solid, Spot};
use crate::body::shape::{Place as At, Spectrum};
use crate::body::{Geometry, UserModes};
use crate::view::MODES;

/// Where the light comes from.
pub const LIGHT: Place = [-0.45, -0.55, 0.7];

/// A net over the body with the shapes of its lowest modes at every knot.
pub struct Net {
    geometry: Geometry,
    solid: Solid,
    steps: (usize, usize),
    spots: Vec<Spot>,
    /// For each knot the shape of each mode.
    shapes: Vec<[f32; MODES]>,
    /// Frequencies in units of the lowest.
    ratios: [f32; MODES],
    /// Room for a frame's faces: depth, corners.
    faces: Vec<(f32, [usize; 4])>,
}

impl Net {
    /// Over a body.
    pub fn new(geometry: &Geometry, list: &UserModes) -> Self {
        let mut spectrum = Box::new(Spectrum::default());
        spectrum.set(geometry, list);
        let solid = Solid::new(geometry);
        let steps = solid.steps();
        let share = |i: usize, most: usize| i as f32 / most as f32;
        let spots: Vec<Spot> = (0..=steps.0)
            .flat_map(|i| (0..=steps.1).map(move |j| (i, j)))
            .map(|(i, j)| solid.spot(share(i, steps.0), share(j, steps.1)))
            .collect();
        let shapes = spots
            .iter()
            .map(|spot| {
                let mut shape = [0.0; MODES];
                spectrum.deflections(At::Strike, spot.point, &mut shape);
                shape.map(|x| x as f32)
            })
            .collect();
        let lowest = (0..spectrum.len().min(MODES)).map(|mode| spectrum.ratio(mode)).fold(f64::INFINITY, f64::min);
        let ratio = |mode: usize| if mode < spectrum.len() { (spectrum.ratio(mode) / lowest) as f32 } else { 1.0 };
        Self { geometry: *geometry, solid, steps, spots, shapes, ratios: std::array::from_fn(ratio), faces: Vec::new() }
    }

    /// What it lies over.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Frequencies of the modes in units of the lowest.
    pub fn ratios(&self) -> &[f32; MODES] {
        &self.ratios
    }

    /// The surface.
    pub fn solid(&self) -> &Solid {
        &self.solid
    }

    /// How far the body has moved at a place, for modes that stand at `bends`.
    fn bent(&self, knot: usize, bends: &[f32; MODES]) -> f32 {
        self.shapes[knot].iter().zip(bends).map(|(shape, bend)| shape * bend).sum::<f32>().clamp(-0.5, 0.5)
    }

    /// Where a place on the body is in the room: between the four knots around it.
    pub fn place_of(&self, point: crate::body::Point, bends: &[f32; MODES]) -> Place {
        let (u, v) = self.solid.coordinates(point);
        let split = |share: f32, steps: usize| {
            let along = share.clamp(0.0, 1.0) * steps as f32;
            let before = (along as usize).min(steps - 1);
            (before, along - before as f32)
        };
        let ((i, down), (j, across)) = (split(u, self.steps.0), split(v, self.steps.1));
        let knot = i * (self.steps.1 + 1) + j;
        let below = knot + self.steps.1 + 1;
        let [a, b, c, d] = [knot, knot + 1, below, below + 1].map(|knot| self.place(knot, bends));
        std::array::from_fn(|axis| {
            let upper = a[axis] + across * (b[axis] - a[axis]);
            let lower = c[axis] + across * (d[axis] - c[axis]);
            upper + down * (lower - upper)
        })
    }

    /// Where a knot is in the room.
    fn place(&self, knot: usize, bends: &[f32; MODES]) -> Place {
        let (spot, bent) = (&self.spots[knot], self.bent(knot, bends));
        std::array::from_fn(|i| spot.rest[i] + bent * spot.way[i])
    }

    /// Draw it.
    pub fn draw(&mut self, painter: &Painter, camera: &Camera, bends: &[f32; MODES], colour: Color32) {
        let columns = self.steps.1 + 1;
        let places: Vec<Place> = (0..self.spots.len()).map(|knot| self.place(knot, bends)).collect();
        let mut mesh = Mesh::default();
        for (knot, place) in places.iter().enumerate() {
            let lit = self.light(knot, bends, camera);
            mesh.colored_vertex(camera.see(*place), shade(colour, lit));
        }
        self.draw_edge(painter, camera, &places, colour);
        self.faces.clear();
        for i in 0..self.steps.0 {
            for j in 0..self.steps.1 {
                let corner = i * columns + j;
                let corners = [corner, corner + 1, corner + columns + 1, corner + columns];
                let depth = corners.iter().map(|knot| camera.depth(places[*knot])).sum::<f32>();
                self.faces.push((depth, corners));
            }
        }
        self.faces.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        for (_, [a, b, c, d]) in &self.faces {
            let [a, b, c, d] = [*a, *b, *c, *d].map(|knot| knot as u32);
            mesh.add_triangle(a, b, c);
            mesh.add_triangle(a, c, d);
        }
        painter.add(Shape::mesh(mesh));
    }

    /// The edge of a flat body, which shows how thick it is: the near sides, drawn before the top.
    fn draw_edge(&self, painter: &Painter, camera: &Camera, places: &[Place], colour: Color32) {
        let (rows, columns) = (self.steps.0, self.steps.1 + 1);
        let (knots, thick): (Vec<usize>, f32) = match self.solid.edge() {
            Edge::None => return,
            Edge::Rim(thick) => ((0..columns).map(|j| rows * columns + j).collect(), thick),
            Edge::Front(thick) => ((0..columns).rev().chain((1..=rows).map(|i| i * columns)).collect(), thick),
        };
        let mut mesh = Mesh::default();
        for knot in &knots {
            let [x, y, z] = places[*knot];
            let lit = 0.34 + 0.12 * (0.5 - 0.5 * x);
            mesh.colored_vertex(camera.see([x, y, z]), shade(colour, lit));
            mesh.colored_vertex(camera.see([x, y, z - thick]), shade(colour, 0.7 * lit));
        }
        for i in 0..knots.len() as u32 - 1 {
            mesh.add_triangle(2 * i, 2 * i + 1, 2 * i + 2);
            mesh.add_triangle(2 * i + 1, 2 * i + 3, 2 * i + 2);
        }
        painter.add(Shape::mesh(mesh));
    }

    /// How bright a knot is, 0…1 and a little more: by its normal, tilted with the bending beside it.
    fn light(&self, knot: usize, bends: &[f32; MODES], camera: &Camera) -> f32 {
        let columns = self.steps.1 + 1;
        let spot = &self.spots[knot];
        let (before, after) = (knot.saturating_sub(columns), (knot + columns).min(self.spots.len() - 1));
        let tilt = (self.bent(after, bends) - self.bent(before, bends)) * 2.0;
        let inside = camera.depth(spot.normal) > 0.0 && spot.normal[2].abs() < 0.9;
        let facing: f32 = (0..3).map(|i| spot.normal[i] * LIGHT[i]).sum();
        let facing = if inside { 0.35 - 0.3 * facing } else { facing };
        // A flat thing would look like a hole without a little shine along it.
        let shine = 0.1 * spot.rest[0] * spot.normal[2].max(0.0);
        (0.42 + shine + 0.5 * facing.max(0.0) - tilt + 0.6 * self.bent(knot, bends)).clamp(0.12, 1.25)
    }
}

/// A colour in that much light.
pub fn shade(colour: Color32, lit: f32) -> Color32 {
    let part = |x: u8| (f32::from(x) * lit).clamp(0.0, 255.0) as u8;
    Color32::from_rgb(part(colour.r()), part(colour.g()), part(colour.b()))
}
