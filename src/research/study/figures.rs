//! Figures 1 to 12 of the paper on Hunt–Crossley contacts, and three more on the implementation.

use std::path::Path;

use anyhow::{Context, Result};

use super::chart::{self, Chart, Mark, Series};
use super::paper::{
    CASE_1, CASE_2, Case, FOUR, MASS_KG, Point, RATE_HZ, SAFE, SHOWN, corrected, plain,
    release_error_pct, trajectory,
};
use super::{impacts, restitution};
use crate::contact::closed_form::Curve;
use crate::contact::release::{approximate_restitution, exact};
use crate::contact::rigid::RigidContact;
use crate::contact::trial::RigidTrial;
use crate::contact::{ContactSettings, Integrator, Oversampling, Release, Striker, Wall};

/// Onset speeds of figures 1 and 2.
const SPEEDS_M_PER_S: [f64; 4] = [0.5, 1.0, 2.0, 4.0];

/// Writes all figures into a folder and returns their number.
pub fn write(folder: &Path) -> Result<usize> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut charts =
        vec![phase_portraits(), hysteresis(), approximation(), hamiltonian(), external_force()];
    charts.extend(methods());
    charts.extend(corrections());
    charts.extend([convergence(), onset(), short_force()]);
    charts.extend(restitution::charts());
    charts.extend(impacts::charts());
    for chart in &charts {
        chart::write(folder, chart)?;
    }
    Ok(charts.len())
}

/// Values from `low` to `high` in equal steps.
pub fn sweep(low: f64, high: f64, steps: u32) -> impl Iterator<Item = f64> + Clone {
    (0..=steps).map(move |i| low + (high - low) * f64::from(i) / f64::from(steps))
}

/// Powers of ten with exponents in equal steps.
fn powers(low: f64, high: f64, steps: u32) -> impl Iterator<Item = f64> + Clone {
    sweep(low, high, steps).map(|exponent| 10f64.powf(exponent))
}

/// Velocities from onset to release, denser at both ends, where the compression changes fastest.
fn velocities(curve: &Curve) -> impl Iterator<Item = f64> {
    let (v_in, v_out) = (curve.v_in_m_per_s, curve.v_out_m_per_s);
    (0..=200).map(move |n| {
        let share = 0.5 * (1.0 - (std::f64::consts::PI * f64::from(n) / 200.0).cos());
        v_in + (v_out - v_in) * share * share * (3.0 - 2.0 * share)
    })
}

fn curves() -> [Curve; 4] {
    SPEEDS_M_PER_S.map(|v| Curve::new(&SHOWN.law, MASS_KG, v))
}

fn phase_portraits() -> Chart {
    let mut series = Vec::new();
    for curve in curves() {
        let name = format!("v_in = {} m/s", curve.v_in_m_per_s);
        let points = velocities(&curve).map(|v| (curve.compression_m(v), v));
        series.push(Series::new(name, Mark::Line, points));
    }
    let reach = 0.2 * curves()[3].x_max_m();
    for curve in curves() {
        for v in [curve.v_in_m_per_s, curve.v_out_m_per_s] {
            series.push(Series::new("", Mark::Dashed, [(-reach, v), (0.0, v)]));
        }
    }
    series.push(Series::new("v_lim", Mark::Dashed, [(-reach, -2.0), (6.0 * reach, -2.0)]));
    Chart {
        name: "fig01_phase",
        title: "1  Phase portraits",
        x: "compression, m",
        y: "velocity, m/s",
        series,
        ..Chart::default()
    }
}

fn hysteresis() -> Chart {
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
    Chart {
        name: "fig02_hysteresis",
        title: "2  Force over compression",
        legend_left: true,
        x: "compression, m",
        y: "force, N",
        series,
        ..Chart::default()
    }
}

