//! The Exact integrator: the force of a contact with a wall as a function of time.
//!
//! In units of the impact speed, of the length `X = (m v_in^2/k)^(1/(alpha+1))` and of the time `T
//! = X/v_in`, the contact obeys
//!
//! ```text
//! x' = v,   v' = -F,   F = x^alpha (1 + u v) + C v,   x(0) = 0,   v(0) = 1
//! ```
//!
//! and depends on alpha, `u = mu v_in` (Hunt–Crossley) and `C = c T/m` (linear damper) alone. It is
//! solved by power series in time: one in `t^(alpha+1)` at each end of a Hunt–Crossley contact,
//! where the force goes as `t^alpha`, and a few Taylor panels between them. The release velocity is
//! that of the closed form, so that the impulse is exact. Only one series is kept at a time.

mod series;

use super::ForceMoments;
use super::closed_form::Curve;
use super::law::Power;
use super::restitution::{self, Onset};
use series::{EndSeries, Panel};

/// Truncation error of the force, as a share of its scale.
pub(super) const TOLERANCE: f64 = 1e-9;

/// A weaker linear damper, in the contact's units, is ignored, so that the closed forms apply.
const MIN_DAMPER: f64 = 1e-8;

/// First step with a linear damper, as a share of the shorter of the time scales of spring and
/// damper: `x^alpha` has no Taylor series there.
const FIRST_STEP: f64 = 1e-4;

/// Compression below which the release from a linear damper is linear in time.
const NEAR_RELEASE: f64 = 1e-3;

/// Maximum panels of one contact; 10 to 50 are usual.
const MAX_PANELS: u32 = 100;

/// Nodes and weights of the four-point Gauss–Legendre rule on -1...1.
const NODES: [f64; 4] = [
    -0.861_136_311_594_052_6,
    -0.339_981_043_584_856_26,
    0.339_981_043_584_856_26,
    0.861_136_311_594_052_6,
];
const WEIGHTS: [f64; 4] = [
    0.347_854_845_137_453_85,
    0.652_145_154_862_546_2,
    0.652_145_154_862_546_2,
    0.347_854_845_137_453_85,
];

/// The weights times each of the Legendre polynomials 0 to 3 at the nodes.
const LEGENDRE: [[f64; 4]; 4] = {
    let mut rows = [[0.0; 4]; 4];
    let mut i = 0;
    while i < 4 {
        let (x, weight) = (NODES[i], WEIGHTS[i]);
        rows[0][i] = weight;
        rows[1][i] = weight * x;
        rows[2][i] = weight * (1.5 * x * x - 0.5);
        rows[3][i] = weight * (2.5 * x * x * x - 1.5 * x);
        i += 1;
    }
    rows
};

/// The law in the contact's units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Law {
    pub alpha: f64,
    /// To the power of alpha.
    pub raise: Power,
    /// `mu v_in`.
    pub u: f64,
    /// `c T/m`.
    pub damper: f64,
}

/// State in the contact's units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct State {
    pub x: f64,
    pub v: f64,
    /// `1 + u v`, accurate where it is small.
    pub q: f64,
    /// Elastic impulse `integral of x^alpha dt`.
    pub elastic: f64,
}

/// The current series.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ProfileStage {
    /// From the onset.
    In(EndSeries),
    Between(Panel),
    /// Towards the release, in reversed time: after [`ForceProfile::release`].
    Out,
}

/// log2 of a number above 0, within 0.09, which is enough for the reach of a series.
pub(super) fn rough_log2(x: f64) -> f64 {
    // The exponent plus the mantissa. Infinity and NaN are returned as they are.
    if x < f64::INFINITY { x.to_bits() as f64 / (1u64 << 52) as f64 - 1023.0 } else { x }
}

/// Result of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ProfileStep {
    /// Shorter than requested if the mass was released.
    pub duration_s: f64,
    pub moments: ForceMoments,
    pub released: bool,
}

