//! Height over time, with the contacts marked.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use plotters::prelude::*;

use super::{Contact, Report};

/// Points along one flight.
const POINTS: usize = 24;
/// Flights shorter than this share of the whole are a line in the picture.
const SHORTEST: f64 = 1e-3;
const TRAVEL_PX: RGBColor = RGBColor(0x1b, 0x4f, 0x9c);
const MARKER_PX: RGBColor = RGBColor(0xc2, 0x3b, 0x22);

/// Draw the way of the ball into an SVG file.
pub fn draw(path: &Path, report: &Report) -> Result<()> {
    let (Some(first), Some(last)) = (report.contacts.first(), report.contacts.last()) else {
        bail!("--out: nothing to draw");
    };
    if first.gravity_m_per_s2 <= 0.0 {
        bail!("--out: only what comes back has a height to draw");
    }
    let end_s = report.rest_s.unwrap_or(last.time_s);
    let mut way = fall(first);
    for pair in
        report.contacts.windows(2).filter(|pair| pair[1].time_s - pair[0].time_s > SHORTEST * end_s)
    {
        way.extend(flight(&pair[0], &pair[1]));
    }
    way.push((end_s, 0.0));
    let contacts: Vec<f64> = report.contacts.iter().map(|contact| contact.time_s).collect();
    paint(path, &way, &contacts, end_s).map_err(|error| anyhow!("{}: {error}", path.display()))
}

fn paint(
    path: &Path,
    way: &[(f64, f64)],
    contacts: &[f64],
    end_s: f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let top_m = way.iter().fold(1e-9, |top: f64, (_, height)| top.max(*height));
    let root = SVGBackend::new(path, (720, 300)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(8)
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..1.02 * end_s, -0.06 * top_m..1.06 * top_m)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("time, s")
        .y_desc("height, m")
        .draw()?;
    chart.draw_series(LineSeries::new(way.iter().copied(), TRAVEL_PX.stroke_width(1)))?;
    let mark =
        |x: &f64| PathElement::new(vec![(*x, -0.05 * top_m), (*x, 0.0)], MARKER_PX.stroke_width(1));
    chart.draw_series(contacts.iter().map(mark))?;
    root.present()?;
    Ok(())
}

/// The way down before the first contact.
fn fall(first: &Contact) -> Vec<(f64, f64)> {
    let (v, g) = (first.speed_in_m_per_s, first.gravity_m_per_s2);
    let height = |before_s: f64| (v * before_s - 0.5 * g * before_s * before_s).max(0.0);
    let before_s = |i: usize| first.time_s * (POINTS - i) as f64 / POINTS as f64;
    (0..=POINTS).map(|i| (first.time_s - before_s(i), height(before_s(i)))).collect()
}

fn flight(from: &Contact, to: &Contact) -> impl Iterator<Item = (f64, f64)> {
    let (v, g) = (from.speed_out_m_per_s, from.gravity_m_per_s2);
    // Contact, and the way out of a dent if any, come before the flight.
    let flight_s = (2.0 * v / g).min(to.time_s - from.time_s);
    (0..=POINTS).map(move |i| {
        let t = flight_s * i as f64 / POINTS as f64;
        (to.time_s - flight_s + t, (v * t - 0.5 * g * t * t).max(0.0))
    })
}
