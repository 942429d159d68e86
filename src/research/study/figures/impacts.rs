//! Hodographs and impulse curves of Jia and Wang, and what the steps of PLUS do to an impulse.

use super::Figure;
use crate::research::study::chart::{Frame, Mark, Series};
use crate::research::study::impacts::{JiaCase, Point, example_1, fixed_steps, jia, plus_settings};
use crate::rigid_body::simultaneous::{Budget, solve};

/// Fixed steps of one course: enough for a line.
const STEPS: f64 = 20_000.0;

fn impulse_path(case: &JiaCase) -> Vec<Point> {
    let whole = crate::rigid_body::single_point::solve(
        &case.impact,
        &crate::rigid_body::single_point::Accuracy::FINE,
    );
    let mut points = Vec::new();
    fixed_steps(&case.impact, whole.impulse_ns[2] / STEPS, |point| points.push(*point));
    points
}

fn series(case: &JiaCase, of: impl Fn(&Point) -> (f64, f64)) -> Series {
    Series::new(
        format!("{}, mu {}", case.name, case.impact.mu),
        Mark::Line,
        impulse_path(case).iter().map(of),
    )
}

/// All of them.
pub fn all() -> Vec<Figure> {
    let cases = jia();
    let slip = |point: &Point| (point.slip_m_per_s[0], point.slip_m_per_s[1]);
    let along =
        |point: &Point| (point.impulse_ns[2], point.impulse_ns[0].hypot(point.impulse_ns[1]));
    let hodographs = |title, cases: &[JiaCase]| {
        let frame =
            Frame { title, x: "slip along x, m/s", y: "slip along y, m/s", ..Frame::default() };
        (frame, cases.iter().map(|case| series(case, slip)).collect::<Vec<_>>())
    };
    let curves = |title, cases: &[JiaCase]| {
        let frame = Frame {
            title,
            x: "normal impulse, N s",
            y: "impulse of friction, N s",
            legend_left: true,
            ..Frame::default()
        };
        (frame, cases.iter().map(|case| series(case, along)).collect::<Vec<_>>())
    };
    let named = |name: &'static str, (frame, series): (Frame, Vec<Series>)| (name, frame, series);
    let thetas: Vec<f64> =
        (0..40).map(|n| 0.005 * 1.13f64.powi(n)).take_while(|theta| *theta < 0.6).collect();
    let by_theta = [(0.125, 0.392), (0.225, 0.387), (0.325, 0.373)].map(|(mu, e)| {
        let intervals = |theta: f64| {
            f64::from(solve(&example_1(mu), &plus_settings(e, theta), &Budget::STUDY).intervals)
        };
        Series::new(
            format!("mu {mu}"),
            Mark::Dots,
            thetas.iter().map(|&theta| (theta, intervals(theta))),
        )
    });
    let plus = Frame {
        title: "PLUS, Example 1: intervals against the largest turn of the slip",
        x: "theta_max, rad",
        y: "intervals",
        log: (true, true),
        ..Frame::default()
    };
    vec![
        named(
            "jia04_hodographs",
            hodographs("Jia and Wang, Fig. 4: hodographs of the slip", &cases[..4]),
        ),
        named("jia07_hodograph", hodographs("Fig. 7: it passes the origin by", &cases[4..5])),
        named("jia10_hodographs", hodographs("Fig. 10: hodographs of the slip", &cases[5..])),
        named("jia04_impulses", curves("Fig. 4: friction against pressure", &cases[..4])),
        named("jia10_impulses", curves("Fig. 10: friction against pressure", &cases[5..])),
        ("plus10_intervals", plus, by_theta.into()),
    ]
}
