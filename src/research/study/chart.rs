//! A line chart as SVG, with its data as CSV beside it.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

/// How a series is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A line.
    Line,
    /// A dashed line, for references.
    Dashed,
    /// A line with a dot at every point.
    Dots,
}

/// A curve.
pub struct Series {
    /// Name in the legend and the CSV file.
    pub name: String,
    /// Points in drawing order.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub mark: Mark,
}

impl Series {
    /// A curve through points.
    pub fn new(
        name: impl Into<String>,
        mark: Mark,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        Self { name: name.into(), points: points.into_iter().collect(), mark }
    }
}

/// A figure: its curves and labels.
#[derive(Default)]
pub struct Chart {
    /// File name without extension.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// Label of the x axis.
    pub x: &'static str,
    /// Label of the y axis.
    pub y: &'static str,
    /// Whether the x and y axes are logarithmic.
    pub log: (bool, bool),
    /// Whether x runs from right to left, as the velocity of a contact does.
    pub reversed: bool,
    /// Visible part: x from, x to, y from, y to, as exponents on logarithmic axes.
    pub window: Option<[f64; 4]>,
    /// Whether the legend is on the left, for curves that end at the upper right.
    pub legend_left: bool,
    /// Curves.
    pub series: Vec<Series>,
}

const COLOURS: [RGBColor; 8] = [
    RGBColor(0x1b, 0x4f, 0x9c),
    RGBColor(0xc2, 0x3b, 0x22),
    RGBColor(0x2e, 0x8b, 0x57),
    RGBColor(0xd1, 0x8b, 0x00),
    RGBColor(0x7a, 0x3e, 0x9d),
    RGBColor(0x55, 0x55, 0x55),
    RGBColor(0x00, 0x8b, 0x9c),
    RGBColor(0x9c, 0x5a, 0x2e),
];

/// Writes a chart as SVG and its data as CSV into `folder`.
pub fn write(folder: &Path, chart: &Chart) -> Result<()> {
    let mut csv = String::from("series,x,y\n");
    for one in &chart.series {
        for (x, y) in &one.points {
            writeln!(csv, "{},{x:e},{y:e}", one.name.replace(',', ";"))?;
        }
    }
    std::fs::write(folder.join(format!("{}.csv", chart.name)), csv)?;
    let picture = folder.join(format!("{}.svg", chart.name));
    draw(&picture, chart).map_err(|error| anyhow!("{}: {error}", picture.display()))
}

fn draw(picture: &Path, frame: &Chart) -> Result<(), Box<dyn std::error::Error>> {
    let place = |(x, y): (f64, f64)| {
        let x = if frame.log.0 { x.log10() } else { x };
        let y = if frame.log.1 { y.log10() } else { y };
        (if frame.reversed { -x } else { x }, y)
    };
    let curves: Vec<Vec<(f64, f64)>> = frame
        .series
        .iter()
        .map(|one| {
            thin(
                one.points
                    .iter()
                    .copied()
                    .map(place)
                    .filter(|p| p.0.is_finite() && p.1.is_finite())
                    .collect(),
            )
        })
        .collect();
    let [left, right, low, high] = frame.window.unwrap_or_else(|| bounds(&curves));
    let root = SVGBackend::new(picture, (640, 420)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(frame.title, ("sans-serif", 15))
        .margin(8)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(left..right, low..high)?;
    // Ticks are sums of steps, so that zero has a rounding error.
    let without_rounding = |value: f64, span: f64| {
        if value.abs() < 1e-9 * span { 0.0 } else { value }
    };
    let label = |log: bool, value: f64| {
        if log { power_label(value) } else { plain_label(value) }
    };
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc(frame.x)
        .y_desc(frame.y)
        .x_labels(7)
        .y_labels(7)
        .x_label_formatter(&|x| {
            let x = without_rounding(*x, right - left);
            label(frame.log.0, if frame.reversed { -x } else { x })
        })
        .y_label_formatter(&|y| label(frame.log.1, without_rounding(*y, high - low)))
        .draw()?;
    for ((one, points), colour) in frame.series.iter().zip(curves).zip(COLOURS.iter().cycle()) {
        let legend =
            move |(x, y)| PathElement::new(vec![(x, y), (x + 16, y)], colour.stroke_width(2));
        match one.mark {
            Mark::Dashed => {
                let style = ShapeStyle::from(colour).stroke_width(1);
                let drawn = chart.draw_series(DashedLineSeries::new(points, 5, 4, style))?;
                if !one.name.is_empty() {
                    drawn.label(&one.name).legend(legend);
                }
            }
            Mark::Line | Mark::Dots => {
                let line = LineSeries::new(points.iter().copied(), colour.stroke_width(1));
                chart.draw_series(line)?.label(&one.name).legend(legend);
                if one.mark == Mark::Dots {
                    chart.draw_series(
                        points.iter().map(|point| Circle::new(*point, 2, colour.filled())),
                    )?;
                }
            }
        }
    }
    let corner = if frame.legend_left {
        SeriesLabelPosition::UpperLeft
    } else {
        SeriesLabelPosition::UpperRight
    };
    chart
        .configure_series_labels()
        .position(corner)
        .background_style(WHITE.mix(0.8))
        .border_style(TRANSPARENT)
        .draw()?;
    root.present()?;
    Ok(())
}

/// Thins the points of the picture. The CSV file has all of them.
fn thin(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    const MAX: usize = 400;
    let stride = points.len().div_ceil(MAX).max(1);
    let last = points.len().saturating_sub(1);
    points
        .into_iter()
        .enumerate()
        .filter(|(n, _)| n % stride == 0 || *n == last)
        .map(|(_, p)| p)
        .collect()
}

fn bounds(curves: &[Vec<(f64, f64)>]) -> [f64; 4] {
    let mut bounds = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
    for (x, y) in curves.iter().flatten() {
        bounds = [bounds[0].min(*x), bounds[1].max(*x), bounds[2].min(*y), bounds[3].max(*y)];
    }
    let [left, right, low, high] = bounds;
    let (wide, tall) = (0.03 * (right - left).max(1e-300), 0.05 * (high - low).max(1e-300));
    [left - wide, right + wide, low - tall, high + tall]
}

/// Label of a position on a logarithmic axis.
fn power_label(place: f64) -> String {
    if place.fract().abs() < 1e-9 {
        format!("1e{place:.0}")
    } else {
        format!("{:.1e}", 10f64.powf(place))
    }
}

fn plain_label(value: f64) -> String {
    if value != 0.0 && (value.abs() < 1e-2 || value.abs() >= 1e4) {
        format!("{value:.3e}")
    } else {
        // Adding zero removes the sign of a negative zero.
        format!("{}", (value * 1e4).round() / 1e4 + 0.0)
    }
}
