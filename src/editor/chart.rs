//! A small chart: a frame, a title, lines, and the ends of its axes.

use egui::{Align2, Color32, FontId, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};

use super::theme;

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
}

/// A chart about to be drawn.
pub struct Chart<'a> {
    /// Above it.
    pub title: &'a str,
    /// Under the horizontal axis, with the unit; and beside the vertical one.
    pub axes: [&'a str; 2],
    /// What is drawn.
    pub lines: &'a [Line<'a>],
}

impl Chart<'_> {
    /// Draw it in `size`.
    pub fn show(&self, ui: &mut Ui, size: egui::Vec2) {
        let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, self.title));
        let palette = theme::of(ui);
        let painter = ui.painter_at(rect);
        let font = FontId::proportional(10.5);
        painter.rect_filled(rect, 4.0, palette.panel);
        let inner = Rect::from_min_max(rect.min + vec2(8.0, 18.0), rect.max - vec2(8.0, 17.0));
        let title =
            painter.text(rect.left_top() + vec2(8.0, 4.0), Align2::LEFT_TOP, self.title, theme::small(), palette.text);
        let mut x = rect.right() - 8.0;
        for line in self.lines.iter().filter(|line| !line.name.is_empty()) {
            let name = painter.layout_no_wrap(line.name.to_string(), font.clone(), line.colour);
            x -= name.size().x;
            // A narrow chart goes without what does not fit beside its title.
            if x < title.right() + 6.0 {
                break;
            }
            painter.galley(pos2(x, rect.top() + 5.0), name, line.colour);
            x -= 8.0;
        }
        let [horizontal, vertical] = [0, 1].map(|axis| range(self.lines, axis));
        let see = |point: &[f64; 2]| -> Pos2 {
            let share = |x: f64, (low, high): (f64, f64)| ((x - low) / (high - low)) as f32;
            pos2(
                inner.left() + share(point[0], horizontal) * inner.width(),
                inner.bottom() - share(point[1], vertical) * inner.height(),
            )
        };
        if vertical.0 < 0.0 && vertical.1 > 0.0 {
            let zero = see(&[horizontal.0, 0.0]).y;
            painter.hline(inner.x_range(), zero, Stroke::new(1.0, palette.track));
        }
        painter.hline(inner.x_range(), inner.bottom(), Stroke::new(1.0, palette.track));
        painter.vline(inner.left(), inner.y_range(), Stroke::new(1.0, palette.track));
        for line in self.lines {
            let seen: Vec<Pos2> = line.points.iter().map(&see).collect();
            if line.dotted {
                for at in &seen {
                    painter.circle_filled(*at, 1.8, line.colour);
                }
            }
            if seen.len() > 1 {
                painter.add(Shape::line(seen, Stroke::new(if line.dotted { 1.0 } else { 1.6 }, line.colour)));
            }
        }
        let end =
            |value: f64, unit: &str| if unit.is_empty() { short(value) } else { format!("{} {unit}", short(value)) };
        painter.text(
            inner.left_bottom() + vec2(0.0, 2.0),
            Align2::LEFT_TOP,
            short(horizontal.0),
            font.clone(),
            palette.quiet,
        );
        painter.text(
            inner.right_bottom() + vec2(0.0, 2.0),
            Align2::RIGHT_TOP,
            end(horizontal.1, self.axes[0]),
            font.clone(),
            palette.quiet,
        );
        // Lines often begin at the top left: they pass behind the figure.
        let galley = painter.layout_no_wrap(end(vertical.1, self.axes[1]), font, palette.quiet);
        let at = inner.left_top() + vec2(3.0, 0.0);
        painter.rect_filled(Rect::from_min_size(at, galley.size()).expand(1.0), 2.0, palette.panel.gamma_multiply(0.8));
        painter.galley(at, galley, palette.quiet);
    }
}

/// The values that the lines take along an axis; never empty.
fn range(lines: &[Line], axis: usize) -> (f64, f64) {
    let values = lines.iter().flat_map(|line| line.points.iter().map(|point| point[axis])).filter(|x| x.is_finite());
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    match high - low {
        span if span.is_finite() && span > 0.0 => (low, high + 0.02 * span),
        _ if low.is_finite() => (low - 0.5, low + 0.5),
        _ => (0.0, 1.0),
    }
}

/// Three digits, with a power of ten where the number would be long.
fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_string()
    } else if (1e-2..1e4).contains(&size) {
        let decimals = (2 - size.log10().floor() as i32).clamp(0, 4) as usize;
        format!("{value:.decimals$}")
    } else {
        format!("{value:.1e}")
    }
}
