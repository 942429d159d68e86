//! The Hunt–Crossley contact law.

/// Hunt–Crossley force between a mass and a surface.
///
/// `f = k x^alpha (1 + mu v)` for a compression `x > 0` (m) that grows with `v = dx/dt > 0` (m/s), else 0;
/// never negative: the surface does not pull. Papetti, Avanzini, Rocchesso 2011, eq. (1), after Hunt and
/// Crossley 1975.
///
/// Limits: no adhesion, no plastic dent; the law forgets an earlier contact at once. The paper's own (1)
/// would pull below `v = -1/mu`, which no true trajectory reaches but a coarse step may: there it is 0.
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
    /// The law with its power made ready for evaluation.
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

/// A contact law ready for evaluation in the inner loop: [`HuntCrossley`], or a Hertz spring with a linear damper.
///
/// With a damper, `f = c v + k x^n` for `x >= 0`, never negative (Poursina and Nikravesh, eq. 7, with eq. 20 as its
/// end). Unlike Hunt–Crossley it pushes with `c v_in` from the first instant, and lets go before x is 0 again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    stiffness: f64,
    mu_s_per_m: f64,
    damper_n_s_per_m: f64,
    alpha: f64,
    power: Power,
}

impl Spring {
    /// The same with a linear damper beside it, N s/m.
    pub fn with_damper(self, damper_n_s_per_m: f64) -> Self {
        Self { damper_n_s_per_m, ..self }
    }

    /// The same with a share of every force, 0...1.
    pub fn eased(self, share: f64) -> Self {
        Self { stiffness: share * self.stiffness, damper_n_s_per_m: share * self.damper_n_s_per_m, ..self }
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

    /// `c v + k x^alpha` with the power continued to the other side of 0, N: positive while spring and damper
    /// push, and through zero without a corner where they let go.
    #[inline]
    pub fn signed_force_n(&self, x_m: f64, v_m_per_s: f64) -> f64 {
        self.elastic_n(x_m.abs()).copysign(x_m) + self.damper_n_s_per_m * v_m_per_s
    }

    /// Mean force over a step of `h_s` in which the compression changes from `x_m` by `d_m`, N, never negative:
    /// the discrete gradient with what each damping adds. Grows with d.
    ///
    /// Both dampings take energy for either sign of d. Where the step begins out of contact, the damper has only
    /// the part of the way that lies within: F then begins at 0, and the solver meets no jump.
    #[inline]
    pub fn mean_force_n(&self, x_m: f64, d_m: f64, h_s: f64) -> f64 {
        let spring_n = self.discrete_gradient_n(x_m, d_m) * (1.0 + self.mu_s_per_m * d_m / h_s).max(0.0);
        if self.damper_n_s_per_m == 0.0 {
            return spring_n;
        }
        let within_m = if x_m > 0.0 { d_m } else { (x_m + d_m).max(0.0) };
        (spring_n + self.damper_n_s_per_m * within_m / h_s).max(0.0)
    }

    /// Energy kept in the spring, J: `V = k x^(alpha+1)/(alpha+1)`, eq. (13).
    #[inline]
    pub fn potential_j(&self, x_m: f64) -> f64 {
        self.elastic_n(x_m) * x_m.max(0.0) / (self.alpha + 1.0)
    }

    /// The discrete gradient `(V(x + d) - V(x))/d`, N, which tends to `k x^alpha` as d goes to 0.
    ///
    /// Never negative, and growing in d, because V is convex. Written so that a small d costs no digits.
    pub fn discrete_gradient_n(&self, x_m: f64, d_m: f64) -> f64 {
        let end_m = x_m + d_m;
        if x_m <= 0.0 {
            return if end_m > 0.0 { self.potential_j(end_m) / d_m } else { 0.0 };
        }
        let ratio = d_m / x_m;
        if ratio <= -1.0 {
            return -self.potential_j(x_m) / d_m;
        }
        if let Some(gradient) = self.power.mean(x_m, end_m) {
            return self.stiffness * gradient;
        }
        let here_n = self.elastic_n(x_m);
        if ratio.abs() < 1e-4 {
            // Binomial series: three terms reach 1e-13 here.
            let a = self.alpha;
            return here_n
                * (1.0 + a * ratio / 2.0 * (1.0 + (a - 1.0) * ratio / 3.0 * (1.0 + (a - 2.0) * ratio / 4.0)));
        }
        if ratio.abs() < 0.25 {
            let growth = ((self.alpha + 1.0) * ratio.ln_1p()).exp_m1();
            return here_n * growth / ((self.alpha + 1.0) * ratio);
        }
        (self.potential_j(end_m) - here_n * x_m / (self.alpha + 1.0)) / d_m
    }
}

/// `x^alpha`, cheaper for the half-integer exponents which contacts between smooth shapes have.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Power {
    Halves(u8),
    Any(f64),
}

impl Power {
    fn new(alpha: f64) -> Self {
        let halves = 2.0 * alpha;
        if halves.fract() == 0.0 && (2.0..=7.0).contains(&halves) {
            Power::Halves(halves as u8)
        } else {
            Power::Any(alpha)
        }
    }

    /// Mean of `x^alpha` between two compressions above 0, without their difference: with `y^N = x^(alpha+1)`, N a whole
    /// number, `b^N - a^N` is divided by `b - a` by hand. None where that does not go.
    #[inline]
    fn mean(self, from: f64, to: f64) -> Option<f64> {
        let Power::Halves(halves) = self else { return None };
        let (a, b, n) = if halves % 2 == 0 { (from, to, halves / 2 + 1) } else { (from.sqrt(), to.sqrt(), halves + 2) };
        // b^(n-1) + b^(n-2) a + ... + a^(n-1)
        let (mut sum, mut power) = (1.0, 1.0);
        for _ in 1..n {
            power *= a;
            sum = sum * b + power;
        }
        Some(if halves % 2 == 0 { sum / f64::from(n) } else { 2.0 * sum / (f64::from(n) * (a + b)) })
    }

    #[inline]
    fn raise(self, x: f64) -> f64 {
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
