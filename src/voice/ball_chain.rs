//! A row of balls over the body of a voice: each contact of two neighbours rings it. Where every
//! ball is a body of its own, each contact rings the two balls that meet, with opposite forces.
//!
//! **Work** is bounded: a sample has at most [`MAX_STEPS`] steps, and no more than [`MAX_WORK`]
//! steps of a contact in all, or what it is allowed ([`BallChain::set_work`]) where many rows are
//! struck at once; where many balls touch, steps get longer. They stay passive.
//!
//! **Level.** Each contact is heard by one over the root of how many bodies the contacts ring
//! together, so that long rows are not louder than short ones.
//!
//! **Anew.** A row that is let go while the one before still touches takes its place; what touches
//! then comes apart as it would have, and the rest of the old row is gone.
//!
//! **Over.** Without strings, once no two neighbours approach each other faster than a hundredth of
//! the first approach (`SLOWEST`); on strings, after one whole swing in which no contact passed on
//! more than that speed does. A row that loses nothing swings until it is caught.

mod contact;
mod fading_chain;
mod recorder;

use super::events::ContactEventKind;
use super::rigid_contacts::{ContactContext, LIFT_OFF_S};
use crate::body::drive::{DriveSum, MAX_SUBSTEPS, DrivePoint};
use crate::body::{Drive, MAX_MODES, Parts, PerMode, Point, Steps};
use crate::exciter::chain::{self, Launch};
use crate::params::Param;
use crate::rigid_body::chain::{Set, members};
use crate::rigid_body::chain::{Ball, Chain, MAX_BALLS, MAX_CONTACTS};
use crate::snapshot::VoiceSnapshot;
use contact::{ChainContact, ChainStep};
use fading_chain::FadingChain;
use recorder::ChainRecorder;

/// Most steps of one sample, a power of two. The body is given no more than [`MAX_SUBSTEPS`] forces
/// of a contact; those of several steps become their mean.
pub const MAX_STEPS: usize = 16;

/// Most steps of a contact in one sample, all contacts together.
pub const MAX_WORK: usize = 32;

/// So many balls that touch nothing cost as much as a contact.
const IDLE: usize = 4;

/// Approach that is not worth waiting for, as a share of the first one: -40 dB, and duller besides.
const SLOWEST: f64 = 0.01;

/// Steps are this many times as short as the row's own rule asks: what comes back, and so the times
/// of a long train, then depends less on the sample rate.
const FINER: f64 = 2.0;

/// How far ahead is looked for a contact, in times of what is flown without looking again.
const SPARE: f64 = 1.001;

/// The row of one voice.
#[derive(Clone, Debug)]
pub struct BallChain {
    chain: Option<Chain>,
    leaving: Option<FadingChain>,
    /// Where each contact rings the body, and what all of them do to it.
    voicings: Box<[DrivePoint]>,
    chorus: Box<DriveSum>,
    touching: [Option<ChainContact>; MAX_CONTACTS],
    /// Which of them there are.
    touched: Set,
    /// Steps of a contact that it may spend on a sample.
    work: usize,
    /// Steps of a contact since somebody asked.
    spent: usize,
    /// Where each drive is, as long as the body has not changed since.
    places: [Option<Point>; MAX_CONTACTS],
    swing_s: Option<f64>,
    slowest_m_per_s: f64,
    /// Time since the last contact worth hearing, s.
    quiet_s: f64,
    lifts_off: bool,
    /// Somebody looks on, and wants to see how contacts go.
    is_watched: bool,
    watcher: Box<ChainRecorder>,
}

impl BallChain {
    /// Somebody looks on, and wants to see how contacts go; or nobody does. What is heard is the
    /// same.
    pub fn watch(&mut self, is_on: bool) {
        if std::mem::replace(&mut self.is_watched, is_on) != is_on {
            self.watcher.reset();
        }
    }

    /// Add what can be seen of it.
    pub fn write_snapshot(&self, view: &mut VoiceSnapshot) {
        if let Some(trace) = self.watcher.last() {
            view.contact = Some(trace.clone());
        }
        if let Some(chain) = &self.chain {
            view.balls = chain.balls().iter().map(|ball| ball.u_m as f32).collect();
        }
    }