fn approximation() -> Chart {
    let points = |order: usize| {
        powers(-2.0, 2.0, 300).map(move |u| {
            (u, 100.0 * (approximate_restitution(u, order) / exact(u).restitution - 1.0).abs())
        })
    };
    Chart {
        name: "fig03_approximation",
        title: "3  Error of the approximate release velocity",
        x: "mu v_in",
        y: "error, %",
        log: (true, true),
        window: Some([-2.0, 2.0, -12.0, 2.0]),
        series: (1..=4)
            .map(|order| Series::new(format!("order {order}"), Mark::Line, points(order)))
            .collect(),
        ..Chart::default()
    }
}

fn hamiltonian() -> Chart {
    let curve = Curve::new(&SHOWN.law, MASS_KG, 0.5);
    let ends = [curve.v_in_m_per_s, curve.v_out_m_per_s];
    let [h_start, h_end] = ends.map(|v| curve.hamiltonian_j(v));
    let points = velocities(&curve).map(|v| (v, curve.hamiltonian_j(v)));
    Chart {
        name: "fig04_hamiltonian",
        title: "4  Energy over velocity",
        x: "velocity, m/s",
        y: "energy, J",
        reversed: true,
        series: vec![
            Series::new("H(v)", Mark::Line, points),
            Series::new("H_0", Mark::Dashed, ends.map(|v| (v, h_start))),
            Series::new("H_tau", Mark::Dashed, ends.map(|v| (v, h_end))),
        ],
        ..Chart::default()
    }
}

fn external_force() -> Chart {
    let series = [0.0, 0.5, 1.0, 2.0, 4.0].map(|times| {
        let gravity_m_per_s2 = 9.81 * times;
        // Passive applies the force in contact; at this rate its error is far below a line width.
        let settings = ContactSettings { gravity_m_per_s2, ..plain(&SHOWN, Integrator::Passive) };
        let points = trajectory(&settings, 0.5, 4e6).into_iter().filter(|p| p.x_m >= 0.0);
        let points = points.map(|p| (p.x_m, p.v_m_per_s));
        Series::new(format!("f_e = {times} m g"), Mark::Line, points)
    });
    Chart {
        name: "fig05_external_force",
        title: "5  A constant external force in contact",
        x: "compression, m",
        y: "velocity, m/s",
        window: Some([0.0, 2.5e-5, 0.495, 0.5015]),
        series: series.into(),
        ..Chart::default()
    }
}

/// Axes on which the steps of a contact are compared with the closed form.
#[derive(Clone, Copy, PartialEq)]
enum Axes {
    /// Velocity over compression, with a window.
    Phase(Option<[f64; 4]>),
    /// Energy over velocity, from onset to release.
    Energy,
}

/// The closed form of a case, and the steps of one contact with each of the settings.
fn comparison(
    name: &'static str,
    title: &'static str,
    axes: Axes,
    case: &Case,
    settings: &[(&str, ContactSettings)],
) -> Chart {
    let curve = Curve::new(&case.law, MASS_KG, case.v_in_m_per_s);
    let of_curve = |v| match axes {
        Axes::Phase(_) => (curve.compression_m(v), v),
        Axes::Energy => (v, curve.hamiltonian_j(v)),
    };
    let of_step = |p: Point| match axes {
        Axes::Phase(_) => (p.x_m, p.v_m_per_s),
        Axes::Energy => (p.v_m_per_s, p.energy_j),
    };
    // Soft contacts have too many steps for dots.
    let mark = if case.law.stiffness < 1e4 { Mark::Line } else { Mark::Dots };
    let mut series = vec![Series::new("exact", Mark::Line, velocities(&curve).map(of_curve))];
    for (name, settings) in settings {
        let steps = trajectory(settings, case.v_in_m_per_s, RATE_HZ);
        series.push(Series::new(*name, mark, steps.into_iter().map(of_step)));
    }
    let chart = Chart { name, title, series, ..Chart::default() };
    match axes {
        Axes::Phase(window) => Chart { x: "compression, m", y: "velocity, m/s", window, ..chart },
        Axes::Energy => Chart { x: "velocity, m/s", y: "energy, J", reversed: true, ..chart },
    }
}

