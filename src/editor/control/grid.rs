//! Controls in rows and columns of equal cells, so that everything on a page stands under and
//! beside something.

use std::ops::Range;

use egui::{Rect, Ui, Vec2, pos2, vec2};

use crate::params::ParamKind;

/// Room of one dial.
pub const CELL: Vec2 = vec2(62.0, 68.0);
/// The least height of one, where room is scarce: the dial is smaller, its words are not.
pub const TIGHT: f32 = 58.0;
/// Height of a row without dials.
pub const LOW: f32 = 42.0;
/// Between cells.
pub const SPACE: Vec2 = vec2(2.0, 4.0);
/// The middle of a dial is so far below the top of its cell; what stands beside it has its middle
/// there, too.
pub const MIDDLE: f32 = 34.0;

/// The height of cells in so much room: where only two or three rows would be seen, as much less as
/// it takes to see them whole.
pub fn height(room: f32) -> f32 {
    let rows = ((room + SPACE.y) / (TIGHT + SPACE.y)).floor().max(1.0);
    if rows > 3.0 { CELL.y } else { ((room + SPACE.y) / rows - SPACE.y).clamp(TIGHT, CELL.y) }
}

/// Show a row only if it is seen whole in what scrolls: half a dial is not drawn, and nobody takes
/// hold of it. By its name it is found all the same.
pub fn hide_clipped(ui: &mut Ui, row: Rect) {
    let seen = ui.clip_rect();
    let within = seen.expand(1.0).y_range();
    if !(within.contains(row.top()) && within.contains(row.bottom())) {
        ui.set_clip_rect(Rect::from_min_size(seen.min, Vec2::ZERO));
    }
}

/// How many cells a control takes.
pub fn span(kind: &ParamKind) -> usize {
    if matches!(kind, ParamKind::Choice(_)) { 2 } else { 1 }
}

/// Width of so many cells.
pub fn width(cells: usize) -> f32 {
    cells as f32 * (CELL.x + SPACE.x) - SPACE.x
}

/// How many cells fit side by side.
pub fn columns(room: f32) -> usize {
    (((room + SPACE.x) / (CELL.x + SPACE.x)).floor() as usize).max(2)
}

/// Which of the controls, by their spans, stand in which row.
pub fn rows(columns: usize, spans: &[usize]) -> Vec<Range<usize>> {
    let (mut rows, mut first, mut used) = (Vec::new(), 0, 0);
    for (index, span) in spans.iter().enumerate() {
        if used + span > columns && index > first {
            rows.push(first..index);
            (first, used) = (index, 0);
        }
        used += span;
    }
    if first < spans.len() {
        rows.push(first..spans.len());
    }
    rows
}

/// Where in a row the cells from `first` on lie.
pub fn cell(row: Rect, first: usize, span: usize) -> Rect {
    let left = row.left() + first as f32 * (CELL.x + SPACE.x);
    Rect::from_min_size(pos2(left, row.top()), vec2(width(span), row.height()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_has_its_cells_and_no_row_is_too_long() {
        let spans = [2, 2, 2, 1, 2, 1, 1, 1, 1, 2, 1];
        for columns in 2..12 {
            let rows = rows(columns, &spans);
            let all: Vec<usize> = rows.iter().cloned().flatten().collect();
            assert_eq!(all, (0..spans.len()).collect::<Vec<_>>());
            for row in rows {
                assert!(!row.is_empty() && spans[row].iter().sum::<usize>() <= columns);
            }
        }
        assert_eq!(rows(6, &spans)[0], 0..3);
        assert!(rows(3, &[]).is_empty());
    }

    #[test]
    fn few_rows_are_seen_whole() {
        for (room, rows) in [(120.0, 2.0), (125.0, 2.0), (140.0, 2.0), (185.0, 3.0), (212.0, 3.0)] {
            let height = height(room);
            assert!((TIGHT..=CELL.y).contains(&height));
            let whole = rows * (height + SPACE.y) - SPACE.y;
            assert!(
                whole <= room + 0.01 && (whole > room - 0.01 || height == CELL.y),
                "{room}: {height}"
            );
        }
        assert_eq!(height(250.0), CELL.y);
    }

    #[test]
    fn as_many_cells_as_fit() {
        for count in 2..20 {
            assert_eq!(columns(width(count)), count);
            assert_eq!(columns(width(count + 1) - 0.1), count);
        }
    }
}