    /// No row. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            chain: None,
            leaving: None,
            voicings: (0..MAX_CONTACTS).map(|_| DrivePoint::new(capacity)).collect(),
            chorus: Box::new(DriveSum::new(capacity)),
            touching: [None; MAX_CONTACTS],
            touched: 0,
            work: MAX_WORK,
            spent: 0,
            places: [None; MAX_CONTACTS],
            swing_s: None,
            slowest_m_per_s: 0.0,
            quiet_s: 0.0,
            lifts_off: false,
            is_watched: false,
            watcher: Box::default(),
        }
    }

    /// What the contacts leave in the modes, for fault injection.
    pub(super) fn voices(&mut self) -> (&mut [DrivePoint], &mut DriveSum) {
        (&mut self.voicings, &mut self.chorus)
    }

    /// Forget what its contacts left in the modes.
    pub(super) fn renew(&mut self) {
        self.voicings.iter_mut().for_each(DrivePoint::renew);
        self.chorus.renew();
    }

    /// The row is gone, and all that was seen of it.
    pub fn reset(&mut self) {
        self.end();
        (self.work, self.spent) = (MAX_WORK, 0);
        self.watcher.reset();
    }

    /// The row is gone.
    fn end(&mut self) {
        self.chain = None;
        self.leaving = None;
        self.let_go();
        self.forget_places();
    }

    fn let_go(&mut self) {
        self.touching = [None; MAX_CONTACTS];
        self.touched = 0;
        self.watcher.let_go();
    }

    /// The body has changed: contacts to come look where they are on it.
    pub fn forget_places(&mut self) {
        self.places = [None; MAX_CONTACTS];
    }

    /// Let go of a row; one that is there makes room for it, without a knock.
    pub fn launch(&mut self, launch: &Launch) {
        let touch = self.touching.map(|touching| touching.is_some_and(|touching| touching.heard));
        match self.chain.take() {
            Some(chain) if touch.contains(&true) => {
                self.leaving = Some(FadingChain { chain, touch, hold: 1.0 })
            }
            // What is left of one before goes its way.
            _ => {}
        }
        self.let_go();
        self.forget_places();
        // A contact that begins while all lift off takes no place: it must not ring by one of
        // another row.
        let is_held = |i: usize| self.leaving.as_ref().is_some_and(|leaving| leaving.touch[i]);
        self.voicings
            .iter_mut()
            .enumerate()
            .filter(|(i, _)| !is_held(*i))
            .for_each(|(_, voicing)| voicing.rest());
        self.chain = Some(launch.chain());
        self.swing_s = launch.swing_s;
        self.slowest_m_per_s = SLOWEST * launch.speed_m_per_s;
        (self.quiet_s, self.lifts_off) = (0.0, false);
        self.watcher.launch(launch.swing_s);
    }

    /// Stop the balls: from contact without a knock.
    pub fn catch(&mut self) {
        if self.leaving.is_some() || self.touched != 0 {
            self.lifts_off = true;
        } else {
            self.end();
        }
    }

    /// Whether there is a row that may still be heard.
    pub fn is_active(&self) -> bool {
        self.chain.is_some()
    }

    /// Whether balls may touch within `time_s`.
    pub fn is_due(&self, time_s: f64) -> bool {
        self.leaving.is_some()
            || self.chain.as_ref().is_some_and(|chain| chain.busy_contacts(time_s) > 0)
    }

    /// Steps of a contact since the last call.
    pub fn take_steps(&mut self) -> usize {
        std::mem::take(&mut self.spent)
    }

    /// Steps of a contact that it may spend on a sample from now on, up to [`MAX_WORK`].
    pub fn set_work(&mut self, work: usize) {
        self.work = work.clamp(1, MAX_WORK);
    }

    /// Let up to `max` samples go by in which no balls touch; returns how many did.
    pub fn fly(&mut self, max: usize, dt_s: f64) -> usize {
        let Some(chain) = &mut self.chain else { return max };
        if self.leaving.is_some() || self.touched != 0 {
            return 0;
        }
        let mut flown = 0;
        // Each round passes a sample at least, or is the last.
        while flown < max {
            let mut clear = max - flown;
            // Far ahead with a little to spare, so that it does not matter how far was looked.
            while clear > 1 && chain.busy_contacts(SPARE * clear as f64 * dt_s) > 0 {
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
                // Without strings no ball gets faster or slower on the way.
                None if is_over(chain, None, self.quiet_s, self.slowest_m_per_s) => {}
                None => passed = clear,
            }
            chain.fly(dt_s, passed);
            flown += passed;
            if passed < clear {
                break;
            }
        }
        if self.is_watched {
            self.watcher.pass(flown as f64 * dt_s);
        }
        flown
    }

    /// One sample. `take` is given what each contact leaves in the modes, and `report_event` what
    /// happened and when, in seconds from the start of the sample.
    pub fn advance(
        &mut self,
        contact_context: &ContactContext,
        steps: &mut Steps,
        mut take: impl FnMut(&Drive),
        report_event: &mut impl FnMut(f64, ContactEventKind),
    ) {
        let Some(chain) = &mut self.chain else { return };
        let none_touch = self.leaving.is_none() && self.touched == 0;
        if none_touch && is_over(chain, self.swing_s, self.quiet_s, self.slowest_m_per_s) {
            report_event(0.0, ContactEventKind::Rest);
            return self.end();
        }
        let contacts = chain.balls().len() - 1;
        let leaving = self.leaving.as_ref().map(|leaving| &leaving.chain);
        let rows = || std::iter::once(&*chain).chain(leaving);
        let busy: usize = rows().map(|chain| chain.busy_contacts(contact_context.dt_s)).sum();
        let max = (self.work / busy.max(chain.balls().len() / IDLE).max(1)).clamp(1, MAX_STEPS);
        let count = if busy == 0 {
            1
        } else {
            let finest_s = rows().map(Chain::step_s).fold(f64::INFINITY, f64::min);
            // The cast saturates.
            ((FINER * contact_context.dt_s / finest_s).ceil() as usize).clamp(1, max)
        };
        // Powers of two: few lengths of step, which the modes remember.
        let count = if count.is_power_of_two() {
            count
        } else {
            (count.next_power_of_two()).min(prior_power(max))
        };
        let h_s = contact_context.dt_s / count as f64;
        self.spent += count * busy.max(1);
        self.quiet_s += contact_context.dt_s;
        if self.is_watched {
            self.watcher.pass(contact_context.dt_s);
        }
        let mut forces = [[0.0; MAX_CONTACTS]; MAX_STEPS];
        let mut external_force: Set = 0;
        for (number, forces) in forces[..count].iter_mut().enumerate() {
            let mut before = [Ball::default(); MAX_BALLS];
            before[..=contacts].copy_from_slice(chain.balls());
            chain.step(h_s);
            if let Some(leaving) = &mut self.leaving {
                for (i, left_n) in
                    leaving.step(h_s).into_iter().enumerate().filter(|(_, left_n)| *left_n > 0.0)
                {
                    forces[i] = left_n;
                    external_force |= 1 << i;
                }
            }
            external_force |= chain.pushing();
            for i in members(chain.pushing() | self.touched) {
                let after = (chain.compression_m(i), chain.approach_m_per_s(i));
                let before = chain.between(&before[i], &before[i + 1]);
                let step = ChainStep { before, after, force_n: chain.forces_n()[i], h_s };
                forces[i] += step.force_n;
                if step.force_n > 0.0 && self.touching[i].is_none() {
                    let y = contact_context.patch.get(Param::PositionY);
                    let point = contact_context
                        .patch
                        .place(chain::place(contact_context.patch, i, contacts), y);
                    let held = self.leaving.as_ref().is_some_and(|leaving| leaving.touch[i]);
                    if !self.lifts_off && !held && self.places[i] != Some(point) {
                        self.places[i] = Some(point);
                        self.voicings[i].set_gains(&gains(contact_context, i, point, contacts));
                    }
                    let touching = ChainContact::begin(&step, point, !self.lifts_off);
                    if self.is_watched {
                        self.watcher.begin(i, chain, &touching);
                    }
                    self.touching[i] = Some(touching);
                    self.touched |= 1 << i;
                }
                let Some(touching) = &mut self.touching[i] else { continue };
                let reduced_kg = chain.reduced_kg(i);
                let worth_ns = reduced_kg * self.slowest_m_per_s;
                touching.duration_s += h_s;
                touching.impulse_ns += step.force_n * h_s;
                if touching.impulse_ns > worth_ns {
                    self.quiet_s = 0.0;
                }
                if let Some(ago_s) = step.came_off_s() {
                    let ended_s = (number + 1) as f64 * h_s - ago_s;
                    let report = touching.report(&step, ago_s, reduced_kg, ended_s);
                    let is_reported = touching.heard && touching.impulse_ns > worth_ns;
                    if is_reported {
                        report_event(ended_s, touching.reported(&report));
                    }
                    if self.is_watched {
                        self.watcher.end(i, chain, touching, is_reported.then_some(&report));
                    }
                    self.touching[i] = None;
                    self.touched &= !(1 << i);
                } else if self.is_watched {
                    self.watcher.step(i, chain, touching);
                }
            }
        }
        if external_force != 0 {
            let together = count.div_ceil(MAX_SUBSTEPS);
            let (pieces, piece_s) = (count / together, h_s * together as f64);
            self.chorus.begin_sample();
            for i in members(external_force) {
                let mut means_n = [0.0; MAX_SUBSTEPS];
                for (mean_n, part) in means_n.iter_mut().zip(forces[..count].chunks_exact(together))
                {
                    *mean_n = part.iter().map(|forces| forces[i]).sum::<f64>() / together as f64;
                }
                self.chorus.add(
                    contact_context.modes.kernel,
                    &self.voicings[i],
                    &means_n[..pieces],
                    piece_s,
                );
            }
            take(self.chorus.act(contact_context.modes, steps, pieces, piece_s));
        }
        if let Some(leaving) = &mut self.leaving {
            leaving.hold -= contact_context.dt_s / LIFT_OFF_S;
            if leaving.hold <= 0.0 || !leaving.touch.contains(&true) {
                self.leaving = None;
            }
        }
        if self.lifts_off {
            let by = contact_context.dt_s / LIFT_OFF_S;
            let held = self
                .voicings
                .iter_mut()
                .take(contacts)
                .filter_map(|voicing| voicing.ease(by).then_some(()))
                .count();
            if held == 0 || (self.leaving.is_none() && self.touched == 0) {
                self.end();
            }
        }
    }
}

