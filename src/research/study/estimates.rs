//! How well each way of damping returns the restitution it was asked for.

use super::pendulum::{self, Model, Simulation};
use crate::contact::release;
use crate::contact::restitution::Estimate;
use crate::contact::restitution::{fit, grid, hunt_crossley, rebound};

/// Error of the reference solutions, per stride.
const FINE: f64 = 1e-11;

/// A way to get a damping from a wanted restitution, and what comes of it.
#[derive(Clone, Copy)]
pub enum DampingRule {
    /// Hunt–Crossley with an estimate of the literature.
    Literature(Estimate),
    /// Hunt–Crossley with the exact mu.
    ExactMu,
    /// Linear damper, eq. (49), at an exponent.
    ClosedForm(f64),
    /// Linear damper, table, at an exponent.
    Table(f64),
}

impl DampingRule {
    /// For legends.
    pub fn name(self) -> String {
        match self {
            DampingRule::Literature(estimate) => estimate.name().into(),
            DampingRule::ExactMu => "exact mu".into(),
            DampingRule::ClosedForm(n) => format!("c_opt, n = {n}"),
            DampingRule::Table(n) => format!("table, n = {n}"),
        }
    }

    /// Restitution that comes out where e is wanted.
    pub fn e_out(self, e: f64) -> f64 {
        match self {
            DampingRule::Literature(estimate) => {
                release::exact(estimate.mu_s_per_m(e, 1.0)).restitution
            }
            DampingRule::ExactMu => release::exact(hunt_crossley::u_of_restitution(e)).restitution,
            DampingRule::ClosedForm(n) => rebound::solve(fit::damping(e, n), n, FINE).e,
            DampingRule::Table(n) => rebound::solve(grid::damping(e, n), n, FINE).e,
        }
    }
}

/// All that are compared.
pub fn damping_rules() -> Vec<DampingRule> {
    let mut damping_rules: Vec<DampingRule> = Estimate::ALL.map(DampingRule::Literature).into();
    damping_rules.push(DampingRule::ExactMu);
    for n in [1.0, 1.5, 2.0] {
        damping_rules.extend([DampingRule::ClosedForm(n), DampingRule::Table(n)]);
    }
    damping_rules
}

/// Print the table of errors and the pendulums.
pub fn print() {
    const WANTED: [f64; 6] = [0.01, 0.1, 0.3, 0.5, 0.7, 0.9];
    println!("\nRestitution: e_out - e for e =");
    println!("{:>22} {}", "", WANTED.map(|e| format!("{e:>10}")).concat());
    for way in damping_rules() {
        println!(
            "{:>22} {}",
            way.name(),
            WANTED.map(|e| format!("{:>10.1e}", way.e_out(e) - e)).concat()
        );
    }
    println!("\nTwo pendulums, e = {} (impacts: time s, e_out), 8 s:", pendulum::RESTITUTION);
    let exact = pendulum::run(Model::Piecewise);
    for (name, model) in models() {
        let film = pendulum::run(model);
        let impacts: Vec<String> =
            film.impacts.iter().map(|hit| format!("{:.4} {:.4}", hit.time_s, hit.e)).collect();
        println!(
            "{name:>22}  {}   off by {:.2} % of the fastest rate",
            impacts.join(", "),
            100.0 * relative_error(&film, &exact)
        );
    }
}

/// What the pendulums are run with.
pub fn models() -> Vec<(&'static str, Model)> {
    let mut models = vec![
        ("piecewise", Model::Piecewise),
        ("damper, table", Model::DamperExact),
        ("damper, c_opt", Model::DamperClosedForm),
        ("exact mu", Model::HuntCrossleyExact),
    ];
    models.extend(Estimate::ALL.map(|estimate| (estimate.name(), Model::HuntCrossley(estimate))));
    models
}

/// Largest difference of a rate at the end, as a share of the fastest there was.
fn relative_error(film: &Simulation, exact: &Simulation) -> f64 {
    let fastest = exact
        .frames
        .iter()
        .flat_map(|(_, state)| state.rate)
        .fold(0.0, |most: f64, rate| most.max(rate.abs()));
    match (film.frames.last(), exact.frames.last()) {
        (Some((_, a)), Some((_, b))) => {
            (a.rate[0] - b.rate[0]).abs().max((a.rate[1] - b.rate[1]).abs()) / fastest
        }
        _ => f64::NAN,
    }
}
