//! A line chart with a title, a legend, axes with units, and the values under the pointer.

pub mod axis;

use egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2,
};

use super::theme::{self, Palette};
use axis::{Axis, Scaled};

/// A line of a chart.
pub struct Line<'a> {
    /// The name in the legend; empty for none.
    pub name: &'a str,
    /// The points, in the units of the axes.
    pub points: &'a [[f64; 2]],
    /// The colour.
    pub colour: Color32,
    /// True to mark the points.
    pub dotted: bool,
    /// True to fill the area between the line and zero.
    pub filled: bool,
}

/// A chart to be shown.
pub struct Chart<'a> {
    /// The title.
    pub title: &'a str,
    /// The horizontal and the vertical axis.
    pub axes: [Axis; 2],
    /// The lines.
    pub lines: &'a [Line<'a>],
}

/// Minimum distance of ticks, points.
const TICK_DISTANCE: egui::Vec2 = vec2(62.0, 17.0);
/// Height of the title above the plot area, points.
const ABOVE: f32 = 20.0;
/// Height of the tick labels below the plot area, points.
const BELOW: f32 = 15.0;

/// The font of labels.
fn font() -> FontId {
    FontId::proportional(10.0)
}

impl Chart<'_> {
    /// Draws the chart in this size.
    pub fn show(&self, ui: &mut Ui, size: egui::Vec2) {
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, self.title));
        let palette = theme::of(ui);
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 4.0, palette.well);
        let title = rect.left_top() + vec2(8.0, 4.0);
        let title = painter.text(title, Align2::LEFT_TOP, self.title, theme::small(), palette.text);
        self.draw_legend(&painter, rect, title.right());
        let scaled = [0, 1].map(|axis| self.axes[axis].over(range(self.lines, axis)));
        let inner = draw_axes(&painter, rect, &scaled, palette);
        let area = PlotArea { inner, scaled };
        for line in self.lines {
            area.draw(&painter, line);
        }
        if let Some(at) = response.hover_pos().filter(|at| inner.contains(*at)) {
            area.show_values(&painter, at, palette);
        }
    }

    /// Draws the legend to the right of `free`.
    fn draw_legend(&self, painter: &Painter, rect: Rect, free: f32) {
        let mut x = rect.right() - 8.0;
        for line in self.lines.iter().filter(|line| !line.name.is_empty()) {
            let name = painter.layout_no_wrap(line.name.to_string(), font(), line.colour);
            x -= name.size().x;
            // A narrow chart omits names that do not fit beside the title.
            if x < free + 6.0 {
                break;
            }
            painter.galley(pos2(x, rect.top() + 5.0), name, line.colour);
            x -= 8.0;
        }
    }
}

/// The plot area with the axes' ranges.
struct PlotArea {
    inner: Rect,
    scaled: [Scaled; 2],
}

impl PlotArea {
    /// Position of a point in the window.
    fn to_screen(&self, point: &[f64; 2]) -> Pos2 {
        let share = |axis: usize| {
            let (low, high) = self.scaled[axis].range;
            ((point[axis] - low) / (high - low)) as f32
        };
        let Self { inner, .. } = self;
        pos2(inner.left() + share(0) * inner.width(), inner.bottom() - share(1) * inner.height())
    }

    /// Draws a line.
    fn draw(&self, painter: &Painter, line: &Line) {
        let points: Vec<Pos2> = line.points.iter().map(|point| self.to_screen(point)).collect();
        if line.filled {
            painter.add(Shape::mesh(self.filled_area(&points, line.colour.gamma_multiply(0.16))));
        }
        if line.dotted {
            for at in &points {
                painter.circle_filled(*at, 1.8, line.colour);
            }
        }
        if points.len() > 1 {
            painter.add(Shape::line(
                points,
                Stroke::new(if line.dotted { 1.0 } else { 1.6 }, line.colour),
            ));
        }
    }

    /// The area between a line and zero.
    fn filled_area(&self, points: &[Pos2], colour: Color32) -> Mesh {
        let zero = self.to_screen(&[0.0, 0.0]).y.clamp(self.inner.top(), self.inner.bottom());
        let mut mesh = Mesh::default();
        for (i, at) in points.iter().enumerate() {
            mesh.colored_vertex(*at, colour);
            mesh.colored_vertex(pos2(at.x, zero), colour);
            if i > 0 {
                let i = 2 * i as u32;
                mesh.add_triangle(i - 2, i - 1, i);
                mesh.add_triangle(i - 1, i, i + 1);
            }
        }
        mesh
    }

