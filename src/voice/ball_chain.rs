//! A ball chain over the body of a voice: each contact of two neighbours drives the body. Where
//! every ball is a body of its own, each contact drives the two balls that meet, with opposite
//! forces.
//!
//! **Work** is bounded: a sample has at most [`MAX_STEPS`] steps, and at most [`MAX_WORK`] steps of
//! a contact in all, or what [`set_contact_budget`](Exciter::set_contact_budget) allows where many
//! chains are struck at once. Where many balls touch, steps get longer. They stay passive.
//!
//! **Level.** Each contact is scaled by one over the root of the number of bodies that are driven
//! together, so that long chains are not louder than short ones.
//!
//! **Replacement.** A chain that is launched while the previous one still touches replaces it.
//! Contacts under way separate as they would have, and the rest of the old chain is removed.
//!
//! **End.** Without strings, once no two neighbours approach each other faster than a hundredth of
//! the first approach (`MIN_APPROACH`); on strings, after a whole swing in which no contact passed
//! on more momentum than at that speed. A chain without losses swings until it is caught.

mod contact;

use super::body::Object;
use super::events::{ContactEventKind, EventWriter};
use super::exciters::{ContactContext, Exciter, FreeBody, LIFT_OFF_S, Sample};
use crate::body::drive::{DrivePoint, DriveSum, MAX_SUBSTEPS};
use crate::body::{MAX_MODES, Parts, PerMode, Point, Row};
use crate::contact::recorder::{ContactRecorder, ContactWith};
use crate::exciter::chain::{self, Launch};
use crate::params::Param;
use crate::rigid_body::chain::{Ball, Chain, MAX_BALLS, MAX_CONTACTS};
use crate::rigid_body::chain::{Set, members};
use crate::snapshot::VoiceSnapshot;
use contact::{ChainContact, ChainStep, FadingChain};

/// Most steps of one sample, a power of two. The body takes at most [`MAX_SUBSTEPS`] forces of a
/// contact per sample; those of several steps are averaged.
const MAX_STEPS: usize = 16;

/// Most steps of a contact in one sample, over all contacts.
const MAX_WORK: usize = 32;

/// Work of one step of a contact, in passes over eight modes.
const STEP_WORK: u32 = 8;

/// Balls without contact that cost as much as one contact.
const IDLE_BALLS: usize = 4;

/// Slowest approach that is simulated, as a share of the first one: -40 dB, and duller besides.
const MIN_APPROACH: f64 = 0.01;

/// Steps are this many times shorter than the chain's own rule asks. Restitution, and so the timing
/// of a long train of contacts, then depends less on the sample rate.
const REFINEMENT: f64 = 2.0;

/// Margin by which contacts are searched ahead of a flight, so that the result does not depend on
/// how far ahead is searched.
const MARGIN: f64 = 1.001;

/// Share of a swing within which contacts belong to one click of a cradle: the next click comes
/// after half a swing.
const CLICK: f64 = 0.4;

/// The ball chain of one voice.
#[derive(Clone, Debug)]
pub struct BallChain {
    chain: Option<Chain>,
    /// The chain that this one replaced, as long as its contacts last.
    fading: Option<FadingChain>,
    /// How each contact drives the body, and the drive of all.
    voicings: Box<[DrivePoint]>,
    chorus: Box<DriveSum>,
    contacts: [Option<ChainContact>; MAX_CONTACTS],
    /// Indices of the contacts under way.
    touching: Set,
    /// Steps of a contact that it may spend on a sample.
    max_work: usize,
    /// Steps of a contact since the last [`take_contact_work`](Exciter::take_contact_work).
    spent: usize,
    /// The point of each voicing; none if the body has changed since.
    points: [Option<Point>; MAX_CONTACTS],
    /// Period of the swing on strings, s.
    swing_s: Option<f64>,
    min_approach_m_per_s: f64,
    /// Time since the last audible contact, s.
    quiet_s: f64,
    lifts_off: bool,
    /// Records contacts for the editor.
    recorder: Box<ContactRecorder>,
}

