//! Time passes: a voice plays a piece of a block, and looks about at its control rate.

use super::calm::Calm;
use super::happening::Happenings;
use super::object::Object;
use super::settings::Settings;
use super::tail::Tail;
use super::{Voice, World};
use crate::body::UserModes;
use crate::body::bank::CHUNK;
use crate::contact::two_way::StepLevel;
use crate::event::NoteAddress;
use crate::patch::Param;

/// How much softer than usual a mode may be before it is stopped, while a force from outside moves the body.
const FINER: f64 = 1e8;

/// Work of a change of the body for each mode, in passes over eight modes, besides the shapes that have to be found.
const CHANGE_WORK: u32 = 32;

/// A body that rings by itself is asked every so many ticks which of its modes are no longer heard.
pub(super) const SETTLE_TICKS: u32 = 4;

impl Voice {
    /// Add `left.len()` samples to `left` and `right`, and what happened to `told`. Returns the note if it came to its
    /// end, and the sample at which it did.
    pub fn process(
        &mut self,
        world: &World,
        left: &mut [f64],
        right: &mut [f64],
        told: &mut Happenings,
    ) -> Option<(usize, NoteAddress)> {
        self.note?;
        let mut done = match self.ring_calmly(world, left, right) {
            Calm::Played(done) => done,
            Calm::Over(end) => return end,
        };
        if done == left.len() {
            return None;
        }
        let (rate_hz, mut is_news) = (self.object.sample_rate_hz(), self.modulator.is_stale(world.patch));
        // The voice's own patch, if anything moves it: a copy, since the voice changes while it reads.
        let (mut own, mut asked) = (None, self.modulator.asked());
        let mut is_known = !is_news;
        while done < left.len() {
            // A key that was let go while its note waited moves the envelope from this very sample on.
            if self.play_due(world) {
                is_news |= self.modulator.is_stale(world.patch);
            }
            if !self.is_fresh && (is_news || self.modulator.is_live() && self.since_tick == 0) {
                self.modulator.ask(world.patch, world.tempo_bpm);
                is_news = false;
            }
            if self.modulator.asked() != asked {
                (own, asked) = (None, self.modulator.asked());
            }
            is_known &= !self.reading.is_asked(asked);
            let stand = self.modulator.stand();
            self.placing.aim(stand.gain, stand.pan + self.key_pan, rate_hz);
            if self.modulator.is_moved() && own.is_none() {
                own = Some(self.modulator.patch(world.patch).clone());
            }
            let world = &World { patch: own.as_ref().unwrap_or(world.patch), ..*world };
            if !self.control(world, stand.pitch_st, is_known) {
                return self.end().map(|note| (done, note));
            }
            is_known = true;
            let n = self.onsets.next(left.len() - done).min(CHUNK - self.since_tick);
            let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
            self.ring(world, &mut l[..n], &mut r[..n], done, told);
            let (level, boost, since) = (&self.level, self.boost * self.kept, self.since_tick + 1);
            self.air.mix(world.patch.get(Param::Air), &mut l[..n], &mut r[..n], |i| level.after(since + i) / boost);
            // One voice that went wrong must not take the others with it.
            let kernel = self.object.modes.kernel;
            if !(kernel.are_finite(&l, &r) && self.has_finite_gains() && (self.alone || self.object.modes.are_finite()))
            {
                return self.fail().map(|note| (done, note));
            }
            self.becoming.rise(&mut l[..n], &mut r[..n]);
            self.placing.process(&mut l[..n], &mut r[..n]);
            let (left, right) = (&mut left[done..done + n], &mut right[done..done + n]);
            if !self.haunt(left, right) {
                return self.fail().map(|note| (done, note));
            }
            if self.fade_step == 0.0 {
                self.level.mix(kernel, [left, right], [&l, &r], self.since_tick);
            } else if let Some(i) = self.fade_out(left, right, &l, &r) {
                return self.end().map(|note| (done + i, note));
            }
            done += n;
            self.onsets.pass(n);
            self.modulator.pass(n);
            self.since_tick = (self.since_tick + n) % CHUNK;
            self.since_struck += n as u64;
            self.tail.pass(n);
        }
        None
    }

    /// Tick when it is time. Returns whether there is anything left to hear.
    ///
    /// A change acts at its own sample: the control clock begins anew there. While one is being carried out the next
    /// waits for the tick, or automation of every sample would make the modes anew at every sample.
    fn control(&mut self, world: &World, bend_st: f64, is_known: bool) -> bool {
        let damped = self.damped || self.muted;
        // A key that the tuning has left out fades as it was.
        let key_st = world.tuning.pitch_st(self.key);
        let news = key_st.and_then(|key_st| {
            self.reading.read(world, is_known, key_st, bend_st, damped);
            self.reading.news(&self.object.settings)
        });
        let news = news.filter(|settings| !self.takes_blow(settings));
        // Beyond the step budget, a body that keeps changing does so in longer strides.
        let is_overdrawn = self.budget.level() > StepLevel::Target;
        let must_wait = self.must_wait(news.is_some()) || is_overdrawn;
        let news = news.filter(|_| !must_wait);
        let may_hurry = !(self.moving && self.hurried);
        let elapsed = match self.since_tick {
            0 => CHUNK,
            since if may_hurry && news.is_some() => since,
            _ => return true,
        };
        self.hurried = elapsed < CHUNK;
        self.since_tick = 0;
        self.tick(news.as_ref(), world, elapsed)
    }

