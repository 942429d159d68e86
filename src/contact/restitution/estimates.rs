//! What the literature takes for mu, for comparison only: eqs. (13)–(16) of the paper.
//!
//! The paper's mu is lambda = mu k; here as everywhere mu = lambda/k, in s/m.

/// Whose estimate.
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

    /// As it is known.
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
