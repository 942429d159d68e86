//! Table of the exact damping of Hertz spring and linear damper: solutions of eq. (23).
//!
//! In dimensionless form the problem depends on e and n only. `ln C` is nearly linear in `logit e =
//! ln(e/(1-e))`: `C ~ e^(-1/(n+1))` as e goes to 0 and `C ~ 1 - e` as it goes to 1 are straight
//! lines of slope `-1/(n+1)` and -1. So a coarse grid is accurate, and is extrapolated linearly
//! beyond its ends. Over n the table has Chebyshev points in `p = 1/(n+1)`.

pub mod nodes;

use crate::contact::special::illinois;
use nodes::{EXPONENTS, LOGITS, NODES};

/// logit e of the first node.
pub const FIRST_LOGIT: f64 = -14.0;
/// Spacing of the nodes.
pub const LOGIT_STEP: f64 = 0.25;
/// Range of the exponents; others are clamped.
pub const EXPONENT_RANGE: (f64, f64) = (1.0, 3.5);

/// logit of a restitution that rounds to 1.
const ALL_BUT_ONE: f64 = 38.0;
/// Maximum table look-ups for one restitution; about ten are usual.
const MAX_EVALUATIONS: u32 = 60;

/// Points of the interpolation over logit e.
const POINTS: usize = 6;

/// logit e of a node.
pub fn logit_at(index: usize) -> f64 {
    FIRST_LOGIT + LOGIT_STEP * index as f64
}

/// Exponent n of a row.
pub fn exponent_at(row: usize) -> f64 {
    1.0 / inverse_at(row) - 1.0
}

fn inverse_at(row: usize) -> f64 {
    let (first, last) = (1.0 / (EXPONENT_RANGE.0 + 1.0), 1.0 / (EXPONENT_RANGE.1 + 1.0));
    let angle = std::f64::consts::PI * row as f64 / (EXPONENTS - 1) as f64;
    0.5 * (first + last) + 0.5 * (first - last) * angle.cos()
}

/// Dimensionless damping C of a wanted e (`0 < e <= 1`) at exponent n; restitution within 1e-6.
pub fn damping(e: f64, n: f64) -> f64 {
    if e >= 1.0 { 0.0 } else { log_damping((e / (1.0 - e)).ln(), n).exp() }
}

/// Restitution of a dimensionless damping C at exponent n: the inverse of the table, to 1e-9.
pub fn restitution(damping: f64, n: f64) -> f64 {
    if damping.is_nan() || damping <= 0.0 {
        return 1.0;
    }
    let goal = damping.ln();
    let off = |logit: f64| log_damping(logit, n) - goal;
    let logit_of = |e: f64| (e / (1.0 - e)).ln();
    let (low, high) = (logit_of(super::LOWEST_E), ALL_BUT_ONE);
    let (above, below) = (off(low), off(high));
    if above <= 0.0 {
        return super::LOWEST_E;
    }
    if below >= 0.0 {
        return 1.0;
    }
    let [low, high] = illinois(off, [(low, above), (high, below)], 1e-10, 1e-11, MAX_EVALUATIONS);
    1.0 / (1.0 + (-0.5 * (low + high)).exp())
}

/// `ln C` at a logit of e.
fn log_damping(logit: f64, n: f64) -> f64 {
    let place = (logit - FIRST_LOGIT) / LOGIT_STEP;
    let inside = place.clamp(0.0, (LOGITS - 1) as f64);
    let first = (inside as usize).saturating_sub(POINTS / 2 - 1).min(LOGITS - POINTS);
    let weights = lagrange(inside - first as f64);
    let along = |row: &[f64; LOGITS]| {
        let beyond = place - inside;
        // Extrapolates with the slope of the last two nodes.
        let slope = if beyond < 0.0 { row[1] - row[0] } else { row[LOGITS - 1] - row[LOGITS - 2] };
        row.iter().skip(first).zip(weights).map(|(node, weight)| node * weight).sum::<f64>()
            + beyond * slope
    };
    across(n, along)
}

