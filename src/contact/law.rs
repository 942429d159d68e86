//! The contact laws: Hunt–Crossley, and a Hertz spring with a linear damper.

/// Hunt–Crossley force between a mass and a surface.
///
/// `f = k x^alpha (1 + mu v)` for a compression `x > 0` (m) that grows with `v = dx/dt > 0` (m/s),
/// else 0; never negative: the surface does not pull. Papetti, Avanzini, Rocchesso 2011, eq. (1),
/// after Hunt and Crossley 1975.
///
/// Limits: no adhesion, no plastic dent, no memory of an earlier contact. Eq. (1) would pull below
/// `v = -1/mu`, which no exact trajectory reaches but a coarse step may: there the force is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HuntCrossley {
    /// Stiffness k, N/m^alpha.
    pub stiffness: f64,
    /// Dissipation mu = lambda/k, s/m.
    pub mu_s_per_m: f64,
    /// Exponent alpha, 1 and above; 1.5 for a sphere (Hertz).
    pub alpha: f64,
}

impl HuntCrossley {
    /// The law prepared for evaluation.
    pub fn prepare(&self) -> Spring {
        Spring {
            damper_n_s_per_m: 0.0,
            stiffness: self.stiffness,
            mu_s_per_m: self.mu_s_per_m,
            alpha: self.alpha,
            power: Power::new(self.alpha),
        }
    }
}

/// A contact law prepared for the inner loop: [`HuntCrossley`], or a Hertz spring with a linear
/// damper.
///
/// With a damper, `f = c v + k x^n` for `x >= 0`, never negative (Poursina and Nikravesh, eq. 7,
/// with eq. 20 as its end). Unlike Hunt–Crossley its force begins with `c v_in`, and ends before x
/// is 0 again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    stiffness: f64,
    mu_s_per_m: f64,
    damper_n_s_per_m: f64,
    alpha: f64,
    power: Power,
}

impl Spring {
    /// Adds a linear damper, N s/m.
    pub fn with_damper(self, damper_n_s_per_m: f64) -> Self {
        Self { damper_n_s_per_m, ..self }
    }

    /// Scales every force by a share.
    pub fn eased(self, share: f64) -> Self {
        Self {
            stiffness: share * self.stiffness,
            damper_n_s_per_m: share * self.damper_n_s_per_m,
            ..self
        }
    }

    /// Linear damper c, N s/m.
    pub fn damper_n_s_per_m(&self) -> f64 {
        self.damper_n_s_per_m
    }

    /// Exponent alpha.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Dissipation mu, s/m.
    pub fn mu_s_per_m(&self) -> f64 {
        self.mu_s_per_m
    }

    /// Stiffness k, N/m^alpha.
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// The elastic part `k x^alpha`, N; 0 out of contact.
    #[inline]
    pub fn elastic_n(&self, x_m: f64) -> f64 {
        if x_m > 0.0 { self.stiffness * self.power.raise(x_m) } else { 0.0 }
    }

    /// The whole force of eq. (1), N, never negative.
    #[inline]
    pub fn force_n(&self, x_m: f64, v_m_per_s: f64) -> f64 {
        let spring_n = self.elastic_n(x_m) * (1.0 + self.mu_s_per_m * v_m_per_s).max(0.0);
        if self.damper_n_s_per_m == 0.0 || x_m < 0.0 {
            return spring_n;
        }
        (spring_n + self.damper_n_s_per_m * v_m_per_s).max(0.0)
    }

    /// `c v + k x^alpha` with an odd power, N: positive while spring and damper push, and smooth
    /// where the force crosses zero.
    #[inline]
    pub fn signed_force_n(&self, x_m: f64, v_m_per_s: f64) -> f64 {
        self.elastic_n(x_m.abs()).copysign(x_m) + self.damper_n_s_per_m * v_m_per_s
    }

