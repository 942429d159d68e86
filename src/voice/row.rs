//! A row of balls over the body of a voice: each contact of two neighbours rings it. Where every ball is a body of its own,
//! each contact rings the two balls that meet, with opposite forces.
//!
//! **Work** is bounded: a sample has at most [`MOST_STEPS`] steps, and no more than [`MOST_WORK`] steps of a contact in all;
//! where many balls touch at once, steps get longer. They stay passive.
//!
//! **Level.** Each contact is heard by one over the root of how many bodies the contacts ring together, so that long rows are
//! not louder than short ones.
//!
//! **Anew.** A row that is let go while the one before still touches takes its place; what touches then comes apart as it
//! would have, and the rest of the old row is gone.
//!
//! **Over.** Without strings, once no two neighbours approach each other faster than a hundredth of the first
//! approach (`SLOWEST`); on strings, after one whole swing in which no contact passed on more than that speed does. A row that loses nothing swings until it is
//! caught.

use super::hands::{LIFT_OFF_S, Scene};
use super::happening::{self, What};
use crate::body::{Drive, MAX_MODES, Parts, PerMode, Point, Steps};
use crate::contact::Surface;
use crate::gesture::row::{self, Launch};
use crate::patch::Param;
use crate::rigid::chain::{Chain, Forces, MOST_CONTACTS};
use crate::view::VoiceView;

/// Most steps of one sample, a power of two.
pub const MOST_STEPS: usize = 16;

/// Most forces of one contact that the body is given in a sample; those of several steps become their mean.
const MOST_PUSHES: usize = 4;

/// Most steps of a contact in one sample, all contacts together.
pub const MOST_WORK: usize = 32;

/// So many balls that touch nothing cost as much as a contact.
const IDLE: usize = 4;

/// Approach that is not worth waiting for, as a share of the first one: -40 dB, and duller besides.
const SLOWEST: f64 = 0.01;

/// Steps are this many times as short as the row's own rule asks: what comes back, and so the times of a long train, then
/// depends less on the sample rate.
const FINER: f64 = 2.0;

/// A contact under way.
#[derive(Clone, Copy, Debug)]
struct Touching {
    /// Since its onset, s.
    duration_s: f64,
    speed_in_m_per_s: f64,
    /// What it has passed on so far, N s.
    impulse_ns: f64,
    point: Point,
    heard: bool,
}

/// One step of a contact: compression and approach before and after it, and the force.
struct Step {
    before: (f64, f64),
    after: (f64, f64),
    force_n: f64,
    h_s: f64,
}

impl Step {
    /// How long before its end the two came off, s, if they did.
    fn came_off_s(&self) -> Option<f64> {
        let (x_m, approach) = self.after;
        let ago_s = if approach < 0.0 { (x_m.min(0.0) / approach).min(self.h_s) } else { 0.0 };
        (self.force_n == 0.0 || x_m <= 0.0).then_some(ago_s)
    }
}

impl Touching {
    /// A contact that begins within `step`.
    fn begin(step: &Step, point: Point, heard: bool) -> Self {
        let (gap_m, speed) = (-step.before.0.min(0.0), step.before.1);
        // The part of the step that came before the gap closed is none of it.
        let wait_s = if speed > 0.0 { (gap_m / speed).min(step.h_s) } else { 0.0 };
        Self { duration_s: -wait_s, speed_in_m_per_s: speed.max(0.0), impulse_ns: 0.0, point, heard }
    }

    fn report(&self, last: &Step, ago_s: f64, reduced_kg: f64) -> What {
        let speeds = (self.speed_in_m_per_s, (-last.after.1).max(0.0));
        happening::passed((self.duration_s - ago_s).max(0.0), speeds, self.point, reduced_kg, 0.0)
    }
}

/// A row that another has taken the place of: only what touched then is left of it.
#[derive(Clone, Debug)]
struct Leaving {
    chain: Chain,
    /// Which contacts have not come apart yet.
    touch: [bool; MOST_CONTACTS],
    /// How far they are from having lifted off, 1 to 0.
    hold: f64,
}

impl Leaving {
    /// One step; the forces that are left of it.
    fn step(&mut self, h_s: f64) -> Forces {
        self.chain.step(h_s);
        let share = self.hold * self.hold * (3.0 - 2.0 * self.hold);
        std::array::from_fn(|i| {
            self.touch[i] &= self.chain.forces_n()[i] > 0.0;
            if self.touch[i] { share * self.chain.forces_n()[i] } else { 0.0 }
        })
    }
}