/// One contact in its own units, and the current time in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceProfile {
    law: Law,
    time_unit_s: f64,
    speed_unit_m_per_s: f64,
    momentum_unit_ns: f64,
    stage: ProfileStage,
    /// Start and end of the stage.
    from: f64,
    until: f64,
    now: f64,
    /// Velocity at `now`; the impulse is its change.
    v: f64,
    /// The end of a Hunt–Crossley contact.
    release: Option<EndSeries>,
    elastic_end: f64,
    /// Velocity at release; with a linear damper unknown until then.
    v_out: Option<f64>,
    panels: u32,
}

impl ForceProfile {
    /// Begins a contact with the speed of `curve`.
    pub(super) fn new(onset: &Onset, curve: &Curve) -> Self {
        let (mass_kg, v_in, alpha) = (curve.mass_kg, curve.v_in_m_per_s, onset.law.alpha);
        let length_m = restitution::length_unit_m(onset.law.stiffness, alpha, mass_kg, v_in);
        let time_unit_s = length_m / v_in;
        let u = onset.law.mu_s_per_m * v_in;
        let damper = onset.damper_n_s_per_m.unwrap_or(0.0) * time_unit_s / mass_kg;
        let damper = if damper > MIN_DAMPER { damper } else { 0.0 };
        let law = Law { alpha, raise: Power::new(alpha), u, damper };
        let (stage, until, release, v_out) = if damper == 0.0 {
            let (onset, v_out) =
                (EndSeries::new(&law, 1.0, u.ln_1p(), 1.0), curve.v_out_m_per_s / v_in);
            let release = EndSeries::new(&law, -v_out, curve.log_remainder_out(), -1.0);
            (ProfileStage::In(onset), onset.reach(), Some(release), Some(v_out))
        } else {
            let first = Panel::first(&law, FIRST_STEP / (1.0 + damper));
            (ProfileStage::Between(first), first.length(), None, None)
        };
        Self {
            law,
            time_unit_s,
            speed_unit_m_per_s: v_in,
            momentum_unit_ns: mass_kg * v_in,
            stage,
            from: 0.0,
            until,
            now: 0.0,
            v: 1.0,
            release,
            elastic_end: curve.elastic_end_m_per_s / v_in,
            v_out,
            panels: 0,
        }
    }

    /// Advances by `h_s`, away from the ends ([`is_near_its_ends`](Self::is_near_its_ends)).
    #[inline]
    pub(super) fn step_smooth(&mut self, h_s: f64) -> ForceMoments {
        let end = self.now + h_s / self.time_unit_s;
        if end < self.until { self.step_within(end, h_s).moments } else { self.step(h_s).moments }
    }

    /// Advances by `h_s`, or to the release if that comes first.
    pub(super) fn step(&mut self, h_s: f64) -> ProfileStep {
        let (start, v_before) = (self.now, self.v);
        let end = start + h_s / self.time_unit_s;
        if end < self.until {
            return self.step_within(end, h_s);
        }
        // Integrals of F, F t, F t^2 and F t^3 since the start of the step, each stage by itself.
        let mut sums = [0.0; 4];
        let mut released = false;
        while self.until <= end && !released {
            self.add_moments(start, self.until, &mut sums);
            self.now = self.until;
            released = !self.begin_next_stage();
        }
        if released {
            self.v = self.v_out.unwrap_or(self.v);
        } else {
            self.add_moments(start, end, &mut sums);
            self.now = end;
            // Rounding must not make the force negative.
            self.v = self.velocity().min(v_before).max(self.v_out.unwrap_or(-1.0));
        }
        let duration = if released { self.now - start } else { end - start };
        let impulse = v_before - self.v;
        // The impulse is the exact change of momentum; the other moments are scaled with it.
        let share = if sums[0] > 0.0 { impulse / sums[0] } else { 0.0 };
        let [first, second, third] = [1, 2, 3].map(|n| share * sums[n] / duration.powi(n as i32));
        let moments = [
            impulse,
            2.0 * first - impulse,
            6.0 * (second - first) + impulse,
            20.0 * third - 30.0 * second + 12.0 * first - impulse,
        ];
        ProfileStep {
            duration_s: if released { duration * self.time_unit_s } else { h_s },
            moments: ForceMoments(moments.map(|moment| moment * self.momentum_unit_ns)),
            released,
        }
    }

