//! Figures 13 to 15: beyond the paper.

use super::super::chart::{Frame, Mark, Series};
use super::super::paper::{CASE_2, MASS_KG, RATE_HZ};
use super::super::runs::{corrected, plain, release_error_pct};
use super::Figure;
use crate::contact::rigid::RigidContact;
use crate::contact::{ContactSettings, Integrator, Oversampling, Release, Striker, Wall};

/// Figures 13 to 15.
pub fn all() -> Vec<Figure> {
    vec![convergence(), onset(), short_force()]
}

fn methods() -> [(&'static str, Integrator); 5] {
    [
        ("AM1", Integrator::Am1),
        ("Verlet", Integrator::Verlet),
        ("Heun", Integrator::Heun),
        ("RK4", Integrator::Rk4),
        ("Passive", Integrator::Passive),
    ]
}

fn convergence() -> Figure {
    let series = methods()
        .map(|(name, integrator)| {
            let points = (0..=40).map(move |n| 10f64.powf(0.5 + 2.0 * f64::from(n) / 40.0)).map(
                move |steps| {
                    (
                        steps,
                        release_error_pct(&CASE_2, plain(&CASE_2, integrator), steps, 0.0)
                            .abs()
                            .max(1e-7),
                    )
                },
            );
            Series::new(name, Mark::Line, points)
        })
        .into();
    let frame = Frame {
        title: "13  Error of the release velocity, plain methods",
        x: "steps per contact",
        y: "error, %",
        log: (true, true),
        ..Frame::default()
    };
    ("fig13_convergence", frame, series)
}

fn onset() -> Figure {
    let mut series: Vec<Series> = methods()
        .map(|(name, integrator)| {
            let points = (0..100).map(|n| f64::from(n) / 100.0);
            let settings = plain(&CASE_2, integrator);
            Series::new(
                name,
                Mark::Line,
                points.map(move |t| (t, release_error_pct(&CASE_2, settings, 6.0, t))),
            )
        })
        .into();
    let exact = corrected(&CASE_2, Integrator::Verlet, Release::Exact);
    let points = (0..100).map(|n| f64::from(n) / 100.0);
    let points = points.map(|t| (t, release_error_pct(&CASE_2, exact, 6.0, t)));
    series.push(Series::new("Verlet corrected", Mark::Line, points));
    let frame = Frame {
        title: "14  Error of the release velocity, 6 steps per contact",
        x: "onset within the sample",
        y: "error, %",
        ..Frame::default()
    };
    ("fig14_onset", frame, series)
}

/// Mean force of every step, drawn as the steps it is held for.
fn force(settings: &ContactSettings, v_in: f64, onset: f64) -> Vec<(f64, f64)> {
    let dt_s = 1.0 / RATE_HZ;
    let mut striker = Striker::new();
    let mut wall = Wall::default();
    let mut points = vec![(onset, 0.0)];
    striker.strike(settings, v_in, onset * dt_s);
    while striker.is_active() {
        striker.advance_watched(dt_s, &mut wall, &mut |touch: &RigidContact, step| {
            let end = onset + touch.elapsed_s() / dt_s;
            points.push((end - step.duration_s / dt_s, step.force_n));
            points.push((end, step.force_n));
        });
    }
    points.push(points.last().map_or((0.0, 0.0), |last| (last.0, 0.0)));
    points
}

fn short_force() -> Figure {
    let mut case = CASE_2;
    case.law.stiffness = 1e11;
    let exact = corrected(&case, Integrator::Exact, Release::Exact);
    let passive = ContactSettings { mass_kg: MASS_KG, ..plain(&case, Integrator::Passive) };
    let once = ContactSettings {
        steps_per_sample: Oversampling::Times(1),
        ..corrected(&case, Integrator::Rk4, Release::Exact)
    };
    let series = vec![
        Series::new("Exact", Mark::Line, force(&exact, 1.0, 0.4)),
        Series::new("Passive", Mark::Line, force(&passive, 1.0, 0.4)),
        Series::new("RK4 corrected, one step per sample", Mark::Line, force(&once, 1.0, 0.4)),
    ];
    let frame = Frame {
        title: "15  A contact of 0.93 samples, k = 1e11",
        x: "time, samples",
        y: "force, N",
        ..Frame::default()
    };
    ("fig15_short_contact", frame, series)
}
