//! Duration of a contact.

use super::closed_form::Curve;
use super::law::HuntCrossley;
use super::special::gamma;

/// `c_a = sqrt(pi) Gamma(1+p)/Gamma(1/2+p)`, `p = 1/(alpha+1)`: pi/2 at alpha = 1, 1.4717 at 1.5.
///
/// Without damping each half of a contact takes exactly `c_a x_max/v_in`, which is the power law
/// `T = C_a (m/k)^p v^(2p-1)` with `C_a = 2 c_a ((alpha+1)/2)^p`.
pub fn shape(alpha: f64) -> f64 {
    let p = 1.0 / (alpha + 1.0);
    std::f64::consts::PI.sqrt() * gamma(1.0 + p) / gamma(0.5 + p)
}

/// A contact's duration in two halves, s: in (compression grows) and out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Halves {
    /// From onset to the largest compression.
    pub in_s: f64,
    /// From there to release.
    pub out_s: f64,
}

impl Halves {
    /// Total duration, s.
    pub fn total_s(&self) -> f64 {
        self.in_s + self.out_s
    }
}

/// A quick prediction: each half takes `c_a x_max/|v at its end|`.
///
/// Exact without dissipation. Only for step sizes.
pub fn predict(curve: &Curve) -> Halves {
    let reach = shape(curve.alpha()) * curve.x_max_m();
    Halves { in_s: reach / curve.v_in_m_per_s, out_s: reach / -curve.v_out_m_per_s }
}

/// The contact time of eq. (9), s, to about 1e-10 relative.
///
/// With the elastic impulse per mass `a` as variable, (9) is `integral of da/((k/m) x(a)^alpha)`.
/// Each half is integrated from its own end with `a = A s^(alpha+1)`, which removes the singularity
/// there, by the double-exponential rule, which tolerates the remaining fractional powers.
pub fn exact(law: &HuntCrossley, mass_kg: f64, v_in_m_per_s: f64) -> f64 {
    let curve = Curve::new(law, mass_kg, v_in_m_per_s);
    let spring = law.prepare();
    let stretch = law.alpha + 1.0;
    let half = 0.5 * curve.elastic_end_m_per_s;
    let side = |from_onset: bool| {
        double_exponential(|s| {
            let a = half * s.powf(stretch);
            let gap = if from_onset {
                curve.gap_of_elastic_near_onset(a)
            } else {
                curve.gap_of_elastic_left(a)
            };
            let rate = spring.elastic_n(curve.compression_of_gap_m(gap)) / mass_kg;
            if rate > 0.0 { half * stretch * s.powf(law.alpha) / rate } else { 0.0 }
        })
    };
    side(true) + side(false)
}

/// Integral of `f` over 0..1 by the tanh-sinh rule, halving the step until two sums agree.
fn double_exponential(f: impl Fn(f64) -> f64) -> f64 {
    // Beyond it the weights are below rounding.
    const REACH: u32 = 4;
    // Down to steps of 1/128: each halving doubles the digits.
    const MAX_HALVINGS: u32 = 7;
    let term = |t: f64| {
        let inner = std::f64::consts::FRAC_PI_2 * t.sinh();
        // s = (1 + tanh)/2 written as the logistic function, so that s near 0 keeps its digits.
        let s = 1.0 / (1.0 + (-2.0 * inner).exp());
        let weight = std::f64::consts::PI * t.cosh() * s * (1.0 - s);
        if weight > 0.0 { weight * f(s) } else { 0.0 }
    };
    let mut step = 1.0;
    let mut sum = term(0.0);
    for n in 1..=REACH {
        let t = f64::from(n);
        sum += term(t) + term(-t);
    }
    let mut last = sum * step;
    for _ in 0..MAX_HALVINGS {
        step *= 0.5;
        let mut t = step;
        while t <= f64::from(REACH) {
            sum += term(t) + term(-t);
            t += 2.0 * step;
        }
        let now = sum * step;
        if (now - last).abs() <= 1e-13 * now.abs() {
            return now;
        }
        last = now;
    }
    last
}