    /// Advances to `end`, which is within the stage.
    #[inline]
    fn step_within(&mut self, end: f64, h_s: f64) -> ProfileStep {
        let forces = self.forces_to(end);
        let sums = LEGENDRE.map(|row| {
            row[0] * forces[0] + row[1] * forces[1] + row[2] * forces[2] + row[3] * forces[3]
        });
        let v_before = self.v;
        self.now = end;
        // Rounding must not make the force negative.
        self.v = self.velocity().min(v_before).max(self.v_out.unwrap_or(-1.0));
        let impulse = v_before - self.v;
        // The impulse is the exact change of momentum; the other moments are scaled with it.
        let scale = if sums[0] > 0.0 { impulse / sums[0] * self.momentum_unit_ns } else { 0.0 };
        let [_, first, second, third] = sums.map(|sum| scale * sum);
        let moments = ForceMoments([impulse * self.momentum_unit_ns, first, second, third]);
        ProfileStep { duration_s: h_s, moments, released: false }
    }

    /// The force at the nodes between now and `end`, within one stage.
    #[inline]
    fn forces_to(&self, end: f64) -> [f64; 4] {
        let (half, middle) = (0.5 * (end - self.now), 0.5 * (end + self.now));
        self.forces(NODES.map(|node| middle + half * node))
    }

    /// Adds the moments of the force about `start` from now to `end`, within one stage.
    #[inline]
    fn add_moments(&self, start: f64, end: f64, sums: &mut [f64; 4]) {
        let (half, middle) = (0.5 * (end - self.now), 0.5 * (end + self.now));
        let forces = self.forces_to(end);
        for ((node, weight), force) in NODES.iter().zip(WEIGHTS).zip(forces) {
            let (mut term, after) = (half * weight * force, middle + half * node - start);
            for sum in &mut *sums {
                *sum += term;
                term *= after;
            }
        }
    }

    #[inline]
    fn forces(&self, t: [f64; 4]) -> [f64; 4] {
        match &self.stage {
            ProfileStage::In(series) => series.forces(t),
            ProfileStage::Between(panel) => panel.forces(t.map(|t| t - self.from)),
            ProfileStage::Out => self
                .release
                .as_ref()
                .map_or([0.0; 4], |release| release.forces(t.map(|t| self.until - t))),
        }
    }

    #[inline]
    fn velocity(&self) -> f64 {
        match (&self.stage, &self.release) {
            (ProfileStage::In(series), _) => series.velocity(self.now),
            (ProfileStage::Between(panel), _) => panel.velocity(self.now - self.from),
            (ProfileStage::Out, Some(release)) => -release.velocity(self.until - self.now),
            (ProfileStage::Out, None) => self.v,
        }
    }

    /// State of the mass.
    fn state(&self) -> State {
        match (&self.stage, &self.release) {
            (ProfileStage::In(series), _) => series.state(self.now),
            (ProfileStage::Between(panel), _) => panel.state(self.now - self.from),
            (ProfileStage::Out, Some(release)) => {
                let state = release.state(self.until - self.now);
                State { v: -state.v, elastic: self.elastic_end - state.elastic, ..state }
            }
            (ProfileStage::Out, None) => {
                State { x: 0.0, v: self.v, q: 1.0, elastic: self.elastic_end }
            }
        }
    }

