//! Directions of points that are about to slip: each opposes the slip that it will have at the
//! interval's end.

use super::reduced::{Friction, Reduced};
use super::{Contacts, MAX_POINTS, Rows, length};

/// Turn between a direction and the slip it leads to that counts as none, rad.
const SETTLED_RAD: f64 = 1e-9;

/// End speed, as a share of the transition speed, below which a slip has no direction: the one
/// before is kept.
const AIMLESS: f64 = 1e-9;

/// The turn that every impending point still asks for, rad; zero for the others.
pub struct Turns {
    /// By point.
    pub by_point: [f64; MAX_POINTS],
    end: [[f64; 2]; MAX_POINTS],
    counts: [bool; MAX_POINTS],
}

impl Turns {
    /// Compare directions with the slip that `impulse` leads to from `v`.
    pub fn new(
        contacts: &Contacts,
        friction: &[Friction; MAX_POINTS],
        v: &Rows,
        impulse: &Rows,
        v_transition_m_per_s: f64,
    ) -> Self {
        let mut turns = Self {
            by_point: [0.0; MAX_POINTS],
            end: [[0.0; 2]; MAX_POINTS],
            counts: [false; MAX_POINTS],
        };
        for k in 0..contacts.points {
            let Friction::Impending(s) = friction[k] else { continue };
            let end = [0, 1].map(|i| v[3 * k + i] + contacts.response(3 * k + i, impulse));
            turns.end[k] = end;
            if length(end) > AIMLESS * v_transition_m_per_s {
                turns.counts[k] = true;
                turns.by_point[k] =
                    (s[0] * end[1] - s[1] * end[0]).atan2(s[0] * end[0] + s[1] * end[1]);
            }
        }
        turns
    }

    /// Largest turn, rad.
    pub fn worst(&self) -> f64 {
        self.by_point.iter().fold(0.0, |worst, turn| worst.max(turn.abs()))
    }

    /// Nothing is left to turn.
    pub fn settled(&self) -> bool {
        self.worst() <= SETTLED_RAD
    }

    /// By how much to turn each direction: one step of Newton on "turn = 0" in the angles.
    pub fn newton(
        &self,
        contacts: &Contacts,
        system: &Reduced,
        friction: &[Friction; MAX_POINTS],
        impulse: &Rows,
    ) -> [f64; MAX_POINTS] {
        let points = contacts.points;
        let mut j = [[0.0; MAX_POINTS]; MAX_POINTS];
        for k in 0..MAX_POINTS {
            j[k][k] = 1.0;
        }
        for turned in 0..points {
            let Friction::Impending(s) = friction[turned] else { continue };
            if !self.counts[turned] {
                continue;
            }
            // Turning a direction turns its friction, and the other impulses follow.
            let mut direct = [0.0; super::MAX_ROWS];
            let strength = contacts.mu[turned] * impulse[3 * turned + 2];
            direct[3 * turned] = strength * s[1];
            direct[3 * turned + 1] = -strength * s[0];
            let change = system.follow(contacts, direct);
            for k in 0..points {
                if self.counts[k] {
                    let end = self.end[k];
                    let moved = [0, 1].map(|i| contacts.response(3 * k + i, &change));
                    let angle = (end[0] * moved[1] - end[1] * moved[0])
                        / (end[0] * end[0] + end[1] * end[1]);
                    j[k][turned] -= angle;
                }
            }
        }
        eliminate(j, self.by_point, points)
    }
}

/// Turn a unit vector.
pub fn turned(s: [f64; 2], by_rad: f64) -> [f64; 2] {
    let (sin, cos) = by_rad.sin_cos();
    [cos * s[0] - sin * s[1], sin * s[0] + cos * s[1]]
}

/// Gaussian elimination with row pivoting; a direction without a pivot is left as it is.
fn eliminate(
    mut m: [[f64; MAX_POINTS]; MAX_POINTS],
    mut b: [f64; MAX_POINTS],
    size: usize,
) -> [f64; MAX_POINTS] {
    for step in 0..size {
        let pivot = (step..size).fold(step, |best, row| {
            if m[row][step].abs() > m[best][step].abs() { row } else { best }
        });
        m.swap(step, pivot);
        b.swap(step, pivot);
        if m[step][step].abs() < 1e-12 {
            continue;
        }
        for row in step + 1..size {
            let share = m[row][step] / m[step][step];
            for column in step..size {
                m[row][column] -= share * m[step][column];
            }
            b[row] -= share * b[step];
        }
    }
    for step in (0..size).rev() {
        let mut value = b[step];
        for column in step + 1..size {
            value -= m[step][column] * b[column];
        }
        b[step] = if m[step][step].abs() < 1e-12 { 0.0 } else { value / m[step][step] };
    }
    b
}
