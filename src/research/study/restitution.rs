//! Restitution: figures 6 to 9, 11 and 12 of Poursina and Nikravesh, and estimates of the
//! literature.

use super::chart::{Chart, Mark, Series};
use super::figures::sweep;
use super::pendulum::{self, Model, Simulation, State};
use crate::contact::release;
use crate::contact::restitution::Estimate;
use crate::contact::restitution::{fit, grid, hunt_crossley, kelvin_voigt, rebound};

/// Tolerance of the reference solutions per step.
const FINE: f64 = 1e-11;

/// A method that computes the damping of a wanted restitution.
#[derive(Clone, Copy)]
enum DampingRule {
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
    /// Name in the legend.
    fn name(self) -> String {
        match self {
            DampingRule::Literature(estimate) => estimate.name().into(),
            DampingRule::ExactMu => "exact mu".into(),
            DampingRule::ClosedForm(n) => format!("c_opt, n = {n}"),
            DampingRule::Table(n) => format!("table, n = {n}"),
        }
    }

    /// The restitution that results when e is wanted.
    fn e_out(self, e: f64) -> f64 {
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

/// All compared methods.
fn damping_rules() -> Vec<DampingRule> {
    let mut rules: Vec<DampingRule> = Estimate::ALL.map(DampingRule::Literature).into();
    rules.push(DampingRule::ExactMu);
    for n in [1.0, 1.5, 2.0] {
        rules.extend([DampingRule::ClosedForm(n), DampingRule::Table(n)]);
    }
    rules
}

/// Prints the errors of the methods, and the pendulums with every model.
pub fn print() {
    const WANTED: [f64; 6] = [0.01, 0.1, 0.3, 0.5, 0.7, 0.9];
    println!("\nRestitution: e_out - e for e =");
    println!("{:>22} {}", "", WANTED.map(|e| format!("{e:>10}")).concat());
    for rule in damping_rules() {
        println!(
            "{:>22} {}",
            rule.name(),
            WANTED.map(|e| format!("{:>10.1e}", rule.e_out(e) - e)).concat()
        );
    }
    println!("\nTwo pendulums, e = {} (impacts: time s, e_out), 8 s:", pendulum::RESTITUTION);
    let exact = pendulum::run(Model::Piecewise);
    for (name, model) in models() {
        let simulation = pendulum::run(model);
        let impacts: Vec<String> = simulation
            .impacts
            .iter()
            .map(|hit| format!("{:.4} {:.4}", hit.time_s, hit.e))
            .collect();
        println!(
            "{name:>22}  {}   off by {:.2} % of the fastest rate",
            impacts.join(", "),
            100.0 * relative_error(&simulation, &exact)
        );
    }
}

/// The contact models of the pendulums.
fn models() -> Vec<(&'static str, Model)> {
    let mut models = vec![
        ("piecewise", Model::Piecewise),
        ("damper, table", Model::DamperExact),
        ("damper, c_opt", Model::DamperClosedForm),
        ("exact mu", Model::HuntCrossleyExact),
    ];
    models.extend(Estimate::ALL.map(|estimate| (estimate.name(), Model::HuntCrossley(estimate))));
    models
}

/// Largest difference of the final rates, as a share of the fastest rate.
fn relative_error(simulation: &Simulation, exact: &Simulation) -> f64 {
    let fastest = exact
        .frames
        .iter()
        .flat_map(|(_, state)| state.rate)
        .fold(0.0, |most: f64, rate| most.max(rate.abs()));
    match (simulation.frames.last(), exact.frames.last()) {
        (Some((_, a)), Some((_, b))) => {
            (a.rate[0] - b.rate[0]).abs().max((a.rate[1] - b.rate[1]).abs()) / fastest
        }
        _ => f64::NAN,
    }
}

/// All charts.
pub fn charts() -> Vec<Chart> {
    let mut charts = vec![damping(), error(), linear(), linear_error(), of_estimates()];
    charts.extend(coefficients());
    charts.extend(pendulums());
    charts
}

fn damping() -> Chart {
    let mut series = Vec::new();
    for (n, printed) in [(1.2, (1.59, -0.3794)), (1.8, (2.47, -0.2323))] {
        let es = sweep(0.02, 1.0, 100);
        let exact = es.clone().map(|e| (e, grid::damping(e, n)));
        series.push(Series::new(format!("n = {n}, exact"), Mark::Line, exact));
        let fitted = es.map(|e| (e, printed.0 * (e.powf(printed.1) - 1.0)));
        series.push(Series::new(format!("n = {n}, as printed"), Mark::Dashed, fitted));
    }
    Chart {
        name: "rest06_damping",
        title: "Fig. 6  Damping over restitution",
        x: "e",
        y: "C",
        series,
        ..Chart::default()
    }
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

fn coefficients() -> [Chart; 2] {
    let ns = || sweep(1.0, 2.0, 50);
    let series = |ours: fn((f64, f64)) -> f64, printed: fn(f64) -> f64| {
        vec![
            Series::new("fitted anew", Mark::Dots, ns().map(move |n| (n, ours(best_fit(n))))),
            Series::new("as printed", Mark::Line, ns().map(move |n| (n, printed(n)))),
        ]
    };
    [
        Chart {
            name: "rest07a_alpha",
            title: "Fig. 7a  Coefficient alpha, eq. (46)",
            x: "n",
            y: "alpha",
            series: series(|(alpha, _)| alpha, fit::alpha),
            ..Chart::default()
        },
        Chart {
            name: "rest07b_beta",
            title: "Fig. 7b  Coefficient beta, eq. (47)",
            x: "n",
            y: "beta",
            series: series(|(_, beta)| beta, fit::beta),
            ..Chart::default()
        },
    ]
}

/// A chart of errors between 1e-12 and 1 over e.
fn error_chart(series: Vec<Series>) -> Chart {
    Chart {
        x: "e",
        log: (false, true),
        window: Some([0.0, 1.0, -12.0, 0.0]),
        series,
        ..Chart::default()
    }
}

fn error() -> Chart {
    let worst = |rule: fn(f64) -> DampingRule| {
        sweep(0.005, 0.995, 99).map(move |e| {
            let errors = sweep(1.0, 2.0, 20).map(|n| (rule(n).e_out(e) - e).abs());
            (e, errors.fold(1e-12, f64::max))
        })
    };
    let series = vec![
        Series::new("c_opt, eq. (49)", Mark::Line, worst(DampingRule::ClosedForm)),
        Series::new("our table", Mark::Line, worst(DampingRule::Table)),
    ];
    let title = "Fig. 8  Largest error over n 1...2";
    Chart { name: "rest08_error", title, y: "|e_out - e|", ..error_chart(series) }
}

/// The exact e of n = 1 at the damping of eq. (57).
fn linear_e(e: f64) -> f64 {
    kelvin_voigt::restitution(0.5 * fit::damping(e, 1.0))
}

fn linear() -> Chart {
    Chart {
        name: "rest09a_linear",
        title: "Fig. 9a  Kelvin-Voigt, n = 1",
        x: "e",
        y: "e exact",
        series: vec![
            Series::new("by c_opt", Mark::Line, sweep(1e-4, 1.0, 200).map(|e| (e, linear_e(e)))),
            Series::new("wanted", Mark::Dashed, sweep(0.0, 1.0, 1).map(|e| (e, e))),
        ],
        ..Chart::default()
    }
}

fn linear_error() -> Chart {
    let table_e = |e: f64| kelvin_voigt::restitution(0.5 * grid::damping(e, 1.0));
    let errors = |exact: fn(f64) -> f64| {
        sweep(1e-4, 1.0, 200).map(move |e| (e, (exact(e) - e).abs().max(1e-12)))
    };
    let series = vec![
        Series::new("c_opt, eq. (57)", Mark::Line, errors(linear_e)),
        Series::new("our table", Mark::Line, errors(table_e)),
    ];
    let title = "Fig. 9b  Kelvin-Voigt, error";
    Chart { name: "rest09b_linear_error", title, y: "|e exact - e|", ..error_chart(series) }
}

fn of_estimates() -> Chart {
    let rules = damping_rules()
        .into_iter()
        .filter(|rule| !matches!(rule, DampingRule::ExactMu | DampingRule::Table(_)));
    let series = rules.map(|rule| {
        let errors = sweep(0.02, 1.0, 98).map(move |e| (e, rule.e_out(e) - e));
        Series::new(rule.name(), Mark::Line, errors)
    });
    Chart {
        name: "rest10_estimates",
        title: "Errors of the estimates",
        x: "e wanted",
        y: "e_out - e",
        series: series.collect(),
        ..Chart::default()
    }
}

fn pendulums() -> [Chart; 3] {
    let simulations = [
        ("piecewise", Model::Piecewise, Mark::Line),
        ("linear damper", Model::DamperExact, Mark::Dashed),
        ("Hunt-Crossley, eq. (16)", Model::HuntCrossley(Estimate::FloresYe), Mark::Dashed),
    ]
    .map(|(name, model, mark)| (name, pendulum::run(model), mark));
    let rates = |rod: usize| {
        let rate = |(time_s, state): &(f64, State)| (*time_s, state.rate[rod]);
        let series = simulations.iter().map(|(name, simulation, mark)| {
            Series::new(*name, *mark, simulation.frames.iter().map(rate))
        });
        Chart { x: "t, s", y: "rad/s", series: series.collect(), ..Chart::default() }
    };
    let first = simulations.iter().skip(1).map(|(name, simulation, _)| {
        let points = simulation.first.iter().map(|(x, f)| (1e3 * x, f * 1e-3));
        Series::new(*name, Mark::Line, points)
    });
    [
        Chart { name: "rest11a_long", title: "Fig. 11a  Two pendulums: the long rod", ..rates(0) },
        Chart {
            name: "rest11b_short",
            title: "Fig. 11b  Two pendulums: the short rod",
            ..rates(1)
        },
        Chart {
            name: "rest12_force",
            title: "Fig. 12  First impact",
            x: "penetration, mm",
            y: "force, kN",
            window: Some([0.0, 1.1, 0.0, 9.0]),
            series: first.collect(),
            ..Chart::default()
        },
    ]
}