    /// Begins the next series. Returns false if the contact has ended.
    fn begin_next_stage(&mut self) -> bool {
        if self.stage == ProfileStage::Out || self.v_out.is_some() && self.release.is_none() {
            return false;
        }
        let state = if let ProfileStage::Between(panel) = &self.stage {
            *panel.end()
        } else {
            self.state()
        };
        self.panels += 1;
        if self.panels > MAX_PANELS && state.v >= 0.0 {
            // Rounding keeps the velocity from changing sign: the mass has stopped.
            self.v_out = Some(0.0);
            return false;
        }
        self.from = self.now;
        if let Some(release) = &self.release {
            if state.v < 0.0 && (state.x <= release.reach_x() || self.panels > MAX_PANELS) {
                self.stage = ProfileStage::Out;
                self.until = self.now + release.time_of(state.x);
                return true;
            }
            let panel = Panel::new(&self.law, &state);
            (self.stage, self.until) = (ProfileStage::Between(panel), self.now + panel.length());
            return true;
        }
        let mut panel = Panel::new(&self.law, &state);
        // A strong damper stops the mass at 1/C, and it is near release only far below that.
        let near_x = NEAR_RELEASE / (1.0 + self.law.damper);
        let near = state.v < 0.0 && (state.x < near_x || self.panels > MAX_PANELS);
        let last =
            if near { Some(panel.release_linearly(&self.law)) } else { panel.time_of_release() };
        if let Some(length) = last {
            panel.cut(length);
            self.v_out = Some(panel.end().v);
        }
        (self.stage, self.until) = (ProfileStage::Between(panel), self.now + panel.length());
        true
    }

    /// True while the compression grows.
    pub(super) fn is_compressing(&self) -> bool {
        self.v >= 0.0
    }

    /// Time since the onset, s.
    pub(super) fn elapsed_s(&self) -> f64 {
        self.now * self.time_unit_s
    }

    /// Compression, m, and velocity, m/s.
    pub(super) fn motion(&self) -> (f64, f64) {
        let state = self.state();
        (state.x * self.speed_unit_m_per_s * self.time_unit_s, state.v * self.speed_unit_m_per_s)
    }

    /// Elastic impulse per mass so far, m/s.
    pub(super) fn elastic_m_per_s(&self) -> f64 {
        self.state().elastic * self.speed_unit_m_per_s
    }

