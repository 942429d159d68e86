//! The body as a mesh, deformed by its modes and lit.

use egui::epaint::Vertex;
use egui::{Color32, Mesh, Painter, Pos2, Shape, Stroke};

use super::camera::{Camera, Place, cross, dot, lit, minus, shade};
use super::floor::Footprint;
use super::solid::{Edge, Solid, SurfacePoint};
use crate::body::shape::{Place as ModePlace, Spectrum};
use crate::body::{Geometry, UserModes};
use crate::editor::material::Material;
use crate::snapshot::MODES;

/// Brightness of the inside of a hollow body.
const INSIDE_LIGHT: f32 = 0.6;

/// Width of the outline, points.
const OUTLINE_WIDTH: f32 = 1.6;

/// A mesh of the body with the shapes of its lowest modes at every knot.
pub struct BodyMesh {
    geometry: Geometry,
    solid: Solid,
    steps: (usize, usize),
    points: Vec<SurfacePoint>,
    /// Mode shapes at each knot.
    shapes: Vec<[f32; MODES]>,
    /// Mode frequencies relative to the lowest.
    ratios: [f32; MODES],
    footprint: Footprint,
    /// Buffer for a frame's faces: depth and corners.
    faces: Vec<(f32, [usize; 4])>,
}

impl BodyMesh {
    /// Creates the mesh of a body.
    pub fn new(geometry: &Geometry, list: &UserModes) -> Self {
        let mut spectrum = Box::new(Spectrum::default());
        spectrum.set(geometry, list);
        let solid = Solid::new(geometry);
        let steps = solid.steps();
        let share = |i: usize, count: usize| i as f32 / count as f32;
        let points: Vec<SurfacePoint> = (0..=steps.0)
            .flat_map(|i| (0..=steps.1).map(move |j| (i, j)))
            .map(|(i, j)| solid.surface_point(share(i, steps.0), share(j, steps.1)))
            .collect();
        let shapes = points
            .iter()
            .map(|point| {
                let mut shape = [0.0; MODES];
                spectrum.deflections(ModePlace::Strike, point.point, &mut shape);
                shape.map(|x| x as f32)
            })
            .collect();
        let lowest = (0..spectrum.len().min(MODES))
            .map(|mode| spectrum.ratio(mode))
            .fold(f64::INFINITY, f64::min);
        let ratio = |mode: usize| {
            if mode < spectrum.len() { (spectrum.ratio(mode) / lowest) as f32 } else { 1.0 }
        };
        let footprint = Footprint::new(&solid, &points);
        let ratios = std::array::from_fn(ratio);
        Self {
            geometry: *geometry,
            solid,
            steps,
            points,
            shapes,
            ratios,
            footprint,
            faces: Vec::new(),
        }
    }

    /// The geometry of the body.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Mode frequencies relative to the lowest.
    pub fn ratios(&self) -> &[f32; MODES] {
        &self.ratios
    }

    /// The surface of the body.
    pub fn solid(&self) -> &Solid {
        &self.solid
    }

    /// Displacement of a knot by the modes' displacements.
    fn deflection(&self, knot: usize, displacements: &[f32; MODES]) -> f32 {
        self.shapes[knot]
            .iter()
            .zip(displacements)
            .map(|(shape, displacement)| shape * displacement)
            .sum::<f32>()
            .clamp(-0.5, 0.5)
    }

    /// Scene position of a point on the body, interpolated between four knots.
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

    /// Scene position of a knot.
    fn place(&self, knot: usize, displacements: &[f32; MODES]) -> Place {
        let (point, deflection) = (&self.points[knot], self.deflection(knot, displacements));
        std::array::from_fn(|i| point.rest[i] + deflection * point.direction[i])
    }

