//! What may leave an impact: no point approaching, no energy made.
//!
//! Two frictionless impulses do it. The plastic stop of a velocity, the impulse that leaves the least kinetic energy
//! among all that only push, ends an impact from wherever it is. And because cone, normal velocities and momentum
//! are convex in the impulse and energy is too, an impact that made energy is mixed with the plastic stop of its own
//! beginning until it makes none.

use super::{Contacts, MOST_ROWS, Outcome, Rows};

/// Sweeps of the plastic stop. Each takes energy away, so that ending early is safe.
pub const MOST_SWEEPS: u32 = 400;

/// Frictionless impulse that brings all points from `v` to rest or apart, N s: projected Gauss-Seidel.
pub fn plastic_stop(contacts: &Contacts, v: &Rows, still: f64) -> Rows {
    let mut impulse = [0.0; MOST_ROWS];
    for _ in 0..MOST_SWEEPS {
        let mut worst = 0.0f64;
        for k in 0..contacts.points {
            let z = 3 * k + 2;
            let v_z = v[z] + contacts.response(z, &impulse);
            let wanted = (impulse[z] - v_z / contacts.a[z][z]).max(0.0);
            worst = worst.max((wanted - impulse[z]).abs() * contacts.a[z][z]);
            impulse[z] = wanted;
        }
        if worst <= 1e-3 * still {
            break;
        }
    }
    impulse
}

/// Bring an outcome to what may leave.
pub fn close(contacts: &Contacts, still: f64, outcome: &mut Outcome) {
    let rows = contacts.rows();
    let approaching = (0..contacts.points).any(|k| outcome.v_m_per_s[3 * k + 2] < -still);
    if approaching {
        let stop = plastic_stop(contacts, &outcome.v_m_per_s, still);
        for row in 0..rows {
            outcome.impulse_ns[row] += stop[row];
        }
    }
    let gained = contacts.energy_j(&outcome.impulse_ns);
    if !(gained <= 0.0) {
        outcome.capped = true;
        let stop = plastic_stop(contacts, &contacts.v_m_per_s, still);
        let least = contacts.energy_j(&stop);
        let apart: Rows = std::array::from_fn(|row| outcome.impulse_ns[row] - stop[row]);
        // Energy along the way is a s^2 + b s + least, below 0 at s = 0 and above it at 1.
        let (mut a, mut b) = (0.0, 0.0);
        for row in 0..rows {
            a += 0.5 * apart[row] * contacts.response(row, &apart);
            b += apart[row] * (contacts.v_m_per_s[row] + contacts.response(row, &stop));
        }
        let root = (b * b - 4.0 * a * least).max(0.0).sqrt();
        let share = if b > 0.0 { -2.0 * least / (b + root) } else { (root - b) / (2.0 * a) };
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        for row in 0..rows {
            outcome.impulse_ns[row] = stop[row] + share * apart[row];
        }
    }
    for row in 0..rows {
        outcome.v_m_per_s[row] = contacts.v_m_per_s[row] + contacts.response(row, &outcome.impulse_ns);
    }
}
