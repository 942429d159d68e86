//! One contact with a rigid surface, from onset to release.

mod step;

use super::ForceMoments;
use super::closed_form::Curve;
use super::contact_time::{self, Halves};
use super::coupled::StepLevel;
use super::flight::Flight;
use super::force_profile::ForceProfile;
use super::integrator::{ContactMotion, Medium};
use super::release;
use super::settings::{
    ContactSettings, Dent, Integrator, MAX_STEPS_PER_SAMPLE, Oversampling, Release,
};

/// Shortest flight that is simulated, s. Bounces at more than 20 kHz are inaudible. The limit is a
/// time, so that a train has the same bounces at every sample rate.
pub const SHORTEST_FLIGHT_S: f64 = 50e-6;

/// Steps per sample of Exact near the ends of a contact, and the length of those ends in samples.
const STEPS_NEAR_ENDS: u32 = 2;
const SAMPLES_NEAR_ENDS: f64 = 2.0;

/// Maximum steps per sample of a mass that stays in contact.
const STAYING_STEPS: u32 = 16;

/// Result of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactStep {
    /// Duration, s: shorter than requested if the mass was released.
    pub duration_s: f64,
    /// Mean force on the surface, N: the momentum lost over the duration.
    pub force_n: f64,
    /// Moments of the force, which is constant except with Exact.
    pub moments: ForceMoments,
    /// True if the contact has ended.
    pub released: bool,
}

/// One contact: its settings, latched at onset, and its motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidContact {
    medium: Medium,
    integrator: Integrator,
    hybrid: bool,
    /// Release velocity that the release correction imposes, m/s.
    target_m_per_s: Option<f64>,
    predicted: Halves,
    steps_per_sample: u32,
    /// The user has set the number of steps.
    steps_fixed: bool,
    level: StepLevel,
    motion: ContactMotion,
    /// The solution of Exact, which then holds the motion, too.
    profile: Option<ForceProfile>,
    elapsed_s: f64,
    /// Compression under its own weight at rest, m, and the energy there, J, which is the minimum.
    rest: (f64, f64),
    /// At rest on the surface under its own weight.
    resting: bool,
    /// The law has a linear damper.
    damped: bool,
    /// The mass has been released.
    released: bool,
    /// Restitution by the law, computed at onset.
    e_predicted: f64,
    /// Compression at release, m.
    separation_m: f64,
    /// The hybrid correction did not act in the last step.
    off_curve: bool,
}

impl RigidContact {
    /// Begins a contact at `x = 0` with `v_in_m_per_s > 0`; `sample_s` is the sample interval.
    pub fn begin(settings: &ContactSettings, v_in_m_per_s: f64, sample_s: f64) -> Self {
        let settings = settings.within_limits();
        let onset = settings.at_onset(v_in_m_per_s);
        let law = onset.law;
        let curve = Curve::new(&law, settings.mass_kg, v_in_m_per_s);
        let damped = onset.damper_n_s_per_m.is_some();
        let passive = settings.integrator == Integrator::Passive;
        let exact = settings.integrator == Integrator::Exact;
        let (predicted, e_predicted) = if damped {
            // Fast, and within one per cent: it only chooses the steps.
            let ahead = onset.rebound(settings.mass_kg, v_in_m_per_s, 1e-4);
            (Halves { in_s: ahead.time_in, out_s: ahead.time - ahead.time_in }, ahead.e)
        } else {
            (contact_time::predict(&curve), -curve.v_out_m_per_s / v_in_m_per_s)
        };
        let target_m_per_s = match settings.release {
            Release::Exact => Some(curve.v_out_m_per_s),
            Release::Approximate => {
                let u = law.mu_s_per_m * v_in_m_per_s;
                (release::approximation_error_pct(u) <= settings.threshold_pct)
                    .then(|| release::v_out_approximate(law.mu_s_per_m, v_in_m_per_s, 4))
            }
            Release::Free => None,
        };
        let medium = Medium {
            spring: onset.spring(),
            mass_kg: settings.mass_kg,
            gravity_m_per_s2: if passive { settings.gravity_m_per_s2 } else { 0.0 },
            curve,
        };
        Self {
            rest: rest_state(&medium),
            medium,
            integrator: settings.integrator,
            hybrid: settings.hybrid && !passive && !damped,
            target_m_per_s: target_m_per_s.filter(|_| !passive && !damped),
            predicted,
            steps_per_sample: steps_per_sample(&settings, &predicted, sample_s),
            steps_fixed: settings.steps_per_sample != Oversampling::Auto,
            level: StepLevel::Target,
            motion: ContactMotion {
                v_m_per_s: v_in_m_per_s,
                carried_n: medium.spring.damper_n_s_per_m() * v_in_m_per_s,
                ..ContactMotion::default()
            },
            profile: exact.then(|| ForceProfile::new(&onset, &medium.curve)),
            elapsed_s: 0.0,
            resting: false,
            damped,
            released: false,
            e_predicted,
            off_curve: false,
            separation_m: 0.0,
        }
    }