    /// Prepares steps that begin at a compression.
    #[inline]
    pub fn from(&self, x_m: f64) -> SpringFrom<'_> {
        SpringFrom {
            spring: self,
            x_m,
            here_n: self.elastic_n(x_m),
            root: self.power.root(x_m.max(0.0)),
        }
    }

    /// Mean force over a step of `h_s` in which the compression changes from `x_m` by `d_m`, N: see
    /// [`SpringFrom::mean_force_n`].
    #[inline]
    pub fn mean_force_n(&self, x_m: f64, d_m: f64, h_s: f64) -> f64 {
        self.from(x_m).mean_force_n(d_m, h_s)
    }

    /// Energy stored in the spring, J: `V = k x^(alpha+1)/(alpha+1)`, eq. (13).
    #[inline]
    pub fn potential_j(&self, x_m: f64) -> f64 {
        self.elastic_n(x_m) * x_m.max(0.0) / (self.alpha + 1.0)
    }

    /// Time for a mass to sink in under its weight, s: a quarter period about its rest position.
    pub fn sinking_s(&self, mass_kg: f64, gravity_m_per_s2: f64) -> f64 {
        let rest_m = (mass_kg * gravity_m_per_s2 / self.stiffness).powf(1.0 / self.alpha);
        std::f64::consts::FRAC_PI_2 * (rest_m / (self.alpha * gravity_m_per_s2)).sqrt()
    }

    /// The discrete gradient `(V(x + d) - V(x))/d`, N: see [`SpringFrom::gradient_n`].
    pub fn discrete_gradient_n(&self, x_m: f64, d_m: f64) -> f64 {
        self.from(x_m).gradient_n(d_m)
    }
}

/// A law at the start of a step. Everything independent of the end of the step is computed once, as
/// the solver evaluates the law several times.
#[derive(Clone, Copy, Debug)]
pub struct SpringFrom<'a> {
    spring: &'a Spring,
    x_m: f64,
    /// The elastic force, N.
    here_n: f64,
    /// x or its square root, of which x^(alpha+1) is an integer power; `None` for other exponents.
    root: Option<f64>,
}

impl SpringFrom<'_> {
    /// Mean force over a step of `h_s` in which the compression changes by `d_m`, N, never
    /// negative: the discrete gradient plus the damping. Grows with d.
    ///
    /// Both dampings dissipate for either sign of d. Where the step begins out of contact, the
    /// damper acts on the part of d in contact only, so that F begins at 0 without a jump.
    #[inline]
    pub fn mean_force_n(&self, d_m: f64, h_s: f64) -> f64 {
        let spring = self.spring;
        let factor = (1.0 + spring.mu_s_per_m * d_m / h_s).max(0.0);
        let spring_n = self.gradient_n(d_m) * factor;
        if spring.damper_n_s_per_m == 0.0 {
            return spring_n;
        }
        let within_m = if self.x_m > 0.0 { d_m } else { (self.x_m + d_m).max(0.0) };
        (spring_n + spring.damper_n_s_per_m * within_m / h_s).max(0.0)
    }

    /// The discrete gradient `(V(x + d) - V(x))/d`, N, which tends to `k x^alpha` as d goes to 0.
    ///
    /// Never negative, and growing in d, because V is convex. Accurate for small d.
    pub fn gradient_n(&self, d_m: f64) -> f64 {
        let Self { spring, x_m, here_n, .. } = *self;
        let end_m = x_m + d_m;
        if x_m <= 0.0 {
            return if end_m > 0.0 { spring.potential_j(end_m) / d_m } else { 0.0 };
        }
        let ratio = d_m / x_m;
        if ratio <= -1.0 {
            return -spring.potential_j(x_m) / d_m;
        }
        let a = spring.alpha;
        if ratio.abs() < SERIES_REACH {
            // 1 + a r/2 (1 + (a-1) r/3 (1 + (a-2) r/4 (...)))
            let mut sum = 1.0;
            for (n, share) in SERIES.iter().enumerate().rev() {
                sum = 1.0 + (a - n as f64) * ratio * share * sum;
            }
            return here_n * sum;
        }
        // Not for small changes, where the sum x + d loses the digits of d.
        if let Some(root) = self.root {
            return spring.stiffness * spring.power.mean(root, end_m);
        }
        if ratio.abs() < 0.25 {
            let growth = ((a + 1.0) * ratio.ln_1p()).exp_m1();
            return here_n * growth / ((a + 1.0) * ratio);
        }
        (spring.potential_j(end_m) - here_n * x_m / (a + 1.0)) / d_m
    }
}