    /// Draws the body.
    pub fn draw(
        &mut self,
        painter: &Painter,
        camera: &Camera,
        displacements: &[f32; MODES],
        material: &Material,
    ) {
        let columns = self.steps.1 + 1;
        let places: Vec<Place> =
            (0..self.points.len()).map(|knot| self.place(knot, displacements)).collect();
        let eye = camera.eye();
        let mut mesh = Mesh::default();
        for (knot, place) in places.iter().enumerate() {
            let (normal, inside) = self.normal(knot, &places, eye);
            let colour = lit(material, *place, normal, eye);
            mesh.colored_vertex(
                camera.project(*place),
                if inside { shade(colour, INSIDE_LIGHT) } else { colour },
            );
        }
        self.draw_edge(painter, camera, &places, material.colour);
        draw_outline(painter, &mesh.vertices, self.steps, self.solid.is_round());
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

    /// Draws the visible sides of a flat body, before its top.
    fn draw_edge(&self, painter: &Painter, camera: &Camera, places: &[Place], colour: Color32) {
        let (rows, columns) = (self.steps.0, self.steps.1 + 1);
        let (knots, thickness): (Vec<usize>, f32) = match self.solid.edge() {
            Edge::None => return,
            Edge::Rim(thickness) => ((0..columns).map(|j| rows * columns + j).collect(), thickness),
            Edge::Front(thickness) => {
                ((0..columns).rev().chain((1..=rows).map(|i| i * columns)).collect(), thickness)
            }
        };
        let mut mesh = Mesh::default();
        for knot in &knots {
            let [x, y, z] = places[*knot];
            let brightness = 0.40 + 0.14 * (0.5 - 0.5 * x);
            mesh.colored_vertex(camera.project([x, y, z]), shade(colour, brightness));
            mesh.colored_vertex(
                camera.project([x, y, z - thickness]),
                shade(colour, 0.6 * brightness),
            );
        }
        // Lines antialias the edges of the triangles.
        let lower = mesh.vertices.iter().skip(1).step_by(2);
        let ends =
            [0, knots.len() - 1].map(|i| [mesh.vertices[2 * i].pos, mesh.vertices[2 * i + 1].pos]);
        let edge_colour = mesh.vertices[1].color;
        painter.add(Shape::line(
            lower.map(|vertex| vertex.pos).collect(),
            Stroke::new(1.5, edge_colour),
        ));
        ends.into_iter()
            .for_each(|end| _ = painter.line_segment(end, Stroke::new(1.5, edge_colour)));
        for i in 0..knots.len() as u32 - 1 {
            mesh.add_triangle(2 * i, 2 * i + 1, 2 * i + 2);
            mesh.add_triangle(2 * i + 1, 2 * i + 3, 2 * i + 2);
        }
        painter.add(Shape::mesh(mesh));
    }

    /// Normal of the deformed surface at a knot, towards the viewer, and whether its inside is
    /// visible.
    fn normal(&self, knot: usize, places: &[Place], eye: Place) -> (Place, bool) {
        let (rows, columns) = (self.steps.0, self.steps.1 + 1);
        let (i, j) = (knot / columns, knot % columns);
        let at = |i: usize, j: usize| places[i * columns + j];
        let along = minus(at((i + 1).min(rows), j), at(i.saturating_sub(1), j));
        // On a round body the last column is the first one.
        let (before, after) = match (self.solid.is_round(), j) {
            (true, 0) => (columns - 2, 1),
            (true, _) if j + 1 == columns => (j - 1, 1),
            _ => (j.saturating_sub(1), (j + 1).min(columns - 1)),
        };
        let normal = cross(along, minus(at(i, after), at(i, before)));
        let length = dot(normal, normal).sqrt();
        let rest = self.points[knot].normal;
        let inside = self.solid.is_open() && dot(rest, eye) < 0.0 && rest[2].abs() < 0.9;
        // Degenerate in the middle of a disc and on top of a bell.
        let normal = if length > 1e-6 { normal.map(|x| x / length) } else { [0.0, 0.0, 1.0] };
        (if dot(normal, eye) < 0.0 { normal.map(|x| -x) } else { normal }, inside)
    }

    /// The ground below the body.
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }
}

/// Draws lines where the mesh ends or turns away from the viewer, below its faces: they antialias
/// the edge of the body. The mesh has `rows` by `columns` faces; on a round body the last column
/// borders on the first.
fn draw_outline(
    painter: &Painter,
    knots: &[Vertex],
    (rows, columns): (usize, usize),
    is_round: bool,
) {
    let knot = |i: usize, j: usize| &knots[i * (columns + 1) + j];
    let is_front = |i: usize, j: usize| {
        let [a, b, c, d] = [knot(i, j), knot(i, j + 1), knot(i + 1, j + 1), knot(i + 1, j)]
            .map(|vertex| vertex.pos);
        area(a, b, c) + area(a, c, d) > 0.0
    };
    let line = |a: &Vertex, b: &Vertex| {
        if a.pos.distance_sq(b.pos) > 0.01 {
            painter.line_segment(
                [a.pos, b.pos],
                Stroke::new(OUTLINE_WIDTH, a.color.lerp_to_gamma(b.color, 0.5)),
            );
        }
    };
    for i in 0..rows {
        for j in 0..=columns {
            let sides = match j {
                _ if j > 0 && j < columns => Some((j - 1, j)),
                0 if is_round => Some((columns - 1, 0)),
                _ => None,
            };
            // On a round body the last line is the first one.
            let is_repeated = is_round && j == columns;
            if !is_repeated
                && sides.is_none_or(|(before, after)| is_front(i, before) != is_front(i, after))
            {
                line(knot(i, j), knot(i + 1, j));
            }
        }
    }
    for i in 0..=rows {
        for j in 0..columns {
            if i == 0 || i == rows || is_front(i - 1, j) != is_front(i, j) {
                line(knot(i, j), knot(i, j + 1));
            }
        }
    }
}

/// Twice the signed area of a triangle.
fn area(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}
