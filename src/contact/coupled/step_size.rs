//! Length of the sub-steps of a coupled contact.
//!
//! A contact of steel lasts a few microseconds and needs hundreds of sub-steps per sample. The
//! flight before and after it needs none, as both sides then have exact solutions. So every
//! sub-step has its own length: that of the contact while bodies touch, and otherwise the longest
//! without a contact.

use super::super::contact_time;
use super::super::law::Spring;
use super::super::settings::Oversampling;
use super::{InverseMassFn, MAX_STEPS, StepLevel};

/// Sub-steps from onset to the largest compression: half of a contact. The error is of second
/// order, and 48 sub-steps per contact keep the velocity at the first separation within 0.3 %.
const TARGET_SUBSTEPS: f64 = 24.0;
/// The same at [`StepLevel::Minimum`]: 24 per contact.
pub(super) const MIN_SUBSTEPS: f64 = 12.0;
/// The same at [`StepLevel::Coarse`]: 8 per contact, with which its velocity is right within 2 %.
const COARSE_SUBSTEPS: f64 = 4.0;
/// A prediction is valid for this share of the compression time, as the body may change by then,
/// ...
const KEPT: f64 = 0.5;
/// ... and within these ratios of the speed.
const FASTER: f64 = 1.25;
const SLOWER: f64 = 0.5;
/// Rounds of fixed-point iteration of the prediction.
const ROUNDS: u32 = 3;

/// Chooses the length of a contact's sub-steps.
#[derive(Clone, Copy, Debug)]
pub struct StepSize {
    /// Half of the undamped contact time is this times x_max/v.
    shape: f64,
    fixed: Option<u32>,
}

/// Prediction for a contact.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompressionTime {
    /// Time from onset to the largest compression, s; only a lower bound if above `enough_s`.
    pub time_s: f64,
    /// Reduced mass of striker and body, kg.
    mass_kg: f64,
    /// Speed equivalent to all of its energy, m/s.
    v_m_per_s: f64,
    enough_s: f64,
}

impl CompressionTime {
    /// True if it is still valid `later_s` on in the same contact, at a speed of `v_m_per_s` and
    /// with `stored_j` in the spring.
    ///
    /// The time goes with the speed to the power of `-(alpha - 1)/(alpha + 1)`: a contact that is
    /// faster by a quarter is shorter by some five per cent, and a slower one has more steps than
    /// it needs.
    pub fn holds(&self, later_s: f64, v_m_per_s: f64, stored_j: f64, enough_s: f64) -> bool {
        let square = v_m_per_s * v_m_per_s + 2.0 * stored_j / self.mass_kg;
        let known = self.v_m_per_s * self.v_m_per_s;
        let is_known = self.time_s < self.enough_s || enough_s <= self.enough_s;
        is_known
            && later_s < KEPT * self.time_s
            && square < FASTER * FASTER * known
            && square > SLOWER * SLOWER * known
    }
}

impl StepSize {
    /// Chooses steps for a law with exponent `alpha`.
    pub fn new(alpha: f64, steps: Oversampling) -> Self {
        let fixed = match steps {
            Oversampling::Auto => None,
            Oversampling::Times(n) => Some(n.clamp(1, MAX_STEPS).next_power_of_two()),
        };
        Self { shape: contact_time::shape(alpha), fixed }
    }

