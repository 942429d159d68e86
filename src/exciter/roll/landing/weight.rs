//! Correction of the restitution for the weight.
//!
//! The laws' dampings are for contacts without weight
//! ([`restitution`](crate::contact::restitution)). A rolling ball always carries its weight, and
//! hops so low that it matters: the contact is longer and deeper and would lose too much (at 30
//! times the slowest landing, e = 0.8 would come out as 0.793; at 5 times, as 0.735). So the
//! damping of a landing is reduced.
//!
//! In the units of the contact (lengths in `L = (m v^2/k)^(1/(n+1))`, velocities in v) weight is
//! the only further parameter, `gamma = g L/v^2`. The remaining share of the damping is `1/(1 +
//! gamma q)`. `ln q` is a polynomial in `ln e`, `1/(n+1)` and `sqrt(gamma)`, fitted to numerical
//! solutions for e 0.02...0.98, n 1...3.5 and gamma up to that of the slowest landing. The
//! remaining error of e is below 6e-4.

use crate::contact::Law;

/// Lowest restitution of the fit; lower ones use its value.
const LOWEST_E: f64 = 0.02;

/// The polynomial over `sqrt(gamma)` for one restitution and one exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weight([f64; OVER_WEIGHT]);

impl Weight {
    /// Creates the polynomial for a law with exponent `alpha` and a target restitution `e` <= 1.
    pub(super) fn new(kind: Law, e: f64, alpha: f64) -> Self {
        let terms: &Terms = match kind {
            Law::HuntCrossley => &HUNT_CROSSLEY,
            Law::HertzDamper => &HERTZ_DAMPER,
        };
        let x = -0.5 * e.clamp(LOWEST_E, 1.0).ln() - 1.0;
        let y = (1.0 / (alpha + 1.0) - 0.36) / 0.14;
        let over_exponent = |k: usize| {
            move |rows: &[[f64; OVER_WEIGHT]; 3]| horner(rows.iter().map(|row| row[k]), y)
        };
        Self(std::array::from_fn(|k| horner(terms.iter().map(over_exponent(k)), x)))
    }

    /// Share of the damping that gives the target restitution at the weight `gamma`.
    pub(super) fn share(&self, gamma: f64) -> f64 {
        let t = 2.0 * gamma.sqrt() - 1.0;
        1.0 / (1.0 + gamma * horner(self.0.iter().copied(), t).exp())
    }
}

