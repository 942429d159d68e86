//! Figures 6 to 9, 11 and 12 of Poursina and Nikravesh, and the estimates beside them.

use super::super::chart::{Frame, Mark, Series};
use super::super::estimates::{self, DampingRule};
use super::super::pendulum::{self, Model, State};
use super::Figure;
use crate::contact::restitution::Estimate;
use crate::contact::restitution::{fit, grid, kelvin_voigt};

/// All of them.
pub fn all() -> Vec<Figure> {
    let mut figures = vec![damping(), error(), linear(), linear_error(), of_estimates()];
    figures.extend(coefficients());
    figures.extend(pendulums());
    figures
}

/// e from `low` to `high` in equal steps.
fn sweep(low: f64, high: f64, steps: u32) -> impl Iterator<Item = f64> + Clone {
    (0..=steps).map(move |i| low + (high - low) * f64::from(i) / f64::from(steps))
}

fn damping() -> Figure {
    let mut series = Vec::new();
    for (n, printed) in [(1.2, (1.59, -0.3794)), (1.8, (2.47, -0.2323))] {
        let es = sweep(0.02, 1.0, 100);
        series.push(Series::new(
            format!("n = {n}, exact"),
            Mark::Line,
            es.clone().map(|e| (e, grid::damping(e, n))),
        ));
        let fitted = es.map(|e| (e, printed.0 * (e.powf(printed.1) - 1.0)));
        series.push(Series::new(format!("n = {n}, as printed"), Mark::Dashed, fitted));
    }
    let frame =
        Frame { title: "Fig. 6  Damping over restitution", x: "e", y: "C", ..Frame::default() };
    ("rest06_damping", frame, series)
}

/// alpha and beta of eq. (45) that fit our exact dampings best over e 0.45...1.
fn best_fit(n: f64) -> (f64, f64) {
    let misfit = |beta: f64| {
        let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
        for e in sweep(0.45, 1.0, 200) {
            let (shape, c) = (e.powf(beta) - 1.0, grid::damping(e, n));
            (ab, aa, bb) = (ab + shape * c, aa + shape * shape, bb + c * c);
        }
        (bb - ab * ab / aa, ab / aa)
    };
    let (mut low, mut high) = (-1.0, -0.02);
    for _ in 0..80 {
        let (a, b) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
        if misfit(a).0 < misfit(b).0 { high = b } else { low = a }
    }
    let beta = 0.5 * (low + high);
    (misfit(beta).1, beta)
}

fn coefficients() -> [Figure; 2] {
    let ns = || sweep(1.0, 2.0, 50);
    let of = |ours: fn((f64, f64)) -> f64, printed: fn(f64) -> f64| {
        vec![
            Series::new("fitted anew", Mark::Dots, ns().map(move |n| (n, ours(best_fit(n))))),
            Series::new("as printed", Mark::Line, ns().map(move |n| (n, printed(n)))),
        ]
    };
    let frame = |title, y| Frame { title, x: "n", y, ..Frame::default() };
    [
        (
            "rest07a_alpha",
            frame("Fig. 7a  Coefficient alpha, eq. (46)", "alpha"),
            of(|ab| ab.0, fit::alpha),
        ),
        (
            "rest07b_beta",
            frame("Fig. 7b  Coefficient beta, eq. (47)", "beta"),
            of(|ab| ab.1, fit::beta),
        ),
    ]
}

fn error() -> Figure {
    let worst = |of: fn(f64) -> DampingRule| {
        sweep(0.005, 0.995, 99).map(move |e| {
            let worst =
                sweep(1.0, 2.0, 20).map(|n| (of(n).e_out(e) - e).abs()).fold(1e-12, f64::max);
            (e, worst)
        })
    };
    let series = vec![
        Series::new("c_opt, eq. (49)", Mark::Line, worst(DampingRule::ClosedForm)),
        Series::new("our table", Mark::Line, worst(DampingRule::Table)),
    ];
    let frame = Frame {
        title: "Fig. 8  Largest error over n 1...2",
        x: "e",
        y: "|e_out - e|",
        log: (false, true),
        window: Some([0.0, 1.0, -12.0, 0.0]),
        ..Frame::default()
    };
    ("rest08_error", frame, series)
}