/// Figures 6 to 8: the four methods without corrections.
fn methods() -> [Chart; 5] {
    let window = Some([0.0, 4.2e-5, -0.9, 1.05]);
    [
        ("fig06a_safe_phase", "6a  Non-critical: phase", Axes::Phase(None), SAFE),
        ("fig06b_safe_energy", "6b  Non-critical: energy", Axes::Energy, SAFE),
        ("fig07_case1_energy", "7  Low dissipation: energy", Axes::Energy, CASE_1),
        ("fig08a_case2_phase", "8a  Hard impact: phase", Axes::Phase(window), CASE_2),
        ("fig08b_case2_energy", "8b  Hard impact: energy", Axes::Energy, CASE_2),
    ]
    .map(|(name, title, axes, case)| {
        let settings = FOUR.map(|(method, integrator)| (method, plain(&case, integrator)));
        comparison(name, title, axes, &case, &settings)
    })
}

/// Figures 9 to 12: the corrections.
fn corrections() -> Vec<Chart> {
    let window = Some([0.0, 4.8e-5, -0.9, 1.05]);
    let mut charts: Vec<Chart> = [
        ("fig09_heun_case1", "9  Heun, low dissipation: energy", Axes::Energy, CASE_1),
        ("fig10a_heun_case2_phase", "10a  Heun, hard impact: phase", Axes::Phase(window), CASE_2),
        ("fig10b_heun_case2_energy", "10b  Heun, hard impact: energy", Axes::Energy, CASE_2),
    ]
    .map(|(name, title, axes, case)| {
        let settings = [
            ("Heun", plain(&case, Integrator::Heun)),
            ("Heun corrected", corrected(&case, Integrator::Heun, Release::Approximate)),
        ];
        comparison(name, title, axes, &case, &settings)
    })
    .into();
    charts.push(Chart {
        name: "fig11a_trend_mu",
        title: "11a  RK4: deviation of H as mu varies",
        x: "mu, s/m",
        ..trend(|case, mu| case.law.mu_s_per_m = mu)
    });
    charts.push(Chart {
        name: "fig11b_trend_v",
        title: "11b  RK4: deviation of H as v_in varies",
        x: "v_in, m/s",
        ..trend(|case, v| case.v_in_m_per_s = v)
    });
    charts.push(rebounds());
    charts
}

/// Deviation of H over one varied quantity. The fixed values are those of the paper.
fn trend(vary: fn(&mut Case, f64)) -> Chart {
    let fixed = Case { v_in_m_per_s: 0.5, ..CASE_2 };
    let run = |settings: fn(&Case) -> ContactSettings| {
        powers(-3.0, -0.3, 60).map(move |value| {
            let mut case = fixed;
            vary(&mut case, value);
            let got = RigidTrial::single(settings(&case), case.v_in_m_per_s, RATE_HZ).run();
            // A floor keeps rounding errors on the logarithmic axis.
            (value, got.dev_h_pct.max(1e-14))
        })
    };
    let with_corrections = |case: &Case| corrected(case, Integrator::Rk4, Release::Approximate);
    Chart {
        y: "dev(H), %",
        log: (true, true),
        series: vec![
            Series::new("RK4", Mark::Dots, run(|case| plain(case, Integrator::Rk4))),
            Series::new("RK4 corrected", Mark::Dots, run(with_corrections)),
        ],
        ..Chart::default()
    }
}

/// Height over time of a train of contacts that begin on samples, with parabolic flights.
fn train(settings: &ContactSettings, contacts: u32) -> Vec<(f64, f64)> {
    const GRAVITY_M_PER_S2: f64 = 9.81;
    let (mut now_s, mut v) = (0.0, CASE_2.v_in_m_per_s);
    let mut points = Vec::new();
    for _ in 0..contacts {
        let got = RigidTrial::single(*settings, v, RATE_HZ).run();
        now_s += got.contact_time_s;
        v = -got.v_out;
        for n in 0..=12 {
            let t = 2.0 * v / GRAVITY_M_PER_S2 * f64::from(n) / 12.0;
            points.push((now_s + t, t * (v - 0.5 * GRAVITY_M_PER_S2 * t)));
        }
        now_s += 2.0 * v / GRAVITY_M_PER_S2;
    }
    points
}

