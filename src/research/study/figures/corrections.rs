//! Figures 9 to 12: what the corrections mend.

use super::super::chart::{Frame, Mark, Series};
use super::super::paper::{CASE_1, CASE_2, Case, RATE_HZ};
use super::super::runs::{corrected, plain, trajectory};
use super::Figure;
use super::methods::{energy, energy_series, phase, phase_series};
use crate::contact::trial::RigidTrial;
use crate::contact::{ContactSettings, Integrator, Release};

/// Figures 9 to 12.
pub fn all() -> Vec<Figure> {
    vec![
        heun_energy("fig09_heun_case1", "9  Heun, low dissipation: energy", &CASE_1),
        heun_phase(),
        heun_energy("fig10b_heun_case2_energy", "10b  Heun, hard impact: energy", &CASE_2),
        trend("fig11a_trend_mu", "11a  RK4: deviation of H as mu varies", "mu, s/m", |case, t| {
            case.law.mu_s_per_m = t
        }),
        trend(
            "fig11b_trend_v",
            "11b  RK4: deviation of H as v_in varies",
            "v_in, m/s",
            |case, t| case.v_in_m_per_s = t,
        ),
        rebounds(),
    ]
}

fn heun(case: &Case) -> [(&'static str, ContactSettings); 2] {
    [
        ("Heun", plain(case, Integrator::Heun)),
        ("Heun corrected", corrected(case, Integrator::Heun, Release::Approximate)),
    ]
}

fn heun_energy(name: &'static str, title: &'static str, case: &Case) -> Figure {
    let mut series = vec![energy_series(case)];
    for (name, settings) in heun(case) {
        let points = trajectory(&settings, case.v_in_m_per_s, RATE_HZ);
        series.push(Series::new(name, Mark::Dots, energy(points)));
    }
    (
        name,
        Frame { title, x: "velocity, m/s", y: "energy, J", reversed: true, ..Frame::default() },
        series,
    )
}

fn heun_phase() -> Figure {
    let mut series = vec![phase_series(&CASE_2)];
    for (name, settings) in heun(&CASE_2) {
        let points = trajectory(&settings, CASE_2.v_in_m_per_s, RATE_HZ);
        series.push(Series::new(name, Mark::Dots, phase(points)));
    }
    let frame = Frame {
        title: "10a  Heun, hard impact: phase",
        x: "compression, m",
        y: "velocity, m/s",
        window: Some([0.0, 4.8e-5, -0.9, 1.05]),
        ..Frame::default()
    };
    ("fig10a_heun_case2_phase", frame, series)
}

/// The paper leaves mu = 0.5 s/m and v_in = 0.5 m/s where they do not vary, with k = 1e9.
fn trend(
    name: &'static str,
    title: &'static str,
    x: &'static str,
    vary: fn(&mut Case, f64),
) -> Figure {
    let mut still = CASE_2;
    still.v_in_m_per_s = 0.5;
    let run = |settings: fn(&Case) -> ContactSettings| {
        (0..=60).map(move |n| 10f64.powf(-3.0 + 2.7 * f64::from(n) / 60.0)).map(move |t| {
            let mut case = still;
            vary(&mut case, t);
            let got = RigidTrial::single(settings(&case), case.v_in_m_per_s, RATE_HZ).run();
            // A floor, so that what is nothing but rounding still has a place on a logarithmic
            // axis.
            (t, got.dev_h_pct.max(1e-14))
        })
    };
    let series = vec![
        Series::new("RK4", Mark::Dots, run(|case| plain(case, Integrator::Rk4))),
        Series::new(
            "RK4 corrected",
            Mark::Dots,
            run(|case| corrected(case, Integrator::Rk4, Release::Approximate)),
        ),
    ];
    (name, Frame { title, x, y: "dev(H), %", log: (true, true), ..Frame::default() }, series)
}

/// Height over time of a train on the ideal grid, flights drawn as the parabolas they are.
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

fn rebounds() -> Figure {
    let series = [
        ("Verlet", plain(&CASE_2, Integrator::Verlet)),
        ("RK4", plain(&CASE_2, Integrator::Rk4)),
        ("Verlet corrected", corrected(&CASE_2, Integrator::Verlet, Release::Approximate)),
        ("Exact", corrected(&CASE_2, Integrator::Exact, Release::Exact)),
    ]
    .map(|(name, settings)| Series::new(name, Mark::Line, train(&settings, 30)))
    .into();
    let frame = Frame {
        title: "12  A train of rebounds, hard impact",
        x: "time, s",
        y: "height, m",
        window: Some([1.0, 1.35, 0.0, 0.0014]),
        ..Frame::default()
    };
    ("fig12_rebounds", frame, series)
}
