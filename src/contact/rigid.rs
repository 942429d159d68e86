//! One contact, from onset to release.

mod damped;
mod departure;
mod step_size;

use super::ForceMoments;
use super::closed_form::Curve;
use super::contact_time::{self, Halves};
use super::coupled::StepLevel;
use super::force_profile::ForceProfile;
use super::integrator::{self, ContactMotion, Medium};
use super::release;
use super::settings::{ContactSettings, Integrator, Oversampling, Release, SPEED_LIMIT_M_PER_S};
pub use departure::SHORTEST_FLIGHT_S;
use step_size::{max_steps_per_sample, steps_per_sample};

/// Nearness to release, as a share of the velocity there, below which rounding leaves nothing in it
/// that could tell the compression: there the hybrid correction leaves the stepped compression
/// alone.
const DEAF_NEAR: f64 = 1e-14;
/// The same for a step's change of velocity: the last of very soft contacts would else stand still.
const DEAF_STEP: f64 = 1e-15;

/// Steps per sample of Exact near the ends of a contact, and how near that is, in samples.
const STEPS_NEAR_ENDS: u32 = 2;
const SAMPLES_NEAR_ENDS: f64 = 2.0;

/// Steps per sample of a mass that stays in contact, at most.
const STAYING_STEPS: u32 = 16;

/// What one step did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactStep {
    /// How long it took, s: less than asked for if the mass came off in it.
    pub duration_s: f64,
    /// Mean force on the surface, N: the momentum lost over the duration.
    pub force_n: f64,
    /// How the force ran: all but Exact hold it at its mean.
    pub moments: ForceMoments,
    /// The contact is over.
    pub released: bool,
}

/// One contact: its latched settings and its motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidContact {
    medium: Medium,
    integrator: Integrator,
    hybrid: bool,
    /// What the velocity is held to at release, m/s.
    target_m_per_s: Option<f64>,
    predicted: Halves,
    steps_per_sample: u32,
    /// A number of steps was asked for.
    steps_asked: bool,
    level: StepLevel,
    motion: ContactMotion,
    /// The solution that Exact follows, which then has the motion, too.
    profile: Option<ForceProfile>,
    elapsed_s: f64,
    /// Compression under its own weight at rest, m, and the energy there, J: the lowest there is.
    still: (f64, f64),
    /// At rest on the surface under its own weight.
    resting: bool,
    /// The law has a linear damper.
    damped: bool,
    /// The mass has come off.
    over: bool,
    /// Restitution as the law has it, before a step is made.
    e_ahead: f64,
    /// Compression at which the force was gone, m.
    separation_m: f64,
    /// In the last step the hybrid correction left the stepped compression alone.
    off_curve: bool,
}

impl RigidContact {
    /// Begin with `x = 0` and `v_in_m_per_s > 0`; `sample_s` is the interval between samples.
    pub fn begin(settings: &ContactSettings, v_in_m_per_s: f64, sample_s: f64) -> Self {
        let settings = settings.within_limits();
        let onset = settings.at_onset(v_in_m_per_s);
        let law = onset.law;
        let curve = Curve::new(&law, settings.mass_kg, v_in_m_per_s);
        let damped = onset.damper_n_s_per_m.is_some();
        let passive = settings.integrator == Integrator::Passive;
        let exact = settings.integrator == Integrator::Exact;
        let (predicted, e_ahead) = if damped {
            // Quick, and good to a per cent: it only chooses the steps.
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
            still: lying_still(&medium),
            medium,
            integrator: settings.integrator,
            hybrid: settings.hybrid && !passive && !damped,
            target_m_per_s: target_m_per_s.filter(|_| !passive && !damped),
            predicted,
            steps_per_sample: steps_per_sample(&settings, &predicted, sample_s),
            steps_asked: settings.steps_per_sample != Oversampling::Auto,
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
            over: false,
            e_ahead,
            off_curve: false,
            separation_m: 0.0,
        }
    }

    /// Steps per sample, a power of two, with which the motion can be looked at.
    pub fn steps_per_sample(&self) -> u32 {
        self.steps_per_sample
    }