/// The row of one voice.
#[derive(Clone, Debug)]
pub struct Row {
    chain: Option<Chain>,
    leaving: Option<Leaving>,
    drives: Box<[Drive]>,
    touching: [Option<Touching>; MOST_CONTACTS],
    /// Where each drive is, as long as the body has not changed since.
    places: [Option<Point>; MOST_CONTACTS],
    swing_s: Option<f64>,
    slowest_m_per_s: f64,
    /// Time since the last contact worth hearing, s.
    quiet_s: f64,
    lifts_off: bool,
}

impl Row {
    /// Add what can be seen of it.
    pub fn see(&self, view: &mut VoiceView) {
        if let Some(chain) = &self.chain {
            view.balls = chain.balls().iter().map(|ball| ball.u_m as f32).collect();
        }
    }

    /// No row. Allocates what it will need.
    pub fn new() -> Self {
        Self {
            chain: None,
            leaving: None,
            drives: (0..MOST_CONTACTS).map(|_| Drive::default()).collect(),
            touching: [None; MOST_CONTACTS],
            places: [None; MOST_CONTACTS],
            swing_s: None,
            slowest_m_per_s: 0.0,
            quiet_s: 0.0,
            lifts_off: false,
        }
    }

    /// What the contacts leave in the modes, for fault injection.
    pub(super) fn drives(&mut self) -> &mut [Drive] {
        &mut self.drives
    }

    /// The row is gone.
    pub fn reset(&mut self) {
        self.chain = None;
        self.leaving = None;
        self.touching = [None; MOST_CONTACTS];
        self.forget_places();
    }

    /// The body has changed: contacts to come look where they are on it.
    pub fn forget_places(&mut self) {
        self.places = [None; MOST_CONTACTS];
    }

    /// Let go of a row; one that is there makes room for it, without a knock.
    pub fn launch(&mut self, launch: &Launch) {
        let touch = self.touching.map(|touching| touching.is_some_and(|touching| touching.heard));
        match self.chain.take() {
            Some(chain) if touch.contains(&true) => self.leaving = Some(Leaving { chain, touch, hold: 1.0 }),
            // What is left of one before goes its way.
            _ => {}
        }
        self.touching = [None; MOST_CONTACTS];
        self.forget_places();
        self.chain = Some(launch.chain());
        self.swing_s = launch.swing_s;
        self.slowest_m_per_s = SLOWEST * launch.speed_m_per_s;
        (self.quiet_s, self.lifts_off) = (0.0, false);
    }

    /// Stop the balls: from contact without a knock.
    pub fn catch(&mut self) {
        if self.leaving.is_some() || self.touching.iter().any(Option::is_some) {
            self.lifts_off = true;
        } else {
            self.reset();
        }
    }

    /// Whether there is a row that may still be heard.
    pub fn is_active(&self) -> bool {
        self.chain.is_some()
    }

    /// Let up to `most` samples go by in which no balls touch; returns how many did.
    pub fn fly(&mut self, most: usize, dt_s: f64) -> usize {
        let Some(chain) = &mut self.chain else { return most };
        if self.leaving.is_some() || self.touching.iter().any(Option::is_some) {
            return 0;
        }
        for sample in 0..most {
            if chain.busy_contacts(dt_s) > 0 || is_over(chain, self.swing_s, self.quiet_s, self.slowest_m_per_s) {
                return sample;
            }
            chain.step(dt_s);
            self.quiet_s += dt_s;
        }
        most
    }