/// Weights of the six nodes at distance `t` (in steps) from the first of them.
fn lagrange(t: f64) -> [f64; POINTS] {
    let d = [t, t - 1.0, t - 2.0, t - 3.0, t - 4.0, t - 5.0];
    const SCALE: [f64; POINTS] =
        [-1.0 / 120.0, 1.0 / 24.0, -1.0 / 12.0, 1.0 / 12.0, -1.0 / 24.0, 1.0 / 120.0];
    let mut weights = SCALE;
    for (i, weight) in weights.iter_mut().enumerate() {
        for (j, distance) in d.iter().enumerate() {
            if i != j {
                *weight *= distance;
            }
        }
    }
    weights
}

/// Barycentric interpolation over the rows.
fn across(n: f64, row_value: impl Fn(&[f64; LOGITS]) -> f64) -> f64 {
    let place = 1.0 / (n.clamp(EXPONENT_RANGE.0, EXPONENT_RANGE.1) + 1.0);
    let (mut sum, mut weights) = (0.0, 0.0);
    for (row, values) in NODES.iter().enumerate() {
        let distance = place - inverse_at(row);
        if distance == 0.0 {
            return row_value(values);
        }
        let end = if row == 0 || row == EXPONENTS - 1 { 0.5 } else { 1.0 };
        let sign = if row % 2 == 0 { 1.0 } else { -1.0 };
        let weight = sign * end / distance;
        sum += weight * row_value(values);
        weights += weight;
    }
    sum / weights
}

/// `c` (N s/m) of a wanted e.
pub fn damper_n_s_per_m(e: f64, stiffness: f64, n: f64, mass_kg: f64, v_in_m_per_s: f64) -> f64 {
    damping(e, n) * super::damping_unit_n_s_per_m(stiffness, n, mass_kg, v_in_m_per_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over logit e the slope of a row goes smoothly from `-1/(n+1)` to -1; a column is smooth,
    /// too.
    #[test]
    fn the_table_is_all_but_straight() {
        for (row, nodes) in NODES.iter().enumerate() {
            for (at, three) in nodes.windows(3).enumerate() {
                let bend = three[0] - 2.0 * three[1] + three[2];
                assert!(bend.abs() < 0.02, "row {row}, node {}: {bend}", at + 1);
            }
            let slope = |at: usize| (nodes[at + 1] - nodes[at]) / LOGIT_STEP;
            let first = -1.0 / (exponent_at(row) + 1.0);
            assert!(
                (slope(0) - first).abs() < 5e-3 && (slope(LOGITS - 2) + 1.0).abs() < 5e-3,
                "row {row}"
            );
        }
        for rows in NODES.windows(2) {
            for (at, (one, next)) in rows[0].iter().zip(&rows[1]).enumerate() {
                assert!((next - one).abs() < 1.2, "node {at}: {one} and {next}");
            }
        }
    }

    #[test]
    fn nodes_are_met() {
        for (row, nodes) in NODES.iter().enumerate() {
            for at in [0, 1, 2, 40, 56, LOGITS - 3, LOGITS - 1] {
                let value = log_damping(logit_at(at), exponent_at(row));
                assert!((value - nodes[at]).abs() < 1e-9, "row {row}, node {at}: {value}");
            }
            // Beyond both ends it is extrapolated linearly.
            let n = exponent_at(row);
            let below = log_damping(FIRST_LOGIT - 1.0, n);
            assert!((below - (nodes[0] - 4.0 * (nodes[1] - nodes[0]))).abs() < 1e-9);
            let (last, before) = (nodes[LOGITS - 1], nodes[LOGITS - 2]);
            assert!(
                (log_damping(logit_at(LOGITS + 3), n) - (last + 4.0 * (last - before))).abs()
                    < 1e-9
            );
        }
        assert_eq!((exponent_at(0), exponent_at(EXPONENTS - 1)), (1.0, 3.5));
    }
}