    /// Steps per sample, a power of two.
    pub fn steps_per_sample(&self) -> u32 {
        self.steps_per_sample
    }

    /// Steps for the next sample of `dt_s`. The steps of Exact only divide its force into pieces of
    /// four moments each: one piece is enough except where the force has no smooth derivatives.
    pub(super) fn steps_for_sample(&self, dt_s: f64) -> u32 {
        match &self.profile {
            Some(_) if self.steps_fixed && self.level == StepLevel::Target => self.steps_per_sample,
            Some(profile) if profile.is_near_its_ends(SAMPLES_NEAR_ENDS * dt_s) => STEPS_NEAR_ENDS,
            Some(_) => 1,
            None if self.has_stayed() => self.steps_per_sample.min(STAYING_STEPS),
            None => {
                self.steps_per_sample.min(max_steps_per_sample(self.level, &self.predicted, dt_s))
            }
        }
    }

    /// Sets how finely the next samples are stepped.
    pub(super) fn set_level(&mut self, level: StepLevel) {
        self.level = level;
    }

    /// True for Exact if the next sample of `dt_s` is one step without a release.
    fn is_smooth(&self, dt_s: f64) -> bool {
        let near_s = SAMPLES_NEAR_ENDS * dt_s;
        !self.steps_fixed
            && self.profile.as_ref().is_some_and(|profile| !profile.is_near_its_ends(near_s))
    }

    /// True for Exact, whose steps may have any length.
    pub(super) fn is_solved(&self) -> bool {
        self.profile.is_some()
    }

    /// True if the contact has lasted far longer than a strike, under the mass's weight. Only
    /// Passive gets there, and may then take long steps, as it is passive at any length.
    pub fn has_stayed(&self) -> bool {
        self.elapsed_s > 8.0 * self.predicted.total_s()
    }

    /// The closed forms of this contact.
    pub fn curve(&self) -> &Curve {
        &self.medium.curve
    }

    /// The motion of the mass.
    pub fn motion(&self) -> ContactMotion {
        let Some(profile) = self.profile.as_ref().filter(|_| !self.released) else {
            return self.motion;
        };
        if self.damped {
            let (x_m, v_m_per_s) = profile.motion();
            return ContactMotion { x_m: x_m.max(0.0), v_m_per_s, ..self.motion };
        }
        // By the closed forms, so that compression and velocity are consistent.
        let curve = &self.medium.curve;
        let elastic_m_per_s = profile.elastic_m_per_s().clamp(0.0, curve.elastic_end_m_per_s);
        let lost_m_per_s = curve.lost_of_elastic(elastic_m_per_s);
        let x_m = curve.compression_of_gap_m(curve.gap_of_elastic(elastic_m_per_s, lost_m_per_s));
        ContactMotion {
            x_m,
            v_m_per_s: curve.v_in_m_per_s - lost_m_per_s,
            lost_m_per_s,
            ..self.motion
        }
    }

    /// Time since onset, s.
    pub fn elapsed_s(&self) -> f64 {
        self.elapsed_s
    }

    /// True if the mass rests on the surface under its weight.
    pub fn is_resting(&self) -> bool {
        self.resting
    }

    /// Kinetic, elastic and (where gravity acts in contact) potential energy, J.
    pub fn energy_j(&self) -> f64 {
        let ContactMotion { x_m, v_m_per_s, .. } = self.motion();
        let kinetic = 0.5 * self.medium.mass_kg * v_m_per_s * v_m_per_s;
        kinetic + self.medium.spring.potential_j(x_m)
            - self.medium.mass_kg * self.medium.gravity_m_per_s2 * x_m
    }