/// Largest change, as a share of the compression, for which the binomial series is taken ...
const SERIES_REACH: f64 = 0.03;
/// ... and its factors 1/2, 1/3, ...: for exponents up to 3.5 the remainder is below 1e-17.
const SERIES: [f64; 9] = [
    1.0 / 2.0,
    1.0 / 3.0,
    1.0 / 4.0,
    1.0 / 5.0,
    1.0 / 6.0,
    1.0 / 7.0,
    1.0 / 8.0,
    1.0 / 9.0,
    1.0 / 10.0,
];

/// `x^alpha`, faster for the half-integer exponents of contacts between smooth shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Power {
    Halves(u8),
    Any(f64),
}

impl Power {
    pub(super) fn new(alpha: f64) -> Self {
        let halves = 2.0 * alpha;
        if halves.fract() == 0.0 && (2.0..=7.0).contains(&halves) {
            Power::Halves(halves as u8)
        } else {
            Power::Any(alpha)
        }
    }

    /// x or its square root, of which x^(alpha+1) is an integer power; `None` for other exponents.
    #[inline]
    fn root(self, x: f64) -> Option<f64> {
        match self {
            Power::Halves(halves) if halves % 2 == 0 => Some(x),
            Power::Halves(_) => Some(x.sqrt()),
            Power::Any(_) => None,
        }
    }

    /// Mean of `x^alpha` between two compressions above 0, without their difference: with `y^N =
    /// x^(alpha+1)`, N an integer, `b^N - a^N` is divided by `b - a` analytically. `a` is the
    /// [`root`](Self::root) of the first.
    #[inline]
    fn mean(self, a: f64, to: f64) -> f64 {
        match self {
            Power::Halves(2) => 0.5 * (a + to),
            Power::Halves(3) => 0.4 * fives(a, to.sqrt()) / (a + to.sqrt()),
            Power::Halves(4) => (a * a + a * to + to * to) / 3.0,
            Power::Halves(5) => (2.0 / 7.0) * sevens(a, to.sqrt()) / (a + to.sqrt()),
            Power::Halves(6) => 0.25 * (a + to) * (a * a + to * to),
            Power::Halves(_) => {
                let b = to.sqrt();
                let (a3, b3) = (a * a * a, b * b * b);
                // b^9 - a^9 = (b^3 - a^3)(b^6 + b^3 a^3 + a^6)
                (2.0 / 9.0) * (a * a + a * b + b * b) * (a3 * a3 + a3 * b3 + b3 * b3) / (a + b)
            }
            // Not reached, as there is no root.
            Power::Any(alpha) => to.powf(alpha),
        }
    }

    #[inline]
    pub(super) fn raise(self, x: f64) -> f64 {
        match self {
            Power::Halves(2) => x,
            Power::Halves(3) => x * x.sqrt(),
            Power::Halves(4) => x * x,
            Power::Halves(5) => x * x * x.sqrt(),
            Power::Halves(6) => x * x * x,
            Power::Halves(_) => x * x * x * x.sqrt(),
            Power::Any(alpha) => x.powf(alpha),
        }
    }
}

/// `(b^5 - a^5)/(b - a)`
#[inline]
fn fives(a: f64, b: f64) -> f64 {
    let (aa, ab, bb) = (a * a, a * b, b * b);
    aa * aa + bb * bb + ab * (aa + ab + bb)
}

/// `(b^7 - a^7)/(b - a)`
#[inline]
fn sevens(a: f64, b: f64) -> f64 {
    let (aa, ab, bb) = (a * a, a * b, b * b);
    let cube = aa * aa * aa + bb * bb * bb;
    cube + ab * (aa * aa + bb * bb + ab * (aa + ab + bb))
}

/// Change, as a share of the compression, below which the slope comes from the series: the
/// difference of forces over the change would lose its digits.
const TINY: f64 = 1e-5;

/// A force and its derivative with respect to the change of compression.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceAndSlope {
    /// N.
    pub force_n: f64,
    /// N/m.
    pub slope_n_per_m: f64,
}