    /// Whether nothing but the reference blow is new, at the same place. It is taken over without a new body.
    fn takes_blow(&mut self, settings: &Settings) -> bool {
        let (now, blow) = (&self.object.settings, settings.blow);
        if blow.point != now.blow.point || (Settings { blow, ..*now }) != *settings {
            return false;
        }
        self.take_blow(blow);
        self.level.change();
        true
    }

    pub(super) fn end(&mut self) -> Option<NoteAddress> {
        let note = self.note;
        self.reset();
        note
    }

    /// Control rate, `elapsed` samples after the last tick, with settings that are `news`. Returns whether there is anything left to
    /// hear.
    pub(super) fn tick(&mut self, news: Option<&Settings>, world: &World, elapsed: usize) -> bool {
        self.take_hold();
        if elapsed < CHUNK {
            self.object.modes.halt();
        } else {
            self.object.modes.arrive();
        }
        self.moving = news.is_some();
        if let Some(&settings) = news {
            // A hand on the body takes its sound; it must not be made up for.
            let before = self.object.settings;
            let by_hand = Settings { damping: before.damping, ..settings } == before && (self.damped || self.muted);
            if !by_hand {
                self.level.change();
            }
            self.remember();
            let shape_work = self.make(settings, world.list);
            self.budget.spend(shape_work + CHANGE_WORK * self.object.modes.len as u32);
            let touched = self.pushed.is_touching(self.object.dt_s()) || self.is_touched();
            self.become_it(&before, touched, elapsed);
        }
        self.riders.tick(&self.played, world.table, &self.object.scene(world.patch), &mut self.budget);
        let pushed = self.pushed.is_touching(self.object.dt_s());
        let touched = pushed || !self.alone && self.is_touched();
        self.alone = !touched && !self.pushed.is_on();
        let Object { modes, settings, .. } = &mut self.object;
        self.level.tick(modes, &settings.blow, self.boost * self.kept, touched, elapsed);
        // A weak force may take many ticks to move a mode by what is heard.
        let finer = if pushed { FINER } else { 1.0 };
        let gain = self.level.after(0);
        self.ticks = self.ticks.wrapping_add(1);
        // What rings by itself only decays: to look now and then is enough.
        let is_time = touched || self.moving || self.tail == Tail::Unknown || self.loudest == 0.0;
        let is_time = is_time || self.ticks.is_multiple_of(SETTLE_TICKS);
        if self.riders.stay() {
            self.loudest = self.bank.loudest(modes, gain);
        } else if is_time {
            self.loudest = self.bank.settle(modes, finer * gain) / finer;
        }
        // What moves by itself may move the losses.
        if touched || self.modulator.is_live() {
            self.tail = Tail::Unknown;
        } else if is_time {
            self.tail = Tail::Rings(0);
        }
        touched || self.loudest > 0.0 || self.becoming.samples() > 0
    }

    /// A tick at which nothing has to be done, in a voice that is calm. Says whether it was one.
    pub(super) fn tick_idly(&mut self) -> bool {
        let ticks = self.ticks.wrapping_add(1);
        let is_time = self.moving || self.tail == Tail::Unknown || ticks.is_multiple_of(SETTLE_TICKS);
        let rings = self.loudest > 0.0 && self.bank.is_between_frames();
        if is_time || !rings || self.riders.stay() || self.object.modes.are_moving() {
            return false;
        }
        self.ticks = ticks;
        true
    }

    /// Whether anything is on the body, or about to be.
    fn is_touched(&self) -> bool {
        self.hands.are_touching()
            || self.riders.are_active()
            || self.thrown.are_active()
            || self.row.is_active()
            || self.onsets.are_waiting()
    }

    pub(super) fn make(&mut self, settings: Settings, list: &UserModes) -> u32 {
        let shape_work = self.object.make(settings, list);
        self.reading.doubt();
        self.hands.forget_steps();
        self.row.forget_places();
        self.air.set_striker(settings.blow.striker_kg, self.object.dt_s());
        self.riders.set_body(&self.object.modes, settings.weight_kg);
        if self.pushed.is_on() {
            let gains = self.object.modes.drive_gains(settings.blow.point, settings.weight_kg);
            self.pushed.set_gains(&gains);
        }
        shape_work
    }
}
