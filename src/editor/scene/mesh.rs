//! The body as a net of small faces, bent by its modes and lit.

use egui::{Color32, Mesh, Painter, Shape, Stroke};

use super::camera::{Camera, Place};
use super::floor::Footprint;
use super::light::{cross, dot, lit, minus, shade};
use super::outline;
use super::solid::{Edge, Solid, SurfacePoint};
use crate::body::shape::{Place as At, Spectrum};
use crate::body::{Geometry, UserModes};
use crate::editor::material::Material;
use crate::snapshot::MODES;

/// How much light comes to the inside.
const INSIDE: f32 = 0.6;

/// A net over the body with the shapes of its lowest modes at every knot.
pub struct BodyMesh {
    geometry: Geometry,
    solid: Solid,
    steps: (usize, usize),
    spots: Vec<SurfacePoint>,
    /// For each knot the shape of each mode.
    shapes: Vec<[f32; MODES]>,
    /// Frequencies in units of the lowest.
    ratios: [f32; MODES],
    footprint: Footprint,
    /// Room for a frame's faces: depth, corners.
    faces: Vec<(f32, [usize; 4])>,
}

impl BodyMesh {
    /// Over a body.
    pub fn new(geometry: &Geometry, list: &UserModes) -> Self {
        let mut spectrum = Box::new(Spectrum::default());
        spectrum.set(geometry, list);
        let solid = Solid::new(geometry);
        let steps = solid.steps();
        let share = |i: usize, most: usize| i as f32 / most as f32;
        let spots: Vec<SurfacePoint> = (0..=steps.0)
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
        let lowest = (0..spectrum.len().min(MODES))
            .map(|mode| spectrum.ratio(mode))
            .fold(f64::INFINITY, f64::min);
        let ratio = |mode: usize| {
            if mode < spectrum.len() { (spectrum.ratio(mode) / lowest) as f32 } else { 1.0 }
        };
        let footprint = Footprint::of(&solid, &spots);
        let ratios = std::array::from_fn(ratio);
        Self {
            geometry: *geometry,
            solid,
            steps,
            spots,
            shapes,
            ratios,
            footprint,
            faces: Vec::new(),
        }
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

    /// How far the body has moved at a place, for modes that stand at `displacements`.
    fn bent(&self, knot: usize, displacements: &[f32; MODES]) -> f32 {
        self.shapes[knot]
            .iter()
            .zip(displacements)
            .map(|(shape, bend)| shape * bend)
            .sum::<f32>()
            .clamp(-0.5, 0.5)
    }

    /// Where a place on the body is in the room: between the four knots around it.
    pub fn place_of(&self, point: crate::body::Point, displacements: &[f32; MODES]) -> Place {
        let (u, v) = self.solid.coordinates(point);
        let split = |share: f32, steps: usize| {
            let along = share.clamp(0.0, 1.0) * steps as f32;
            let before = (along as usize).min(steps - 1);
            (before, along - before as f32)
        };
        let ((i, down), (j, across)) = (split(u, self.steps.0), split(v, self.steps.1));
        let knot = i * (self.steps.1 + 1) + j;
        let below = knot + self.steps.1 + 1;
        let [a, b, c, d] =
            [knot, knot + 1, below, below + 1].map(|knot| self.place(knot, displacements));
        std::array::from_fn(|axis| {
            let upper = a[axis] + across * (b[axis] - a[axis]);
            let lower = c[axis] + across * (d[axis] - c[axis]);
            upper + down * (lower - upper)
        })
    }

    /// Where a knot is in the room.
    fn place(&self, knot: usize, displacements: &[f32; MODES]) -> Place {
        let (spot, bent) = (&self.spots[knot], self.bent(knot, displacements));
        std::array::from_fn(|i| spot.rest[i] + bent * spot.way[i])
    }

    /// Draw it.
    pub fn draw(
        &mut self,
        painter: &Painter,
        camera: &Camera,
        displacements: &[f32; MODES],
        material: &Material,
    ) {
        let columns = self.steps.1 + 1;
        let places: Vec<Place> =
            (0..self.spots.len()).map(|knot| self.place(knot, displacements)).collect();
        let eye = camera.eye();
        let mut mesh = Mesh::default();
        for (knot, place) in places.iter().enumerate() {
            let (normal, inside) = self.normal(knot, &places, eye);
            let colour = lit(material, *place, normal, eye);
            mesh.colored_vertex(
                camera.project(*place),
                if inside { shade(colour, INSIDE) } else { colour },
            );
        }
        self.draw_edge(painter, camera, &places, material.colour);
        outline::draw(painter, &mesh.vertices, self.steps, self.solid.is_round());
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
            Edge::Front(thick) => {
                ((0..columns).rev().chain((1..=rows).map(|i| i * columns)).collect(), thick)
            }
        };
        let mut mesh = Mesh::default();
        for knot in &knots {
            let [x, y, z] = places[*knot];
            let lit = 0.40 + 0.14 * (0.5 - 0.5 * x);
            mesh.colored_vertex(camera.project([x, y, z]), shade(colour, lit));
            mesh.colored_vertex(camera.project([x, y, z - thick]), shade(colour, 0.6 * lit));
        }
        // Smooth, where the triangles alone would have steps.
        let lower = mesh.vertices.iter().skip(1).step_by(2);
        let ends =
            [0, knots.len() - 1].map(|i| [mesh.vertices[2 * i].pos, mesh.vertices[2 * i + 1].pos]);
        let ink = mesh.vertices[1].color;
        painter.add(Shape::line(lower.map(|vertex| vertex.pos).collect(), Stroke::new(1.5, ink)));
        ends.into_iter().for_each(|end| _ = painter.line_segment(end, Stroke::new(1.5, ink)));
        for i in 0..knots.len() as u32 - 1 {
            mesh.add_triangle(2 * i, 2 * i + 1, 2 * i + 2);
            mesh.add_triangle(2 * i + 1, 2 * i + 3, 2 * i + 2);
        }
        painter.add(Shape::mesh(mesh));
    }

    /// Where the bent surface looks at a knot, turned to the eye, and whether it is the inside that
    /// is seen.
    fn normal(&self, knot: usize, places: &[Place], eye: Place) -> (Place, bool) {
        let (rows, columns) = (self.steps.0, self.steps.1 + 1);
        let (i, j) = (knot / columns, knot % columns);
        let at = |i: usize, j: usize| places[i * columns + j];
        let along = minus(at((i + 1).min(rows), j), at(i.saturating_sub(1), j));
        // Around a round body the last column is the first one.
        let (before, after) = match (self.solid.is_round(), j) {
            (true, 0) => (columns - 2, 1),
            (true, _) if j + 1 == columns => (j - 1, 1),
            _ => (j.saturating_sub(1), (j + 1).min(columns - 1)),
        };
        let normal = cross(along, minus(at(i, after), at(i, before)));
        let length = dot(normal, normal).sqrt();
        let rest = self.spots[knot].normal;
        let inside = self.solid.is_open() && dot(rest, eye) < 0.0 && rest[2].abs() < 0.9;
        // In the middle of a disc and on top of a bell there is no around.
        let normal = if length > 1e-6 { normal.map(|x| x / length) } else { [0.0, 0.0, 1.0] };
        (if dot(normal, eye) < 0.0 { normal.map(|x| -x) } else { normal }, inside)
    }

    /// The ground on which it stands.
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }
}