fn rebounds() -> Chart {
    let series = [
        ("Verlet", plain(&CASE_2, Integrator::Verlet)),
        ("RK4", plain(&CASE_2, Integrator::Rk4)),
        ("Verlet corrected", corrected(&CASE_2, Integrator::Verlet, Release::Approximate)),
        ("Exact", corrected(&CASE_2, Integrator::Exact, Release::Exact)),
    ]
    .map(|(name, settings)| Series::new(name, Mark::Line, train(&settings, 30)));
    Chart {
        name: "fig12_rebounds",
        title: "12  A train of rebounds, hard impact",
        x: "time, s",
        y: "height, m",
        window: Some([1.0, 1.35, 0.0, 0.0014]),
        series: series.into(),
        ..Chart::default()
    }
}

/// The methods of figures 13 and 14, without corrections.
fn plain_methods() -> impl Iterator<Item = (&'static str, ContactSettings)> {
    let passive = [("Passive", Integrator::Passive)];
    FOUR.into_iter().chain(passive).map(|(name, method)| (name, plain(&CASE_2, method)))
}

fn convergence() -> Chart {
    let series = plain_methods().map(|(name, settings)| {
        let error = |steps| release_error_pct(&CASE_2, settings, steps, 0.0).abs().max(1e-7);
        Series::new(name, Mark::Line, powers(0.5, 2.5, 40).map(|steps| (steps, error(steps))))
    });
    Chart {
        name: "fig13_convergence",
        title: "13  Error of the release velocity, plain methods",
        x: "steps per contact",
        y: "error, %",
        log: (true, true),
        series: series.collect(),
        ..Chart::default()
    }
}

fn onset() -> Chart {
    let exact = corrected(&CASE_2, Integrator::Verlet, Release::Exact);
    let series = plain_methods().chain([("Verlet corrected", exact)]).map(|(name, settings)| {
        let onsets = (0..100).map(|n| f64::from(n) / 100.0);
        let points = onsets.map(|onset| (onset, release_error_pct(&CASE_2, settings, 6.0, onset)));
        Series::new(name, Mark::Line, points)
    });
    Chart {
        name: "fig14_onset",
        title: "14  Error of the release velocity, 6 steps per contact",
        x: "onset within the sample",
        y: "error, %",
        series: series.collect(),
        ..Chart::default()
    }
}

/// Mean force of every step over time in samples, as a staircase.
fn force(settings: &ContactSettings, v_in: f64, onset: f64) -> Vec<(f64, f64)> {
    let dt_s = 1.0 / RATE_HZ;
    let mut striker = Striker::new();
    let mut wall = Wall::default();
    let mut points = vec![(onset, 0.0)];
    striker.strike(settings, v_in, onset * dt_s);
    while striker.is_active() {
        striker.advance_watched(dt_s, &mut wall, &mut |contact: &RigidContact, step| {
            let end = onset + contact.elapsed_s() / dt_s;
            points.push((end - step.duration_s / dt_s, step.force_n));
            points.push((end, step.force_n));
        });
    }
    points.push(points.last().map_or((0.0, 0.0), |last| (last.0, 0.0)));
    points
}

fn short_force() -> Chart {
    let mut case = CASE_2;
    case.law.stiffness = 1e11;
    let one_step = ContactSettings {
        steps_per_sample: Oversampling::Times(1),
        ..corrected(&case, Integrator::Rk4, Release::Exact)
    };
    let series = [
        ("Exact", corrected(&case, Integrator::Exact, Release::Exact)),
        ("Passive", plain(&case, Integrator::Passive)),
        ("RK4 corrected, one step per sample", one_step),
    ]
    .map(|(name, settings)| Series::new(name, Mark::Line, force(&settings, 1.0, 0.4)));
    Chart {
        name: "fig15_short_contact",
        title: "15  A contact of 0.93 samples, k = 1e11",
        x: "time, samples",
        y: "force, N",
        series: series.into(),
        ..Chart::default()
    }
}
