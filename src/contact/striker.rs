//! A mass that flies, touches a rigid surface, separates and returns, on the sample grid.

use super::coupled::StepLevel;
use super::flight::Flight;
use super::rigid::{ContactStep, RigidContact};
use super::settings::{ContactSettings, Integrator, SLOWEST_ONSET_M_PER_S, SPEED_LIMIT_M_PER_S};
use super::{ContactReport, ForceMoments, Surface};

/// Maximum flights and contacts within one sample. The rest rule allows three from 20 kHz on, and
/// forty at 1 kHz.
const MAX_EVENTS: u32 = 64;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "boxing would allocate on the audio thread")]
enum Phase {
    #[default]
    Gone,
    Flight(Flight),
    Contact(RigidContact),
    Rest(f64),
}

/// One mass over one surface.
///
/// **Rest.** With gravity, rebounds that are too short ([`RigidContact::departure`]) are not
/// simulated: after the time they would take, the mass rests on the surface, without a force, as
/// gravity does not act in contact. With Passive gravity acts in contact, and the mass comes to
/// rest under its weight ([`RigidContact::is_resting`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct Striker {
    settings: ContactSettings,
    phase: Phase,
    last_force_n: f64,
    contacts: u32,
    last: ContactReport,
    flown_s: f64,
}

impl Striker {
    /// An inactive striker.
    pub fn new() -> Self {
        Self::default()
    }

    /// Resets to an inactive striker.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Starts a strike that touches after `delay_s >= 0` with `v_in_m_per_s > 0`.
    pub fn strike(&mut self, settings: &ContactSettings, v_in_m_per_s: f64, delay_s: f64) {
        self.begin(settings, Some(Flight::arriving(delay_s, v_in_m_per_s)));
    }

    /// Launches the mass at `height_m` above the surface with a velocity towards it, which may be
    /// negative.
    pub fn throw(&mut self, settings: &ContactSettings, height_m: f64, towards_m_per_s: f64) {
        let gravity = settings.within_limits().gravity_m_per_s2;
        self.begin(settings, Flight::falling(height_m.max(0.0), towards_m_per_s, gravity));
    }

    /// Sets the settings of future contacts. A contact under way keeps its own.
    pub fn set_settings(&mut self, settings: &ContactSettings) {
        self.settings = settings.within_limits();
    }

    fn begin(&mut self, settings: &ContactSettings, flight: Option<Flight>) {
        self.reset();
        self.settings = settings.within_limits();
        self.phase = flight.map_or(Phase::Gone, Phase::Flight);
    }

    /// Sets the step level of a contact under way. A new contact begins with its target steps.
    pub fn set_step_level(&mut self, level: StepLevel) {
        if let Phase::Contact(rigid_contact) = &mut self.phase {
            rigid_contact.set_level(level);
        }
    }

    /// Number of whole samples, up to `max`, of flight before the one in which it lands; 0 unless
    /// in flight.
    pub fn airborne(&self, max: u64, dt_s: f64) -> u64 {
        if let Phase::Flight(flight) = &self.phase { flight.whole_samples(max, dt_s) } else { 0 }
    }

    /// Advances the flight by that many samples, or fewer. The caller advances the surface.
    pub fn fly(&mut self, samples: u64) {
        if let Phase::Flight(flight) = &mut self.phase {
            flight.pass(samples);
        }
    }

    /// Time until it lands, s, and its speed then, m/s; `None` unless in flight.
    pub fn landing(&self, dt_s: f64) -> Option<(f64, f64)> {
        if let Phase::Flight(flight) = &self.phase {
            Some((flight.left_s(dt_s), flight.landing_m_per_s))
        } else {
            None
        }
    }

    /// Advances striker and surface by one sample: flight, onset, contact and release.
    #[inline]
    pub fn advance(&mut self, dt_s: f64, surface: &mut impl Surface) {
        self.advance_watched(dt_s, surface, &mut |_, _| {});
    }