    /// Predicts the time from onset to the largest compression, for a mass that meets a surface
    /// with `v_m_per_s` and `stored_j` already in the spring.
    ///
    /// The masses of striker and body act in series. That of the body depends on the time itself:
    /// the first round assumes that every mode is free, which yields the shortest time, and two
    /// more rounds improve it. x_max is that of eq. (3), `[(alpha+1) m/(k mu^2) (u -
    /// ln(1+u))]^(1/(alpha+1))`; a linear damper stops the pair within m/c. Accurate to some ten
    /// per cent, as it only chooses steps. Ends once the time is above `enough_s`.
    pub fn compression_time(
        &self,
        spring: &Spring,
        mass_kg: f64,
        inverse_mass: InverseMassFn<'_>,
        v_m_per_s: f64,
        stored_j: f64,
        enough_s: f64,
    ) -> CompressionTime {
        let p = 1.0 / (spring.alpha() + 1.0);
        let mut compression_time = CompressionTime::default();
        for _ in 0..ROUNDS {
            let mass_kg = 1.0 / (1.0 / mass_kg + inverse_mass(compression_time.time_s));
            let v = (v_m_per_s * v_m_per_s + 2.0 * stored_j / mass_kg).sqrt().max(1e-9);
            let u = spring.mu_s_per_m() * v;
            // 2 (u - ln(1+u))/u^2 within three per cent.
            let damping = (1.0 + u / 3.0) / (1.0 + u * (1.0 + u / 6.0));
            let x_max = power(
                0.5 * (spring.alpha() + 1.0) * mass_kg * v * v * damping / spring.stiffness(),
                p,
            );
            let by_spring_s = self.shape * x_max / v;
            let time_s = 1.0 / (1.0 / by_spring_s + spring.damper_n_s_per_m() / mass_kg);
            compression_time = CompressionTime { time_s, mass_kg, v_m_per_s: v, enough_s };
            if time_s >= enough_s {
                break;
            }
        }
        compression_time
    }

    /// Compression time from which one step per sample is enough, s.
    pub fn single_step_s(&self, dt_s: f64) -> f64 {
        TARGET_SUBSTEPS * dt_s
    }

    /// Sub-steps per sample for a compression time, a power of two and at most `max`.
    pub fn substeps(&self, level: StepLevel, compression_time_s: f64, dt_s: f64, max: u32) -> u32 {
        let per_compression = match level {
            StepLevel::Target => TARGET_SUBSTEPS,
            StepLevel::Minimum => MIN_SUBSTEPS,
            StepLevel::Coarse => COARSE_SUBSTEPS,
            StepLevel::Single => return 1,
        };
        let wanted = per_compression * dt_s / compression_time_s;
        // The cast saturates, so that a NaN or infinite time cannot panic. `ceil` would be a
        // function call.
        let whole = wanted as u32;
        let wanted =
            whole.saturating_add(u32::from(f64::from(whole) < wanted)).clamp(1, max.max(1));
        let substeps = wanted.next_power_of_two();
        // The user's setting applies while the budget lasts.
        match self.fixed {
            Some(fixed) if level == StepLevel::Target => fixed,
            Some(fixed) => substeps.min(fixed),
            None => substeps,
        }
    }
}

/// `x^p` for p between 0 and 1, within one per cent: piecewise between the powers of two of x.
fn power(x: f64, p: f64) -> f64 {
    const BIAS: u64 = 1023;
    const DIGITS: u32 = f64::MANTISSA_DIGITS - 1;
    if !x.is_normal() {
        return x.powf(p);
    }
    let (exponent, digits) = (x.to_bits() >> DIGITS, x.to_bits() & ((1 << DIGITS) - 1));
    let m = f64::from_bits(BIAS << DIGITS | digits);
    let log2 = p * (exponent as f64 - BIAS as f64 + (2.0 - m / 3.0) * m - 5.0 / 3.0);
    let whole = log2.floor();
    let part = log2 - whole;
    // Between -1023 and 1024, the range of the exponent.
    let scale = f64::from_bits(((whole + BIAS as f64).max(1.0) as u64) << DIGITS);
    scale * (1.0 + part * (0.6565 + 0.3435 * part))
}

impl Default for StepSize {
    fn default() -> Self {
        Self::new(1.5, Oversampling::Auto)
    }
}

/// Ratio of the lengths of sub-steps in flight: few lengths have to be prepared.
const RATIO: u32 = 4;

/// Position of the next sub-step within a sample, in units of `1/MAX_STEPS`: the sample ends
/// exactly, after at most [`MAX_STEPS`] sub-steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct SubstepCursor {
    done: u32,
    /// Longest flight to try next.
    try_first: u32,
    /// Number of sub-steps made, and the shortest of them.
    pub steps: u32,
    pub shortest: u32,
}

