//! Friction of points about to slip, where no direction opposes the slip it leads to.
//!
//! A point taken out of rolling need not slip. Two points of one body share the velocity along the
//! line that joins them: if one rolls the other can only slip across that line, and friction of
//! full strength in any direction may turn that slip round. The slip then ends at zero, and the
//! point holds with less friction than it may have. So the law asks for `s` in the unit disc with
//! `s = P(s + r u(s))`, u the slip at the interval's end, P the projection onto the disc (Alart and
//! Curnier 1991): on the rim s opposes the slip, inside there is none. P after a continuous map
//! takes a product of discs into itself, so by Brouwer there is such an s wherever u is continuous:
//! wherever the normal impulses stay determined, which is short of a jam. Directions alone are not
//! a disc, and need not exist.
//!
//! Solved by Newton's method where P has a slope, halved where it leads astray.

use super::least_squares::Factor;
use super::reduced::{Friction, Reduced};
use super::{Contacts, MAX_POINTS, MAX_ROWS, Rows, length};

/// Distance between s and its projection that counts as none.
const SETTLED: f64 = 1e-8;

/// Slope, as a share of the steepest, below which s may move without effect: friction that points
/// share.
const SHARED: f64 = 1e-6;

/// Longest step of one correction, in radii.
const LONGEST_STEP: f64 = 1.0;

/// How far every impending point is from `s = P(s + r u)`.
pub struct Gaps {
    by_point: [[f64; 2]; MAX_POINTS],
    /// `s + r u`.
    aim: [[f64; 2]; MAX_POINTS],
    /// r, s/m.
    reach: [f64; MAX_POINTS],
}

impl Gaps {
    /// Compare s with where the slip that `impulse` leads to from `v` takes it.
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
            // A whole radius changes the slip by about this much.
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

    /// The largest.
    pub fn worst(&self) -> f64 {
        self.by_point.iter().fold(0.0, |worst, gap| worst.max(length(*gap)))
    }

    /// Nothing is left to move.
    pub fn settled(&self) -> bool {
        self.worst() <= SETTLED
    }

    /// By how much to move each s: one step of Newton, the shortest where friction is shared among
    /// several points.
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
        // All together no further than the longest may go, so that the way does not depend on the
        // frame.
        let longest = (0..size)
            .map(|line| length([x[2 * line], x[2 * line + 1]]))
            .fold(LONGEST_STEP, f64::max);
        let mut by = [[0.0; 2]; MAX_POINTS];
        for (line, &k) in places[..size].iter().enumerate() {
            by[k] = [0, 1].map(|i| x[2 * line + i] * LONGEST_STEP / longest);
        }
        by
    }

    /// What the projection makes of a small way.
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

/// The nearest point of the unit disc.
pub fn kept(s: [f64; 2]) -> [f64; 2] {
    let long = length(s).max(1.0);
    s.map(|value| value / long)
}