impl BallChain {
    /// No chain. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            chain: None,
            fading: None,
            voicings: (0..MAX_CONTACTS).map(|_| DrivePoint::new(capacity)).collect(),
            chorus: Box::new(DriveSum::new(capacity)),
            contacts: [None; MAX_CONTACTS],
            touching: 0,
            max_work: MAX_WORK,
            spent: 0,
            points: [None; MAX_CONTACTS],
            swing_s: None,
            min_approach_m_per_s: 0.0,
            quiet_s: 0.0,
            lifts_off: false,
            recorder: Box::default(),
        }
    }

    /// Memory of the drives, for fault injection.
    pub(super) fn drives(&mut self) -> (&mut [DrivePoint], &mut DriveSum) {
        (&mut self.voicings, &mut self.chorus)
    }

    /// Removes the chain.
    fn remove(&mut self) {
        self.chain = None;
        self.fading = None;
        self.remove_contacts();
        self.points = [None; MAX_CONTACTS];
    }

    fn remove_contacts(&mut self) {
        self.contacts = [None; MAX_CONTACTS];
        self.touching = 0;
        self.recorder.abandon();
    }

    /// Launches a chain at the current sample. The one before is removed without a knock.
    pub fn launch(&mut self, launch: &Launch) {
        let touch = self.contacts.map(|contact| contact.is_some_and(|contact| contact.is_heard));
        match self.chain.take() {
            Some(chain) if touch.contains(&true) => {
                self.fading = Some(FadingChain { chain, touch, hold: 1.0 })
            }
            // A chain that fades already goes on to do so.
            _ => {}
        }
        self.remove_contacts();
        // A contact that begins during lift-off gets no point: it must not sound by that of the
        // old chain.
        self.points = [None; MAX_CONTACTS];
        let is_held = |i: usize| self.fading.as_ref().is_some_and(|fading| fading.touch[i]);
        let voicings = self.voicings.iter_mut().enumerate();
        voicings.filter(|(i, _)| !is_held(*i)).for_each(|(_, voicing)| voicing.rest());
        self.chain = Some(launch.chain());
        self.swing_s = launch.swing_s;
        self.min_approach_m_per_s = MIN_APPROACH * launch.speed_m_per_s;
        (self.quiet_s, self.lifts_off) = (0.0, false);
        self.recorder.begin_group(launch.swing_s.map_or(f64::INFINITY, |swing_s| CLICK * swing_s));
    }

    /// Whether no contact is under way.
    fn is_free(&self) -> bool {
        self.fading.is_none() && self.touching == 0
    }

    /// Flies up to `max` samples in which no balls touch. Returns how many.
    fn fly(&mut self, max: usize, dt_s: f64) -> usize {
        let is_free = self.is_free();
        let Some(chain) = &mut self.chain else { return max };
        if !is_free {
            return 0;
        }
        let mut flown = 0;
        // Each round flies at least a sample, or is the last.
        while flown < max {
            let mut clear = max - flown;
            while clear > 1 && chain.busy_contacts(MARGIN * clear as f64 * dt_s) > 0 {
                clear /= 2;
            }
            if clear == 1 && chain.busy_contacts(dt_s) > 0 {
                break;
            }
            let mut passed = 0;
            match self.swing_s {
                Some(swing_s) => {
                    while passed < clear && self.quiet_s <= swing_s {
                        self.quiet_s += dt_s;
                        passed += 1;
                    }
                }
                // Without strings the speeds are constant in flight.
                None if is_over(chain, None, self.quiet_s, self.min_approach_m_per_s) => {}
                None => passed = clear,
            }
            chain.fly(dt_s, passed);
            flown += passed;
            if passed < clear {
                break;
            }
        }
        self.recorder.pass(flown as f64 * dt_s);
        flown
    }

    /// Number of steps of the next sample, and of contacts that may be under way in it.
    fn substeps(&self, chain: &Chain, dt_s: f64) -> (usize, usize) {
        let fading = self.fading.as_ref().map(|fading| &fading.chain);
        let chains = || std::iter::once(chain).chain(fading);
        let busy: usize = chains().map(|chain| chain.busy_contacts(dt_s)).sum();
        if busy == 0 {
            return (1, busy);
        }
        let idle = chain.balls().len() / IDLE_BALLS;
        let max = (self.max_work / busy.max(idle)).clamp(1, MAX_STEPS);
        let finest_s = chains().map(Chain::step_s).fold(f64::INFINITY, f64::min);
        // The cast saturates.
        let wanted = ((REFINEMENT * dt_s / finest_s).ceil() as usize).clamp(1, max);
        // Powers of two, so that the modes need few step coefficients.
        (wanted.next_power_of_two().min(1 << max.ilog2()), busy)
    }

    /// One step of the chain, the one with this `number` in the sample. Adds the forces of the
    /// contacts, and returns which of them push.
    fn step(
        &mut self,
        (number, h_s): (usize, f64),
        context: &ContactContext,
        forces_n: &mut [f64; MAX_CONTACTS],
        events: &mut EventWriter,
    ) -> Set {
        let Some(chain) = &mut self.chain else { return 0 };
        let mut before = [Ball::default(); MAX_BALLS];
        before[..chain.balls().len()].copy_from_slice(chain.balls());
        chain.step(h_s);
        let (own, mut pushing) = (chain.pushing(), chain.pushing());
        if let Some(fading) = &mut self.fading {
            let forces = fading.step(h_s).into_iter().enumerate();
            for (i, force_n) in forces.filter(|(_, force_n)| *force_n > 0.0) {
                forces_n[i] = force_n;
                pushing |= 1 << i;
            }
        }
        for i in members(own | self.touching) {
            let Some(chain) = &self.chain else { break };
            let step = ChainStep {
                before: chain.between(&before[i], &before[i + 1]),
                after: (chain.compression_m(i), chain.approach_m_per_s(i)),
                force_n: chain.forces_n()[i],
                h_s,
            };
            forces_n[i] += step.force_n;
            if step.force_n > 0.0 && self.contacts[i].is_none() {
                self.begin_contact(i, &step, context);
            }
            self.advance_contact(i, &step, number, events);
        }
        pushing
    }

    /// Starts contact `i` within `step`.
    fn begin_contact(&mut self, i: usize, step: &ChainStep, context: &ContactContext) {
        let Some(chain) = &self.chain else { return };
        let (patch, count) = (context.patch, chain.balls().len() - 1);
        let point = patch.place(chain::place(patch, i, count), patch.get(Param::PositionY));
        let is_held = self.fading.as_ref().is_some_and(|fading| fading.touch[i]);
        if !self.lifts_off && !is_held && self.points[i] != Some(point) {
            self.points[i] = Some(point);
            self.voicings[i].set_gains(&gains(context, i, point, count));
        }
        let contact = ChainContact::begin(step, point, !self.lifts_off);
        if self.recorder.is_on() {
            self.recorder.begin(i, contact.onset_energy_j(chain.reduced_kg(i)));
        }
        self.contacts[i] = Some(contact);
        self.touching |= 1 << i;
    }

    /// Follows contact `i` over `step`, and reports it if it ends.
    fn advance_contact(
        &mut self,
        i: usize,
        step: &ChainStep,
        number: usize,
        events: &mut EventWriter,
    ) {
        let (Some(chain), Some(contact)) = (&self.chain, &mut self.contacts[i]) else { return };
        let reduced_kg = chain.reduced_kg(i);
        let min_impulse_ns = reduced_kg * self.min_approach_m_per_s;
        contact.duration_s += step.h_s;
        contact.impulse_ns += step.force_n * step.h_s;
        if contact.impulse_ns > min_impulse_ns {
            self.quiet_s = 0.0;
        }
        let Some(ago_s) = step.separated_s() else {
            self.recorder.step(i, || contact.recorded_point(chain, i));
            return;
        };
        let ended_s = (number + 1) as f64 * step.h_s - ago_s;
        let report = contact.report(step, ago_s, reduced_kg, ended_s);
        let is_reported = contact.is_heard && contact.impulse_ns > min_impulse_ns;
        if is_reported {
            events.report(ended_s, contact.event(&report));
        }
        if self.recorder.slot() == Some(i) {
            if is_reported {
                let release = contact.release_point(&report);
                self.recorder.end(i, ContactWith::Ball, &chain.alone(i), &report, release);
            }
            self.recorder.abandon();
        }
        self.contacts[i] = None;
        self.touching &= !(1 << i);
    }

    /// Drives the modes by the `forces` of the steps of a sample, for the contacts in `pushing`.
    fn drive(
        &mut self,
        forces: &[[f64; MAX_CONTACTS]],
        pushing: Set,
        h_s: f64,
        sample: &mut Sample,
    ) {
        let steps_per_piece = forces.len().div_ceil(MAX_SUBSTEPS);
        let pieces = forces.len() / steps_per_piece;
        let piece_s = h_s * steps_per_piece as f64;
        let modes = &sample.object.modes;
        self.chorus.begin_sample();
        for i in members(pushing) {
            let mut means_n = [0.0; MAX_SUBSTEPS];
            for (mean_n, piece) in means_n.iter_mut().zip(forces.chunks_exact(steps_per_piece)) {
                let sum_n = piece.iter().map(|forces| forces[i]).sum::<f64>();
                *mean_n = sum_n / steps_per_piece as f64;
            }
            self.chorus.add(modes.kernel, &self.voicings[i], &means_n[..pieces], piece_s);
        }
        let drive = self.chorus.act(modes, sample.steps, pieces, piece_s);
        sample.bank.take(modes, drive);
        sample.impulse_ns += drive.impulse_ns();
    }

    /// Lets the chains that were caught or replaced lift off.
    fn lift_off(&mut self, dt_s: f64) {
        let by = dt_s / LIFT_OFF_S;
        if let Some(fading) = &mut self.fading {
            fading.hold -= by;
            if fading.hold <= 0.0 || !fading.touch.contains(&true) {
                self.fading = None;
            }
        }
        if self.lifts_off {
            let contacts = self.chain.as_ref().map_or(0, |chain| chain.balls().len() - 1);
            let mut is_held = false;
            for voicing in self.voicings.iter_mut().take(contacts) {
                is_held |= voicing.ease(by);
            }
            if !is_held || self.is_free() {
                self.remove();
            }
        }
    }
}

