//! What moves over the body: balls, what tumbles, the row on its strings.

use egui::{Color32, Painter, Pos2, Shape, Stroke, pos2, vec2};

use super::camera::{Camera, Place};
use crate::editor::theme::Palette;
use crate::rigid::shape::Shape as Rigid;
use crate::view::{StrikerView, ThrownView};

/// Nothing is drawn much higher than this over the body, in units of the room.
const HIGHEST: f32 = 0.9;

/// A ball, lit from above.
pub fn ball(painter: &Painter, at: Pos2, radius: f32, colour: Color32) {
    painter.circle_filled(at, radius, colour.gamma_multiply(0.75));
    painter.circle_filled(at + vec2(-0.12, -0.14) * radius, 0.82 * radius, colour);
    painter.circle_filled(at + vec2(-0.32, -0.36) * radius, 0.28 * radius, Color32::from_white_alpha(110));
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
    striker: &StrikerView,
    metre: f32,
    radius: f32,
    palette: &Palette,
) {
    let height = metre * striker.height_m.max(0.0);
    shadow(painter, camera.see(ground), radius);
    let at = camera.see([ground[0], ground[1], ground[2] + height]) - vec2(0.0, radius);
    ball(painter, at, radius, if striker.touching { palette.accent } else { palette.text.gamma_multiply(0.85) });
}

/// A striker that has struck, on its way off and out of sight. The blow itself lasts less than a frame.
pub fn leaving(painter: &Painter, camera: &Camera, ground: Place, share: f32, radius: f32, palette: &Palette) {
    let at = camera.see([ground[0], ground[1], ground[2] + 0.5 * share]) - vec2(0.0, radius);
    let mut painter = painter.clone();
    painter.multiply_opacity(1.0 - share);
    shadow(&painter, camera.see(ground), radius);
    ball(&painter, at, radius, palette.accent);
}

/// The tip that is dragged over the body.
pub fn scraping(painter: &Painter, camera: &Camera, ground: Place, palette: &Palette) {
    let tip = camera.see(ground);
    shadow(painter, tip, 6.0);
    let (left, right) = (tip + vec2(10.0, -46.0), tip + vec2(24.0, -42.0));
    painter.add(Shape::convex_polygon(vec![tip, left, right], palette.text.gamma_multiply(0.85), Stroke::NONE));
    painter.line_segment([tip, tip + vec2(4.0, -11.0)], Stroke::new(3.0, palette.accent));
}

/// A ball that rolls, with a mark on it that shows its turn.
pub fn rolling(painter: &Painter, camera: &Camera, ground: Place, angle_rad: f32, radius: f32, palette: &Palette) {
    shadow(painter, camera.see(ground), radius);
    let at = camera.see(ground) - vec2(0.0, radius);
    ball(painter, at, radius, palette.text.gamma_multiply(0.85));
    let (sin, cos) = angle_rad.sin_cos();
    // The mark goes behind the ball for half of each turn.
    if cos > -0.2 {
        painter.circle_filled(at + vec2(0.75 * radius * sin, -0.55 * radius * cos), 0.16 * radius, palette.accent);
    }
}

/// A body that tumbles: its corners joined where they are neighbours, `metre` units of the room to a metre.
pub fn thrown(
    painter: &Painter,
    camera: &Camera,
    ground: Place,
    shape: &Rigid,
    pose: &ThrownView,
    metre: f32,
    palette: &Palette,
) {
    // What is thrown from high up is seen at the upper edge, not above it.
    let high = HIGHEST * (1.0 - (-metre * pose.centre_m[2] / HIGHEST).exp());
    let corners: Vec<Place> = shape
        .corners_m
        .iter()
        .map(|corner| {
            let turned = turn(pose.turn, corner.map(|x| x as f32));
            std::array::from_fn(|i| ground[i] + metre * turned[i] + if i == 2 { high } else { 0.0 })
        })
        .collect();
    shadow(painter, camera.see(ground), 14.0);
    let seen: Vec<Pos2> = corners.iter().map(|corner| camera.see(*corner)).collect();
    let outline = hull(&seen);
    painter.add(Shape::convex_polygon(outline, palette.text.gamma_multiply(0.35), Stroke::new(1.5, palette.text)));
    for (i, a) in corners.iter().enumerate() {
        // The three nearest corners are neighbours along an edge.
        let mut others: Vec<usize> = (0..corners.len()).filter(|j| *j != i).collect();
        others.sort_by(|j, k| distance(a, &corners[*j]).total_cmp(&distance(a, &corners[*k])));
        for j in others.into_iter().take(3) {
            painter.line_segment([seen[i], seen[j]], Stroke::new(1.0, palette.accent.gamma_multiply(0.8)));
        }
    }
}

fn distance(a: &Place, b: &Place) -> f32 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum()
}

fn turn([w, x, y, z]: [f32; 4], v: Place) -> Place {
    let cross = |a: Place, b: Place| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let axis = [x, y, z];
    let once = cross(axis, v);
    let twice = cross(axis, once);
    std::array::from_fn(|i| v[i] + 2.0 * (w * once[i] + twice[i]))
}

/// The outline of points: the smallest convex polygon around them.
fn hull(points: &[Pos2]) -> Vec<Pos2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |points: &mut dyn Iterator<Item = Pos2>| {
        let mut chain: Vec<Pos2> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..] {
                if (b - a).x * (point - a).y - (b - a).y * (point - a).x > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut outline = half(&mut sorted.iter().copied());
    outline.extend(half(&mut sorted.iter().rev().copied()));
    outline
}

/// A row of balls: on strings from a beam, or lying in line. `moved` are their ways from where they hang, in ball
/// diameters.
pub fn row(painter: &Painter, rect: egui::Rect, moved: &[f32], hangs: bool, palette: &Palette) {
    let count = moved.len().max(1) as f32;
    let radius = (0.32 * rect.width() / count).min(18.0);
    let beam = rect.top() + 14.0;
    let drop = 0.34 * rect.height();
    let left = rect.center().x - radius * (count - 1.0);
    if hangs {
        let ends = [pos2(left - 2.0 * radius, beam), pos2(left + 2.0 * radius * count, beam)];
        painter.line_segment(ends, Stroke::new(3.0, palette.quiet));
    }
    for (i, moved) in moved.iter().enumerate() {
        let x = left + 2.0 * radius * i as f32;
        let aside = (2.0 * radius * moved).clamp(-0.9 * drop, 0.9 * drop);
        let at = if hangs {
            pos2(x + aside, beam + (drop * drop - aside * aside).sqrt())
        } else {
            pos2(x + aside, beam + drop)
        };
        if hangs {
            painter.line_segment([pos2(x, beam), at], Stroke::new(1.0, palette.quiet));
        }
        ball(painter, at, radius, palette.text.gamma_multiply(0.85));
    }
}
