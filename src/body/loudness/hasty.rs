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
    let start = spring.from(x_m);
    let mut d = free_m - b * guess_n;
    let mut before: Option<(f64, f64)> = None;
    for _ in 0..MOST_LOOKS {
        let middle_m = x_m + 0.5 * d;
        let force_n = start.mean_force_n(d, h_s);
        if force_n <= 0.0 || middle_m <= 0.0 {
            return None;
        }
        let off_m = d - free_m + b * force_n;
        let slope = match before {
            Some((d0, off0_m)) if d != d0 => (off_m - off0_m) / (d - d0),
            _ => {
                let stiff = 0.5 * spring.alpha() * force_n / middle_m;
                let damped = (spring.damper_n_s_per_m() + spring.mu_s_per_m() * force_n) / h_s;
                1.0 + b * (stiff + damped)
            }
        };
        let next = d - off_m / slope;
        if off_m.abs() <= NEAR * b * force_n {
            let force_n = ((free_m - next) / b).max(0.0);
            return Some(Push { force_n, change_m: free_m - b * force_n, settled: true });
        }
        before = Some((d, off_m));
        d = next;
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
