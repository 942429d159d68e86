//! Closed forms of a Hunt–Crossley contact with a wall: eqs. (3), (4) and (20) of the paper.
//!
//! All of them follow from one function, the gap `L(v)/mu^2 = [mu (v_in - v) + ln((1+mu v)/(1+mu
//! v_in))]/mu^2`, in m^2/s^2: `x^(alpha+1) = m (alpha+1)/k * gap` and `H = m v^2/2 + m gap`.
//! Computed from `v_in` it loses its digits near release and for small mu. So it is computed from
//! the nearer end of the contact, with functions that have a limit at mu = 0.

use super::law::{HuntCrossley, Spring};
use super::release;
use super::special::{exp_gap, exp_ratio, log_gap, log_ratio};

/// The phase curve of one contact on a rigid wall, without gravity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Mass, kg.
    pub mass_kg: f64,
    /// Velocity at onset, m/s, positive.
    pub v_in_m_per_s: f64,
    /// Exact velocity at release, m/s, negative.
    pub v_out_m_per_s: f64,
    /// Elastic impulse per mass `1/m * integral of k x^alpha dt` of the whole contact, m/s.
    pub elastic_end_m_per_s: f64,
    mu_s_per_m: f64,
    alpha: f64,
    remainder_in: f64,
    remainder_out: f64,
    log_remainder_out: f64,
    scale: f64,
    root: f64,
    gap_max: f64,
}

impl Curve {
    /// The curve of a contact that begins with `v_in_m_per_s > 0`.
    pub fn new(law: &HuntCrossley, mass_kg: f64, v_in_m_per_s: f64) -> Self {
        let mu = law.mu_s_per_m;
        let u = mu * v_in_m_per_s;
        let point = release::exact(u);
        let v_out = -v_in_m_per_s * point.restitution;
        let log_in = v_in_m_per_s * log_ratio(u);
        let log_out =
            if u > 1.0 { point.log_remainder / mu } else { v_out * log_ratio(mu * v_out) };
        Self {
            mass_kg,
            v_in_m_per_s,
            v_out_m_per_s: v_out,
            elastic_end_m_per_s: log_in - log_out,
            mu_s_per_m: mu,
            alpha: law.alpha,
            remainder_in: 1.0 + u,
            remainder_out: point.remainder,
            log_remainder_out: point.log_remainder,
            scale: mass_kg * (law.alpha + 1.0) / law.stiffness,
            root: 1.0 / (law.alpha + 1.0),
            gap_max: v_in_m_per_s * v_in_m_per_s * log_gap(u),
        }
    }

    /// Compression at velocity v, eq. (3), m; 0 outside `v_out ... v_in`.
    pub fn compression_m(&self, v_m_per_s: f64) -> f64 {
        self.compression_of_gap_m(self.gap(v_m_per_s))
    }

    /// Largest compression, eq. (4), m.
    pub fn x_max_m(&self) -> f64 {
        self.compression_of_gap_m(self.gap_max)
    }

    /// The Hamiltonian at velocity v, eq. (20), J.
    pub fn hamiltonian_j(&self, v_m_per_s: f64) -> f64 {
        0.5 * self.mass_kg * v_m_per_s * v_m_per_s + self.elastic_j(v_m_per_s)
    }

    /// The elastic part of the Hamiltonian at velocity v: eq. (20) without its kinetic energy, J.
    pub fn elastic_j(&self, v_m_per_s: f64) -> f64 {
        self.mass_kg * self.gap(v_m_per_s)
    }

    /// Energy taken by the whole contact, `|Delta H_tau|` of eq. (18), J.
    pub fn loss_j(&self) -> f64 {
        let (v_in, v_out) = (self.v_in_m_per_s, self.v_out_m_per_s);
        0.5 * self.mass_kg * (v_in + v_out) * (v_in - v_out)
    }

    /// Force at velocity v along the curve, N: the force–compression characteristic of Fig. 2.
    pub fn force_n(&self, spring: &Spring, v_m_per_s: f64) -> f64 {
        spring.force_n(self.compression_m(v_m_per_s), v_m_per_s)
    }

