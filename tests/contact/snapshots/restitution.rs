//! Damping from restitution, and restitution from damping.

use crate::number_snapshots;
use ictus::contact::restitution::Estimate;
use ictus::contact::restitution::rebound::AdaptiveSolver;
use ictus::contact::restitution::{
    damping_unit_n_s_per_m, fit, grid, hunt_crossley, kelvin_voigt, length_unit_m, rebound,
    within_limits,
};

#[test]
fn dampings() {
    number_snapshots::check(
        "contact_dampings.txt",
        &super::names("restitution", 60),
        |seed, nudge| {
            let e = [1e-4, 0.01, 0.1, 0.3, 0.5, 0.8, 0.95, 0.999, 1.0 - 1e-6, 1.0][seed % 10]
                * (1.0 + nudge);
            let e = e.min(1.0);
            let n = [1.0, 1.5, 2.2, 3.5, 4.0, 1.83][seed / 10];
            let (k, m, v) = (1e7, 0.03, 1.7);
            let mut numbers = vec![
                fit::alpha(n),
                fit::beta(n),
                fit::damping(e, n),
                fit::damper_n_s_per_m(e, k, n, m, v),
            ];
            numbers.extend([grid::damping(e, n), grid::damper_n_s_per_m(e, k, n, m, v)]);
            numbers.extend([hunt_crossley::u_of_restitution(e), hunt_crossley::mu_s_per_m(e, v)]);
            numbers.extend([
                kelvin_voigt::damping_ratio(e),
                kelvin_voigt::restitution(e),
                kelvin_voigt::restitution(3.0 * e),
            ]);
            numbers
                .extend([kelvin_voigt::separation_time(e), kelvin_voigt::separation_time(1.5 * e)]);
            numbers.extend(Estimate::ALL.map(|estimate| estimate.mu_s_per_m(e, v)));
            numbers.extend([damping_unit_n_s_per_m(k, n, m, v), 1e3 * length_unit_m(k, n, m, v)]);
            numbers.extend([within_limits(e), grid::logit_at(seed), grid::exponent_at(seed % 7)]);
            numbers
        },
    );
}

#[test]
fn restitutions() {
    number_snapshots::check(
        "contact_restitutions.txt",
        &super::names("damping", 48),
        |seed, nudge| {
            let c = [0.0, 1e-5, 0.01, 0.2, 1.0, 3.0, 20.0, 1e4][seed % 8] * (1.0 + nudge);
            let n = [1.0, 1.5, 2.2, 3.5, 4.0, 1.83][seed / 8];
            let mut numbers = vec![grid::restitution(c, n)];
            if c < 50.0 {
                for tolerance in [1e-4, 1e-10] {
                    let got = rebound::solve(c, n, tolerance);
                    numbers.extend([got.e, got.time_in, got.time, got.x_max, got.x_separation]);
                }
            }
            numbers.push(rebound::odd_power(0.3 - 0.1 * (seed % 8) as f64, n));
            numbers
        },
    );
}

#[test]
fn dampings_found() {
    number_snapshots::check(
        "contact_dampings_found.txt",
        &super::names("restitution", 8),
        |seed, nudge| {
            let e = [0.05, 0.4, 0.9, 0.99][seed % 4] * (1.0 + nudge);
            vec![rebound::damping_of_restitution(e, [1.5, 2.2][seed / 4], 1e-9)]
        },
    );
}

#[test]
fn walks() {
    number_snapshots::check("contact_walks.txt", &super::names("walk", 16), |seed, nudge| {
        let c = [0.0, 0.3, 1.5, 6.0][seed % 4];
        let pull = |x: f64, v: f64| -c * v - rebound::odd_power(x, 1.5);
        let mut walk = AdaptiveSolver::at_onset(1.0 + nudge, [1e-3, 0.3][seed / 4 % 2]);
        let tolerance = [1e-10, 1e-5][seed / 8];
        let mut numbers = Vec::new();
        for duration in [0.01, 0.3, 1.0, 9.0] {
            let arrival = walk.advance(&pull, duration, tolerance);
            numbers.extend([walk.x, walk.v, walk.next_step, super::flag(arrival.settled)]);
            numbers.push(arrival.released_after.unwrap_or(-1.0));
            if arrival.released_after.is_some() {
                break;
            }
        }
        numbers
    });
}
