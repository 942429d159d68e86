//! The surroundings of the body: the lit ground, its shadow and its supports.

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, vec2};

use super::camera::{Camera, Place, flat};
use super::solid::{Solid, SurfacePoint};
use crate::editor::theme::{CORNER_RADIUS, Palette};

/// Width of the shadow's soft edge, in scene units.
const SHADOW_EDGE: f32 = 0.12;
/// Offset of the shadow away from the lamp, in scene units.
const SHADOW_OFFSET: [f32; 2] = [0.07, 0.06];
/// Corners of the polygon for the lit ground.
const AROUND: u32 = 48;

/// The ground below a body, with its supports.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Footprint {
    height: f32,
    /// Convex outline of the body, seen from above.
    outline: Vec<[f32; 2]>,
    /// Supports: blocks by their minimum and maximum corners.
    supports: Vec<[Place; 2]>,
}

impl Footprint {
    /// Creates the footprint of a body.
    pub fn new(solid: &Solid, points: &[SurfacePoint]) -> Self {
        let low = points.iter().map(|point| point.rest[2]).fold(f32::INFINITY, f32::min);
        let height = low - solid.height_over_ground();
        // Rounded, because sides between nearly equal points have arbitrary directions.
        let round = |x: f32| (100.0 * x).round() / 100.0;
        let outline =
            hull(points.iter().map(|point| [round(point.rest[0]), round(point.rest[1])]).collect());
        Self { height, outline, supports: solid.supports(height) }
    }

    /// Draws everything below the body.
    pub fn draw(&self, painter: &Painter, rect: Rect, camera: &Camera, palette: &Palette) {
        self.draw_ground(painter, rect, camera, palette);
        self.draw_shadow(painter, camera, palette);
        for [low, high] in &self.supports {
            draw_block(painter, camera, *low, *high, palette);
        }
    }

    /// Draws the lit ground.
    fn draw_ground(&self, painter: &Painter, rect: Rect, camera: &Camera, palette: &Palette) {
        let far = palette.background.lerp_to_gamma(palette.well, 0.5);
        painter.rect_filled(rect, CORNER_RADIUS, far);
        let middle = camera.project([0.0, 0.0, self.height]);
        let reach = vec2(0.5 * rect.width(), 0.42 * rect.height());
        let (light, share) =
            if is_dark(palette) { (palette.muted, 0.2) } else { (Color32::WHITE, 0.8) };
        let pool = far.lerp_to_gamma(light, share).gamma_multiply(0.75);
        for scale in [1.0, 0.5] {
            let mut mesh = Mesh::default();
            mesh.colored_vertex(middle, pool);
            for i in 0..AROUND {
                let (sin, cos) = (std::f32::consts::TAU * i as f32 / AROUND as f32).sin_cos();
                mesh.colored_vertex(
                    middle + scale * vec2(reach.x * cos, reach.y * sin),
                    Color32::TRANSPARENT,
                );
                mesh.add_triangle(0, 1 + i, 1 + (i + 1) % AROUND);
            }
            painter.add(Shape::mesh(mesh));
        }
    }

    /// Draws the body's shadow.
    fn draw_shadow(&self, painter: &Painter, camera: &Camera, palette: &Palette) {
        let hull = &self.outline;
        if hull.len() < 3 {
            return;
        }
        let count = hull.len() as f32;
        let middle: [f32; 2] =
            [0, 1].map(|axis| hull.iter().map(|at| at[axis]).sum::<f32>() / count);
        let project = |at: [f32; 2]| {
            camera.project([at[0] + SHADOW_OFFSET[0], at[1] + SHADOW_OFFSET[1], self.height])
        };
        let dark = Color32::from_black_alpha(if is_dark(palette) { 150 } else { 70 });
        let mut mesh = Mesh::default();
        mesh.colored_vertex(project(middle), dark);
        for (i, at) in hull.iter().enumerate() {
            let [before, after] = [hull.len() - 1, 1].map(|by| hull[(i + by) % hull.len()]);
            let outward = outward(before, *at, after);
            let outwards = |by: f32| [at[0] + by * outward[0], at[1] + by * outward[1]];
            mesh.colored_vertex(project(outwards(-0.3 * SHADOW_EDGE)), dark);
            mesh.colored_vertex(project(outwards(SHADOW_EDGE)), Color32::TRANSPARENT);
            let [here, next] = [i, (i + 1) % hull.len()].map(|i| 1 + 2 * i as u32);
            mesh.add_triangle(0, here, next);
            mesh.add_triangle(here, here + 1, next);
            mesh.add_triangle(here + 1, next + 1, next);
        }
        painter.add(Shape::mesh(mesh));
    }
}

fn is_dark(palette: &Palette) -> bool {
    palette.background.r() < 128
}

/// The outward direction at the corner `at` that moves both adjacent sides by one unit; limited at
/// sharp corners. The outline runs counter-clockwise.
fn outward(before: [f32; 2], at: [f32; 2], after: [f32; 2]) -> [f32; 2] {
    let side = |a: [f32; 2], b: [f32; 2]| {
        let length = (b[0] - a[0]).hypot(b[1] - a[1]).max(1e-6);
        [(b[1] - a[1]) / length, (a[0] - b[0]) / length]
    };
    let (one, other) = (side(before, at), side(at, after));
    let both = [one[0] + other[0], one[1] + other[1]];
    let length = (0.5 * (both[0] * both[0] + both[1] * both[1])).max(0.5);
    both.map(|x| x / length)
}

/// The convex hull of points, counter-clockwise (Andrew's monotone chain).
fn hull(mut places: Vec<[f32; 2]>) -> Vec<[f32; 2]> {
    places.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    places.dedup();
    let chain = |places: &mut dyn Iterator<Item = &[f32; 2]>| {
        let mut chain: Vec<[f32; 2]> = Vec::new();
        for at in places {
            while let [.., a, b] = chain[..]
                && (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]) <= 0.0
            {
                chain.pop();
            }
            chain.push(*at);
        }
        chain.pop();
        chain
    };
    let mut hull = chain(&mut places.iter());
    hull.extend(chain(&mut places.iter().rev()));
    hull
}

/// Draws the three visible sides of a support.
fn draw_block(painter: &Painter, camera: &Camera, low: Place, high: Place, palette: &Palette) {
    let [x_0, y_0, z_0] = low;
    let [x_1, y_1, z_1] = high;
    let sides: [(Place, [Place; 4]); 3] = [
        ([-1.0, 0.0, 0.0], [[x_0, y_0, z_0], [x_0, y_1, z_0], [x_0, y_1, z_1], [x_0, y_0, z_1]]),
        ([0.0, -1.0, 0.0], [[x_0, y_0, z_0], [x_1, y_0, z_0], [x_1, y_0, z_1], [x_0, y_0, z_1]]),
        ([0.0, 0.0, 1.0], [[x_0, y_0, z_1], [x_1, y_0, z_1], [x_1, y_1, z_1], [x_0, y_1, z_1]]),
    ];
    for (normal, corners) in sides {
        let corners: Vec<Pos2> = corners.map(|corner| camera.project(corner)).to_vec();
        let colour = flat(palette.track.lerp_to_gamma(palette.text, 0.12), normal);
        painter.add(Shape::convex_polygon(corners, colour, Stroke::new(0.5, colour)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_contains_all_points() {
        let hull = hull(vec![
            [0.0, 0.0],
            [1.0, 0.0],
            [0.4, 0.5],
            [1.0, 1.0],
            [0.0, 1.0],
            [0.5, 0.0],
            [0.0, 0.0],
        ]);
        assert_eq!(hull, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    }
}
