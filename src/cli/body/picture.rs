//! A body's spectrum as stems, and its lowest shapes.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;

use super::Listed;
use crate::body::shape::Place;
use crate::body::{BodyKind, Layout, Modes, Point};

const BLUE_INK: RGBColor = RGBColor(0x1b, 0x4f, 0x9c);
const RED_INK: RGBColor = RGBColor(0xc2, 0x3b, 0x22);
const SIZE: (u32, u32) = (720, 470);
const TILES: usize = 6;
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Write `path`.
pub fn draw(path: &Path, modes: &Modes, points: [Point; 3], listed: &[Listed]) -> Result<()> {
    let picture = || -> Outcome {
        let root = SVGBackend::new(path, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let (above, below) = root.split_vertically(330);
        stems(&above, modes.spectrum().geometry().kind, listed)?;
        // A list of modes has no shapes to draw.
        if !modes.spectrum().geometry().kind.is_mode_list() {
            for (tile, mode) in below.split_evenly((1, TILES)).iter().zip(listed) {
                shape(tile, modes, mode, points)?;
            }
        }
        root.present()?;
        Ok(())
    };
    picture().map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// Level of every mode as it is heard left after an impulse, dB below the strongest.
fn stems(area: &DrawingArea<SVGBackend, Shift>, kind: BodyKind, listed: &[Listed]) -> Outcome {
    const FLOOR_DB: f64 = -60.0;
    let strongest = listed.iter().map(|m| (m.strike * m.left).abs()).fold(1e-12, f64::max);
    let level = |m: &Listed| {
        (20.0 * ((m.strike * m.left).abs() / strongest).max(1e-9).log10()).max(FLOOR_DB)
    };
    let place = |m: &Listed| m.frequency_hz.log10();
    let low = listed.iter().map(place).fold(f64::MAX, f64::min).min(4.0) - 0.05;
    let high = listed.iter().map(place).fold(f64::MIN, f64::max).max(low + 0.1) + 0.05;
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{}: {} modes", kind.name(), listed.len()), ("sans-serif", 15))
        .margin(8)
        .margin_right(28)
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(low..high, FLOOR_DB..3.0)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("Hz")
        .y_desc("strike x left pickup, dB")
        .x_label_formatter(&|x| format!("{:.0}", 10f64.powf(*x)))
        .draw()?;
    let stem =
        |m: &Listed| PathElement::new(vec![(place(m), FLOOR_DB), (place(m), level(m))], BLUE_INK);
    chart.draw_series(listed.iter().map(stem))?;
    chart.draw_series(
        listed.iter().map(|m| Circle::new((place(m), level(m)), 2, BLUE_INK.filled())),
    )?;
    Ok(())
}

/// One mode over the body: a curve for what is long, a field with its nodal lines for what is flat
/// or round.
fn shape(
    area: &DrawingArea<SVGBackend, Shift>,
    modes: &Modes,
    listed: &Listed,
    points: [Point; 3],
) -> Outcome {
    let geometry = modes.spectrum().geometry();
    let round = geometry.kind.spec().layout == Layout::Round;
    let (wide, tall) = area.dim_in_pixel();
    let caption = format!("{:.0} Hz", listed.frequency_hz);
    area.draw_text(&caption, &("sans-serif", 12).into_text_style(area), (8, 2))?;
    let at = |point: Point| modes.spectrum().deflection(listed.mode - 1, Place::Strike, point);
    let margin = 8.0;
    let width = f64::from(wide) - 2.0 * margin;
    if !geometry.kind.is_two_dimensional() {
        let middle = f64::from(tall) / 2.0;
        let spot =
            |x: f64| ((margin + width * x) as i32, (middle - 22.0 * at(Point::along(x))) as i32);
        let rest = [(margin as i32, middle as i32), ((margin + width) as i32, middle as i32)];
        area.draw(&PathElement::new(rest.to_vec(), BLACK.mix(0.3)))?;
        area.draw(&PathElement::new(
            (0..=80).map(|n| spot(f64::from(n) / 80.0)).collect::<Vec<_>>(),
            BLUE_INK,
        ))?;
        area.draw(&Circle::new(spot(points[0].x), 3, RED_INK.filled()))?;
        return Ok(());
    }
    // Small squares, blue where it is up, red where it is down; nodal lines stay white. Equal
    // neighbours are one.
    const CELLS: i32 = 24;
    const SHADES: f64 = 6.0;
    let height = if round { width } else { width / geometry.aspect };
    let top = 22.0;
    let middle = |cell: i32| (f64::from(cell) + 0.5) / f64::from(CELLS);
    let corner = |u: i32, v: i32| {
        let (x, y) = (f64::from(u) / f64::from(CELLS), f64::from(v) / f64::from(CELLS));
        ((margin + width * x) as i32, (top + height * y) as i32)
    };
    for row in 0..CELLS {
        let shade = |column: i32| {
            let (u, v) = (middle(column), middle(row));
            let point = if round { polar(u, v) } else { Some(Point::new(u, v)) };
            point
                .map_or(0, |point| (SHADES * at(point) / 2.5).clamp(-SHADES, SHADES).round() as i32)
        };
        let mut start = 0;
        for column in 1..=CELLS {
            let here = shade(start);
            if column < CELLS && shade(column) == here {
                continue;
            }
            if here != 0 {
                let ink =
                    if here > 0 { BLUE_INK } else { RED_INK }.mix(f64::from(here.abs()) / SHADES);
                area.draw(&Rectangle::new(
                    [corner(start, row), corner(column, row + 1)],
                    ink.filled(),
                ))?;
            }
            start = column;
        }
    }
    let struck = if round {
        let (sin, cos) = (2.0 * std::f64::consts::PI * points[0].y).sin_cos();
        (0.5 + 0.5 * points[0].x * cos, 0.5 + 0.5 * points[0].x * sin)
    } else {
        (points[0].x, points[0].y)
    };
    let spot = ((margin + width * struck.0) as i32, (top + height * struck.1) as i32);
    area.draw(&Circle::new(spot, 3, BLACK.filled()))?;
    Ok(())
}

/// The place on a disc seen from above at u, v of the square around it; shells are seen from above,
/// rim outside.
fn polar(u: f64, v: f64) -> Option<Point> {
    let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
    let radius = x.hypot(y);
    let turns = (y.atan2(x) / (2.0 * std::f64::consts::PI)).rem_euclid(1.0);
    (radius <= 1.0).then(|| Point::new(radius, turns))
}