    /// Draws a crosshair and the values under the pointer.
    fn show_values(&self, painter: &Painter, at: Pos2, palette: &Palette) {
        let Self { inner, scaled } = self;
        let thin = Stroke::new(1.0, palette.muted.gamma_multiply(0.6));
        painter.vline(at.x, inner.y_range(), thin);
        painter.hline(inner.x_range(), at.y, thin);
        let shares =
            [(at.x - inner.left()) / inner.width(), (inner.bottom() - at.y) / inner.height()];
        let [x, y] = [0, 1].map(|axis| {
            let (low, high) = scaled[axis].range;
            scaled[axis].format(low + f64::from(shares[axis]) * (high - low))
        });
        let galley = painter.layout_no_wrap(format!("{x}, {y}"), font(), palette.text);
        // On the side with enough room.
        let right = at.x + 8.0 + galley.size().x < inner.right();
        let below = at.y + 6.0 + galley.size().y < inner.bottom();
        let left = if right { at.x + 6.0 } else { at.x - 6.0 - galley.size().x };
        let top = if below { at.y + 4.0 } else { at.y - 4.0 - galley.size().y };
        let place = Rect::from_min_size(pos2(left.max(inner.left()), top), galley.size());
        painter.rect_filled(place.expand(2.0), 2.0, palette.panel);
        painter.galley(place.min, galley, palette.text);
    }
}

/// Draws axes and grid. Returns the plot area.
fn draw_axes(painter: &Painter, rect: Rect, scaled: &[Scaled; 2], palette: &Palette) -> Rect {
    let height = rect.height() - ABOVE - BELOW;
    let layout = |text: String| painter.layout_no_wrap(text, font(), palette.muted);
    let labels: Vec<_> = scaled[1]
        .ticks(((height / TICK_DISTANCE.y) as usize).max(2))
        .into_iter()
        .map(|(y, text)| (y, layout(text)))
        .collect();
    let label_width = labels.iter().map(|(_, text)| text.size().x).fold(0.0, f32::max);
    let inner = Rect::from_min_max(
        pos2(rect.left() + 9.0 + label_width, rect.top() + ABOVE),
        pos2(rect.right() - 8.0, rect.bottom() - BELOW),
    );
    let area = PlotArea { inner, scaled: *scaled };
    let [grid, bold] =
        [palette.track.gamma_multiply(0.5), palette.track].map(|colour| Stroke::new(1.0, colour));
    for (y, text) in labels {
        let at = area.to_screen(&[scaled[0].range.0, y]).y;
        painter.hline(inner.x_range(), at, if y == 0.0 { bold } else { grid });
        let top = (at - 0.5 * text.size().y)
            .clamp(rect.top() + ABOVE - 6.0, inner.bottom() - text.size().y + 4.0);
        painter.galley(pos2(inner.left() - 4.0 - text.size().x, top), text, palette.muted);
    }
    for (x, text) in scaled[0].ticks((inner.width() / TICK_DISTANCE.x) as usize) {
        let (at, text) = (area.to_screen(&[x, scaled[1].range.0]).x, layout(text));
        painter.vline(at, inner.y_range(), grid);
        let left = (at - 0.5 * text.size().x)
            .clamp(inner.left() - 4.0, rect.right() - 4.0 - text.size().x);
        painter.galley(pos2(left, inner.bottom() + 2.0), text, palette.muted);
    }
    painter.vline(inner.left(), inner.y_range(), bold);
    painter.hline(inner.x_range(), inner.bottom(), bold);
    inner
}

/// The range of the lines along an axis; never empty.
fn range(lines: &[Line], axis: usize) -> (f64, f64) {
    let values = lines
        .iter()
        .flat_map(|line| line.points.iter().map(|point| point[axis]))
        .filter(|x| x.is_finite());
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    match high - low {
        span if span.is_finite() && span > 0.0 => (low, high + 0.02 * span),
        _ if low.is_finite() => (low - 0.5, low + 0.5),
        _ => (0.0, 1.0),
    }
}