    /// The same, with a call of `watch` after every step in contact.
    #[inline]
    pub fn advance_watched(
        &mut self,
        dt_s: f64,
        surface: &mut impl Surface,
        watch: &mut impl FnMut(&RigidContact, &ContactStep),
    ) {
        if self.airborne(1, dt_s) == 1 {
            self.fly(1);
            surface.push(0.0, dt_s);
            return;
        }
        let mut now_s = 0.0;
        for _ in 0..MAX_EVENTS {
            let left_s = dt_s - now_s;
            match &mut self.phase {
                Phase::Flight(flight) => {
                    let to_go_s = flight.left_s(dt_s);
                    if to_go_s >= left_s {
                        flight.begin_after(left_s);
                        return push(surface, 0.0, left_s);
                    }
                    push(surface, 0.0, to_go_s);
                    now_s += to_go_s;
                    self.flown_s += flight.duration_s;
                    self.phase = onset(&self.settings, flight.landing_m_per_s, dt_s);
                }
                Phase::Contact(rigid_contact) => {
                    let released;
                    (now_s, released) =
                        contact(rigid_contact, now_s, dt_s, surface, &mut self.last_force_n, watch);
                    if !released {
                        return;
                    }
                    let rigid_contact = *rigid_contact;
                    self.leave(&rigid_contact, now_s);
                }
                Phase::Gone => return push(surface, 0.0, left_s),
                Phase::Rest(force_n) => return push(surface, *force_n, left_s),
            }
        }
        // Too many hops to follow: the mass rests from here on, with its weight if Passive.
        let passive = self.settings.integrator == Integrator::Passive;
        let weight_n = self.settings.mass_kg * self.settings.gravity_m_per_s2;
        let force_n = if passive { weight_n } else { 0.0 };
        self.phase = Phase::Rest(force_n);
        push(surface, force_n, dt_s - now_s);
    }

    /// Advances an Exact contact, far from its ends, by one sample for each of `forces`, and writes
    /// their moments. Returns the number of samples, which ends where an end is near.
    pub fn advance_smooth(&mut self, dt_s: f64, forces: &mut [[f64; 4]]) -> usize {
        let Phase::Contact(rigid_contact) = &mut self.phase else { return 0 };
        let mut done = 0;
        for force in forces {
            let Some(ForceMoments(moments)) = rigid_contact.step_smooth(dt_s) else { break };
            *force = moments;
            self.last_force_n = moments[0] / dt_s;
            done += 1;
        }
        done
    }

    fn leave(&mut self, rigid_contact: &RigidContact, now_s: f64) {
        self.contacts = self.contacts.saturating_add(1);
        self.last = ContactReport::of(rigid_contact, &self.settings, now_s);
        self.last_force_n = 0.0;
        self.phase = if self.settings.gravity_m_per_s2 == 0.0 {
            Phase::Gone
        } else {
            rigid_contact.departure(&self.settings).map_or(Phase::Rest(0.0), Phase::Flight)
        };
    }

    /// True in flight, in contact, or at rest on the surface.
    pub fn is_active(&self) -> bool {
        self.phase != Phase::Gone
    }

    /// True in contact.
    pub fn is_in_contact(&self) -> bool {
        matches!(self.phase, Phase::Contact(_))
    }

    /// True if it rests on the surface for good.
    pub fn is_resting(&self) -> bool {
        match &self.phase {
            Phase::Rest(_) => true,
            Phase::Contact(rigid_contact) => rigid_contact.is_resting(),
            _ => false,
        }
    }

    /// Height above the surface, m; negative in contact.
    pub fn height_m(&self, dt_s: f64) -> f64 {
        match &self.phase {
            Phase::Flight(flight) => {
                let left_s = flight.left_s(dt_s);
                (flight.landing_m_per_s * left_s
                    - 0.5 * self.settings.gravity_m_per_s2 * left_s * left_s)
                    .max(0.0)
            }
            Phase::Contact(rigid_contact) => -rigid_contact.motion().x_m,
            Phase::Gone | Phase::Rest(_) => 0.0,
        }
    }

    /// Compression at the last sample, m; 0 out of contact.
    pub fn compression_m(&self) -> f64 {
        self.rigid_contact().map_or(0.0, |rigid_contact| rigid_contact.motion().x_m.max(0.0))
    }

    /// Velocity into the surface, m/s: of the contact under way, else at the last release.
    pub fn velocity_m_per_s(&self) -> f64 {
        self.rigid_contact()
            .map_or(self.last.v_out_m_per_s, |rigid_contact| rigid_contact.motion().v_m_per_s)
    }