    /// One sample. `take` is given what each contact leaves in the modes, and `tell` what happened and when, in seconds
    /// from the start of the sample.
    pub fn advance(
        &mut self,
        scene: &Scene,
        steps: &mut Steps,
        mut take: impl FnMut(&Drive),
        tell: &mut impl FnMut(f64, What),
    ) {
        let Some(chain) = &mut self.chain else { return };
        let none_touch = self.leaving.is_none() && self.touching.iter().all(Option::is_none);
        if none_touch && is_over(chain, self.swing_s, self.quiet_s, self.slowest_m_per_s) {
            tell(0.0, What::Rest);
            return self.reset();
        }
        let contacts = chain.balls().len() - 1;
        let leaving = self.leaving.as_ref().map(|leaving| &leaving.chain);
        let rows = || std::iter::once(&*chain).chain(leaving);
        let busy: usize = rows().map(|chain| chain.busy_contacts(scene.dt_s)).sum();
        let most = (MOST_WORK / busy.max(chain.balls().len() / IDLE).max(1)).clamp(1, MOST_STEPS);
        let count = rows().map(|chain| chain.steps_wanted(FINER * scene.dt_s) as usize).fold(1, usize::max).min(most);
        // Powers of two: few lengths of step, which the modes remember.
        let count = if count.is_power_of_two() { count } else { (count.next_power_of_two()).min(prior_power(most)) };
        let h_s = scene.dt_s / count as f64;
        self.quiet_s += scene.dt_s;
        let mut forces = [[0.0; MOST_STEPS]; MOST_CONTACTS];
        let gained = self.leaving.as_ref().map_or(contacts, |_| MOST_CONTACTS);
        for number in 0..count {
            let before: [(f64, f64); MOST_CONTACTS] = std::array::from_fn(|i| {
                if i < contacts { (chain.compression_m(i), chain.approach_m_per_s(i)) } else { (0.0, 0.0) }
            });
            chain.step(h_s);
            let left_n = self.leaving.as_mut().map_or([0.0; MOST_CONTACTS], |leaving| leaving.step(h_s));
            for (forces, left_n) in forces.iter_mut().zip(left_n) {
                forces[number] = left_n;
            }
            for (i, forces) in forces[..contacts].iter_mut().enumerate() {
                let after = (chain.compression_m(i), chain.approach_m_per_s(i));
                let step = Step { before: before[i], after, force_n: chain.forces_n()[i], h_s };
                forces[number] += step.force_n;
                if step.force_n > 0.0 && self.touching[i].is_none() {
                    let y = scene.patch.get(Param::PositionY);
                    let point = scene.patch.place(row::place(scene.patch, i, contacts), y);
                    let held = self.leaving.as_ref().is_some_and(|leaving| leaving.touch[i]);
                    if !self.lifts_off && !held && self.places[i] != Some(point) {
                        self.places[i] = Some(point);
                        self.drives[i].set_gains(&gains(scene, i, point, contacts));
                    }
                    self.touching[i] = Some(Touching::begin(&step, point, !self.lifts_off));
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
                    if touching.heard && touching.impulse_ns > worth_ns {
                        let end_s = (number + 1) as f64 * h_s - ago_s;
                        tell(end_s, touching.report(&step, ago_s, reduced_kg));
                    }
                    self.touching[i] = None;
                }
            }
        }
        for (drive, forces) in self.drives.iter_mut().zip(&forces).take(gained) {
            if forces[..count].iter().all(|&force| force == 0.0) {
                continue;
            }
            drive.begin_sample();
            {
                let mut surface = drive.on(scene.modes, steps);
                let together = count.div_ceil(MOST_PUSHES);
                for part in forces[..count].chunks(together) {
                    surface.push(part.iter().sum::<f64>() / together as f64, h_s * together as f64);
                }
            }
            take(drive);
        }
        if let Some(leaving) = &mut self.leaving {
            leaving.hold -= scene.dt_s / LIFT_OFF_S;
            if leaving.hold <= 0.0 || !leaving.touch.contains(&true) {
                self.leaving = None;
            }
        }
        if self.lifts_off {
            let by = scene.dt_s / LIFT_OFF_S;
            let held = self.drives.iter_mut().take(contacts).filter_map(|drive| drive.ease(by).then_some(())).count();
            if held == 0 || (self.leaving.is_none() && self.touching.iter().all(Option::is_none)) {
                self.reset();
            }
        }
    }
}

impl Default for Row {
    fn default() -> Self {
        Self::new()
    }
}

/// How the force of a contact moves the modes: of the one body at a point, or of the two balls that meet. Smaller balls are
/// lighter.
fn gains(scene: &Scene, contact: usize, point: Point, contacts: usize) -> PerMode {
    let parts = scene.modes.parts();
    if !matches!(parts, Parts::Sizes { .. }) {
        let share = 1.0 / (contacts as f64).sqrt();
        return scene.gains(point).map(|gain| share * gain);
    }
    let mut gains = [0.0; MAX_MODES];
    let louder = (2.0 * contacts as f64).sqrt();
    for (ball, face, sign) in [(contact, 0, 1.0), (contact + 1, 1, -1.0)] {
        let mass_kg = scene.weight_kg * parts.size(ball).powi(3);
        scene.modes.add_gains(ball, row::faces(scene.patch)[face], sign * louder * mass_kg, &mut gains);
    }
    gains
}

/// The largest power of two up to `most`, which is 1 or more.
fn prior_power(most: usize) -> usize {
    1 << most.ilog2()
}

fn is_over(chain: &Chain, swing_s: Option<f64>, quiet_s: f64, slowest_m_per_s: f64) -> bool {
    match swing_s {
        Some(swing_s) => quiet_s > swing_s,
        None => (0..chain.balls().len() - 1).all(|i| chain.approach_m_per_s(i) < slowest_m_per_s),
    }
}
