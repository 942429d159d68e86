//! What moves over the body: balls, what tumbles, the row on its strings.

use std::sync::LazyLock;

use egui::{Color32, Mesh, Painter, Pos2, Shape, Stroke, Vec2, pos2, vec2};

use super::camera::{Camera, Place};
use super::facets::Facets;
use super::light::shade;
use crate::editor::theme::Palette;
use crate::snapshot::{StrikerSnapshot, TumblingSnapshot};

/// Nothing is drawn much higher than this over the body, in units of the room.
const HIGHEST: f32 = 0.9;
/// Between a row and the body below it, pixels.
const CLEARANCE: f32 = 10.0;

/// A place of a ball: where it is, how much of the ball's colour it has, and how much of the
/// lamp's.
type Lit = (Vec2, f32, f32);

/// A ball of radius one, lit from above on the left: its places, and the triangles between them.
static SPHERE: LazyLock<(Vec<Lit>, Vec<u32>)> = LazyLock::new(|| {
    const RINGS: [f32; 5] = [0.35, 0.62, 0.82, 0.94, 1.0];
    const AROUND: u32 = 20;
    const LAMP: [f32; 3] = [-0.45, -0.6, 0.66];
    let lit = |x: f32, y: f32| {
        let z = (1.0 - x * x - y * y).max(0.0).sqrt();
        let facing = (x * LAMP[0] + y * LAMP[1] + z * LAMP[2]).max(0.0);
        let reflected = (2.0 * facing * z - LAMP[2]).max(0.0);
        (vec2(x, y), 0.28 + 0.74 * facing, 0.75 * reflected.powi(12))
    };
    let (mut places, mut triangles) = (vec![lit(0.0, 0.0)], Vec::new());
    for (ring, out) in (0u32..).zip(RINGS) {
        for i in 0..AROUND {
            let (sin, cos) = (std::f32::consts::TAU * i as f32 / AROUND as f32).sin_cos();
            places.push(lit(out * cos, out * sin));
            let [here, next] = [i, (i + 1) % AROUND].map(|i| 1 + ring * AROUND + i);
            if ring == 0 {
                triangles.extend([0, here, next]);
            } else {
                triangles.extend([here - AROUND, here, next, here - AROUND, next, next - AROUND]);
            }
        }
    }
    (places, triangles)
});

/// A ball.
pub fn ball(painter: &Painter, at: Pos2, radius: f32, colour: Color32) {
    // The edge of this one is smooth.
    painter.circle_filled(at, radius, shade(colour, 0.34));
    let (places, triangles) = &*SPHERE;
    let mut mesh = Mesh { indices: triangles.clone(), ..Mesh::default() };
    mesh.reserve_vertices(places.len());
    for (place, body, shine) in places {
        let bright = shade(colour, *body).lerp_to_gamma(Color32::WHITE, *shine);
        mesh.colored_vertex(at + (radius - 0.6) * *place, bright);
    }
    painter.add(Shape::mesh(mesh));
}

/// The spot on the body right below something.
pub fn shadow(painter: &Painter, at: Pos2, radius: f32) {
    let points = (0..20)
        .map(|i| {
            let (sin, cos) = (i as f32 / 20.0 * std::f32::consts::TAU).sin_cos();
            at + vec2(radius * cos, 0.45 * radius * sin)
        })
        .collect();
    painter.add(Shape::convex_polygon(points, Color32::from_black_alpha(70), Stroke::NONE));
}

/// A striker over its place.
pub fn striker(
    painter: &Painter,
    camera: &Camera,
    ground: Place,
    striker: &StrikerSnapshot,
    metre: f32,
    radius: f32,
    palette: &Palette,
) {
    let height = metre * striker.height_m.max(0.0);
    shadow(painter, camera.project(ground), radius);
    let at = camera.project([ground[0], ground[1], ground[2] + height]) - vec2(0.0, radius);
    ball(
        painter,
        at,
        radius,
        if striker.is_touching { palette.accent } else { palette.text.gamma_multiply(0.85) },
    );
}

/// A striker that has struck, on its way off and out of sight. The blow itself lasts less than a
/// frame.
pub fn leaving(
    painter: &Painter,
    camera: &Camera,
    ground: Place,
    share: f32,
    radius: f32,
    palette: &Palette,
) {
    let at = camera.project([ground[0], ground[1], ground[2] + 0.5 * share]) - vec2(0.0, radius);
    let mut painter = painter.clone();
    painter.multiply_opacity(1.0 - share);
    shadow(&painter, camera.project(ground), radius);
    ball(&painter, at, radius, palette.accent);
}