    /// True if the velocity did not determine the compression in the last step, so that the hybrid
    /// correction did not act.
    pub fn is_off_curve(&self) -> bool {
        self.off_curve
    }

    /// Energy in the spring at a compression, J.
    pub fn potential_j(&self, x_m: f64) -> f64 {
        self.medium.spring.potential_j(x_m)
    }

    /// True if the law has a linear damper, and so no closed form.
    pub fn is_damped(&self) -> bool {
        self.damped
    }

    /// Compression by x(v), eq. (3), computed from the nearer end of the contact; the stepped
    /// compression where the velocity does not determine it.
    pub fn compression_by_curve_m(&self, motion: &ContactMotion) -> f64 {
        if self.profile.is_some() {
            // On the curve by construction.
            return motion.x_m;
        }
        let curve = &self.medium.curve;
        if motion.v_m_per_s >= 0.0 {
            return curve.compression_after_losing(motion.lost_m_per_s);
        }
        let left = motion.v_m_per_s - curve.v_out_m_per_s;
        let is_undetermined = left.abs() < -step::MIN_DISTANCE * curve.v_out_m_per_s;
        if is_undetermined { motion.x_m } else { curve.compression_before_release(left) }
    }

    /// Energy at onset above the minimum, J.
    pub fn onset_energy_j(&self) -> f64 {
        let Curve { mass_kg, v_in_m_per_s: v_in, .. } = self.medium.curve;
        0.5 * mass_kg * v_in * v_in - self.rest.1
    }

    /// Compression at release, m; 0 with Hunt–Crossley.
    pub fn separation_m(&self) -> f64 {
        self.separation_m
    }

    /// The flight after release under gravity; `None` if the mass stays on the surface.
    ///
    /// **Rest rule.** A flight `2 |v_out|/g` shorter than the contact before it, or than
    /// [`SHORTEST_FLIGHT_S`], is not simulated: in reality the weight holds such a mass down. The
    /// mass lands once more without speed and rests. With a wanted restitution e below 1 it lands
    /// after the time of all remaining flights, `2 |v_out|/(g (1-e))`, so that the flights of a
    /// train last `t0 (1+e)/(1-e)` for any hardness. With fixed damping that sum diverges (the
    /// flights shrink as 1/n), and it lands after one flight.
    ///
    /// Gravity does not act in contact, except with Passive, nor while the mass leaves a dent that
    /// recovers: expansion would cost energy that compression did not gain. A permanent dent is the
    /// new surface, and the mass leaves it at once.
    pub fn departure(&self, settings: &ContactSettings) -> Option<Flight> {
        let gravity = settings.gravity_m_per_s2;
        let ContactMotion { x_m, v_m_per_s: v, .. } = self.motion();
        let shortest_s = self.elapsed_s.max(SHORTEST_FLIGHT_S);
        if self.integrator == Integrator::Passive {
            let height_m = self.release_height_m(settings);
            // Passive releases at the current height, and has its own rest rule.
            return Flight::falling(height_m, v, gravity)
                .filter(|flight| height_m != 0.0 || flight.duration_s >= shortest_s);
        }
        let flight = Flight::falling(0.0, v, gravity)?;
        if flight.duration_s < shortest_s {
            let e = settings.restitution.filter(|e| *e < 1.0).unwrap_or(0.0);
            return Some(Flight::arriving(flight.duration_s / (1.0 - e), 0.0));
        }
        let way_out_s = if x_m > 0.0 && settings.dent == Dent::Recovers { x_m / -v } else { 0.0 };
        Some(flight.after_way_out(way_out_s))
    }

    /// Height above the surface, m, at release: below 0 in a dent that has yet to recover. Only
    /// with Passive; other integrators release at the surface.
    pub fn release_height_m(&self, settings: &ContactSettings) -> f64 {
        if self.integrator != Integrator::Passive {
            return 0.0;
        }
        let surface_m = if settings.dent == Dent::Stays { self.separation_m } else { 0.0 };
        surface_m - self.motion().x_m
    }
}