    /// Steps for the next sample of `dt_s`. The steps of Exact only cut its force into pieces, of
    /// which each mode takes up four moments: one piece is enough but where the force has no smooth
    /// derivatives.
    pub(super) fn steps_for_sample(&self, dt_s: f64) -> u32 {
        match &self.profile {
            Some(_) if self.steps_asked && self.level == StepLevel::Target => self.steps_per_sample,
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

    /// Exact, and so far from both ends that the next sample of `dt_s` is one step in which it does
    /// not come off.
    fn is_smooth(&self, dt_s: f64) -> bool {
        let near_s = SAMPLES_NEAR_ENDS * dt_s;
        !self.steps_asked
            && self.profile.as_ref().is_some_and(|profile| !profile.is_near_its_ends(near_s))
    }

    /// Exact: its steps may be of any length.
    pub(super) fn is_solved(&self) -> bool {
        self.profile.is_some()
    }

    /// In contact for far longer than a strike would last: held down by its weight. Only Passive
    /// comes to this, and may then take long steps, being passive at any length.
    pub fn has_stayed(&self) -> bool {
        self.elapsed_s > 8.0 * self.predicted.total_s()
    }

    /// The closed forms of this contact.
    pub fn curve(&self) -> &Curve {
        &self.medium.curve
    }

    /// Where the mass is.
    pub fn motion(&self) -> ContactMotion {
        let Some(profile) = self.profile.as_ref().filter(|_| !self.over) else {
            return self.motion;
        };
        if self.damped {
            let (x_m, v_m_per_s) = profile.motion();
            return ContactMotion { x_m: x_m.max(0.0), v_m_per_s, ..self.motion };
        }
        // By the closed forms: compression and velocity that belong together.
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

    /// At rest, its weight on the surface; nothing more will come of it.
    pub fn is_resting(&self) -> bool {
        self.resting
    }

    /// Kinetic and elastic energy, and that of height where gravity acts in contact, J.
    pub fn energy_j(&self) -> f64 {
        let ContactMotion { x_m, v_m_per_s, .. } = self.motion();
        let kinetic = 0.5 * self.medium.mass_kg * v_m_per_s * v_m_per_s;
        kinetic + self.medium.spring.potential_j(x_m)
            - self.medium.mass_kg * self.medium.gravity_m_per_s2 * x_m
    }

    /// Go on by `h_s`, or until release if that comes first.
    pub fn step(&mut self, h_s: f64) -> ContactStep {
        if self.resting {
            self.elapsed_s += h_s;
            let weight_n = self.medium.mass_kg * self.medium.gravity_m_per_s2;
            return ContactStep {
                duration_s: h_s,
                force_n: weight_n,
                moments: ForceMoments::constant(weight_n, h_s),
                released: false,
            };
        }
        if self.profile.is_some() {
            return self.step_solved(h_s);
        }
        if self.damped {
            return self.step_damped(h_s);
        }
        let before = self.motion;
        let mut after = integrator::step(self.integrator, &self.medium, &before, h_s);
        if self.integrator == Integrator::Passive {
            return self.accept_passive(after, h_s);
        }
        let mut off = after.x_m <= 0.0 || !after.v_m_per_s.is_finite();
        if self.hybrid && !off {
            self.off_curve = !self.onto_curve(&before, &mut after);
            off = after.x_m <= 0.0;
        }
        // A coarse step may outrun the release velocity before the compression is gone. Held here
        // rather than at release, or the last force would have to pull. On the curve that is the
        // release, unless it is rounding: under heavy damping the mass has its release velocity to
        // the last digit for most of the way out.
        if let Some(target) = self.target_m_per_s
            && after.v_m_per_s < target
        {
            off |= self.hybrid
                && target - after.v_m_per_s > DEAF_NEAR * self.medium.curve.v_in_m_per_s;
            after.v_m_per_s = target;
        }
        // No true contact lasts this long; a stepped one that does has stalled.
        off |= self.elapsed_s > 16.0 * (self.predicted.total_s() + h_s);
        if off {
            return self.come_off(&before, &after, h_s);
        }
        self.motion = after;
        self.elapsed_s += h_s;
        self.held(&before, h_s, false)
    }

    /// One sample of a contact that [is smooth](Self::is_smooth): what its force was like, if it
    /// is.
    #[inline]
    pub(super) fn step_smooth(&mut self, dt_s: f64) -> Option<ForceMoments> {
        if !self.is_smooth(dt_s) {
            return None;
        }
        let profile = self.profile.as_mut()?;
        let moments = profile.step_smooth(dt_s);
        self.elapsed_s = profile.elapsed_s();
        Some(moments)
    }

    /// A step of Exact.
    fn step_solved(&mut self, h_s: f64) -> ContactStep {
        let Some(profile) = &mut self.profile else { return ContactStep::default() };
        let step = profile.step(h_s);
        self.elapsed_s = profile.elapsed_s();
        let Curve { mass_kg, v_in_m_per_s, v_out_m_per_s, .. } = self.medium.curve;
        let impulse_ns = step.moments.impulse_ns();
        self.off_curve =
            impulse_ns < -DEAF_STEP * mass_kg * v_out_m_per_s && !profile.is_compressing();
        if step.released {
            let (x_m, v_m_per_s) = profile.motion();
            self.separation_m = if self.damped { x_m.max(0.0) } else { 0.0 };
            let v_m_per_s = if self.damped { v_m_per_s.min(0.0) } else { v_out_m_per_s };
            self.motion = ContactMotion { x_m: self.separation_m, v_m_per_s, ..self.motion };
            self.over = true;
        }
        // Where a strong damper has taken all but the last digits of the speed, rounding may pull.
        let is_rounding = impulse_ns < 0.0 && impulse_ns > -DEAF_STEP * mass_kg * v_in_m_per_s;
        if is_rounding {
            return ContactStep {
                duration_s: step.duration_s,
                released: step.released,
                ..ContactStep::default()
            };
        }
        let force_n = impulse_ns / step.duration_s;
        ContactStep {
            duration_s: step.duration_s,
            force_n,
            moments: step.moments,
            released: step.released,
        }
    }

    /// What a step did whose force is held at its mean.
    fn held(&self, before: &ContactMotion, duration_s: f64, released: bool) -> ContactStep {
        let force_n = self.mean_force_n(before, duration_s);
        ContactStep {
            duration_s,
            force_n,
            moments: ForceMoments::constant(force_n, duration_s),
            released,
        }
    }

    /// The hybrid correction: put a stepped motion back on the curve x(v). Says no where it could
    /// not: under heavy damping the velocity is that of release to the last digit for most of the
    /// way out, and x(v) says nothing.
    fn onto_curve(&self, before: &ContactMotion, after: &mut ContactMotion) -> bool {
        let deaf =
            after.lost_m_per_s - before.lost_m_per_s < -DEAF_STEP * self.medium.curve.v_out_m_per_s;
        let heard = after.v_m_per_s >= 0.0 || !deaf;
        if heard {
            after.x_m = self.compression_by_curve_m(after);
        }
        heard
    }

    /// In the last step the velocity said nothing about the compression, and the hybrid correction
    /// did not act.
    pub fn is_off_curve(&self) -> bool {
        self.off_curve
    }

    /// Energy in the spring at a compression, J.
    pub fn potential_j(&self, x_m: f64) -> f64 {
        self.medium.spring.potential_j(x_m)
    }

    /// The law has a linear damper, and no closed form.
    pub fn is_damped(&self) -> bool {
        self.damped
    }

    /// Compression through x(v), eq. (3), from whichever end of the contact says more; the stepped
    /// one where neither says anything.
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
        let deaf = left.abs() < -DEAF_NEAR * curve.v_out_m_per_s;
        if deaf { motion.x_m } else { curve.compression_before_release(left) }
    }

    fn come_off(&mut self, before: &ContactMotion, after: &ContactMotion, h_s: f64) -> ContactStep {
        let mut v_out = match self.target_m_per_s {
            Some(target) => target,
            None if !after.v_m_per_s.is_finite() => self.medium.curve.v_out_m_per_s,
            None if self.hybrid => {
                // On the curve until now; the step off it may not make energy.
                let energy = self.medium.spring.potential_j(before.x_m) / self.medium.mass_kg;
                after.v_m_per_s.max(-(before.v_m_per_s * before.v_m_per_s + 2.0 * energy).sqrt())
            }
            None => after.v_m_per_s,
        };
        v_out = v_out.clamp(-SPEED_LIMIT_M_PER_S, SPEED_LIMIT_M_PER_S);
        let duration_s = self.time_to_release_s(before, after, v_out, h_s).max(1e-6 * h_s).min(h_s);
        self.motion = ContactMotion { x_m: 0.0, v_m_per_s: v_out, ..*after };
        self.elapsed_s += duration_s;
        self.held(before, duration_s, true)
    }

    /// Time from `before` until the compression is gone.
    fn time_to_release_s(
        &self,
        before: &ContactMotion,
        after: &ContactMotion,
        v_out: f64,
        h_s: f64,
    ) -> f64 {
        let corrected = self.hybrid || self.target_m_per_s.is_some();
        if corrected && before.v_m_per_s < 0.0 {
            // Near its end the contact is all but uniform motion: v differs from v_out by c
            // x^(alpha+1), and the integral of dx/|v| follows to second order in that difference.
            let shortfall = 1.0 - before.v_m_per_s / v_out;
            return before.x_m / -v_out * (1.0 + shortfall / (self.medium.curve.alpha() + 2.0));
        }
        if before.v_m_per_s >= 0.0 {
            // The whole way out within one step: the stepped motion knows nothing of it.
            return self.predicted.total_s() - self.elapsed_s;
        }
        h_s * before.x_m / (before.x_m - after.x_m)
    }

    fn accept_passive(&mut self, after: ContactMotion, h_s: f64) -> ContactStep {
        self.motion = after;
        self.elapsed_s += h_s;
        let gravity = self.medium.gravity_m_per_s2;
        let ContactMotion { x_m, v_m_per_s: v, carried_n, .. } = after;
        let mut released = x_m <= 0.0 && v <= 0.0 || self.damped && v < 0.0 && carried_n == 0.0;
        if gravity > 0.0 {
            // A hop shorter than two steps is left to the steps: they need no landing to be told
            // of.
            released &= (v * v - 2.0 * gravity * x_m).sqrt() - v > 2.0 * gravity * h_s;
            self.rest_if_spent();
        }
        ContactStep {
            duration_s: h_s,
            force_n: carried_n,
            moments: ForceMoments::constant(carried_n, h_s),
            released,
        }
    }

    /// Energy at onset above the lowest there is, J: what a share of the energy is a share of.
    pub fn onset_energy_j(&self) -> f64 {
        let Curve { mass_kg, v_in_m_per_s: v_in, .. } = self.medium.curve;
        0.5 * mass_kg * v_in * v_in - self.still.1
    }

    /// The rest rule of Passive: once the energy above that of lying still is below 1e-8 of what
    /// the weight stores in the spring, the mass lies still.
    fn rest_if_spent(&mut self) {
        let v = self.motion.v_m_per_s;
        let weight_n = self.medium.mass_kg * self.medium.gravity_m_per_s2;
        let (still_m, floor_j) = self.still;
        let spent_j = 1e-8 * weight_n * still_m;
        // The first half of the question is cheap, and mostly answers it.
        if 0.5 * self.medium.mass_kg * v * v < spent_j && self.energy_j() - floor_j < spent_j {
            self.motion.x_m = still_m;
            self.motion.v_m_per_s = 0.0;
            self.resting = true;
        }
    }

    #[inline]
    fn mean_force_n(&self, before: &ContactMotion, duration_s: f64) -> f64 {
        (self.medium.mass_kg * (before.v_m_per_s - self.motion.v_m_per_s) / duration_s).max(0.0)
    }
}

/// Compression under its own weight at rest, m, and the energy there, J; both 0 without gravity.
fn lying_still(medium: &Medium) -> (f64, f64) {
    let spring = &medium.spring;
    let weight_n = medium.mass_kg * medium.gravity_m_per_s2;
    let still_m = (weight_n / spring.stiffness()).powf(1.0 / spring.alpha());
    (still_m, spring.potential_j(still_m) - weight_n * still_m)
}
