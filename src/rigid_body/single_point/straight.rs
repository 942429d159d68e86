//! The closed forms: the impulse grows along a line, `I' = sigma`, and v_z with it (sections 6.2
//! and 6.3).

use super::Restitution;

/// Where a contact is in its course along the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    /// Normal impulse so far, N s.
    pub i_z: f64,
    /// Normal velocity, m/s.
    pub v_z: f64,
    /// Stored energy, J.
    pub energy: f64,
    /// Normal impulse and energy at the end of compression, once it has ended.
    pub compressed: Option<(f64, f64)>,
}

impl Normal {
    /// Compression has just ended: what cannot come back is gone.
    pub fn turn(&mut self, restitution: &Restitution) {
        self.compressed = Some((self.i_z, self.energy));
        if let Restitution::Stronge(e) = restitution {
            self.energy *= e * e;
        }
    }

    /// Impulse left until the end of restitution if v_z gains `gain` per impulse; infinite if it
    /// never ends so.
    ///
    /// Stronge: until the energy is spent. Poisson: until e times the impulse of compression, or
    /// until all energy is spent if that comes first, so that neither can make energy.
    fn left(&self, gain: f64, restitution: &Restitution) -> f64 {
        let spent = {
            let root = self.v_z * self.v_z + 2.0 * gain * self.energy;
            let sum = self.v_z + root.max(0.0).sqrt();
            if self.energy <= 0.0 {
                0.0
            } else if root < 0.0 || sum <= 0.0 {
                f64::INFINITY
            } else {
                2.0 * self.energy / sum
            }
        };
        match (restitution, self.compressed) {
            (Restitution::Poisson(e), Some((i_zc, _))) => {
                spent.min(((1.0 + e) * i_zc - self.i_z).max(0.0))
            }
            _ => spent,
        }
    }

    fn advance(&mut self, by: f64, gain: f64) {
        self.energy -= (self.v_z + 0.5 * gain * by) * by;
        self.v_z += gain * by;
        self.i_z += by;
    }

    /// Go along a line on which v_z gains `gain` (1/kg) per impulse, at most `limit` (N s). True
    /// once it is over.
    pub fn run(&mut self, gain: f64, limit: f64, restitution: &Restitution) -> bool {
        let mut limit = limit;
        if self.compressed.is_none() {
            let until = if gain > 0.0 { (-self.v_z / gain).max(0.0) } else { f64::INFINITY };
            if until > limit {
                self.advance(limit, gain);
                return false;
            }
            self.advance(until, gain);
            self.v_z = 0.0;
            limit -= until;
            self.turn(restitution);
        }
        let until = self.left(gain, restitution);
        let over = until <= limit;
        self.advance(until.min(limit), gain);
        over
    }
}