    fn gap(&self, v_m_per_s: f64) -> f64 {
        if v_m_per_s >= 0.0 {
            self.gap_after_losing(self.v_in_m_per_s - v_m_per_s)
        } else {
            self.gap_before_release(v_m_per_s - self.v_out_m_per_s)
        }
    }

    /// Compression (m) at a gap (m^2/s^2); 0 for a gap of 0 or less.
    pub(super) fn compression_of_gap_m(&self, gap: f64) -> f64 {
        if gap > 0.0 { (self.scale * gap).powf(self.root) } else { 0.0 }
    }

    /// Compression from the velocity already lost, `v_in - v` in m/s, which near onset is known
    /// better than v itself. For `v >= 0`.
    pub fn compression_after_losing(&self, lost_m_per_s: f64) -> f64 {
        self.compression_of_gap_m(self.gap_after_losing(lost_m_per_s))
    }

    /// Compression from the velocity still to be gained, `v - v_out` in m/s. For `v < 0`.
    pub fn compression_before_release(&self, left_m_per_s: f64) -> f64 {
        self.compression_of_gap_m(self.gap_before_release(left_m_per_s))
    }

    fn gap_after_losing(&self, lost: f64) -> f64 {
        let share = lost / self.remainder_in;
        share * (self.v_in_m_per_s - share * log_gap(-self.mu_s_per_m * share))
    }

    fn gap_before_release(&self, left: f64) -> f64 {
        let mu = self.mu_s_per_m;
        if mu * left > self.remainder_out {
            // Heavy damping: 1 + mu v_out is tiny and the short form is accurate. Where it
            // underflows (e below 1e-3), its logarithm is used.
            let log = if self.remainder_out > 1e-290 {
                (mu * left / self.remainder_out).ln_1p()
            } else {
                (mu * left).ln() - self.log_remainder_out
            };
            return (log / mu - left) / mu;
        }
        if left == 0.0 {
            return 0.0;
        }
        let share = left / self.remainder_out;
        share * (-self.v_out_m_per_s - share * log_gap(mu * share))
    }

    /// Velocity lost, `v_in - v` in m/s, after an elastic impulse per mass `a` (m/s).
    ///
    /// Dividing eq. (2) by `1 + mu v` gives `d/dt ln(1+mu v) = -mu k x^alpha/m`: in the variable
    /// `a` the contact is a lossless oscillator, `dx/dt = v(a)`, `da/dt = k x^alpha/m`, which is
    /// not stiff under heavy damping.
    #[inline]
    pub fn lost_of_elastic(&self, a_m_per_s: f64) -> f64 {
        self.remainder_in * a_m_per_s * exp_ratio(-self.mu_s_per_m * a_m_per_s)
    }

    /// The gap (m^2/s^2) after an elastic impulse per mass `a`, by which the velocity `lost` was
    /// lost.
    pub(super) fn gap_of_elastic(&self, a: f64, lost: f64) -> f64 {
        let left = self.elastic_end_m_per_s - a;
        if self.mu_s_per_m * self.elastic_end_m_per_s > 1.0 {
            // ln((1+mu v)/(1+mu v_in)) is -mu a; with heavy damping nothing cancels.
            (lost - a) / self.mu_s_per_m
        } else if left > a {
            self.gap_of_elastic_near_onset(a)
        } else {
            self.gap_of_elastic_left(left)
        }
    }

    /// The gap after an elastic impulse per mass `a`, accurate for small `a`.
    pub(super) fn gap_of_elastic_near_onset(&self, a: f64) -> f64 {
        a * (self.v_in_m_per_s - self.remainder_in * a * exp_gap(-self.mu_s_per_m * a))
    }

