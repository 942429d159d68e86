//! A step of a contact that goes on: the last force is a good guess, and Newton's method needs two
//! looks at the law.

use super::{Push, Reach, SOFT, solve};
use crate::contact::law::Spring;

/// Most looks at the law before the search that cannot fail is asked.
const MAX_LOOKS: u32 = 4;

/// The same as [`solve`], and sooner found where the contact goes on.
///
/// The equation `r = d - free + b F(d) = 0` has a smooth left side while the surface pushes. A
/// Newton step of `delta` leaves an error of `b F''/(2 (1 + b F')) delta^2` in d and of `F''/2
/// delta^2` in F, and F'' is about `F'/(4 x)`: once both are below rounding, the step is taken
/// without a further look at the law. Whatever does not settle so is left to [`solve`].
#[inline]
pub fn follow(spring: &Spring, reach: &Reach) -> Push {
    if reach.x_m <= 0.0 && reach.x_m + reach.free_m <= 0.0 {
        return Push { force_n: 0.0, change_m: reach.free_m, settled: true };
    }
    newton(spring, reach).unwrap_or_else(|| solve(spring, reach))
}

#[inline]
fn newton(spring: &Spring, reach: &Reach) -> Option<Push> {
    let Reach { x_m, free_m, mobility_m_per_n: b, h_s, guess_n } = *reach;
    if !(x_m > 0.0 && guess_n > 0.0) {
        return None;
    }
    let (start, per_h_per_s) = (spring.from(x_m), 1.0 / h_s);
    let mut d = free_m - b * guess_n;
    for _ in 0..MAX_LOOKS {
        let grade = start.grade(d, per_h_per_s)?;
        let residual = d - free_m + b * grade.force_n;
        let (stiff, min_m) = (b * grade.slope_n_per_m, x_m.min(x_m + d));
        let delta = residual / (1.0 + stiff);
        let rounding_m = f64::EPSILON * (free_m.abs() + d.abs());
        let left = delta * delta;
        d -= delta;
        if left * stiff <= rounding_m * min_m * (1.0 + stiff)
            && left <= f64::EPSILON * min_m * min_m
        {
            let by_law = grade.force_n - grade.slope_n_per_m * delta;
            // As in the other search: the law where it is soft, the flow where it is stiff.
            return Some(if b * by_law < SOFT * free_m.abs() {
                Push { force_n: by_law, change_m: free_m - b * by_law, settled: true }
            } else {
                Push { force_n: ((free_m - d) / b).max(0.0), change_m: d, settled: true }
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::HuntCrossley;

    #[test]
    fn it_finds_what_the_other_search_finds() {
        let mut found = 0;
        for alpha in [1.0, 1.5, 2.2, 3.5] {
            let spring =
                HuntCrossley { stiffness: 1e9, mu_s_per_m: 0.1, alpha }.prepare().with_damper(20.0);
            for (x_m, free) in [
                (1e-5, 0.1),
                (1e-5, -0.1),
                (1e-5, 1e-4),
                (2e-4, 0.3),
                (1e-6, -3.0),
                (-1e-6, 5.0),
                (-1e-6, 0.5),
            ] {
                for mobility in [1e-12, 1e-9, 1e-6] {
                    for share in [0.5, 0.98, 1.0, 1.2] {
                        let guess_n = share * spring.elastic_n(x_m);
                        let free_m = free * x_m.abs();
                        let reach =
                            Reach { x_m, free_m, mobility_m_per_n: mobility, h_s: 1e-6, guess_n };
                        found += u32::from(newton(&spring, &reach).is_some());
                        let (push, wanted) = (follow(&spring, &reach), solve(&spring, &reach));
                        assert!(push.settled);
                        let size_m = free_m.abs() + mobility * wanted.force_n;
                        let off_m = (push.change_m - wanted.change_m).abs();
                        let off_n = mobility * (push.force_n - wanted.force_n).abs();
                        assert!(
                            off_m.max(off_n) <= 8.0 * f64::EPSILON * size_m,
                            "{reach:?}: {push:?} {wanted:?}"
                        );
                    }
                }
            }
        }
        assert!(found > 80, "{found}");
    }
}
