//! Figures 1 to 5: what is known without stepping.

use super::super::chart::{Frame, Mark, Series};
use super::super::paper::{MASS_KG, SHOWN};
use super::super::runs::{plain, trajectory};
use super::Figure;
use crate::contact::closed_form::Curve;
use crate::contact::release::{approximate_restitution, exact};
use crate::contact::{ContactSettings, Integrator};

const SPEEDS_M_PER_S: [f64; 4] = [0.5, 1.0, 2.0, 4.0];

/// Velocities from onset to release, closer at the ends where the compression moves fastest.
pub fn velocities(curve: &Curve) -> impl Iterator<Item = f64> {
    let (v_in, v_out) = (curve.v_in_m_per_s, curve.v_out_m_per_s);
    (0..=200).map(move |n| {
        let share = 0.5 * (1.0 - (std::f64::consts::PI * f64::from(n) / 200.0).cos());
        v_in + (v_out - v_in) * share * share * (3.0 - 2.0 * share)
    })
}

/// Figures 1 to 5.
pub fn all() -> Vec<Figure> {
    vec![phase_portraits(), hysteresis(), approximation(), hamiltonian(), external_force()]
}

fn curves() -> [Curve; 4] {
    SPEEDS_M_PER_S.map(|v| Curve::new(&SHOWN.law, MASS_KG, v))
}

fn phase_portraits() -> Figure {
    let mut series = Vec::new();
    for curve in curves() {
        let name = format!("v_in = {} m/s", curve.v_in_m_per_s);
        series.push(Series::new(
            name,
            Mark::Line,
            velocities(&curve).map(|v| (curve.compression_m(v), v)),
        ));
    }
    let reach = 0.2 * curves()[3].x_max_m();
    for curve in curves() {
        for v in [curve.v_in_m_per_s, curve.v_out_m_per_s] {
            series.push(Series::new("", Mark::Dashed, [(-reach, v), (0.0, v)]));
        }
    }
    series.push(Series::new("v_lim", Mark::Dashed, [(-reach, -2.0), (6.0 * reach, -2.0)]));
    (
        "fig01_phase",
        Frame {
            title: "1  Phase portraits",
            x: "compression, m",
            y: "velocity, m/s",
            ..Frame::default()
        },
        series,
    )
}

fn hysteresis() -> Figure {
    let spring = SHOWN.law.prepare();
    let mut series: Vec<Series> = curves()
        .iter()
        .map(|curve| {
            let points =
                velocities(curve).map(|v| (curve.compression_m(v), curve.force_n(&spring, v)));
            Series::new(format!("v_in = {} m/s", curve.v_in_m_per_s), Mark::Line, points)
        })
        .collect();
    let reach = curves()[3].x_max_m();
    let elastic = (0..=100).map(|n| f64::from(n) / 100.0 * reach).map(|x| (x, spring.elastic_n(x)));
    series.push(Series::new("k x^alpha", Mark::Dashed, elastic));
    let frame = Frame {
        title: "2  Force over compression",
        legend_left: true,
        x: "compression, m",
        y: "force, N",
        ..Frame::default()
    };
    ("fig02_hysteresis", frame, series)
}

fn approximation() -> Figure {
    let points = |order: usize| {
        (0..=300).map(move |n| 10f64.powf(-2.0 + 4.0 * f64::from(n) / 300.0)).map(move |u| {
            (u, 100.0 * (approximate_restitution(u, order) / exact(u).restitution - 1.0).abs())
        })
    };
    let series = (1..=4)
        .map(|order| Series::new(format!("order {order}"), Mark::Line, points(order)))
        .collect();
    let frame = Frame {
        title: "3  Error of the approximate release velocity",
        x: "mu v_in",
        y: "error, %",
        log: (true, true),
        window: Some([-2.0, 2.0, -12.0, 2.0]),
        ..Frame::default()
    };
    ("fig03_approximation", frame, series)
}

fn hamiltonian() -> Figure {
    let curve = Curve::new(&SHOWN.law, MASS_KG, 0.5);
    let ends = [curve.v_in_m_per_s, curve.v_out_m_per_s];
    let [h_start, h_end] = ends.map(|v| curve.hamiltonian_j(v));
    let series = vec![
        Series::new("H(v)", Mark::Line, velocities(&curve).map(|v| (v, curve.hamiltonian_j(v)))),
        Series::new("H_0", Mark::Dashed, ends.map(|v| (v, h_start))),
        Series::new("H_tau", Mark::Dashed, ends.map(|v| (v, h_end))),
    ];
    let frame = Frame {
        title: "4  Energy over velocity",
        x: "velocity, m/s",
        y: "energy, J",
        reversed: true,
        ..Frame::default()
    };
    ("fig04_hamiltonian", frame, series)
}

fn external_force() -> Figure {
    let series = [0.0, 0.5, 1.0, 2.0, 4.0]
        .map(|times| {
            let gravity_m_per_s2 = 9.81 * times;
            // Passive keeps the force in contact; at this rate its error is far below the width of
            // a line.
            let settings =
                ContactSettings { gravity_m_per_s2, ..plain(&SHOWN, Integrator::Passive) };
            let points = trajectory(&settings, 0.5, 4e6).into_iter().filter(|p| p.x_m >= 0.0);
            Series::new(
                format!("f_e = {times} m g"),
                Mark::Line,
                points.map(|p| (p.x_m, p.v_m_per_s)),
            )
        })
        .into();
    let frame = Frame {
        title: "5  A constant external force in contact",
        x: "compression, m",
        y: "velocity, m/s",
        window: Some([0.0, 2.5e-5, 0.495, 0.5015]),
        ..Frame::default()
    };
    ("fig05_external_force", frame, series)
}
