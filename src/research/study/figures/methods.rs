//! Figures 6 to 8: the four methods against the closed forms.

use super::super::chart::{Frame, Mark, Series};
use super::super::paper::{CASE_1, CASE_2, Case, FOUR, MASS_KG, RATE_HZ, SAFE};
use super::super::runs::{Point, plain, trajectory};
use super::Figure;
use super::theory::velocities;
use crate::contact::closed_form::Curve;

/// Figures 6 to 8.
pub fn all() -> Vec<Figure> {
    vec![
        portrait("fig06a_safe_phase", "6a  Non-critical: phase", &SAFE, None),
        energies("fig06b_safe_energy", "6b  Non-critical: energy", &SAFE),
        energies("fig07_case1_energy", "7  Low dissipation: energy", &CASE_1),
        portrait(
            "fig08a_case2_phase",
            "8a  Hard impact: phase",
            &CASE_2,
            Some([0.0, 4.2e-5, -0.9, 1.05]),
        ),
        energies("fig08b_case2_energy", "8b  Hard impact: energy", &CASE_2),
    ]
}

/// Velocity over compression, and the exact curve.
pub fn phase_series(case: &Case) -> Series {
    let curve = Curve::new(&case.law, MASS_KG, case.v_in_m_per_s);
    Series::new("exact", Mark::Line, velocities(&curve).map(|v| (curve.compression_m(v), v)))
}

/// Energy over velocity, and the exact curve.
pub fn energy_series(case: &Case) -> Series {
    let curve = Curve::new(&case.law, MASS_KG, case.v_in_m_per_s);
    Series::new("exact", Mark::Line, velocities(&curve).map(|v| (v, curve.hamiltonian_j(v))))
}

/// The same points as (x, v).
pub fn phase(points: Vec<Point>) -> impl Iterator<Item = (f64, f64)> {
    points.into_iter().map(|p| (p.x_m, p.v_m_per_s))
}

/// The same points as (v, H).
pub fn energy(points: Vec<Point>) -> impl Iterator<Item = (f64, f64)> {
    points.into_iter().map(|p| (p.v_m_per_s, p.energy_j))
}

/// Dots where there are few steps.
fn mark(case: &Case) -> Mark {
    if case.law.stiffness < 1e4 { Mark::Line } else { Mark::Dots }
}

fn portrait(
    name: &'static str,
    title: &'static str,
    case: &Case,
    window: Option<[f64; 4]>,
) -> Figure {
    let mut series = vec![phase_series(case)];
    for (method, integrator) in FOUR {
        let points = trajectory(&plain(case, integrator), case.v_in_m_per_s, RATE_HZ);
        series.push(Series::new(method, mark(case), phase(points)));
    }
    (
        name,
        Frame { title, x: "compression, m", y: "velocity, m/s", window, ..Frame::default() },
        series,
    )
}

fn energies(name: &'static str, title: &'static str, case: &Case) -> Figure {
    let mut series = vec![energy_series(case)];
    for (method, integrator) in FOUR {
        let points = trajectory(&plain(case, integrator), case.v_in_m_per_s, RATE_HZ);
        series.push(Series::new(method, mark(case), energy(points)));
    }
    (
        name,
        Frame { title, x: "velocity, m/s", y: "energy, J", reversed: true, ..Frame::default() },
        series,
    )
}
