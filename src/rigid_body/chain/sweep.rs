//! The forces of a step contact by contact.

use super::newton::{self, Row};
use super::{Forces, MAX_CONTACTS};
use crate::contact::integrator::passive::{self, Reach};

/// Most sweeps over the contacts in one step, where Newton's method did not settle.
pub const MAX_SWEEPS: u32 = 24;

/// The forces contact by contact, over and over, and whether they settled: slower than Newton's
/// method, but sure where that wanders.
pub fn sweep(row: &Row, guess_n: &[f64]) -> (Forces, bool) {
    let mut f = [0.0; MAX_CONTACTS];
    f[..guess_n.len()].copy_from_slice(guess_n);
    let (contacts, b) = (row.springs.len(), row.mobility_m_per_n);
    let mut unsettled = false;
    for sweep in 0..MAX_SWEEPS {
        let mut change = 0.0f64;
        // A force below this share of the motion is lost in its rounding.
        let mut noise = 0.0f64;
        let mut largest = 0.0f64;
        for i in 0..contacts {
            let reach = Reach {
                x_m: row.x_m[i],
                free_m: row.free_m[i] + newton::pushed_m(b, &f, i),
                mobility_m_per_n: b[i] + b[i + 1],
                h_s: row.h_s,
                guess_n: f[i],
            };
            let push = passive::solve(&row.springs[i], &reach);
            unsettled |= !push.settled;
            change = change.max((push.force_n - f[i]).abs());
            largest = largest.max(push.force_n);
            noise = noise.max(4.0 * f64::EPSILON * reach.free_m.abs() / reach.mobility_m_per_n);
            f[i] = push.force_n;
        }
        if change <= 1e-14 * largest + noise {
            break;
        }
        unsettled |= sweep + 1 == MAX_SWEEPS && change > 1e-9 * largest + noise;
    }
    (f, !unsettled)
}
