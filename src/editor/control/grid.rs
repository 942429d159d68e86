//! The layout of controls: rows and columns of equal cells.

use std::ops::Range;

use egui::{Rect, Ui, Vec2, pos2, vec2};

use crate::params::ParamKind;

/// Size of a dial's cell, points.
pub const CELL: Vec2 = vec2(62.0, 68.0);
/// Minimum height of a cell. The dial becomes smaller, its text does not.
pub const MIN_HEIGHT: f32 = 58.0;
/// Height of a row without dials, points.
pub const LOW: f32 = 42.0;
/// Space between cells, points.
pub const SPACE: Vec2 = vec2(2.0, 4.0);
/// Distance of a dial's centre from the top of its cell; other controls are centred there too.
pub const MIDDLE: f32 = 34.0;

/// The height of cells for this available height. If only up to three rows are visible, cells
/// shrink so that the rows are completely visible.
pub fn height(room: f32) -> f32 {
    let rows = ((room + SPACE.y) / (MIN_HEIGHT + SPACE.y)).floor().max(1.0);
    if rows > 3.0 { CELL.y } else { ((room + SPACE.y) / rows - SPACE.y).clamp(MIN_HEIGHT, CELL.y) }
}

/// Hides a row unless it is completely visible in its scroll area, so that no partial dial is drawn
/// or dragged. Screen readers still find it.
pub fn hide_clipped(ui: &mut Ui, row: Rect) {
    let visible = ui.clip_rect();
    let within = visible.expand(1.0).y_range();
    if !(within.contains(row.top()) && within.contains(row.bottom())) {
        ui.set_clip_rect(Rect::from_min_size(visible.min, Vec2::ZERO));
    }
}

/// Number of cells of a control.
pub fn span(kind: &ParamKind) -> usize {
    if matches!(kind, ParamKind::Choice(_)) { 2 } else { 1 }
}

/// Width of a number of cells.
pub fn width(cells: usize) -> f32 {
    cells as f32 * (CELL.x + SPACE.x) - SPACE.x
}

/// Number of cells that fit in a width.
pub fn columns(room: f32) -> usize {
    (((room + SPACE.x) / (CELL.x + SPACE.x)).floor() as usize).max(2)
}

/// Distributes controls with these spans over rows.
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

/// The rectangle of `span` cells of a row, from cell `first` on.
pub fn cell(row: Rect, first: usize, span: usize) -> Rect {
    let left = row.left() + first as f32 * (CELL.x + SPACE.x);
    Rect::from_min_size(pos2(left, row.top()), vec2(width(span), row.height()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_is_in_one_row_and_no_row_is_too_long() {
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
    fn few_rows_are_completely_visible() {
        for (room, rows) in [(120.0, 2.0), (125.0, 2.0), (140.0, 2.0), (185.0, 3.0), (212.0, 3.0)] {
            let height = height(room);
            assert!((MIN_HEIGHT..=CELL.y).contains(&height));
            let total = rows * (height + SPACE.y) - SPACE.y;
            assert!(
                total <= room + 0.01 && (total > room - 0.01 || height == CELL.y),
                "{room}: {height}"
            );
        }
        assert_eq!(height(250.0), CELL.y);
    }

    #[test]
    fn columns_is_the_inverse_of_width() {
        for count in 2..20 {
            assert_eq!(columns(width(count)), count);
            assert_eq!(columns(width(count + 1) - 0.1), count);
        }
    }
}