impl Exciter for BallChain {
    fn reset(&mut self) {
        self.remove();
        (self.max_work, self.spent) = (MAX_WORK, 0);
        self.recorder.reset();
    }

    fn rebuild(&mut self) {
        self.voicings.iter_mut().for_each(DrivePoint::renew);
        self.chorus.renew();
    }

    fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        let voicings = self.voicings.iter_mut().map(DrivePoint::row_in_memory);
        voicings.chain(self.chorus.rows_in_memory()).collect()
    }

    fn is_active(&self) -> bool {
        self.chain.is_some()
    }

    fn needs_contact_budget(&self, samples: usize, dt_s: f64) -> bool {
        let time_s = samples as f64 * dt_s;
        self.fading.is_some()
            || self.chain.as_ref().is_some_and(|chain| chain.busy_contacts(time_s) > 0)
    }

    fn set_contact_budget(&mut self, work: u32, samples: usize) {
        self.max_work = ((work / STEP_WORK) as usize / samples.max(1)).clamp(1, MAX_WORK);
    }

    fn take_contact_work(&mut self) -> u32 {
        let steps = u32::try_from(std::mem::take(&mut self.spent)).unwrap_or(u32::MAX);
        steps.saturating_mul(STEP_WORK)
    }

    fn catch(&mut self) {
        if self.is_free() {
            self.remove();
        } else {
            self.lifts_off = true;
        }
    }

    fn set_body(&mut self, _object: &Object) {
        self.points = [None; MAX_CONTACTS];
    }

    /// Flies so many samples. What limits them must have been applied to `max` before.
    fn clear_samples(&mut self, max: usize, body: &mut FreeBody) -> usize {
        self.fly(max, body.object.dt_s())
    }

    fn advance(&mut self, sample: &mut Sample) {
        let Some(chain) = &self.chain else { return };
        if self.is_free() && is_over(chain, self.swing_s, self.quiet_s, self.min_approach_m_per_s) {
            sample.events.report(0.0, ContactEventKind::Rest);
            return self.remove();
        }
        let context = sample.object.contact_context(sample.patch);
        let (count, busy) = self.substeps(chain, context.dt_s);
        let h_s = context.dt_s / count as f64;
        self.spent += count * busy.max(1);
        self.quiet_s += context.dt_s;
        self.recorder.pass(context.dt_s);
        let mut forces = [[0.0; MAX_CONTACTS]; MAX_STEPS];
        let mut pushing: Set = 0;
        for (number, forces_n) in forces[..count].iter_mut().enumerate() {
            pushing |= self.step((number, h_s), &context, forces_n, sample.events);
        }
        if pushing != 0 {
            self.drive(&forces[..count], pushing, h_s, sample);
        }
        self.lift_off(sample.object.dt_s());
    }

    fn set_recording(&mut self, is_on: bool) {
        self.recorder.set_on(is_on);
    }

    fn write_snapshot(&self, _dt_s: f64, snapshot: &mut VoiceSnapshot) {
        if let Some(recording) = self.recorder.last() {
            snapshot.contact = Some(recording.clone());
        }
        if let Some(chain) = &self.chain {
            snapshot.balls = chain.balls().iter().map(|ball| ball.u_m as f32).collect();
        }
    }
}

