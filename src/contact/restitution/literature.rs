//! Results of the literature, for comparison only; equation numbers are those of the paper.

/// An estimate of mu for a wanted restitution.
///
/// The paper's mu is lambda = mu k; here mu = lambda/k, in s/m.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// Hunt and Crossley 1975, eq. (13): `3 (1-e)/(2 v)`. For e near 1.
    HuntCrossley,
    /// Lankarani and Nikravesh 1990, eq. (14): `3 (1-e^2)/(4 v)`. For e near 1.
    LankaraniNikravesh,
    /// Hu and Guo 2015, eq. (15): `3 (1-e)/(2 e v)`.
    HuGuo,
    /// Flores et al. 2011 and Ye et al. 2009, eq. (16): `8 (1-e)/(5 e v)`.
    FloresYe,
}

impl Estimate {
    /// In the order of the paper.
    pub const ALL: [Estimate; 4] =
        [Estimate::HuntCrossley, Estimate::LankaraniNikravesh, Estimate::HuGuo, Estimate::FloresYe];

    /// Display name.
    pub const fn name(self) -> &'static str {
        match self {
            Estimate::HuntCrossley => "Hunt-Crossley",
            Estimate::LankaraniNikravesh => "Lankarani-Nikravesh",
            Estimate::HuGuo => "Hu-Guo",
            Estimate::FloresYe => "Flores/Ye",
        }
    }

    /// mu (s/m) for a wanted e (above 0 for the last two) at `v_in_m_per_s`.
    pub fn mu_s_per_m(self, e: f64, v_in_m_per_s: f64) -> f64 {
        let u = match self {
            Estimate::HuntCrossley => 1.5 * (1.0 - e),
            Estimate::LankaraniNikravesh => 0.75 * (1.0 - e * e),
            Estimate::HuGuo => 1.5 * (1.0 - e) / e,
            Estimate::FloresYe => 1.6 * (1.0 - e) / e,
        };
        u / v_in_m_per_s
    }
}

/// The linear contact (n = 1) in closed form: Butcher and Segalman 2000, eq. (55).
pub mod kelvin_voigt {
    /// Maximum Newton steps for a damping ratio. It converges within 21 for any e down to 1e-12;
    /// for one e in four the last bit oscillates until the bound.
    const MAX_STEPS: u32 = 60;

    /// `acos(z)/sqrt(1-z^2)` for z below 1, `acosh(z)/sqrt(z^2-1)` above: one smooth function, 1 at
    /// z = 1.
    fn arc_ratio(z: f64) -> f64 {
        let y = 1.0 - z;
        if y.abs() < 1e-3 {
            // Series about z = 1: the coefficients are 1, 1/3, 2/15, 2/35.
            return 1.0 + y * (1.0 / 3.0 + y * (2.0 / 15.0 + y * (2.0 / 35.0 + y * (8.0 / 315.0))));
        }
        if z < 1.0 { z.acos() / (1.0 - z * z).sqrt() } else { z.acosh() / (z * z - 1.0).sqrt() }
    }

    /// Restitution at the damping ratio `xi = c/(2 sqrt(k m))`, eq. (56): `e = exp(-2 xi
    /// acos(xi)/sqrt(1-xi^2))`.
    ///
    /// Eq. (55) in one line: its `atan(2 xi w/(2 xi^2-1))` with `w = sqrt(1-xi^2)` is `2 acos(xi)`
    /// in the right quadrant. The exponent (55) prints for xi > 1 does not join at xi = 1 (it gives
    /// 1 there, not e^-2); the solution of the equation of motion is the one here,
    /// `((xi-s)/(xi+s))^(xi/s)` with `s = sqrt(xi^2-1)`.
    pub fn restitution(damping_ratio: f64) -> f64 {
        (-2.0 * damping_ratio * arc_ratio(damping_ratio)).exp()
    }

    /// Time of separation in units of `sqrt(m/k)`.
    pub fn separation_time(damping_ratio: f64) -> f64 {
        2.0 * arc_ratio(damping_ratio)
    }

    /// Damping ratio that gives restitution e, `0 < e <= 1`; to rounding.
    pub fn damping_ratio(e: f64) -> f64 {
        if e >= 1.0 {
            return 0.0;
        }
        let goal = -e.ln();
        // ln(1/e) rises with slope pi near 0 and as 2 ln(2 xi) at large xi. The curve is concave,
        // so Newton's method converges from the left.
        let mut xi = (goal / std::f64::consts::PI).max(0.0);
        for _ in 0..MAX_STEPS {
            let ratio = arc_ratio(xi);
            let value = 2.0 * xi * ratio;
            // d/dz of arc_ratio is (z r - 1)/(1 - z^2).
            let square = 1.0 - xi * xi;
            let bend = if square.abs() < 1e-3 { -1.0 / 3.0 } else { (xi * ratio - 1.0) / square };
            let step = (goal - value) / (2.0 * (ratio + xi * bend));
            xi = (xi + step).max(0.0);
            if step.abs() <= 1e-16 * xi {
                break;
            }
        }
        xi
    }
}
