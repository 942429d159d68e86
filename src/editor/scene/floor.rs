//! What is around the body: a pool of light on the ground, its shadow, and what it stands on.

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use super::camera::{Camera, Place};
use super::light::flat;
use super::solid::{Solid, SurfacePoint};
use crate::editor::theme::{Palette, ROUND};

/// How soft the shadow's edge is, in units of the room.
const SOFT: f32 = 0.12;
/// The shadow falls away from the lamp by this much.
const ASIDE: [f32; 2] = [0.07, 0.06];
const AROUND: u32 = 48;

/// The ground below a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Footprint {
    height: f32,
    /// The outline of the body as seen from above.
    outline: Vec<[f32; 2]>,
    /// What it stands on: blocks by their least and largest corners.
    supports: Vec<[Place; 2]>,
}

impl Footprint {
    /// Of a body.
    pub fn of(solid: &Solid, spots: &[SurfacePoint]) -> Self {
        let low = spots.iter().map(|spot| spot.rest[2]).fold(f32::INFINITY, f32::min);
        let height = low - solid.standing();
        // Spots that are nearly the same would have sides that look anywhere.
        let round = |x: f32| (100.0 * x).round() / 100.0;
        let outline =
            hull(spots.iter().map(|spot| [round(spot.rest[0]), round(spot.rest[1])]).collect());
        Self { height, outline, supports: solid.supports(height) }
    }

    /// All that is below the body.
    pub fn draw(&self, painter: &Painter, rect: Rect, camera: &Camera, palette: &Palette) {
        self.pool(painter, rect, camera, palette);
        self.shadow(painter, camera, palette);
        for [low, high] in &self.supports {
            block(painter, camera, *low, *high, palette);
        }
    }

    /// The ground, lit.
    fn pool(&self, painter: &Painter, rect: Rect, camera: &Camera, palette: &Palette) {
        let far = palette.background.lerp_to_gamma(palette.well, 0.5);
        painter.rect_filled(rect, ROUND, far);
        let middle = camera.project([0.0, 0.0, self.height]);
        let reach = vec2(0.5 * rect.width(), 0.42 * rect.height());
        let (lamp, share) =
            if is_dark(palette) { (palette.muted, 0.2) } else { (Color32::WHITE, 0.8) };
        let pool = far.lerp_to_gamma(lamp, share).gamma_multiply(0.75);
        for size in [1.0, 0.5] {
            let mut mesh = Mesh::default();
            mesh.colored_vertex(middle, pool);
            for i in 0..AROUND {
                let (sin, cos) = (std::f32::consts::TAU * i as f32 / AROUND as f32).sin_cos();
                mesh.colored_vertex(
                    middle + size * vec2(reach.x * cos, reach.y * sin),
                    Color32::TRANSPARENT,
                );
                mesh.add_triangle(0, 1 + i, 1 + (i + 1) % AROUND);
            }
            painter.add(Shape::mesh(mesh));
        }
    }

    /// The shadow of the body.
    fn shadow(&self, painter: &Painter, camera: &Camera, palette: &Palette) {
        let hull = &self.outline;
        if hull.len() < 3 {
            return;
        }
        let count = hull.len() as f32;
        let middle: [f32; 2] =
            [0, 1].map(|axis| hull.iter().map(|at| at[axis]).sum::<f32>() / count);
        let see = |at: [f32; 2]| camera.project([at[0] + ASIDE[0], at[1] + ASIDE[1], self.height]);
        let dark = Color32::from_black_alpha(if is_dark(palette) { 150 } else { 70 });
        let mut mesh = Mesh::default();
        mesh.colored_vertex(see(middle), dark);
        for (i, at) in hull.iter().enumerate() {
            let [before, after] = [hull.len() - 1, 1].map(|by| hull[(i + by) % hull.len()]);
            let away = away(before, *at, after);
            let out = |by: f32| [at[0] + by * away[0], at[1] + by * away[1]];
            mesh.colored_vertex(see(out(-0.3 * SOFT)), dark);
            mesh.colored_vertex(see(out(SOFT)), Color32::TRANSPARENT);
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

/// Away from the two sides that meet at `at`, as far from either, but not without end where they
/// meet at a point. The outline goes around against the clock.
fn away(before: [f32; 2], at: [f32; 2], after: [f32; 2]) -> [f32; 2] {
    let side = |a: [f32; 2], b: [f32; 2]| {
        let length = (b[0] - a[0]).hypot(b[1] - a[1]).max(1e-6);
        [(b[1] - a[1]) / length, (a[0] - b[0]) / length]
    };
    let (one, other) = (side(before, at), side(at, after));
    let both = [one[0] + other[0], one[1] + other[1]];
    let length = (0.5 * (both[0] * both[0] + both[1] * both[1])).max(0.5);
    both.map(|x| x / length)
}

/// The convex outline around some places, in a round (Andrew's monotone chain).
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

/// A block that something stands on or is held by, from its least to its largest corner: the three
/// sides that are seen.
fn block(painter: &Painter, camera: &Camera, low: Place, high: Place, palette: &Palette) {
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

/// A ring that runs out from where something was struck; `share` is how far it has come.
pub fn ripple(painter: &Painter, at: Pos2, share: f32, palette: &Palette) {
    let radius = 8.0 + 40.0 * share.sqrt();
    let points = (0..40).map(|i| {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / 40.0).sin_cos();
        pos2(at.x + radius * cos, at.y + 0.45 * radius * sin)
    });
    let colour = palette.accent.gamma_multiply(0.9 * (1.0 - share) * (1.0 - share));
    painter.add(Shape::closed_line(points.collect(), Stroke::new(2.0, colour)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_goes_around_everything() {
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
