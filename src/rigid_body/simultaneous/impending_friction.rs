//! Friction directions of impending points: each opposes the slip at the end of the interval.

use super::MAX_ROWS;
use super::least_squares::Factor;
use super::reduced::{Friction, Reduced};
use super::{Contacts, MAX_POINTS, Rows, length};

/// Angle between a direction and the resulting slip below which they count as parallel, rad.
const SETTLED_RAD: f64 = 1e-9;

/// Final speed, as a share of the transition speed, below which a slip has no direction; the
/// previous direction is then kept.
const AIMLESS: f64 = 1e-9;

/// Residual rotation of the direction of every impending point.
pub struct Turns {
    /// Rotation by point, rad; zero for points that are not impending.
    pub by_point: [f64; MAX_POINTS],
    end: [[f64; 2]; MAX_POINTS],
    counts: [bool; MAX_POINTS],
}

impl Turns {
    /// Compares the directions with the slip that results from `v` and `impulse`.
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

    /// Largest residual rotation, rad.
    pub fn worst(&self) -> f64 {
        self.by_point.iter().fold(0.0, |worst, turn| worst.max(turn.abs()))
    }

    /// True if all residuals are below the tolerance.
    pub fn settled(&self) -> bool {
        self.worst() <= SETTLED_RAD
    }

    /// Newton step for the angle of each direction, rad.
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
            // Rotating a direction rotates its friction, which changes the other impulses.
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

/// Rotates a unit vector.
pub fn turned(s: [f64; 2], by_rad: f64) -> [f64; 2] {
    let (sin, cos) = by_rad.sin_cos();
    [cos * s[0] - sin * s[1], sin * s[0] + cos * s[1]]
}

/// Gaussian elimination with row pivoting; an unknown without a pivot is set to zero.
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

/// Distance between s and its projection below which the point counts as converged.
const SETTLED: f64 = 1e-8;

/// Pivots below this share of the first one count as zero: s is then undetermined, because several
/// points share the friction.
const SHARED: f64 = 1e-6;

/// Longest step of one correction, in radii of the friction disc.
const LONGEST_STEP: f64 = 1.0;

/// Residuals of the equation `s = P(s + r u)` of every impending point.
///
/// s is the friction direction scaled into the unit disc, u the final slip, and P the projection
/// onto the disc.
pub struct Gaps {
    by_point: [[f64; 2]; MAX_POINTS],
    /// `s + r u`.
    aim: [[f64; 2]; MAX_POINTS],
    /// r, s/m.
    reach: [f64; MAX_POINTS],
}

impl Gaps {
    /// Evaluates the residuals for the slip that results from `v` and `impulse`.
    pub fn new(
        contacts: &Contacts,
        friction: &[Friction; MAX_POINTS],
        v: &Rows,
        impulse: &Rows,
    ) -> Self {
        let mut gaps = Self {
            by_point: [[0.0; 2]; MAX_POINTS],
            aim: [[0.0; 2]; MAX_POINTS],
            reach: [0.0; MAX_POINTS],
        };
        for k in 0..contacts.points {
            let Friction::Impending(s) = friction[k] else { continue };
            // Approximate change of the slip for a change of s by one radius.
            let mobility = 0.5 * (contacts.a[3 * k][3 * k] + contacts.a[3 * k + 1][3 * k + 1]);
            let range = contacts.mu[k] * impulse[3 * k + 2].abs() * mobility;
            gaps.reach[k] = if range > 0.0 { 1.0 / range } else { 0.0 };
            let end = [0, 1].map(|i| v[3 * k + i] + contacts.response(3 * k + i, impulse));
            let aim = [0, 1].map(|i| s[i] + gaps.reach[k] * end[i]);
            let long = length(aim).max(1.0);
            gaps.aim[k] = aim;
            gaps.by_point[k] = [0, 1].map(|i| aim[i] / long - s[i]);
        }
        gaps
    }

    /// The largest residual.
    pub fn worst(&self) -> f64 {
        self.by_point.iter().fold(0.0, |worst, gap| worst.max(length(*gap)))
    }

    /// True if all residuals are below the tolerance.
    pub fn settled(&self) -> bool {
        self.worst() <= SETTLED
    }

    /// Newton step for each s; the one of least norm if several points share the friction.
    pub fn newton(
        &self,
        contacts: &Contacts,
        system: &Reduced,
        friction: &[Friction; MAX_POINTS],
        impulse: &Rows,
    ) -> [[f64; 2]; MAX_POINTS] {
        let mut places = [0; MAX_POINTS];
        let mut size = 0;
        for k in 0..contacts.points {
            if let Friction::Impending(_) = friction[k] {
                places[size] = k;
                size += 1;
            }
        }
        let mut j = [[0.0; MAX_ROWS]; MAX_ROWS];
        let mut b = [0.0; MAX_ROWS];
        for (line, &k) in places[..size].iter().enumerate() {
            b[2 * line..2 * line + 2].copy_from_slice(&self.by_point[k]);
        }
        for column in 0..2 * size {
            let (moved, axis) = (places[column / 2], column % 2);
            let mut direct = [0.0; MAX_ROWS];
            direct[3 * moved + axis] = -contacts.mu[moved] * impulse[3 * moved + 2];
            let change = system.follow(contacts, direct);
            for (line, &k) in places[..size].iter().enumerate() {
                let own = [0, 1].map(|i| f64::from(u8::from(moved == k && axis == i)));
                let to =
                    [0, 1].map(|i| own[i] + self.reach[k] * contacts.response(3 * k + i, &change));
                let along = self.slope(k, to);
                for i in 0..2 {
                    j[2 * line + i][column] = own[i] - along[i];
                }
            }
        }
        let mut factor = Factor::new();
        factor.set(2 * size, SHARED, |row, column| j[row][column]);
        let x = factor.solve(b);
        // Scale all steps by one factor, so that the path does not depend on the frame of
        // reference.
        let longest = (0..size)
            .map(|line| length([x[2 * line], x[2 * line + 1]]))
            .fold(LONGEST_STEP, f64::max);
        let mut by = [[0.0; 2]; MAX_POINTS];
        for (line, &k) in places[..size].iter().enumerate() {
            by[k] = [0, 1].map(|i| x[2 * line + i] * LONGEST_STEP / longest);
        }
        by
    }

    /// Derivative of the projection in the direction `way`.
    fn slope(&self, k: usize, way: [f64; 2]) -> [f64; 2] {
        let aim = self.aim[k];
        let long = length(aim);
        if long <= 1.0 {
            return way;
        }
        let out = (aim[0] * way[0] + aim[1] * way[1]) / (long * long);
        [0, 1].map(|i| (way[i] - out * aim[i]) / long)
    }
}

/// Projects onto the unit disc.
pub fn kept(s: [f64; 2]) -> [f64; 2] {
    let long = length(s).max(1.0);
    s.map(|value| value / long)
}