/// Compression under the mass's weight at rest, m, and the energy there, J; both 0 without gravity.
fn rest_state(medium: &Medium) -> (f64, f64) {
    let spring = &medium.spring;
    let weight_n = medium.mass_kg * medium.gravity_m_per_s2;
    let rest_m = (weight_n / spring.stiffness()).powf(1.0 / spring.alpha());
    (rest_m, spring.potential_j(rest_m) - weight_n * rest_m)
}

/// Minimum steps per contact for Exact and Passive, which choose their steps.
const STEPS_PER_CONTACT: f64 = 32.0;
/// Minimum steps per sample of Passive, whose force is constant over each: a mode at 0.45 of the
/// sample rate loses at most 0.02 dB ...
const STEPS_PER_SAMPLE: f64 = 16.0;
/// ... in contacts up to this many samples; longer ones have the same number of steps.
const LONG_CONTACT_SAMPLES: f64 = 200.0;

/// Steps per contact where the step budget is spent: as many as coupled contacts have.
const MIN_STEPS_PER_CONTACT: f64 = 24.0;
const COARSE_STEPS_PER_CONTACT: f64 = 8.0;

/// Maximum steps per sample at a level. Longer steps than the coarse ones would be unstable in the
/// explicit integrators.
fn max_steps_per_sample(level: StepLevel, predicted: &Halves, sample_s: f64) -> u32 {
    let per_contact = match level {
        StepLevel::Target => return u32::MAX,
        StepLevel::Minimum => MIN_STEPS_PER_CONTACT,
        StepLevel::Coarse | StepLevel::Single => COARSE_STEPS_PER_CONTACT,
    };
    let wanted = (per_contact * sample_s / predicted.total_s()).ceil();
    (wanted.clamp(1.0, f64::from(MAX_STEPS_PER_SAMPLE)) as u32).next_power_of_two()
}

/// The rule of [`Oversampling::Auto`].
fn steps_per_sample(settings: &ContactSettings, predicted: &Halves, sample_s: f64) -> u32 {
    let wanted = match (settings.steps_per_sample, settings.integrator) {
        (Oversampling::Times(n), _) => f64::from(n),
        (Oversampling::Auto, Integrator::Exact | Integrator::Passive) => {
            let samples = predicted.total_s() / sample_s;
            // Compression is faster than expansion: it gets half of the steps.
            let for_contact =
                0.5 * STEPS_PER_CONTACT * sample_s / predicted.in_s.min(predicted.out_s);
            let fewest = STEPS_PER_SAMPLE.min(STEPS_PER_SAMPLE * LONG_CONTACT_SAMPLES / samples);
            for_contact.max(if settings.integrator == Integrator::Exact { 1.0 } else { fewest })
        }
        (Oversampling::Auto, _) => 1.0,
    };
    whole(wanted)
}

fn whole(wanted: f64) -> u32 {
    // The cast saturates, so an extreme sample interval yields the maximum.
    (wanted.ceil().clamp(1.0, f64::from(MAX_STEPS_PER_SAMPLE)) as u32).next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(integrator: Integrator, steps_per_sample: Oversampling) -> ContactSettings {
        ContactSettings { integrator, steps_per_sample, ..ContactSettings::default() }
    }

    fn halves(in_s: f64, out_s: f64) -> Halves {
        Halves { in_s, out_s }
    }

    #[test]
    fn steps_per_sample_follow_from_the_contact_time() {
        use Integrator::{Am1, Exact, Passive};
        let auto = |integrator, in_s, out_s| {
            steps_per_sample(&settings(integrator, Oversampling::Auto), &halves(in_s, out_s), 1.0)
        };
        // 32 in a contact with equal halves, 16 in the shorter of two halves.
        assert_eq!(
            (auto(Exact, 0.5, 0.5), auto(Exact, 0.125, 9.0), auto(Exact, 9.0, 0.125)),
            (32, 128, 128)
        );
        // At least 16 per sample for Passive, except in contacts of more than 200 samples.
        assert_eq!(
            (auto(Passive, 50.0, 50.0), auto(Passive, 200.0, 200.0), auto(Exact, 50.0, 50.0)),
            (16, 8, 1)
        );
        assert_eq!((auto(Am1, 0.01, 0.01), auto(Exact, 0.0, 0.0)), (1, MAX_STEPS_PER_SAMPLE));
        let asked = settings(Exact, Oversampling::Times(6));
        assert_eq!(steps_per_sample(&asked, &halves(0.01, 0.01), 1.0), 8);
    }
}
