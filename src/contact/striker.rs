//! A mass that flies, touches, comes off and returns, on the sample grid.

use super::coupled::StepLevel;
use super::flight::Flight;
use super::replay::ReplayInputs;
use super::report::ContactReport;
use super::rigid::{ContactStep, RigidContact};
use super::settings::{ContactSettings, Integrator, SLOWEST_ONSET_M_PER_S, SPEED_LIMIT_M_PER_S};
use super::{ForceMoments, Surface};

/// Flights and contacts within one sample, at most. The rest rule leaves room for three from 20 kHz
/// on, and for forty at 1 kHz; the bound is for settings nobody has thought of.
const MAX_EVENTS: u32 = 64;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a striker has no heap to box a contact on")]
enum Phase {
    #[default]
    Gone,
    Flight(Flight),
    Contact(RigidContact),
    Rest(f64),
}

/// One mass over one surface.
///
/// **Rest.** With gravity, a rebound too short to be one ([`RigidContact::departure`]) is not
/// followed: after the time it and its like would take, the mass lies on the surface. It then
/// presses no more, as gravity is suspended in contact. Passive, which keeps gravity, settles by
/// itself and then presses with its weight ([`RigidContact::is_resting`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct Striker {
    settings: ContactSettings,
    phase: Phase,
    last_force_n: f64,
    contacts: u32,
    last: ContactReport,
    /// From the start of its sample to the onset of the contact under way, and of the last one, s.
    onset_s: f64,
    last_onset_s: f64,
    flown_s: f64,
}

impl Striker {
    /// A striker that is nowhere near.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forget everything.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Arrive after `delay_s` (0 and above, more than a sample if need be) with `v_in_m_per_s > 0`.
    pub fn strike(&mut self, settings: &ContactSettings, v_in_m_per_s: f64, delay_s: f64) {
        self.begin(settings, Some(Flight::arriving(delay_s, v_in_m_per_s)));
    }

    /// Let go at `height_m` over the surface with a velocity towards it, which may be negative.
    pub fn throw(&mut self, settings: &ContactSettings, height_m: f64, towards_m_per_s: f64) {
        let gravity = settings.within_limits().gravity_m_per_s2;
        self.begin(settings, Flight::falling(height_m.max(0.0), towards_m_per_s, gravity));
    }

    /// New settings for the contacts to come. One under way keeps those it began with.
    pub fn set_settings(&mut self, settings: &ContactSettings) {
        self.settings = settings.within_limits();
    }

    fn begin(&mut self, settings: &ContactSettings, flight: Option<Flight>) {
        self.reset();
        self.settings = settings.within_limits();
        self.phase = flight.map_or(Phase::Gone, Phase::Flight);
    }

    /// Sets how finely a contact under way is stepped. One that begins has its target steps at
    /// first.
    pub fn set_step_level(&mut self, level: StepLevel) {
        if let Phase::Contact(rigid_contact) = &mut self.phase {
            rigid_contact.set_level(level);
        }
    }

    /// How many whole sample intervals, up to `max`, it will fly before the one in which it lands;
    /// 0 unless in flight.
    pub fn airborne(&self, max: u64, dt_s: f64) -> u64 {
        if let Phase::Flight(flight) = &self.phase { flight.whole_samples(max, dt_s) } else { 0 }
    }

    /// Let that many sample intervals of flight, or fewer, go by. The surface is to be moved on by
    /// its owner.
    pub fn fly(&mut self, samples: u64) {
        if let Phase::Flight(flight) = &mut self.phase {
            flight.pass(samples);
        }
    }

    /// Time until it lands, s, and the speed with which it will, m/s; none unless in flight.
    pub fn landing(&self, dt_s: f64) -> Option<(f64, f64)> {
        if let Phase::Flight(flight) = &self.phase {
            Some((flight.left_s(dt_s), flight.landing_m_per_s))
        } else {
            None
        }
    }

    /// One sample interval: flight, onset, contact and release inside it, and the surface moved on
    /// by `dt_s` in all.
    #[inline]
    pub fn advance(&mut self, dt_s: f64, surface: &mut impl Surface) {
        self.advance_watched(dt_s, surface, &mut |_, _| {});
    }