/// The exact e of n = 1 at the damping of eq. (57).
fn linear_e(e: f64) -> f64 {
    kelvin_voigt::restitution(0.5 * fit::damping(e, 1.0))
}

fn linear() -> Figure {
    let series = vec![
        Series::new("by c_opt", Mark::Line, sweep(1e-4, 1.0, 200).map(|e| (e, linear_e(e)))),
        Series::new("wanted", Mark::Dashed, sweep(0.0, 1.0, 1).map(|e| (e, e))),
    ];
    let frame =
        Frame { title: "Fig. 9a  Kelvin-Voigt, n = 1", x: "e", y: "e exact", ..Frame::default() };
    ("rest09a_linear", frame, series)
}

fn linear_error() -> Figure {
    let table =
        |e: f64| (kelvin_voigt::restitution(0.5 * grid::damping(e, 1.0)) - e).abs().max(1e-12);
    let series = vec![
        Series::new(
            "c_opt, eq. (57)",
            Mark::Line,
            sweep(1e-4, 1.0, 200).map(|e| (e, (linear_e(e) - e).abs().max(1e-12))),
        ),
        Series::new("our table", Mark::Line, sweep(1e-4, 1.0, 200).map(move |e| (e, table(e)))),
    ];
    let frame = Frame {
        title: "Fig. 9b  Kelvin-Voigt, error",
        x: "e",
        y: "|e exact - e|",
        log: (false, true),
        window: Some([0.0, 1.0, -12.0, 0.0]),
        ..Frame::default()
    };
    ("rest09b_linear_error", frame, series)
}

fn of_estimates() -> Figure {
    let damping_rules = estimates::damping_rules()
        .into_iter()
        .filter(|way| !matches!(way, DampingRule::ExactMu | DampingRule::Table(_)));
    let series = damping_rules.map(|way| {
        Series::new(
            way.name(),
            Mark::Line,
            sweep(0.02, 1.0, 98).map(move |e| (e, way.e_out(e) - e)),
        )
    });
    let frame = Frame {
        title: "Errors of the estimates",
        x: "e wanted",
        y: "e_out - e",
        ..Frame::default()
    };
    ("rest10_estimates", frame, series.collect())
}

fn pendulums() -> [Figure; 3] {
    let shown = [
        ("piecewise", Model::Piecewise, Mark::Line),
        ("linear damper", Model::DamperExact, Mark::Dashed),
        ("Hunt-Crossley, eq. (16)", Model::HuntCrossley(Estimate::FloresYe), Mark::Dashed),
    ];
    let films = shown.map(|(name, model, mark)| (name, pendulum::run(model), mark));
    let rates = |rod: usize| {
        let points = |frames: &[(f64, State)]| {
            frames.iter().map(|(t, s)| (*t, s.rate[rod])).collect::<Vec<_>>()
        };
        films
            .iter()
            .map(|(name, film, mark)| Series::new(*name, *mark, points(&film.frames)))
            .collect()
    };
    let frame = |title, y| Frame { title, x: "t, s", y, ..Frame::default() };
    let first = films.iter().skip(1).map(|(name, film, _)| {
        Series::new(*name, Mark::Line, film.first.iter().map(|(x, f)| (1e3 * x, f * 1e-3)))
    });
    let force = Frame {
        title: "Fig. 12  First impact",
        x: "penetration, mm",
        y: "force, kN",
        window: Some([0.0, 1.1, 0.0, 9.0]),
        ..Frame::default()
    };
    [
        ("rest11a_long", frame("Fig. 11a  Two pendulums: the long rod", "rad/s"), rates(0)),
        ("rest11b_short", frame("Fig. 11b  Two pendulums: the short rod", "rad/s"), rates(1)),
        ("rest12_force", force, first.collect()),
    ]
}
