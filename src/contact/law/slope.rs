//! The law together with how fast it grows, for a search that knows where it is going.

use super::{Power, SERIES, SERIES_REACH, SpringFrom, fives};

/// Change, as a share of the compression, below which the slope comes from the series' first terms:
/// it is a difference of forces over the change, and would lose its digits.
const TINY: f64 = 1e-5;

/// A force, and its growth with the change of compression.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grade {
    /// N.
    pub force_n: f64,
    /// N/m.
    pub slope_n_per_m: f64,
}

impl SpringFrom<'_> {
    /// [`mean_force_n`](Self::mean_force_n) and its slope over a step of `1/per_h` that begins and
    /// ends in contact and in which the surface pushes throughout; none for any other, which has a
    /// corner or a jump of its slope in it.
    #[inline]
    pub fn grade(&self, d_m: f64, per_h_per_s: f64) -> Option<Grade> {
        let mu = self.spring.mu_s_per_m * per_h_per_s;
        let factor = 1.0 + mu * d_m;
        let Grade { force_n: mean_n, slope_n_per_m } = self.gradient_grade(d_m)?;
        let damper = self.spring.damper_n_s_per_m * per_h_per_s;
        let force_n = mean_n * factor + damper * d_m;
        // NaN fails the comparison, too.
        (factor > 0.0 && force_n > 0.0).then_some(Grade {
            force_n,
            slope_n_per_m: slope_n_per_m * factor + mean_n * mu + damper,
        })
    }

    /// The discrete gradient and its slope, `(k (x + d)^alpha - gradient)/d`.
    #[inline]
    fn gradient_grade(&self, d_m: f64) -> Option<Grade> {
        let Self { spring, x_m, here_n, root } = *self;
        let end_m = x_m + d_m;
        if !(x_m > 0.0 && end_m > 0.0) {
            return None;
        }
        if let (Power::Halves(3), Some(a)) = (spring.power, root) {
            // By hand, because most contacts have it: the mean is 0.4 N/(a + b), the roots of both
            // ends being a and b, and db = dx/(2 b).
            let b = end_m.sqrt();
            let (per_sum, fives) = (1.0 / (a + b), fives(a, b));
            let growth = a * a * (a + 2.0 * b) + b * b * (3.0 * a + 4.0 * b);
            let scale = 0.4 * spring.stiffness * per_sum;
            return Some(Grade {
                force_n: scale * fives,
                slope_n_per_m: scale * (growth - fives * per_sum) * (0.5 / b),
            });
        }
        let (a, per_x) = (spring.alpha, 1.0 / x_m);
        let ratio = d_m * per_x;
        if let Some(root) = root
            && ratio.abs() > TINY
        {
            let force_n = spring.stiffness * spring.power.mean(root, end_m);
            let end_n = spring.stiffness * spring.power.raise(end_m);
            return Some(Grade { force_n, slope_n_per_m: (end_n - force_n) / d_m });
        }
        if ratio.abs() >= SERIES_REACH {
            return None;
        }
        let (mut sum, mut growth) = (1.0, 0.0);
        for (n, share) in SERIES.iter().enumerate().rev() {
            let factor = (a - n as f64) * share;
            growth = factor * (sum + ratio * growth);
            sum = 1.0 + factor * ratio * sum;
        }
        Some(Grade { force_n: here_n * sum, slope_n_per_m: here_n * growth * per_x })
    }
}

#[cfg(test)]
mod tests {
    use crate::contact::HuntCrossley;

    #[test]
    fn force_and_slope_are_those_of_the_law() {
        let (x, h_s) = (3e-5, 1e-6);
        for alpha in [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 1.3, 3.4] {
            let law = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.2, alpha };
            let elastic = law.prepare();
            let spring = elastic.with_damper(0.1 * h_s * elastic.elastic_n(x) / x);
            let from = spring.from(x);
            let mut known = 0;
            for share in [-0.9, -0.3, -0.02, -1e-3, -2e-6, 0.0, 1e-9, 2e-5, 0.01, 0.029, 0.2, 3.0] {
                let d = share * x;
                let Some(grade) = from.grade(d, 1.0 / h_s) else { continue };
                known += 1;
                let force_n = from.mean_force_n(d, h_s);
                assert!(
                    (grade.force_n / force_n - 1.0).abs() < 1e-13,
                    "alpha {alpha} share {share}"
                );
                let tiny = 1e-4 * x;
                let slope = (from.mean_force_n(d + tiny, h_s) - from.mean_force_n(d - tiny, h_s))
                    / (2.0 * tiny);
                let off = grade.slope_n_per_m / slope - 1.0;
                assert!(off.abs() < 1e-5, "alpha {alpha} share {share}: {off:e}");
            }
            assert!(known >= 5, "alpha {alpha}: {known}");
        }
    }

    #[test]
    fn a_step_into_or_out_of_contact_is_none_of_its_business() {
        let spring = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.0, alpha: 1.5 }
            .prepare()
            .with_damper(10.0);
        assert!(spring.from(-1e-6).grade(2e-6, 1e6).is_none());
        assert!(spring.from(1e-6).grade(-2e-6, 1e6).is_none());
        assert!(spring.from(1e-6).grade(-0.5e-6, 1e6).is_none(), "the damper would pull");
        assert!(spring.from(1e-6).grade(f64::NAN, 1e6).is_none());
    }
}