    /// The same, telling `watch` of every step in contact.
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
                    self.onset_s = now_s;
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
        // Hops too short and too many to follow: from here on it lies, Passive with its weight.
        let passive = self.settings.integrator == Integrator::Passive;
        let weight_n = self.settings.mass_kg * self.settings.gravity_m_per_s2;
        let force_n = if passive { weight_n } else { 0.0 };
        self.phase = Phase::Rest(force_n);
        push(surface, force_n, dt_s - now_s);
    }

    /// Exact, far from either end of a contact: go on by one sample for each of `forces` and say
    /// what the force was like there, until an end is near. Returns how many samples that were.
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
        self.last_onset_s = self.onset_s;
        self.last_force_n = 0.0;
        self.phase = if self.settings.gravity_m_per_s2 == 0.0 {
            Phase::Gone
        } else {
            rigid_contact.departure(&self.settings).map_or(Phase::Rest(0.0), Phase::Flight)
        };
    }

    /// Under way: in flight towards the surface, in contact, or resting on it.
    pub fn is_active(&self) -> bool {
        self.phase != Phase::Gone
    }

    /// In contact just now.
    pub fn is_in_contact(&self) -> bool {
        matches!(self.phase, Phase::Contact(_))
    }

    /// At rest on the surface, for good.
    pub fn is_resting(&self) -> bool {
        match &self.phase {
            Phase::Rest(_) => true,
            Phase::Contact(rigid_contact) => rigid_contact.is_resting(),
            _ => false,
        }
    }

    /// How high it is over the surface where it last was, m: in flight, or negative in contact.
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

    /// Velocity into the surface at the last sample, m/s: of the contact under way, else of the
    /// last release.
    pub fn velocity_m_per_s(&self) -> f64 {
        self.rigid_contact()
            .map_or(self.last.v_out_m_per_s, |rigid_contact| rigid_contact.motion().v_m_per_s)
    }

    /// Mean force of the last step, N; 0 out of contact.
    pub fn force_n(&self) -> f64 {
        self.last_force_n
    }

    /// Gravity that the next departure will meet, m/s^2.
    pub fn gravity_m_per_s2(&self) -> f64 {
        self.settings.gravity_m_per_s2
    }

    /// Contacts that are over.
    pub fn contacts(&self) -> u32 {
        self.contacts
    }

    /// Time spent in flights that are over, s; the way out of a dent is none.
    pub fn flown_s(&self) -> f64 {
        self.flown_s
    }

    /// What the last one was like.
    pub fn last_contact(&self) -> &ContactReport {
        &self.last
    }

    /// What decided the last one, on samples of `dt_s`. To be asked before other settings are
    /// given.
    pub fn last_replay_inputs(&self, dt_s: f64) -> ReplayInputs {
        let (v_in_m_per_s, onset_s) = (self.last.v_in_m_per_s, self.last_onset_s);
        ReplayInputs { settings: self.settings, v_in_m_per_s, onset_s, sample_s: dt_s }
    }

    /// The contact under way.
    pub fn rigid_contact(&self) -> Option<&RigidContact> {
        if let Phase::Contact(rigid_contact) = &self.phase { Some(rigid_contact) } else { None }
    }
}

/// The contact that a landing begins, or none if it is no more than a grain of rounding.
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

/// Step a contact from `now_s` to the end of the sample or to its release; returns the time
/// reached, and which of the two it was.
///
/// Steps lie on a grid of `dt/S`: only the first is cut short (from onset to the next grid point),
/// and the last (by the release). All others have the very same length, which a body may keep its
/// rotations for.
pub(super) fn contact(
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
            // A sliver would be all rounding: give it to its neighbour.
            index += 1;
            length_s += h_s;
        }
        if index > count {
            // Onset on the very edge of the sample: the sliver is all there is.
            length_s = dt_s - now_s;
        }
    }
    // One round for each step of the sample, and one for the sliver before them.
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
            // What was a strike has become a stay: one long step to the end of the sample, and from
            // there on the coarser grid.
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