/// Whether a chain that touches nowhere makes no more audible contacts.
fn is_over(chain: &Chain, swing_s: Option<f64>, quiet_s: f64, min_approach_m_per_s: f64) -> bool {
    match swing_s {
        Some(swing_s) => quiet_s > swing_s,
        None => {
            (0..chain.balls().len() - 1).all(|i| chain.approach_m_per_s(i) < min_approach_m_per_s)
        }
    }
}

/// How the force of a contact drives the modes: those of the one body at a point, or those of the
/// two balls that meet. Smaller balls are lighter.
fn gains(context: &ContactContext, contact: usize, point: Point, contacts: usize) -> PerMode {
    let parts = context.modes.parts();
    if !matches!(parts, Parts::Sizes { .. }) {
        let share = 1.0 / (contacts as f64).sqrt();
        return context.gains(point).map(|gain| share * gain);
    }
    let mut gains = [0.0; MAX_MODES];
    let gain = (2.0 * contacts as f64).sqrt();
    for (ball, face, sign) in [(contact, 0, 1.0), (contact + 1, 1, -1.0)] {
        let mass_kg = context.weight_kg * parts.size(ball).powi(3);
        context.modes.add_gains(
            ball,
            chain::faces(context.patch)[face],
            sign * gain * mass_kg,
            &mut gains,
        );
    }
    gains
}
