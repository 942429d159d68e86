//! Growth of the cost with modes and voices.

use ictus_bench::GESTURES;
use ictus_bench::{BLOCK, RATE_HZ};

use super::matrix::{self, Load};

/// A line fitted to points.
struct Line {
    at_zero: f64,
    slope: f64,
    /// Share of the variance that the line explains.
    r_squared: f64,
}

/// Fits a line by least squares.
fn line(points: &[(f64, f64)]) -> Line {
    let n = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let (xx, xy) = (mean(&|p| (p.0 - x) * (p.0 - x)), mean(&|p| (p.0 - x) * (p.1 - y)));
    let slope = xy / xx;
    let at_zero = y - slope * x;
    let left = mean(&|p| (p.1 - at_zero - slope * p.0).powi(2));
    Line { at_zero, slope, r_squared: 1.0 - left / mean(&|p| (p.1 - y) * (p.1 - y)) }
}

/// Numbers of modes.
const MODES: [&str; 6] = ["16", "32", "64", "128", "192", "256"];
/// A body that has so many modes at these keys, without decay, so that all modes stay active.
const UNDAMPED: [(&str, &str); 4] =
    [("body", "Membrane"), ("supp", "0.05"), ("tanphi", "1e-5"), ("visc", "1e-10")];
const VOICES: usize = 16;

/// Prints both fits.
pub fn print() {
    let per_sample = |load: &Load| load.mean_ns / BLOCK as f64;
    let strikes = |voices: usize| per_sample(&matrix::load(&GESTURES[0], voices, &[]));
    let voices = matrix::VOICES.map(|voices| (voices as f64, strikes(voices)));
    let by_voices = line(&voices);
    let modes = MODES.map(|modes| {
        let load =
            matrix::load(&GESTURES[0], VOICES, &[&UNDAMPED[..], &[("modes", modes)]].concat());
        (modes.parse().expect("a number"), per_sample(&load) / VOICES as f64)
    });
    let by_modes = line(&modes);
    println!("| | measured, ns per sample | line | R² |\n|---|---|---|---|");
    let row = |what: &str, points: &[(f64, f64)], line: &Line, unit: &str| {
        let cells: Vec<_> = points.iter().map(|(x, y)| format!("{x:.0}: {y:.1}")).collect();
        let fit = format!("{:.1} + {:.3} per {unit}", line.at_zero, line.slope);
        println!("| {what} | {} | {fit} | {:.4} |", cells.join(", "), line.r_squared);
    };
    row("voices of 64 modes, struck ten times a second", &voices, &by_voices, "voice");
    row("modes of one voice (of sixteen membranes), the same", &modes, &by_modes, "mode");
    let percent = |ns: f64| 100.0 * ns * 1e-9 * RATE_HZ;
    println!(
        "\nOne more voice of 64 modes: {:.3} % of a core; one more mode: {:.5} %.",
        percent(by_voices.slope),
        percent(by_modes.slope)
    );
}
