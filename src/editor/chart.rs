//! A small chart: a frame, a title, axes with units, lines, and the values under the pointer.

pub mod axis;

use egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2,
};

use super::theme::{self, Palette};
use axis::{Axis, Scaled};

/// One line of a chart.
pub struct Line<'a> {
    /// What it is, for the legend.
    pub name: &'a str,
    /// Its points, in the units of the axes.
    pub points: &'a [[f64; 2]],
    /// Its colour.
    pub colour: Color32,
    /// Whether its points are marked.
    pub dotted: bool,
    /// Whether the area between it and zero is tinted: it means something.
    pub filled: bool,
}

/// A chart about to be drawn.
pub struct Chart<'a> {
    /// Above it.
    pub title: &'a str,
    /// The horizontal one, and the vertical one.
    pub axes: [Axis; 2],
    /// What is drawn.
    pub lines: &'a [Line<'a>],
}

/// Between round values, at least, points.
const APART: egui::Vec2 = vec2(62.0, 17.0);
/// Above and below the lines.
const ABOVE: f32 = 20.0;
const BELOW: f32 = 15.0;

fn font() -> FontId {
    FontId::proportional(10.0)
}

impl Chart<'_> {
    /// Draw it in `size`.
    pub fn show(&self, ui: &mut Ui, size: egui::Vec2) {
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, self.title));
        let palette = theme::of(ui);
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 4.0, palette.well);
        let title = rect.left_top() + vec2(8.0, 4.0);
        let title = painter.text(title, Align2::LEFT_TOP, self.title, theme::small(), palette.text);
        self.legend(&painter, rect, title.right());
        let scaled = [0, 1].map(|axis| self.axes[axis].over(range(self.lines, axis)));
        let inner = draw_axes(&painter, rect, &scaled, palette);
        let frame = Frame { inner, scaled };
        for line in self.lines {
            frame.draw(&painter, line);
        }
        if let Some(at) = response.hover_pos().filter(|at| inner.contains(*at)) {
            frame.show_values(&painter, at, palette);
        }
    }

    fn legend(&self, painter: &Painter, rect: Rect, free: f32) {
        let mut x = rect.right() - 8.0;
        for line in self.lines.iter().filter(|line| !line.name.is_empty()) {
            let name = painter.layout_no_wrap(line.name.to_string(), font(), line.colour);
            x -= name.size().x;
            // A narrow chart goes without what does not fit beside its title.
            if x < free + 6.0 {
                break;
            }
            painter.galley(pos2(x, rect.top() + 5.0), name, line.colour);
            x -= 8.0;
        }
    }
}

/// Where in the window the values are.
struct Frame {
    inner: Rect,
    scaled: [Scaled; 2],
}

impl Frame {
    fn to_screen(&self, point: &[f64; 2]) -> Pos2 {
        let share = |axis: usize| {
            let (low, high) = self.scaled[axis].range;
            ((point[axis] - low) / (high - low)) as f32
        };
        let Self { inner, .. } = self;
        pos2(inner.left() + share(0) * inner.width(), inner.bottom() - share(1) * inner.height())
    }

    fn draw(&self, painter: &Painter, line: &Line) {
        let seen: Vec<Pos2> = line.points.iter().map(|point| self.to_screen(point)).collect();
        if line.filled {
            painter.add(Shape::mesh(self.area(&seen, line.colour.gamma_multiply(0.16))));
        }
        if line.dotted {
            for at in &seen {
                painter.circle_filled(*at, 1.8, line.colour);
            }
        }
        if seen.len() > 1 {
            painter.add(Shape::line(
                seen,
                Stroke::new(if line.dotted { 1.0 } else { 1.6 }, line.colour),
            ));
        }
    }

    /// Between a line and zero.
    fn area(&self, seen: &[Pos2], colour: Color32) -> Mesh {
        let zero = self.to_screen(&[0.0, 0.0]).y.clamp(self.inner.top(), self.inner.bottom());
        let mut mesh = Mesh::default();
        for (i, at) in seen.iter().enumerate() {
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

    /// The values under the pointer.
    fn show_values(&self, painter: &Painter, at: Pos2, palette: &Palette) {
        let Self { inner, scaled } = self;
        let thin = Stroke::new(1.0, palette.muted.gamma_multiply(0.6));
        painter.vline(at.x, inner.y_range(), thin);
        painter.hline(inner.x_range(), at.y, thin);
        let shares =
            [(at.x - inner.left()) / inner.width(), (inner.bottom() - at.y) / inner.height()];
        let [x, y] = [0, 1].map(|axis| {
            let (low, high) = scaled[axis].range;
            scaled[axis].words(low + f64::from(shares[axis]) * (high - low))
        });
        let galley = painter.layout_no_wrap(format!("{x}, {y}"), font(), palette.text);
        // Where there is room.
        let right = at.x + 8.0 + galley.size().x < inner.right();
        let below = at.y + 6.0 + galley.size().y < inner.bottom();
        let left = if right { at.x + 6.0 } else { at.x - 6.0 - galley.size().x };
        let top = if below { at.y + 4.0 } else { at.y - 4.0 - galley.size().y };
        let place = Rect::from_min_size(pos2(left.max(inner.left()), top), galley.size());
        painter.rect_filled(place.expand(2.0), 2.0, palette.panel);
        painter.galley(place.min, galley, palette.text);
    }
}

/// Axes and grid; what is left for the lines.
fn draw_axes(painter: &Painter, rect: Rect, scaled: &[Scaled; 2], palette: &Palette) -> Rect {
    let tall = rect.height() - ABOVE - BELOW;
    let write = |text: String| painter.layout_no_wrap(text, font(), palette.muted);
    let beside: Vec<_> = scaled[1]
        .ticks(((tall / APART.y) as usize).max(2))
        .into_iter()
        .map(|(y, text)| (y, write(text)))
        .collect();
    let widest = beside.iter().map(|(_, text)| text.size().x).fold(0.0, f32::max);
    let inner = Rect::from_min_max(
        pos2(rect.left() + 9.0 + widest, rect.top() + ABOVE),
        pos2(rect.right() - 8.0, rect.bottom() - BELOW),
    );
    let frame = Frame { inner, scaled: *scaled };
    let [grid, bold] =
        [palette.track.gamma_multiply(0.5), palette.track].map(|colour| Stroke::new(1.0, colour));
    for (y, text) in beside {
        let at = frame.to_screen(&[scaled[0].range.0, y]).y;
        painter.hline(inner.x_range(), at, if y == 0.0 { bold } else { grid });
        let top = (at - 0.5 * text.size().y)
            .clamp(rect.top() + ABOVE - 6.0, inner.bottom() - text.size().y + 4.0);
        painter.galley(pos2(inner.left() - 4.0 - text.size().x, top), text, palette.muted);
    }
    for (x, text) in scaled[0].ticks((inner.width() / APART.x) as usize) {
        let (at, text) = (frame.to_screen(&[x, scaled[1].range.0]).x, write(text));
        painter.vline(at, inner.y_range(), grid);
        let left = (at - 0.5 * text.size().x)
            .clamp(inner.left() - 4.0, rect.right() - 4.0 - text.size().x);
        painter.galley(pos2(left, inner.bottom() + 2.0), text, palette.muted);
    }
    painter.vline(inner.left(), inner.y_range(), bold);
    painter.hline(inner.x_range(), inner.bottom(), bold);
    inner
}

/// The values that the lines take along an axis; never empty.
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
