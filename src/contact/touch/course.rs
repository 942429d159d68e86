//! How the force runs inside one step.
//!
//! A mode near the top of the band hears a force that is held for a quarter of a sample; the motion of a contact that
//! lasts many samples does not need steps that short. So Exact steps the motion as coarsely as the contact allows, and
//! hands its force on in shorter pieces, each with the mean that the known ends of the step give it.

use crate::contact::integrator::Motion;

/// The force over one step, as far as its ends tell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Course {
    /// Held at its mean.
    #[default]
    Held,
    /// Impulse as a cubic: its whole, and the forces at both ends, N.
    Between(f64, f64),
    /// Near either end of a contact: the compression changes evenly from one value to another (m), with the exponent of
    /// the law. The impulse then goes as a difference of powers, of which a cubic knows nothing.
    Straight(f64, f64, f64),
}

/// A step that begins or ends at less than this share of its largest compression is near the end of a contact.
const NEAR_THE_END: f64 = 0.25;

impl Course {
    /// Of a step of Exact from one motion to the next, under a law with exponent `alpha`. Both carry the elastic force.
    pub(super) fn between(before: &Motion, after: &Motion, alpha: f64) -> Self {
        let (from_m, to_m) = (before.x_m, after.x_m);
        if from_m.min(to_m) < NEAR_THE_END * from_m.max(to_m) {
            return Course::Straight(from_m, to_m, alpha);
        }
        Course::Between(before.carried_n * before.damping, after.carried_n * after.damping)
    }

    /// Impulse given within the first share `s` of a step with mean force `mean_n`, per duration of the step, N. `near` is
    /// what [`Course::near`] says.
    #[inline]
    fn given_n(&self, mean_n: f64, s: f64, (near, near_power): (f64, f64)) -> f64 {
        match *self {
            Course::Held => mean_n * s,
            Course::Between(from_n, to_n) => {
                let (left, s2) = (1.0 - s, s * s);
                mean_n * s2 * (3.0 - 2.0 * s) + from_n * s * left * left - to_n * s2 * left
            }
            Course::Straight(from_m, to_m, alpha) => {
                // In terms of the larger of the two, which is not 0: any power of it is 1.
                let power = |x: f64| x.powf(alpha + 1.0);
                let whole = 1.0 - near_power;
                if to_m > from_m {
                    mean_n * (power(near + s * (1.0 - near)) - near_power) / whole
                } else {
                    mean_n * (1.0 - power(1.0 - s * (1.0 - near))) / whole
                }
            }
        }
    }

    /// The smaller compression as a share of the larger, and its power: the same for all pieces of a step.
    fn near(&self) -> (f64, f64) {
        match *self {
            Course::Straight(from_m, to_m, alpha) => {
                let near = from_m.min(to_m) / from_m.max(to_m);
                (near, near.powf(alpha + 1.0))
            }
            _ => (0.0, 0.0),
        }
    }

    /// Mean forces of `count` equal pieces of a step with mean force `mean_n`, N, none negative. Together they give the
    /// impulse of the step, to rounding.
    pub fn pieces(self, mean_n: f64, count: u32) -> impl Iterator<Item = f64> {
        let share = 1.0 / f64::from(count);
        let near = self.near();
        let mut given_n = 0.0;
        (1..=count).map(move |index| {
            let now_n = if index == count { mean_n } else { self.given_n(mean_n, f64::from(index) * share, near) };
            // No piece takes back what others gave, nor gives what they would have to take back.
            let before_n = given_n;
            given_n = now_n.max(before_n).min(mean_n.max(before_n));
            (given_n - before_n) * f64::from(count)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_give_the_impulse_of_the_step_and_follow_the_force() {
        // F = t^2 from 1 to 2: its impulse is a cubic, which comes out as it is.
        let mean = 7.0 / 3.0;
        for count in [1, 2, 4, 16] {
            let pieces: Vec<f64> = Course::Between(1.0, 4.0).pieces(mean, count).collect();
            let sum: f64 = pieces.iter().sum::<f64>() / f64::from(count);
            assert!((sum / mean - 1.0).abs() < 1e-14);
            for (n, piece) in pieces.iter().enumerate() {
                let edge = |n: usize| (1.0 + n as f64 / f64::from(count)).powi(3) / 3.0;
                assert!((piece - (edge(n + 1) - edge(n)) * f64::from(count)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn none_pulls() {
        // A mean that no positive force with these ends could have.
        let pieces: Vec<f64> = Course::Between(1.0, 8.0).pieces(0.5, 16).collect();
        assert!(pieces.iter().all(|piece| *piece >= 0.0));
        assert!((pieces.iter().sum::<f64>() / 16.0 - 0.5).abs() < 1e-14);
        let ends = [Course::Straight(0.0, 1e-9, 1.5), Course::Straight(3.0, 0.1, 2.2)];
        for course in ends.into_iter().chain([Course::Held]) {
            assert!((course.pieces(3.0, 4).sum::<f64>() / 4.0 - 3.0).abs() < 1e-14, "{course:?}");
        }
    }
}
