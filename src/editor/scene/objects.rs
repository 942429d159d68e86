//! Moving objects over the body: strikers, balls, tumbling bodies, ball chains.

use std::sync::LazyLock;

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

use super::camera::{Camera, Place, shade};
use super::facets::Facets;
use super::{AFTER_IMAGE_S, RIPPLE_S, Scene};
use crate::editor::theme::Palette;
use crate::exciter::{Gesture, chain};
use crate::params::Param;
use crate::rigid_body::shape::{RigidShape, RigidShapeKind};
use crate::snapshot::{MODES, StrikerSnapshot, TumblingSnapshot, VoiceSnapshot};

/// Soft limit of the height over the body, in scene units: keeps high throws in the window.
const MAX_HEIGHT: f32 = 0.9;
/// Distance between a chain and the body below it, points.
const CLEARANCE: f32 = 10.0;

impl Scene {
    /// Draws all moving objects of a voice.
    pub(super) fn draw_objects(
        &mut self,
        painter: &Painter,
        rect: Rect,
        camera: &Camera,
        displacements: &[f32; MODES],
        voice: &VoiceSnapshot,
        palette: &Palette,
    ) {
        let striking = [Gesture::Strike, Gesture::Bounce].map(|gesture| gesture as usize);
        if striking.contains(&self.patch.choice(Param::Gesture)) && self.since_strike_s < RIPPLE_S {
            let point = voice
                .strikers
                .first()
                .map_or_else(|| self.patch.strike_point(), |striker| striker.point);
            draw_ripple(
                painter,
                camera.project(self.place(point, displacements)),
                self.since_strike_s / RIPPLE_S,
                palette,
            );
        }
        let height_m = voice.strikers.iter().map(|striker| striker.height_m).fold(0.0, f32::max);
        self.max_height_m = (0.995 * self.max_height_m).max(height_m).max(1e-3);
        let radius = 5.0 + 26.0 * (self.patch.get(Param::Mass) as f32).powf(0.33).min(1.0);
        for snapshot in &voice.strikers {
            let ground = self.place(snapshot.point, displacements);
            // The largest recent height fits between the strike point and the upper edge.
            let up = [ground[0], ground[1], ground[2] + 1.0];
            let room = camera.project(ground).y - rect.top() - 2.2 * radius;
            let unit = (camera.project(ground).y - camera.project(up).y).max(1.0);
            let units_per_m = (room / unit).clamp(0.05, 0.75) / self.max_height_m;
            draw_striker(painter, camera, ground, snapshot, units_per_m, radius, palette);
        }
        if self.patch.choice(Param::Gesture) == Gesture::Strike as usize
            && self.since_strike_s < AFTER_IMAGE_S
        {
            let ground = self.place(self.patch.strike_point(), displacements);
            draw_departing_striker(
                painter,
                camera,
                ground,
                self.since_strike_s / AFTER_IMAGE_S,
                radius,
                palette,
            );
        }
        if let Some(roll) = &voice.roll {
            let ground = self.place(roll.point, displacements);
            if self.patch.choice(Param::Gesture) == Gesture::Scrape as usize {
                draw_scraper(painter, camera, ground, palette);
            } else {
                draw_rolling_ball(painter, camera, ground, roll.angle_rad, radius, palette);
            }
        }
        if let Some(pose) = &voice.tumbling {
            let ground = self.place(self.patch.strike_point(), displacements);
            let facets = self.facets();
            draw_tumbling_body(
                painter,
                camera,
                ground,
                facets,
                pose,
                0.16 / facets.radius_m(),
                palette,
            );
        }
        if !voice.balls.is_empty() {
            let is_hanging = self.patch.choice(Param::Swing) == 1;
            let max_offset = voice.balls.iter().fold(0.0f32, |max, x| max.max(x.abs()));
            self.max_height_m = self.max_height_m.max(max_offset);
            let offsets: Vec<f32> =
                voice.balls.iter().map(|x| x / self.max_height_m.max(1e-9) * 3.0).collect();
            let contacts = self.chain_contacts(voice.balls.len(), displacements, camera);
            draw_chain(painter, rect, &offsets, &contacts, is_hanging, palette);
        }
    }

    /// The points where the pairs of neighbours of a chain excite the body.
    fn chain_contacts(
        &self,
        balls: usize,
        displacements: &[f32; MODES],
        camera: &Camera,
    ) -> Vec<Pos2> {
        let (contacts, y) = (balls.saturating_sub(1), self.patch.get(Param::PositionY));
        let place = |contact| self.patch.place(chain::place(&self.patch, contact, contacts), y);
        (0..contacts)
            .map(|contact| camera.project(self.place(place(contact), displacements)))
            .collect()
    }