    /// The gap before release, when `left` remains of the elastic impulse per mass.
    pub(super) fn gap_of_elastic_left(&self, left: f64) -> f64 {
        let mu = self.mu_s_per_m;
        let w = mu * left;
        if w > 1.0 {
            // The exponential is taken from onset, where it cannot overflow.
            let remainder = self.remainder_in * (-mu * (self.elastic_end_m_per_s - left)).exp();
            return (w - (remainder - self.remainder_out)) / (mu * mu);
        }
        left * (-self.v_out_m_per_s - self.remainder_out * left * exp_gap(w))
    }

    /// `ln(1 + mu v_out)`, finite even where `1 + mu v_out` underflows.
    pub(super) fn log_remainder_out(&self) -> f64 {
        self.log_remainder_out
    }

    /// The exponent of the law.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(mu_s_per_m: f64, alpha: f64, v_in: f64) -> (Curve, Spring) {
        let law = HuntCrossley { stiffness: 1e7, mu_s_per_m, alpha };
        (Curve::new(&law, 0.02, v_in), law.prepare())
    }

    /// Compares with eq. (3) where that loses no digits.
    #[test]
    fn the_gap_is_that_of_the_phase_curve() {
        for u in [2.0, 12.0, 80.0] {
            let (v_in, mu) = (4.0, u / 4.0);
            let (curve, _) = curve(mu, 1.5, v_in);
            for share in [0.0, 0.2, 0.5, 0.8] {
                for v in [share * v_in, share * curve.v_out_m_per_s] {
                    let direct =
                        (mu * (v_in - v) + ((1.0 + mu * v) / (1.0 + mu * v_in)).ln()) / (mu * mu);
                    assert!(
                        (curve.gap(v) / direct - 1.0).abs() < 1e-10 || direct < 1e-12,
                        "u {u}, v {v}"
                    );
                }
            }
            // The same in terms of the elastic impulse, from both ends.
            for share in [0.1, 0.45, 0.55, 0.9] {
                let a = share * curve.elastic_end_m_per_s;
                let lost = curve.lost_of_elastic(a);
                // ln((1+mu v)/(1+mu v_in)) is -mu a, even where 1 + mu v has lost its digits.
                let gap = (lost - a) / mu;
                assert!(
                    (curve.gap(v_in - lost) / gap - 1.0).abs() < 1e-7 || u > 10.0,
                    "u {u}, share {share}"
                );
                let left = curve.elastic_end_m_per_s - a;
                for other in [
                    curve.gap_of_elastic(a, lost),
                    curve.gap_of_elastic_near_onset(a),
                    curve.gap_of_elastic_left(left),
                ] {
                    assert!(
                        (other / gap - 1.0).abs() < 1e-7,
                        "u {u}, share {share}: {other} {gap}"
                    );
                }
            }
        }
    }

    /// With e below 1e-3 only the logarithm of `1 + mu v_out` is left.
    #[test]
    fn a_mass_with_tiny_restitution_stays_on_its_curve() {
        let (mu, v_in) = (5.0, 400.0);
        let (curve, _) = curve(mu, 1.5, v_in);
        assert!(-curve.v_out_m_per_s < 1e-3 * v_in);
        for share in [0.3, 0.7] {
            let v = share * curve.v_out_m_per_s;
            let direct = (mu * (v_in - v) + ((1.0 + mu * v) / (1.0 + mu * v_in)).ln()) / (mu * mu);
            assert!((curve.gap(v) / direct - 1.0).abs() < 1e-9, "{v}");
        }
    }

    #[test]
    fn compression_is_zero_at_both_ends() {
        let (curve, spring) = curve(0.5, 1.5, 3.0);
        assert_eq!(curve.gap_before_release(0.0), 0.0);
        assert_eq!((curve.compression_m(3.0), curve.compression_of_gap_m(-1.0)), (0.0, 0.0));
        assert!((curve.hamiltonian_j(3.0) - 0.09).abs() < 1e-15);
        assert!((curve.hamiltonian_j(0.0) - spring.potential_j(curve.x_max_m())).abs() < 1e-12);
        let v_out = curve.v_out_m_per_s;
        assert!((curve.loss_j() - 0.01 * (9.0 - v_out * v_out)).abs() < 1e-15);
    }
}