impl SpringFrom<'_> {
    /// [`mean_force_n`](Self::mean_force_n) and its slope over a step of `1/per_h`, in which the
    /// surface pushes throughout; `None` for other steps, whose slope has a jump.
    #[inline]
    pub fn force_and_slope(&self, d_m: f64, per_h_per_s: f64) -> Option<ForceAndSlope> {
        let mu = self.spring.mu_s_per_m * per_h_per_s;
        let factor = 1.0 + mu * d_m;
        let ForceAndSlope { force_n: mean_n, slope_n_per_m } = self.gradient_and_slope(d_m)?;
        let damper = self.spring.damper_n_s_per_m * per_h_per_s;
        let force_n = mean_n * factor + damper * d_m;
        // NaN fails the comparison, too.
        (factor > 0.0 && force_n > 0.0).then_some(ForceAndSlope {
            force_n,
            slope_n_per_m: slope_n_per_m * factor + mean_n * mu + damper,
        })
    }

    /// The discrete gradient and its slope, `(k (x + d)^alpha - gradient)/d`.
    #[inline]
    fn gradient_and_slope(&self, d_m: f64) -> Option<ForceAndSlope> {
        let Self { spring, x_m, here_n, root } = *self;
        let end_m = x_m + d_m;
        if !(x_m > 0.0 && end_m > 0.0) {
            return None;
        }
        if let (Power::Halves(3), Some(a)) = (spring.power, root) {
            // The most frequent exponent: the mean is 0.4 N/(a + b), with the roots a and b of both
            // ends, and db = dx/(2 b).
            let b = end_m.sqrt();
            let (per_sum, fives) = (1.0 / (a + b), fives(a, b));
            let growth = a * a * (a + 2.0 * b) + b * b * (3.0 * a + 4.0 * b);
            let scale = 0.4 * spring.stiffness * per_sum;
            return Some(ForceAndSlope {
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
            return Some(ForceAndSlope { force_n, slope_n_per_m: (end_n - force_n) / d_m });
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
        Some(ForceAndSlope { force_n: here_n * sum, slope_n_per_m: here_n * growth * per_x })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_the_mean_of_the_force_between_two_compressions() {
        for alpha in [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 1.3, 2.2, 3.4] {
            let spring = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.0, alpha }.prepare();
            let x = 3e-5;
            for share in [
                -0.9, -0.3, -0.2, -0.031, -0.029, -1e-3, 1e-9, 1e-5, 0.02, 0.0299, 0.0301, 0.24,
                0.26, 5.0,
            ] {
                let d = share * x;
                // Gauss' rule with five points, on 64 pieces: smooth enough for 1e-13.
                let nodes =
                    [(0.0, 128.0 / 225.0), (0.538_469_310_105_683_1, 0.478_628_670_499_366_5)];
                let far = (0.906_179_845_938_664, 0.236_926_885_056_189_1);
                let mut mean = 0.0;
                for piece in 0..64 {
                    let at = |u: f64| {
                        spring.elastic_n(x + d * (f64::from(piece) + 0.5 + 0.5 * u) / 64.0)
                    };
                    mean += nodes[0].1 * at(0.0) + nodes[1].1 * (at(nodes[1].0) + at(-nodes[1].0));
                    mean += far.1 * (at(far.0) + at(-far.0));
                }
                let off = spring.discrete_gradient_n(x, d) / (mean / 128.0) - 1.0;
                assert!(off.abs() < 2e-13, "alpha {alpha} share {share}: {off:e}");
            }
        }
    }

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
                let Some(found) = from.force_and_slope(d, 1.0 / h_s) else { continue };
                known += 1;
                let force_n = from.mean_force_n(d, h_s);
                assert!(
                    (found.force_n / force_n - 1.0).abs() < 1e-13,
                    "alpha {alpha} share {share}"
                );
                let tiny = 1e-4 * x;
                let slope = (from.mean_force_n(d + tiny, h_s) - from.mean_force_n(d - tiny, h_s))
                    / (2.0 * tiny);
                let off = found.slope_n_per_m / slope - 1.0;
                assert!(off.abs() < 1e-5, "alpha {alpha} share {share}: {off:e}");
            }
            assert!(known >= 5, "alpha {alpha}: {known}");
        }
    }

    #[test]
    fn a_step_into_or_out_of_contact_has_no_slope() {
        let spring = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.0, alpha: 1.5 }
            .prepare()
            .with_damper(10.0);
        assert!(spring.from(-1e-6).force_and_slope(2e-6, 1e6).is_none());
        assert!(spring.from(1e-6).force_and_slope(-2e-6, 1e6).is_none());
        assert!(spring.from(1e-6).force_and_slope(-0.5e-6, 1e6).is_none(), "the damper would pull");
        assert!(spring.from(1e-6).force_and_slope(f64::NAN, 1e6).is_none());
    }
}