/// How the force of a contact moves the modes: of the one body at a point, or of the two balls that
/// meet. Smaller balls are lighter.
fn gains(
    contact_context: &ContactContext,
    contact: usize,
    point: Point,
    contacts: usize,
) -> PerMode {
    let parts = contact_context.modes.parts();
    if !matches!(parts, Parts::Sizes { .. }) {
        let share = 1.0 / (contacts as f64).sqrt();
        return contact_context.gains(point).map(|gain| share * gain);
    }
    let mut gains = [0.0; MAX_MODES];
    let louder = (2.0 * contacts as f64).sqrt();
    for (ball, face, sign) in [(contact, 0, 1.0), (contact + 1, 1, -1.0)] {
        let mass_kg = contact_context.weight_kg * parts.size(ball).powi(3);
        contact_context.modes.add_gains(
            ball,
            chain::faces(contact_context.patch)[face],
            sign * louder * mass_kg,
            &mut gains,
        );
    }
    gains
}

/// The largest power of two up to `max`, which is 1 or more.
fn prior_power(max: usize) -> usize {
    1 << max.ilog2()
}

fn is_over(chain: &Chain, swing_s: Option<f64>, quiet_s: f64, slowest_m_per_s: f64) -> bool {
    match swing_s {
        Some(swing_s) => quiet_s > swing_s,
        None => (0..chain.balls().len() - 1).all(|i| chain.approach_m_per_s(i) < slowest_m_per_s),
    }
}
