//! Time passes: a voice plays a piece of a block, and looks about at its control rate.

use super::events::ContactEvents;
use super::object::Object;
use super::settings::BodySettings;
use super::steady::Steady;
use super::tail::Tail;
use super::{Voice, VoiceContext};
use crate::body::UserModes;
use crate::body::bank::CHUNK;
use crate::contact::coupled::StepLevel;
use crate::params::Param;
use crate::params::event::NoteAddress;

/// How much softer than usual a mode may be before it is stopped, while a force from outside moves
/// the body.
const FINER: f64 = 1e8;

/// Work of a change of the body for each mode, in passes over eight modes, besides the shapes that
/// have to be found.
const CHANGE_WORK: u32 = 32;

/// A body that rings by itself is asked every so many ticks which of its modes are no longer heard.
pub(super) const SETTLE_TICKS: u32 = 4;

impl Voice {
    /// Add `left.len()` samples to `left` and `right`, and what happened to `reported`. Returns the
    /// note if it came to its end, and the sample at which it did.
    pub fn process(
        &mut self,
        context: &VoiceContext,
        left: &mut [f64],
        right: &mut [f64],
        reported: &mut ContactEvents,
    ) -> Option<(usize, NoteAddress)> {
        self.note?;
        let mut done = match self.render_steady(context, left, right) {
            Steady::Played(done) => done,
            Steady::Over(end) => return end,
        };
        if done == left.len() {
            return None;
        }
        let (rate_hz, mut has_changed) =
            (self.object.sample_rate_hz(), self.modulator.is_stale(context.patch));
        // The voice's own patch, if anything moves it: a copy, since the voice changes while it
        // reads.
        let (mut own, mut asked) = (None, self.modulator.asked());
        let mut is_known = !has_changed;
        while done < left.len() {
            // A key that was let go while its note waited moves the envelope from this very sample
            // on.
            if self.play_due(context) {
                has_changed |= self.modulator.is_stale(context.patch);
            }
            if !self.is_unstruck
                && (has_changed || self.modulator.is_live() && self.since_tick == 0)
            {
                self.modulator.ask(context.patch, context.tempo_bpm);
                has_changed = false;
            }
            if self.modulator.asked() != asked {
                (own, asked) = (None, self.modulator.asked());
            }
            is_known &= !self.settings_cache.is_asked(asked);
            let stand = self.modulator.stand();
            self.gain_pan.aim(stand.gain, stand.pan + self.key_pan, rate_hz);
            if self.modulator.is_moved() && own.is_none() {
                own = Some(self.modulator.patch(context.patch).clone());
            }
            let context =
                &VoiceContext { patch: own.as_ref().unwrap_or(context.patch), ..*context };
            if !self.control(context, stand.pitch_st, is_known) {
                return self.end().map(|note| (done, note));
            }
            is_known = true;
            let n = self.onsets.next(left.len() - done).min(CHUNK - self.since_tick);
            let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
            self.render(context, &mut l[..n], &mut r[..n], done, reported);
            let (level, boost, since) = (&self.level, self.boost * self.kept, self.since_tick + 1);
            self.air.mix(context.patch.get(Param::Air), &mut l[..n], &mut r[..n], |i| {
                level.after(since + i) / boost
            });
            // One voice that went wrong must not take the others with it.
            let kernel = self.object.modes.kernel;
            if !(kernel.are_finite(&l, &r)
                && self.has_finite_gains()
                && (self.alone || self.object.modes.are_finite()))
            {
                return self.fail().map(|note| (done, note));
            }
            self.crossfade.rise(&mut l[..n], &mut r[..n]);
            self.gain_pan.process(&mut l[..n], &mut r[..n]);
            let (left, right) = (&mut left[done..done + n], &mut right[done..done + n]);
            if !self.add_fading_body(left, right) {
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
    /// A change acts at its own sample: the control clock begins anew there. While one is being
    /// carried out the next waits for the tick, or automation of every sample would make the modes
    /// anew at every sample.
    fn control(&mut self, context: &VoiceContext, bend_st: f64, is_known: bool) -> bool {
        let damped = self.damped || self.muted;
        // A key that the tuning has left out fades as it was.
        let key_st = context.tuning.pitch_st(self.key);
        let changed = key_st.and_then(|key_st| {
            self.settings_cache.read(context, is_known, key_st, bend_st, damped);
            self.settings_cache.changed(&self.object.settings)
        });
        let changed = changed.filter(|settings| !self.may_strike(settings));
        // Beyond the step budget, a body that keeps changing does so in longer strides.
        let is_overdrawn = self.budget.level() > StepLevel::Target;
        let must_wait = self.must_wait(changed.is_some()) || is_overdrawn;
        let changed = changed.filter(|_| !must_wait);
        let may_hurry = !(self.moving && self.hurried);
        let elapsed = match self.since_tick {
            0 => CHUNK,
            since if may_hurry && changed.is_some() => since,
            _ => return true,
        };
        self.hurried = elapsed < CHUNK;
        self.since_tick = 0;
        self.tick(changed.as_ref(), context, elapsed)
    }

    /// Whether nothing but the reference blow is new, at the same place. It is taken over without a
    /// new body.
    fn may_strike(&mut self, settings: &BodySettings) -> bool {
        let (now, blow) = (&self.object.settings, settings.blow);
        if blow.point != now.blow.point || (BodySettings { blow, ..*now }) != *settings {
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

    /// Control rate, `elapsed` samples after the last tick, with settings that are `changed`.
    /// Returns whether there is anything left to hear.
    pub(super) fn tick(
        &mut self,
        changed: Option<&BodySettings>,
        context: &VoiceContext,
        elapsed: usize,
    ) -> bool {
        self.take_hold();
        if elapsed < CHUNK {
            self.object.modes.halt();
        } else {
            self.object.modes.arrive();
        }
        self.moving = changed.is_some();
        if let Some(&settings) = changed {
            // A hand on the body takes its sound; it must not be made up for.
            let before = self.object.settings;
            let by_hand = BodySettings { damping: before.damping, ..settings } == before
                && (self.damped || self.muted);
            if !by_hand {
                self.level.change();
            }
            self.remember();
            let shape_work = self.make(settings, context.list);
            self.budget.spend(shape_work + CHANGE_WORK * self.object.modes.len as u32);
            let touched = self.external_force.is_touching(self.object.dt_s()) || self.is_touched();
            self.take_new_body(&before, touched, elapsed);
        }
        self.coupled_contacts.tick(
            &self.played,
            context.table,
            &self.object.contact_context(context.patch),
            &mut self.budget,
        );
        let external_force = self.external_force.is_touching(self.object.dt_s());
        let touched = external_force || !self.alone && self.is_touched();
        self.alone = !touched && !self.external_force.is_on();
        let Object { modes, settings, .. } = &mut self.object;
        self.level.tick(modes, &settings.blow, self.boost * self.kept, touched, elapsed);
        // A weak force may take many ticks to move a mode by what is heard.
        let finer = if external_force { FINER } else { 1.0 };
        let gain = self.level.after(0);
        self.ticks = self.ticks.wrapping_add(1);
        // What rings by itself only decays: to look now and then is enough.
        let is_time = touched || self.moving || self.tail == Tail::Unknown || self.loudest == 0.0;
        let is_time = is_time || self.ticks.is_multiple_of(SETTLE_TICKS);
        if self.coupled_contacts.stay() {
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
        touched || self.loudest > 0.0 || self.crossfade.samples() > 0
    }

    /// A tick at which nothing has to be done, in a voice that is calm. Says whether it was one.
    pub(super) fn tick_idly(&mut self) -> bool {
        let ticks = self.ticks.wrapping_add(1);
        let is_time =
            self.moving || self.tail == Tail::Unknown || ticks.is_multiple_of(SETTLE_TICKS);
        let rings = self.loudest > 0.0 && self.bank.is_between_frames();
        if is_time || !rings || self.coupled_contacts.stay() || self.object.modes.are_moving() {
            return false;
        }
        self.ticks = ticks;
        true
    }

    /// Whether anything is on the body, or about to be.
    fn is_touched(&self) -> bool {
        self.rigid_contacts.are_touching()
            || self.coupled_contacts.are_active()
            || self.tumbling.are_active()
            || self.ball_chain.is_active()
            || self.onsets.are_waiting()
    }

    pub(super) fn make(&mut self, settings: BodySettings, list: &UserModes) -> u32 {
        let shape_work = self.object.make(settings, list);
        self.settings_cache.invalidate();
        self.rigid_contacts.forget_steps();
        self.ball_chain.forget_places();
        self.air.set_striker(settings.blow.striker_kg, self.object.dt_s());
        self.coupled_contacts.set_body(&self.object.modes, settings.weight_kg);
        if self.external_force.is_on() {
            let gains = self.object.modes.drive_gains(settings.blow.point, settings.weight_kg);
            self.external_force.set_gains(&gains);
        }
        shape_work
    }
}