/// The tip that is dragged over the body.
pub fn scraping(painter: &Painter, camera: &Camera, ground: Place, palette: &Palette) {
    let tip = camera.project(ground);
    shadow(painter, tip, 6.0);
    let (left, right) = (tip + vec2(10.0, -46.0), tip + vec2(24.0, -42.0));
    painter.add(Shape::convex_polygon(
        vec![tip, left, right],
        palette.text.gamma_multiply(0.85),
        Stroke::NONE,
    ));
    painter.line_segment([tip, tip + vec2(4.0, -11.0)], Stroke::new(3.0, palette.accent));
}

/// A ball that rolls, with a mark on it that shows its turn.
pub fn rolling(
    painter: &Painter,
    camera: &Camera,
    ground: Place,
    angle_rad: f32,
    radius: f32,
    palette: &Palette,
) {
    shadow(painter, camera.project(ground), radius);
    let at = camera.project(ground) - vec2(0.0, radius);
    ball(painter, at, radius, palette.text.gamma_multiply(0.85));
    let (sin, cos) = angle_rad.sin_cos();
    // The mark goes behind the ball for half of each turn.
    if cos > -0.2 {
        painter.circle_filled(
            at + vec2(0.75 * radius * sin, -0.55 * radius * cos),
            0.16 * radius,
            palette.accent,
        );
    }
}

/// A body that tumbles, `metre` units of the room to a metre.
pub fn tumbling(
    painter: &Painter,
    camera: &Camera,
    ground: Place,
    facets: &Facets,
    pose: &TumblingSnapshot,
    metre: f32,
    palette: &Palette,
) {
    // What is thrown from high up is seen at the upper edge, not above it; what lies on the body,
    // on it.
    let clear = (pose.centre_m[2] - facets.depth_m(pose.turn)).max(0.0);
    let high =
        HIGHEST * (1.0 - (-metre * clear / HIGHEST).exp()) + metre * facets.depth_m(pose.turn);
    shadow(painter, camera.project(ground), 0.8 * camera.scale() * metre * facets.radius_m());
    facets.draw(
        painter,
        camera,
        [ground[0], ground[1], ground[2] + high],
        pose.turn,
        metre,
        palette,
    );
}

/// A row of balls right over the body: on strings from a beam, or lying in line. `moved` are their
/// ways from where they hang, in ball diameters; `struck` is where on the body each pair of
/// neighbours is heard.
pub fn row(
    painter: &Painter,
    rect: egui::Rect,
    moved: &[f32],
    struck: &[Pos2],
    hangs: bool,
    palette: &Palette,
) {
    let count = moved.len().max(1) as f32;
    let radius = (0.32 * rect.width() / count).min(18.0);
    let top = struck.iter().map(|at| at.y).fold(rect.bottom(), f32::min);
    let middle = struck.iter().map(|at| at.x).sum::<f32>() / struck.len().max(1) as f32;
    let middle = if struck.is_empty() { rect.center().x } else { middle };
    // On a tall body there is less room above it.
    let low = (top - radius - CLEARANCE).max(rect.top() + 4.0 * radius);
    let beam = (low - 0.34 * rect.height()).max(rect.top() + 8.0);
    let drop = low - beam;
    let half = radius * (count - 1.0);
    let left = middle.clamp(
        rect.left() + half + 2.0 * radius,
        (rect.right() - half - 2.0 * radius).max(rect.left() + half + 2.0 * radius),
    ) - half;
    for (i, at) in struck.iter().enumerate() {
        shadow(painter, *at, 0.45 * radius);
        let pair = pos2(left + radius * (2.0 * i as f32 + 1.0), low);
        painter.add(Shape::dashed_line(
            &[pair, *at],
            Stroke::new(1.0, palette.accent.gamma_multiply(0.6)),
            3.0,
            3.0,
        ));
    }
    if hangs {
        let ends = [pos2(left - 2.0 * radius, beam), pos2(left + 2.0 * radius * count, beam)];
        painter.line_segment(ends, Stroke::new(3.0, palette.muted));
    }
    for (i, moved) in moved.iter().enumerate() {
        let x = left + 2.0 * radius * i as f32;
        let aside = (2.0 * radius * moved).clamp(-0.9 * drop, 0.9 * drop);
        let at = if hangs {
            pos2(x + aside, beam + (drop * drop - aside * aside).sqrt())
        } else {
            pos2(x + aside, low)
        };
        if hangs {
            painter.line_segment([pos2(x, beam), at], Stroke::new(1.0, palette.muted));
        }
        ball(painter, at, radius, palette.text.gamma_multiply(0.85));
    }
}