    /// The facets of the tumbling body, rebuilt if its parameters changed.
    fn facets(&mut self) -> &Facets {
        let [size, seed] = [Param::ThrownSize, Param::Seed].map(|param| self.patch.get(param));
        let kind = self.patch.choice(Param::TumblingBodies).min(RigidShapeKind::ALL.len() - 1);
        let key = (kind, size, seed);
        if self.tumbling.as_ref().is_some_and(|(built, _)| *built != key) {
            self.tumbling = None;
        }
        let mass_kg = self.patch.get(Param::Mass);
        let build = || {
            let kind = RigidShapeKind::ALL[key.0];
            (key, Facets::new(&RigidShape::new(kind, size, mass_kg, seed as u64)))
        };
        &self.tumbling.get_or_insert_with(build).1
    }
}

/// A vertex of a unit ball: position, brightness of the ball's colour, and share of white.
type ShadedVertex = (Vec2, f32, f32);

/// Vertices and triangles of a unit ball, lit from the upper left.
static SPHERE: LazyLock<(Vec<ShadedVertex>, Vec<u32>)> = LazyLock::new(|| {
    const RINGS: [f32; 5] = [0.35, 0.62, 0.82, 0.94, 1.0];
    const AROUND: u32 = 20;
    const LAMP: [f32; 3] = [-0.45, -0.6, 0.66];
    let vertex = |x: f32, y: f32| {
        let z = (1.0 - x * x - y * y).max(0.0).sqrt();
        let facing = (x * LAMP[0] + y * LAMP[1] + z * LAMP[2]).max(0.0);
        let reflected = (2.0 * facing * z - LAMP[2]).max(0.0);
        (vec2(x, y), 0.28 + 0.74 * facing, 0.75 * reflected.powi(12))
    };
    let (mut vertices, mut triangles) = (vec![vertex(0.0, 0.0)], Vec::new());
    for (ring, out) in (0u32..).zip(RINGS) {
        for i in 0..AROUND {
            let (sin, cos) = (std::f32::consts::TAU * i as f32 / AROUND as f32).sin_cos();
            vertices.push(vertex(out * cos, out * sin));
            let [here, next] = [i, (i + 1) % AROUND].map(|i| 1 + ring * AROUND + i);
            if ring == 0 {
                triangles.extend([0, here, next]);
            } else {
                triangles.extend([here - AROUND, here, next, here - AROUND, next, next - AROUND]);
            }
        }
    }
    (vertices, triangles)
});

/// Draws a ball.
fn draw_ball(painter: &Painter, at: Pos2, radius: f32, colour: Color32) {
    // The circle below the mesh has an antialiased edge.
    painter.circle_filled(at, radius, shade(colour, 0.34));
    let (vertices, triangles) = &*SPHERE;
    let mut mesh = Mesh { indices: triangles.clone(), ..Mesh::default() };
    mesh.reserve_vertices(vertices.len());
    for (position, brightness, white) in vertices {
        let colour = shade(colour, *brightness).lerp_to_gamma(Color32::WHITE, *white);
        mesh.colored_vertex(at + (radius - 0.6) * *position, colour);
    }
    painter.add(Shape::mesh(mesh));
}

/// Draws the shadow of an object on the body.
fn draw_shadow(painter: &Painter, at: Pos2, radius: f32) {
    let points = ellipse(at, radius, 20);
    painter.add(Shape::convex_polygon(points, Color32::from_black_alpha(70), Stroke::NONE));
}

/// Draws a striker above its strike point.
fn draw_striker(
    painter: &Painter,
    camera: &Camera,
    ground: Place,
    striker: &StrikerSnapshot,
    units_per_m: f32,
    radius: f32,
    palette: &Palette,
) {
    let height = units_per_m * striker.height_m.max(0.0);
    draw_shadow(painter, camera.project(ground), radius);
    let at = camera.project([ground[0], ground[1], ground[2] + height]) - vec2(0.0, radius);
    draw_ball(
        painter,
        at,
        radius,
        if striker.is_touching { palette.accent } else { palette.text.gamma_multiply(0.85) },
    );
}

/// Draws a striker that flies off and fades. The contact itself lasts less than a frame.
fn draw_departing_striker(
    painter: &Painter,
    camera: &Camera,
    ground: Place,
    progress: f32,
    radius: f32,
    palette: &Palette,
) {
    let at = camera.project([ground[0], ground[1], ground[2] + 0.5 * progress]) - vec2(0.0, radius);
    let mut painter = painter.clone();
    painter.multiply_opacity(1.0 - progress);
    draw_shadow(&painter, camera.project(ground), radius);
    draw_ball(&painter, at, radius, palette.accent);
}

/// Draws the tip that scrapes over the body.
fn draw_scraper(painter: &Painter, camera: &Camera, ground: Place, palette: &Palette) {
    let tip = camera.project(ground);
    draw_shadow(painter, tip, 6.0);
    let (left, right) = (tip + vec2(10.0, -46.0), tip + vec2(24.0, -42.0));
    painter.add(Shape::convex_polygon(
        vec![tip, left, right],
        palette.text.gamma_multiply(0.85),
        Stroke::NONE,
    ));
    painter.line_segment([tip, tip + vec2(4.0, -11.0)], Stroke::new(3.0, palette.accent));
}