impl Default for SubstepCursor {
    fn default() -> Self {
        Self { done: 0, try_first: MAX_STEPS, steps: 0, shortest: MAX_STEPS }
    }
}

impl SubstepCursor {
    /// Rest of the sample.
    pub fn room(&self) -> u32 {
        MAX_STEPS - self.done
    }

    /// Length of the next sub-step in contact: `fine`, a power of two, or less at the end of the
    /// sample.
    pub fn touching(&self, fine: u32) -> u32 {
        if fine <= self.room() { fine } else { 1 << self.room().ilog2() }
    }

    /// The longest sub-step above `fine` that is `clear` of contacts, if any.
    pub fn flying(&self, fine: u32, mut clear: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut step = MAX_STEPS;
        while step > fine {
            if step <= self.room().min(self.try_first) && clear(step) {
                return Some(step);
            }
            step /= RATIO;
        }
        None
    }

    /// Advances past a sub-step.
    pub fn pass(&mut self, step: u32) {
        self.done += step;
        self.try_first = step.saturating_mul(RATIO);
        self.steps += 1;
        self.shortest = self.shortest.min(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_power_is_accurate() {
        for p in [0.2, 0.2857, 0.4, 0.5] {
            for n in -3000..3000 {
                let x = 1.013f64.powi(n);
                let off = power(x, p) / x.powf(p) - 1.0;
                assert!(off.abs() < 0.01, "{x:e} {p}: {off}");
            }
        }
        assert_eq!(power(0.0, 0.4), 0.0);
        assert_eq!(power(f64::INFINITY, 0.4), f64::INFINITY);
    }

    #[test]
    fn a_prediction_is_valid_until_the_contact_changes() {
        let step_size = StepSize::new(1.5, Oversampling::Auto);
        let spring =
            super::super::super::HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.5, alpha: 1.5 }
                .prepare();
        let compression_time = step_size.compression_time(&spring, 0.01, &|_| 10.0, 1.0, 0.0, 1.0);
        let stored_j = 0.5 * 1.0 / (1.0 / 0.01 + 10.0);
        let soon_s = 0.1 * compression_time.time_s;
        assert!(
            compression_time.holds(soon_s, 1.0, 0.0, 1.0)
                && compression_time.holds(soon_s, 0.0, stored_j, 1.0)
        );
        assert!(!compression_time.holds(soon_s, 1.0, stored_j, 1.0), "faster");
        assert!(!compression_time.holds(soon_s, 0.4, 0.0, 1.0), "slower");
        assert!(!compression_time.holds(compression_time.time_s, 1.0, 0.0, 1.0), "later");
        let approximate = step_size.compression_time(&spring, 0.01, &|_| 10.0, 1.0, 0.0, 0.0);
        assert!(
            approximate.holds(soon_s, 1.0, 0.0, 0.0) && !approximate.holds(soon_s, 1.0, 0.0, 1.0),
            "known too roughly"
        );
    }

    #[test]
    fn any_steps_end_with_the_sample() {
        for seed in 1..200u32 {
            let (mut cursor, mut dice) = (SubstepCursor::default(), seed);
            while cursor.room() > 0 {
                dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let fine = 1 << ((dice >> 8) % 11);
                let step = match cursor.flying(fine, |step| step < dice >> 20) {
                    Some(step) => {
                        assert!(step > fine && step < dice >> 20);
                        step
                    }
                    None => cursor.touching(fine),
                };
                assert!(step.is_power_of_two() && step <= cursor.room());
                cursor.pass(step);
            }
            assert!(cursor.steps <= MAX_STEPS && cursor.shortest * cursor.steps <= MAX_STEPS);
        }
    }

    #[test]
    fn a_sample_without_contact_is_one_step() {
        assert_eq!(SubstepCursor::default().flying(1, |_| true), Some(MAX_STEPS));
        assert_eq!(SubstepCursor::default().flying(1, |step| step < 100), Some(64));
        assert_eq!(SubstepCursor::default().flying(2, |_| false), None);
    }
}