    /// Mean force of the last step, N; 0 out of contact.
    pub fn force_n(&self) -> f64 {
        self.last_force_n
    }

    /// Gravity at the next release, m/s^2.
    pub fn gravity_m_per_s2(&self) -> f64 {
        self.settings.gravity_m_per_s2
    }

    /// Number of finished contacts.
    pub fn contacts(&self) -> u32 {
        self.contacts
    }

    /// Total time of finished flights, s, without the time to leave dents.
    pub fn flown_s(&self) -> f64 {
        self.flown_s
    }

    /// Report of the last contact.
    pub fn last_contact(&self) -> &ContactReport {
        &self.last
    }

    /// The settings of the last contact, until others are set.
    pub fn settings(&self) -> &ContactSettings {
        &self.settings
    }

    /// The contact under way.
    pub fn rigid_contact(&self) -> Option<&RigidContact> {
        if let Phase::Contact(rigid_contact) = &self.phase { Some(rigid_contact) } else { None }
    }
}

/// The contact that a landing begins; none if the speed is mere rounding.
fn onset(settings: &ContactSettings, landing_m_per_s: f64, dt_s: f64) -> Phase {
    if landing_m_per_s >= SLOWEST_ONSET_M_PER_S {
        Phase::Contact(RigidContact::begin(
            settings,
            landing_m_per_s.min(SPEED_LIMIT_M_PER_S),
            dt_s,
        ))
    } else if settings.gravity_m_per_s2 > 0.0 {
        Phase::Rest(0.0)
    } else {
        Phase::Gone
    }
}

/// Steps a contact from `now_s` to the end of the sample or to its release; returns the time
/// reached, and whether it was released.
///
/// Steps lie on a grid of `dt/S`: only the first (from onset to the next grid point) and the last
/// (at release) are shorter. All others have the same length, so that a body can cache its
/// coefficients.
fn contact(
    rigid_contact: &mut RigidContact,
    mut now_s: f64,
    dt_s: f64,
    surface: &mut impl Surface,
    last_force_n: &mut f64,
    watch: &mut impl FnMut(&RigidContact, &ContactStep),
) -> (f64, bool) {
    let count = rigid_contact.steps_for_sample(dt_s);
    let h_s = dt_s / f64::from(count);
    if rigid_contact.is_resting() {
        let step = rigid_contact.step(dt_s - now_s);
        push(surface, step.force_n, step.duration_s);
        *last_force_n = step.force_n;
        return (dt_s, false);
    }
    let mut index = ((now_s / h_s) as u32).saturating_add(1);
    let mut length_s = h_s;
    if now_s > 0.0 {
        length_s = f64::from(index) * h_s - now_s;
        if length_s < 1e-3 * h_s {
            // A step this short would be mostly rounding: merge it with the next.
            index += 1;
            length_s += h_s;
        }
        if index > count {
            // Onset at the very end of the sample.
            length_s = dt_s - now_s;
        }
    }
    // One round for each step of the sample, and one for the short step before them.
    while index <= count.max(1) || length_s < h_s {
        let step = rigid_contact.step(length_s);
        if rigid_contact.is_solved() {
            surface.push_shaped(&step.moments, step.duration_s);
        } else {
            push(surface, step.force_n, step.duration_s);
        }
        *last_force_n = step.force_n;
        watch(rigid_contact, &step);
        if step.released {
            return ((now_s + step.duration_s).min(dt_s), true);
        }
        now_s = f64::from(index.min(count)) * h_s;
        index += 1;
        length_s = h_s;
        if rigid_contact.has_stayed() && rigid_contact.steps_for_sample(dt_s) < count {
            // The mass stays in contact: one long step to the end of the sample, and the coarser
            // grid from there on.
            if dt_s - now_s <= h_s {
                continue;
            }
            length_s = dt_s - now_s;
            index = count;
        }
    }
    (dt_s, false)
}

#[inline]
fn push(surface: &mut impl Surface, force_n: f64, duration_s: f64) {
    if duration_s > 0.0 {
        surface.push(force_n, duration_s);
    }
}