    /// True within `s` seconds of the onset or of the release, where the force has no smooth
    /// derivatives.
    pub(super) fn is_near_its_ends(&self, s: f64) -> bool {
        let near = s / self.time_unit_s;
        let Some(v_out) = self.v_out.filter(|_| self.release.is_some()) else { return true };
        if self.now < near {
            return true;
        }
        match &self.stage {
            ProfileStage::In(_) => false,
            // During expansion |v| grows to |v_out|, so x/|v_out| is a lower bound of the time
            // left.
            ProfileStage::Between(panel) => panel.end().v < 0.0 && panel.end().x < -v_out * near,
            ProfileStage::Out => self.until - self.now < near,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{HuntCrossley, contact_time};

    fn profile(
        alpha: f64,
        mu_s_per_m: f64,
        damper_n_s_per_m: Option<f64>,
    ) -> (ForceProfile, Curve, Onset) {
        let law = HuntCrossley { stiffness: 1e7, mu_s_per_m, alpha };
        let curve = Curve::new(&law, 0.02, 2.0);
        let onset = Onset { law, damper_n_s_per_m };
        (ForceProfile::new(&onset, &curve), curve, onset)
    }

    /// All series join: throughout the contact x and v lie on the phase curve, eq. (3).
    #[test]
    fn the_solution_lies_on_the_phase_curve_and_takes_the_time_of_the_closed_form() {
        for alpha in [1.0, 1.3, 1.5, 2.2, 3.5] {
            for mu in [0.0, 1e-3, 0.3, 3.0, 40.0] {
                let (mut profile, curve, onset) = profile(alpha, mu, None);
                let exact_s = contact_time::exact(&onset.law, curve.mass_kg, 2.0);
                let h_s = exact_s / 37.3;
                let (mut impulse_ns, mut released) = (0.0, false);
                while !released {
                    let step = profile.step(h_s);
                    (impulse_ns, released) =
                        (impulse_ns + step.moments.impulse_ns(), step.released);
                    let (x_m, v) = profile.motion();
                    let lost = curve
                        .lost_of_elastic(profile.elastic_m_per_s().min(curve.elastic_end_m_per_s));
                    let by_curve_m = curve.compression_of_gap_m(
                        curve.gap_of_elastic(profile.elastic_m_per_s(), lost),
                    );
                    assert!(
                        (x_m - by_curve_m).abs() < 1e-7 * curve.x_max_m() || released,
                        "{alpha} {mu}: {x_m}"
                    );
                    assert!((v + lost - 2.0).abs() < 1e-8, "{alpha} {mu}: {v}");
                }
                let off = profile.elapsed_s() / exact_s - 1.0;
                assert!(off.abs() < 1e-7, "{alpha} {mu}: {off:e}");
                let momentum_ns = curve.mass_kg * (2.0 - curve.v_out_m_per_s);
                assert!((impulse_ns / momentum_ns - 1.0).abs() < 1e-14, "{alpha} {mu}");
            }
        }
    }

    #[test]
    fn with_a_linear_damper_it_solves_the_equation_of_motion() {
        for alpha in [1.0, 1.5, 2.2] {
            for damper in [0.5, 20.0, 100.0] {
                let (mut profile, curve, onset) = profile(alpha, 0.0, Some(damper));
                let exact = onset.rebound(curve.mass_kg, 2.0, 1e-13);
                let step = profile.step(1.0);
                assert!(step.released);
                assert!(
                    (step.duration_s / exact.time - 1.0).abs() < 1e-6,
                    "{alpha} {damper}: {step:?} {exact:?}"
                );
                let v_out = 2.0 - step.moments.impulse_ns() / curve.mass_kg;
                assert!(
                    (v_out / (-2.0 * exact.e) - 1.0).abs() < 1e-6,
                    "{alpha} {damper}: {v_out} {exact:?}"
                );
            }
        }
    }

    /// The mass stops at once and creeps back: the velocity is tiny before it changes sign.
    #[test]
    fn with_a_very_strong_damper_it_ends_after_few_panels_at_low_speed() {
        for damper in [1e3, 1e4, 1e5, 1e7, 1e9, 1e12] {
            for alpha in [1.0, 1.5, 3.5] {
                let (mut profile, curve, onset) = profile(alpha, 0.0, Some(damper));
                let step = profile.step(1.0);
                assert!(
                    step.released && profile.panels < 80,
                    "{damper} {alpha}: {} panels",
                    profile.panels
                );
                let v_out = 2.0 - step.moments.impulse_ns() / curve.mass_kg;
                let exact = -2.0 * onset.rebound(curve.mass_kg, 2.0, 1e-13).e;
                assert!((v_out - exact).abs() < 1e-8, "{damper} {alpha}: {v_out:e}, not {exact:e}");
            }
        }
    }

    /// `F = sin t` has these moments over its half wave.
    #[test]
    fn moments_are_those_of_the_force() {
        let (mut profile, curve, _) = profile(1.0, 0.0, None);
        let [zeroth, first, second, third] =
            profile.step(1.0).moments.0.map(|moment| moment / (curve.mass_kg * 2.0));
        let pi = std::f64::consts::PI;
        assert!(
            (zeroth - 2.0).abs() < 1e-12 && first.abs() < 1e-6 && third.abs() < 1e-5,
            "{first} {third}"
        );
        assert!((second - (2.0 - 24.0 / (pi * pi))).abs() < 1e-5, "{second}");
    }
}