/// Draws a rolling ball, with a mark that shows its rotation.
fn draw_rolling_ball(
    painter: &Painter,
    camera: &Camera,
    ground: Place,
    angle_rad: f32,
    radius: f32,
    palette: &Palette,
) {
    draw_shadow(painter, camera.project(ground), radius);
    let at = camera.project(ground) - vec2(0.0, radius);
    draw_ball(painter, at, radius, palette.text.gamma_multiply(0.85));
    let (sin, cos) = angle_rad.sin_cos();
    // The mark is behind the ball for about half of each rotation.
    if cos > -0.2 {
        painter.circle_filled(
            at + vec2(0.75 * radius * sin, -0.55 * radius * cos),
            0.16 * radius,
            palette.accent,
        );
    }
}

/// Draws a tumbling body.
fn draw_tumbling_body(
    painter: &Painter,
    camera: &Camera,
    ground: Place,
    facets: &Facets,
    pose: &TumblingSnapshot,
    units_per_m: f32,
    palette: &Palette,
) {
    // Compresses large heights, so that the body stays in the window. A resting body is drawn
    // exactly on the surface.
    let clearance_m = (pose.centre_m[2] - facets.depth_m(pose.turn)).max(0.0);
    let height = MAX_HEIGHT * (1.0 - (-units_per_m * clearance_m / MAX_HEIGHT).exp())
        + units_per_m * facets.depth_m(pose.turn);
    draw_shadow(
        painter,
        camera.project(ground),
        0.8 * camera.scale() * units_per_m * facets.radius_m(),
    );
    facets.draw(
        painter,
        camera,
        [ground[0], ground[1], ground[2] + height],
        pose.turn,
        units_per_m,
        palette,
    );
}

/// Draws a ball chain above the body: on strings from a beam, or lying in line. `offsets` are the
/// displacements in ball diameters; `contacts` are the points where each pair excites the body.
fn draw_chain(
    painter: &Painter,
    rect: Rect,
    offsets: &[f32],
    contacts: &[Pos2],
    is_hanging: bool,
    palette: &Palette,
) {
    let count = offsets.len().max(1) as f32;
    let radius = (0.32 * rect.width() / count).min(18.0);
    let top = contacts.iter().map(|at| at.y).fold(rect.bottom(), f32::min);
    let middle = contacts.iter().map(|at| at.x).sum::<f32>() / contacts.len().max(1) as f32;
    let middle = if contacts.is_empty() { rect.center().x } else { middle };
    // A tall body leaves less room above it.
    let low = (top - radius - CLEARANCE).max(rect.top() + 4.0 * radius);
    let beam = (low - 0.34 * rect.height()).max(rect.top() + 8.0);
    let drop = low - beam;
    let half = radius * (count - 1.0);
    let left = middle.clamp(
        rect.left() + half + 2.0 * radius,
        (rect.right() - half - 2.0 * radius).max(rect.left() + half + 2.0 * radius),
    ) - half;
    for (i, at) in contacts.iter().enumerate() {
        draw_shadow(painter, *at, 0.45 * radius);
        let pair = pos2(left + radius * (2.0 * i as f32 + 1.0), low);
        painter.add(Shape::dashed_line(
            &[pair, *at],
            Stroke::new(1.0, palette.accent.gamma_multiply(0.6)),
            3.0,
            3.0,
        ));
    }
    if is_hanging {
        let ends = [pos2(left - 2.0 * radius, beam), pos2(left + 2.0 * radius * count, beam)];
        painter.line_segment(ends, Stroke::new(3.0, palette.muted));
    }
    for (i, offset) in offsets.iter().enumerate() {
        let x = left + 2.0 * radius * i as f32;
        let aside = (2.0 * radius * offset).clamp(-0.9 * drop, 0.9 * drop);
        let at = if is_hanging {
            pos2(x + aside, beam + (drop * drop - aside * aside).sqrt())
        } else {
            pos2(x + aside, low)
        };
        if is_hanging {
            painter.line_segment([pos2(x, beam), at], Stroke::new(1.0, palette.muted));
        }
        draw_ball(painter, at, radius, palette.text.gamma_multiply(0.85));
    }
}

/// A horizontal circle, as the camera sees it.
fn ellipse(at: Pos2, radius: f32, corners: usize) -> Vec<Pos2> {
    let corner = |i| {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / corners as f32).sin_cos();
        at + radius * vec2(cos, 0.45 * sin)
    };
    (0..corners).map(corner).collect()
}

/// Draws a ring that spreads from a strike point; `progress` runs from 0 to 1.
fn draw_ripple(painter: &Painter, at: Pos2, progress: f32, palette: &Palette) {
    let radius = 8.0 + 40.0 * progress.sqrt();
    let colour = palette.accent.gamma_multiply(0.9 * (1.0 - progress) * (1.0 - progress));
    painter.add(Shape::closed_line(ellipse(at, radius, 40), Stroke::new(2.0, colour)));
}
