//! The passive step, as near as a rehearsal needs it.

use crate::contact::integrator::passive::{self, Push, Reach};
use crate::contact::law::Spring;

/// Off by no more than this share of what the force changes, one more Newton step is near enough: what it leaves is of second order.
const NEAR: f64 = 0.02;
/// Evaluations before the equation is left to the solver that settles it to rounding.
const MOST_LOOKS: u32 = 4;

/// As [`passive::solve`], but in contact only to about 1e-4 of the force: three quarters of the time of a rehearsal would go
/// into the other digits. Momentum is kept to rounding all the same, the force being that of the flow.
pub(super) fn push(spring: &Spring, reach: &Reach) -> Push {
    match quick(spring, reach) {
        Some(push) => push,
        None => passive::solve(spring, reach),
    }
}

fn quick(spring: &Spring, reach: &Reach) -> Option<Push> {
    let Reach { x_m, free_m, mobility_m_per_n: b, h_s, guess_n } = *reach;
    if x_m <= 0.0 {
        return None;
    }
    let (start, per_h_per_s) = (spring.from(x_m), 1.0 / h_s);
    let mut d = free_m - b * guess_n;
    for _ in 0..MOST_LOOKS {
        let grade = start.grade(d, per_h_per_s)?;
        let off_m = d - free_m + b * grade.force_n;
        let delta = off_m / (1.0 + b * grade.slope_n_per_m);
        if off_m.abs() <= NEAR * b * grade.force_n {
            // That is `(free - d)/b`, the force of the flow, which keeps momentum.
            let force_n = (grade.force_n - grade.slope_n_per_m * delta).max(0.0);
            return Some(Push { force_n, change_m: free_m - b * force_n, settled: true });
        }
        d -= delta;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::HuntCrossley;

    #[test]
    fn it_is_near_the_step_that_is_solved_to_rounding() {
        for (mu_s_per_m, damper) in [(0.0, 0.0), (1.0, 0.0), (0.0, 20.0)] {
            let spring = HuntCrossley { stiffness: 1e8, mu_s_per_m, alpha: 1.5 }.prepare().with_damper(damper);
            for x_m in [1e-6, 1e-5, 1e-4] {
                for v_m_per_s in [-1.0, -0.1, 0.01, 0.1, 1.0] {
                    let (h_s, mass_kg) = (1e-5, 0.02);
                    let guess_n = 1.2 * spring.force_n(x_m, v_m_per_s);
                    let mobility_m_per_n = 0.5 * h_s * h_s / mass_kg;
                    let reach = Reach { x_m, free_m: h_s * v_m_per_s, mobility_m_per_n, h_s, guess_n };
                    let (near, exact) = (push(&spring, &reach), passive::solve(&spring, &reach));
                    let off = (near.force_n - exact.force_n).abs();
                    assert!(off <= 1e-3 * exact.force_n, "{mu_s_per_m} {damper} {x_m} {v_m_per_s}: {near:?} {exact:?}");
                }
            }
        }
    }
}
