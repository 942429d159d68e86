//! The forces of several riders that go on pressing: their last forces are a good guess, and
//! Newton's method for all of them together needs two looks at each law.

use super::MAX_CONTACT_SLOTS;
use super::solve::{System, eliminate};

/// Most looks at the laws before the search that cannot miss is asked.
const MAX_LOOKS: u32 = 4;

impl System<'_> {
    /// The forces, if all that press go on with it throughout the step and nothing else begins to;
    /// none where that is not so, or not soon found.
    ///
    /// With `d = free - A F` the equations are `F_i - law_i(d_i) = 0`. A Newton step that changes
    /// `d_i` by delta leaves an error of `law''/2 delta^2` in `F_i`, and `law''` is about `law'/(4
    /// x)`: once that is below rounding for all, it is the last.
    pub(super) fn follow(&self) -> Option<[f64; MAX_CONTACT_SLOTS]> {
        let n = self.parts.len();
        let presses = |i: usize| self.parts[i].reach.x_m > 0.0;
        let mut forces = [0.0; MAX_CONTACT_SLOTS];
        for i in (0..n).filter(|&i| presses(i)) {
            forces[i] = self.parts[i].reach.guess_n;
            if forces[i] <= 0.0 {
                return None;
            }
        }
        let mut settled = false;
        for _ in 0..MAX_LOOKS {
            let mut matrix = [[0.0; MAX_CONTACT_SLOTS + 1]; MAX_CONTACT_SLOTS];
            let (mut slopes, mut changes_m) = ([0.0; MAX_CONTACT_SLOTS], [0.0; MAX_CONTACT_SLOTS]);
            for (i, part) in self.parts.iter().enumerate() {
                matrix[i][i] = 1.0;
                if !presses(i) {
                    continue;
                }
                let d = self.change_m(i, &forces);
                let grade = part.spring.from(part.reach.x_m).grade(d, 1.0 / part.reach.h_s)?;
                for (entry, mobility) in matrix[i].iter_mut().zip(&self.a[i][..n]) {
                    *entry += grade.slope_n_per_m * mobility;
                }
                matrix[i][MAX_CONTACT_SLOTS] = grade.force_n - forces[i];
                (slopes[i], changes_m[i]) = (grade.slope_n_per_m, d);
            }
            let steps = eliminate(&mut matrix, n)?;
            settled = true;
            for i in (0..n).filter(|&i| presses(i)) {
                forces[i] += steps[i];
                if forces[i].is_nan() || forces[i] <= 0.0 {
                    return None;
                }
                let reach = &self.parts[i].reach;
                let delta: f64 =
                    self.a[i][..n].iter().zip(&steps).map(|(mobility, step)| mobility * step).sum();
                let (stiff, left) = (slopes[i] * self.a[i][i], delta * delta);
                let min_m = reach.x_m.min(reach.x_m + changes_m[i]);
                let rounding_m = f64::EPSILON * (reach.free_m.abs() + changes_m[i].abs());
                settled &= left * stiff <= rounding_m * min_m * (1.0 + stiff)
                    && left <= f64::EPSILON * min_m * min_m;
            }
            if settled {
                break;
            }
        }
        let stays_away =
            |i: usize| presses(i) || self.parts[i].reach.x_m + self.change_m(i, &forces) <= 0.0;
        (settled && (0..n).all(stays_away)).then_some(forces)
    }
}

#[cfg(test)]
mod tests {
    use super::super::solve::Part;
    use super::*;
    use crate::contact::HuntCrossley;
    use crate::contact::integrator::passive::Reach;

    /// Three on a body: two press, and the third is `gap_m` away.
    fn parts(guess: f64, gap_m: f64) -> [Part; 3] {
        let spring =
            |stiffness, alpha| HuntCrossley { stiffness, mu_s_per_m: 0.3, alpha }.prepare();
        let part = |slot, spring, x_m, free_m, guess_n| {
            let reach = Reach { x_m, free_m, mobility_m_per_n: 1e-10, h_s: 1e-5, guess_n };
            Part::new(slot, spring, reach)
        };
        let (soft, hard) = (spring(1e7, 1.5), spring(1e9, 2.2));
        [
            part(0, soft, 1e-5, 2e-7, guess * soft.elastic_n(1e-5)),
            part(1, hard, 3e-5, -4e-7, guess * hard.elastic_n(3e-5)),
            part(2, soft, -gap_m, 1e-8, 0.0),
        ]
    }

    fn ground(mobility_m_per_n: f64) -> [[f64; MAX_CONTACT_SLOTS]; MAX_CONTACT_SLOTS] {
        std::array::from_fn(|i| {
            std::array::from_fn(|j| mobility_m_per_n * if i == j { 1.0 } else { 0.9 })
        })
    }

    #[test]
    fn it_finds_what_one_after_the_other_finds() {
        let mut found = 0;
        for mobility in [1e-12, 1e-9, 1e-6] {
            for guess in [0.8, 0.99, 1.0, 1.1] {
                let parts = parts(guess, 1e-3);
                let system = System::new(&ground(mobility), &parts);
                let (wanted, settled) = system.search();
                assert!(settled);
                let Some(forces) = system.follow() else { continue };
                found += 1;
                for i in 0..3 {
                    let size_m: f64 =
                        (0..3).map(|j| system.a[i][j] * wanted[j]).sum::<f64>() + 4e-7;
                    let off_m = system.a[i][i] * (forces[i] - wanted[i]).abs();
                    assert!(
                        off_m <= 16.0 * f64::EPSILON * size_m,
                        "{mobility:e} {guess}: {forces:?} {wanted:?}"
                    );
                }
            }
        }
        assert!(found >= 8, "{found}");
    }

    #[test]
    fn one_that_begins_to_press_is_left_to_the_search() {
        assert!(System::new(&ground(1e-9), &parts(1.0, 1e-3)).follow().is_some());
        assert!(System::new(&ground(1e-9), &parts(1.0, 1e-9)).follow().is_none());
        assert!(
            System::new(&ground(1e-9), &parts(0.0, 1e-3)).follow().is_none(),
            "nothing to begin with"
        );
    }
}