/// Evaluates a polynomial with these coefficients, the constant first.
fn horner(coefficients: impl DoubleEndedIterator<Item = f64>, x: f64) -> f64 {
    coefficients.rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// Polynomial coefficients by restitution, exponent and weight.
pub(super) type Terms = [[[f64; OVER_WEIGHT]; OVER_EXPONENT]; OVER_E];

/// Number of terms in the restitution.
pub(super) const OVER_E: usize = 6;
/// Number of terms in the exponent.
pub(super) const OVER_EXPONENT: usize = 3;
/// Number of terms in the weight.
pub(super) const OVER_WEIGHT: usize = 5;

/// Coefficients of Hunt–Crossley.
#[rustfmt::skip]
pub(super) const HUNT_CROSSLEY: Terms = [
    [
        [3.243815, 7.594959e-1, 3.087094e-1, -1.122641e-1, -9.546898e-2],
        [-2.818367e-1, 3.105380e-1, 6.793390e-3, 9.551499e-2, 6.058710e-2],
        [-6.978314e-2, 2.249127e-2, 2.415487e-2, -5.628288e-2, 5.737634e-3],
    ],
    [
        [2.059897, -3.429687e-1, 4.572960e-1, -3.700841e-2, -4.432170e-1],
        [-9.638156e-3, 3.485966e-2, -3.010944e-1, 5.514037e-1, 1.378061e-1],
        [-1.146678e-2, 9.986252e-2, -1.956772e-1, -1.615235e-1, 9.754320e-2],
    ],
    [
        [4.515081e-2, -2.023597e-1, 5.696321e-1, -2.874677e-1, -5.204680e-1],
        [1.141485e-1, -3.395777e-1, 1.789079e-1, 6.784388e-1, -1.260635e-1],
        [5.319121e-2, -3.789277e-2, -3.776177e-1, 4.610231e-2, 2.147884e-1],
    ],
    [
        [-4.972877e-2, 5.913374e-1, -2.558590e-1, -2.780173e-1, 1.554331e-1],
        [-1.342658e-1, 1.875250e-2, 5.302149e-1, -2.461174e-1, -2.767103e-1],
        [5.323661e-3, -1.582569e-1, -2.602371e-2, 2.084295e-1, 1.165402e-1],
    ],
    [
        [2.204548e-2, -1.667367e-2, -3.736099e-1, 1.860937e-1, 3.820517e-1],
        [-2.002445e-2, 2.023859e-1, -8.232194e-2, -4.633138e-1, -7.042193e-2],
        [-2.890317e-2, 1.282892e-2, 2.134478e-1, 4.360574e-2, -6.982919e-2],
    ],
    [
        [-2.307385e-2, -2.695029e-1, 1.049825e-1, 1.423606e-1, 5.549932e-2],
        [6.237873e-2, -1.487336e-2, -2.262054e-1, 1.417810e-2, 1.581580e-2],
        [-3.201184e-3, 6.662827e-2, 5.160587e-2, -3.417166e-2, -5.730743e-2],
    ],
];

/// Coefficients of the Hertz spring with a linear damper.
#[rustfmt::skip]
pub(super) const HERTZ_DAMPER: Terms = [
    [
        [2.343106, -1.383019e-1, 3.156153e-1, -8.806209e-2, -9.617588e-2],
        [1.517308e-1, 2.568718e-1, 3.087937e-2, 8.153776e-2, 1.510869e-2],
        [-1.065268e-1, -3.015613e-3, 5.259568e-2, 9.662881e-4, 8.314782e-4],
    ],
    [
        [1.493977, -4.959487e-1, 5.684784e-1, -4.205211e-1, 4.629403e-2],
        [2.424950e-1, -5.494659e-2, 8.261207e-3, 2.566252e-1, -1.462480e-1],
        [-1.572661e-2, -3.896760e-3, -7.715740e-2, -4.129508e-3, 7.919903e-2],
    ],
    [
        [-4.801084e-1, 2.017312e-1, -1.020278e-1, -4.613586e-1, 7.650846e-1],
        [5.958519e-2, -7.571723e-2, 3.265598e-1, -2.261681e-1, -6.381088e-1],
        [2.586582e-2, -4.140294e-2, -1.687867e-2, 2.443363e-1, 9.599945e-2],
    ],
    [
        [8.303881e-2, 2.297457e-1, -6.402410e-1, 2.853036e-1, 5.907823e-1],
        [-8.549012e-2, 2.086191e-1, 1.683941e-1, -6.036626e-1, -4.030434e-1],
        [-1.183665e-2, -4.892513e-2, 1.526219e-1, 1.814016e-1, 1.871433e-2],
    ],
    [
        [6.926023e-2, -1.818009e-1, -6.297845e-3, 3.169233e-1, -1.641955e-1],
        [5.100277e-2, 5.536115e-2, -2.090169e-1, -7.132575e-2, 1.897520e-1],
        [3.984417e-3, 3.727829e-2, 7.413672e-2, -8.512717e-2, -5.112618e-2],
    ],
    [
        [-1.216271e-3, -3.840297e-2, 2.061052e-1, -9.772553e-2, -1.067004e-1],
        [-1.158453e-2, -1.010448e-1, -8.717210e-2, 1.560958e-1, 8.375325e-2],
        [-1.622027e-2, 2.907946e-2, -1.142932e-2, -2.242645e-2, -2.890649e-2],
    ],
];
