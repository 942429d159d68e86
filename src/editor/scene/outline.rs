//! The outline of a body, as smooth lines below its faces: what of them lies outside makes its edge
//! smooth.

use egui::epaint::Vertex;
use egui::{Painter, Pos2, Stroke};

const WIDTH: f32 = 1.6;

/// Lines where the faces of a net end, or turn away from the eye. The net has `rows` by `columns`
/// faces; around a round body the last column borders on the first.
pub fn draw(painter: &Painter, knots: &[Vertex], (rows, columns): (usize, usize), is_round: bool) {
    let knot = |i: usize, j: usize| &knots[i * (columns + 1) + j];
    let turns = |i: usize, j: usize| {
        let [a, b, c, d] = [knot(i, j), knot(i, j + 1), knot(i + 1, j + 1), knot(i + 1, j)]
            .map(|vertex| vertex.pos);
        area(a, b, c) + area(a, c, d) > 0.0
    };
    let line = |a: &Vertex, b: &Vertex| {
        if a.pos.distance_sq(b.pos) > 0.01 {
            painter.line_segment(
                [a.pos, b.pos],
                Stroke::new(WIDTH, a.color.lerp_to_gamma(b.color, 0.5)),
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
            // Of a round body the last line is the first.
            let again = is_round && j == columns;
            if !again && sides.is_none_or(|(before, after)| turns(i, before) != turns(i, after)) {
                line(knot(i, j), knot(i + 1, j));
            }
        }
    }
    for i in 0..=rows {
        for j in 0..columns {
            if i == 0 || i == rows || turns(i - 1, j) != turns(i, j) {
                line(knot(i, j), knot(i, j + 1));
            }
        }
    }
}

fn area(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}
