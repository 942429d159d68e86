//! A voice plays a block: the control rate, and the paths for a ringing and a touched body.

use super::events::{ContactEvents, EventWriter};
use super::exciters::Exciter;
use super::note_on::Onsets;
use super::render::Chunk;
use super::settings::{BodySettings, SettingsKey};
use super::{Voice, VoiceContext};
use crate::body::UserModes;
use crate::body::bank::CHUNK;
use crate::contact::coupled::StepLevel;
use crate::params::Param;
use crate::params::event::NoteAddress;

/// Factor by which the threshold below which a mode is stopped is lowered while an external force
/// acts: a weak force may take many ticks to move a mode audibly.
const WEAK_FORCE: f64 = 1e8;

/// Work of a change of the body for each mode, in passes over eight modes, besides the mode shapes
/// that have to be computed.
const CHANGE_WORK: u32 = 32;

/// What is known of the end of the sound. The time takes a logarithm, so it is computed on request
/// and not at every tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tail {
    #[default]
    Silent,
    /// Something may still excite the body.
    Unknown,
    /// The body decays, and was measured so many samples ago.
    Decays(u64),
}

/// Clocks, and what was measured at the last control tick.
///
/// The control rate has its own clock: every [`CHUNK`] samples since the first strike or the last
/// change of the settings. Nothing depends on the block size of the host.
#[derive(Clone, Debug, Default)]
pub(super) struct Timing {
    pub onsets: Onsets,
    /// Samples since the last control tick.
    pub since_tick: usize,
    /// Control ticks since the note began.
    pub ticks: u32,
    /// The last tick changed the body, and the pickups glide.
    pub is_changing: bool,
    /// The last tick came before its time, for a change of the settings.
    pub is_early_tick: bool,
    /// Samples since the last strike.
    pub since_struck: u64,
    /// Loudest amplitude of a mode.
    pub loudest: f64,
    pub tail: Tail,
    /// At the last tick nothing acted on the body or was about to, and nothing was started since.
    pub is_alone: bool,
}

impl Timing {
    /// A body that only decays is measured every so many ticks.
    const SETTLE_TICKS: u32 = 4;

    /// A body that has become silent is found to be so within this many samples.
    pub const MAX_LATE: u64 = Self::SETTLE_TICKS as u64 * CHUNK as u64;

    pub fn reset(&mut self) {
        *self = Self::default();
    }

    fn pass(&mut self, samples: usize) {
        self.since_tick = (self.since_tick + samples) % CHUNK;
        self.since_struck += samples as u64;
        if let Tail::Decays(passed) = &mut self.tail {
            *passed += samples as u64;
        }
    }
}

/// The note that ended and the sample at which it did, if there was a note.
type Ended = Option<(usize, NoteAddress)>;

impl Voice {
    /// Adds `left.len()` samples to `left` and `right`, and contacts to `reported`. Returns the
    /// note and the sample if it ends.
    pub fn process(
        &mut self,
        context: &VoiceContext,
        left: &mut [f64],
        right: &mut [f64],
        reported: &mut ContactEvents,
    ) -> Option<(usize, NoteAddress)> {
        self.note.address?;
        self.process_block(context, left, right, reported).err().flatten()
    }

    fn process_block(
        &mut self,
        context: &VoiceContext,
        left: &mut [f64],
        right: &mut [f64],
        reported: &mut ContactEvents,
    ) -> Result<(), Ended> {
        let mut done = self.process_steady(context, left, right)?;
        if done == left.len() {
            return Ok(());
        }
        let mut has_changed = self.modulator.is_stale(context.patch);
        // The modulated patch, if anything moves it: a copy, since the voice changes while it
        // reads.
        let (mut own, mut asked) = (None, self.modulator.asked());
        let mut is_known = !has_changed;
        while done < left.len() {
            if self.start_due_onsets(context) {
                // A key that was released while its note waited moves the envelope from this
                // sample on.
                has_changed |= self.modulator.is_stale(context.patch);
            }
            let is_tick = self.timing.since_tick == 0;
            if !self.note.is_unstruck && (has_changed || self.modulator.is_live() && is_tick) {
                self.modulator.ask(context.patch, context.tempo_bpm);
                has_changed = false;
            }
            if self.modulator.asked() != asked {
                (own, asked) = (None, self.modulator.asked());
            }
            is_known &= !self.body.settings_cache.is_asked(asked);
            let (values, output) = (self.modulator.stand(), &mut self.output);
            let rate_hz = self.body.object.sample_rate_hz();
            output.gain_pan.set(values.gain, values.pan + output.key_pan, rate_hz);
            if self.modulator.is_moved() && own.is_none() {
                own = Some(self.modulator.patch(context.patch).clone());
            }
            let context =
                &VoiceContext { patch: own.as_ref().unwrap_or(context.patch), ..*context };
            if !self.control(context, values.pitch_st, is_known) {
                return Err(self.end(done));
            }
            is_known = true;
            let (left, right) = (&mut left[done..], &mut right[done..]);
            done += self.process_chunk(context, left, right, done, reported)?;
        }
        Ok(())
    }

    /// Processes samples up to the next onset or control tick, `done` samples after the start of
    /// the block. Returns how many.
    fn process_chunk(
        &mut self,
        context: &VoiceContext,
        left: &mut [f64],
        right: &mut [f64],
        done: usize,
        reported: &mut ContactEvents,
    ) -> Result<usize, Ended> {
        let until_tick = CHUNK - self.timing.since_tick;
        let n = self.timing.onsets.next(left.len()).min(until_tick);
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        let (air, mix) = (&mut self.output.air, context.patch.get(Param::Air));
        air.set_mix(mix);
        if self.timing.is_alone {
            self.body.bank.process(&mut self.body.object.modes, &mut l[..n], &mut r[..n]);
            air.pass(0..n);
        } else {
            let note = self.note.address.unwrap_or_default();
            let events = &mut EventWriter { events: reported, offset: done, note };
            let forces_n = context.forces_n.get(done..).unwrap_or_default();
            let chunk = Chunk { patch: context.patch, forces_n, until_tick };
            let out = [&mut l[..n], &mut r[..n]];
            self.exciters.render(&mut self.body, air, &chunk, out, events);
        }
        let (level, boost, since) =
            (&self.body.level, self.body.level.boost(), self.timing.since_tick + 1);
        air.mix(mix, &mut l[..n], &mut r[..n], |i| level.after(since + i) / boost);
        let kernel = self.body.object.modes.kernel;
        // A voice that is not finite must not reach the mix.
        let is_finite = kernel.are_finite(&l, &r)
            && self.has_finite_gains()
            && (self.timing.is_alone || self.body.object.modes.are_finite());
        if !is_finite {
            return Err(self.fail(done));
        }
        self.body.crossfade.process(&mut l[..n], &mut r[..n]);
        self.output.gain_pan.process(&mut l[..n], &mut r[..n]);
        let (left, right) = (&mut left[..n], &mut right[..n]);
        if !self.body.add_fading_body(left, right, self.output.fade()) {
            return Err(self.fail(done));
        }
        let (level, since) = (&self.body.level, self.timing.since_tick);
        if !self.output.is_fading() {
            level.mix(kernel, [left, right], [&l, &r], since);
        } else if let Some(i) = self.output.fade_out([left, right], [&l, &r], level, since) {
            return Err(self.end(done + i));
        }
        self.timing.onsets.pass(n);
        self.modulator.pass(n);
        self.timing.pass(n);
        Ok(n)
    }

    /// Whether the sound changes only by decay until something is played or a parameter changes.
    fn is_steady(&self, context: &VoiceContext) -> bool {
        self.timing.is_alone
            && !self.output.is_fading()
            && self.body.level.is_steady()
            && self.body.crossfade.is_settled()
            && !self.modulator.is_live()
            && !self.modulator.is_stale(context.patch)
            && self.has_reached_gains()
            && self.has_current_body(context)
            && self.output.air.is_silent(self.modulator.patch(context.patch).get(Param::Air))
            && self.has_finite_gains()
    }

    fn has_reached_gains(&self) -> bool {
        let values = self.modulator.stand();
        self.output.gain_pan.is_at(values.gain, values.pan + self.output.key_pan)
    }

    /// Whether the body was built from the current settings.
    fn has_current_body(&self, context: &VoiceContext) -> bool {
        let bend_st = self.modulator.stand().pitch_st;
        context.tuning.pitch_st(self.note.key).is_some_and(|key_st| {
            let key = SettingsKey {
                key_st,
                bend_st,
                is_damped: self.note.has_damper(),
                list: context.list_number,
            };
            self.body.settings_cache.is_built_from(key, self.modulator.asked())
        })
    }

    /// Processes the whole block if the voice is steady, as most voices are most of the time, and
    /// nothing otherwise. Returns the number of samples. What [`process_block`](Self::process_block)
    /// checks in every control period is checked once, and the bank adds directly to the mix. The
    /// result is the same to the bit.
    fn process_steady(
        &mut self,
        context: &VoiceContext,
        left: &mut [f64],
        right: &mut [f64],
    ) -> Result<usize, Ended> {
        if !self.is_steady(context) {
            return Ok(0);
        }
        let (gain, sides) = (self.body.level.after(0), self.output.gain_pan.now());
        let kernel = self.body.object.modes.kernel;
        let mut done = 0;
        // A steady voice has the contact sound off.
        self.output.air.set_mix(0.0);
        while done < left.len() {
            if self.timing.since_tick == 0 {
                self.timing.is_early_tick = false;
                if !(self.skip_tick() || self.tick(None, context, CHUNK)) {
                    return Err(self.end(done));
                }
            }
            let max = (left.len() - done).min(CHUNK - self.timing.since_tick);
            let (heard, frame) = self.body.bank.hand_out(&mut self.body.object.modes, max);
            let n = frame.len();
            let out = [&mut left[done..done + n], &mut right[done..done + n]];
            // A voice that is not finite must not reach the mix.
            if !kernel.mix_heard(out, heard, frame.start, sides, gain) {
                return Err(self.fail(done));
            }
            self.output.air.pass(0..n);
            self.timing.pass(n);
            done += n;
        }
        self.modulator.pass(done);
        Ok(done)
    }

    /// Ticks when it is time. Returns whether there is anything left to hear.
    ///
    /// A change acts at its own sample, and the control clock restarts there. While a change is
    /// being carried out the next one waits for the tick: automation of every sample would rebuild
    /// the modes at every sample.
    fn control(&mut self, context: &VoiceContext, bend_st: f64, is_known: bool) -> bool {
        let is_damped = self.note.has_damper();
        // A key without a pitch keeps the last one while it fades.
        let key_st = context.tuning.pitch_st(self.note.key);
        let changed = key_st.and_then(|key_st| {
            let cache = &mut self.body.settings_cache;
            cache.read(context, is_known, key_st, bend_st, is_damped);
            cache.changed(&self.body.object.settings)
        });
        let changed = changed.filter(|settings| !self.take_if_only_blow(settings));
        // Beyond the step budget, the body changes less often.
        let is_overdrawn = self.exciters.budget.level() > StepLevel::Target;
        let must_wait = self.body.must_wait(changed.is_some(), &self.timing) || is_overdrawn;
        let changed = changed.filter(|_| !must_wait);
        let may_be_early = !(self.timing.is_changing && self.timing.is_early_tick);
        let elapsed = match self.timing.since_tick {
            0 => CHUNK,
            since if may_be_early && changed.is_some() => since,
            _ => return true,
        };
        self.timing.is_early_tick = elapsed < CHUNK;
        self.timing.since_tick = 0;
        self.tick(changed.as_ref(), context, elapsed)
    }

    /// If nothing but the reference blow has changed, at the same point, takes it over without
    /// rebuilding the body. Returns whether it did.
    fn take_if_only_blow(&mut self, settings: &BodySettings) -> bool {
        let (now, blow) = (&self.body.object.settings, settings.blow);
        if blow.point != now.blow.point || (BodySettings { blow, ..*now }) != *settings {
            return false;
        }
        self.set_reference_blow(blow);
        self.body.level.invalidate();
        true
    }

    /// Control rate, `elapsed` samples after the last tick, with the settings that have changed.
    /// Returns whether there is anything left to hear.
    fn tick(
        &mut self,
        changed: Option<&BodySettings>,
        context: &VoiceContext,
        elapsed: usize,
    ) -> bool {
        self.exciters.sync(&mut self.body);
        if elapsed < CHUNK {
            self.body.object.modes.halt();
        } else {
            self.body.object.modes.arrive();
        }
        self.timing.is_changing = changed.is_some();
        if let Some(settings) = changed {
            self.change_body(*settings, context.list, elapsed);
        }
        let contact = self.body.object.contact_context(context.patch);
        self.exciters.tick(contact, &self.note.played, context.table);
        let touched = !self.timing.is_alone && self.is_touched();
        self.timing.is_alone = !touched && !self.exciters.any(|exciter| exciter.is_active());
        self.body.level.tick(
            &mut self.body.object.modes,
            &self.body.object.settings.blow,
            touched,
            elapsed,
        );
        self.measure(touched);
        touched || self.timing.loudest > 0.0 || self.body.crossfade.samples() > 0
    }

    /// Measures the loudest mode and stops inaudible ones. A body that only decays is measured every
    /// [`Timing::SETTLE_TICKS`] ticks.
    fn measure(&mut self, touched: bool) {
        let (modes, timing) = (&self.body.object.modes, &mut self.timing);
        let external_force = self.exciters.external_force.is_touching(self.body.object.dt_s());
        let threshold = if external_force { WEAK_FORCE } else { 1.0 };
        let gain = self.body.level.after(0);
        timing.ticks = timing.ticks.wrapping_add(1);
        let is_due = touched
            || timing.is_changing
            || timing.tail == Tail::Unknown
            || timing.loudest == 0.0
            || timing.ticks.is_multiple_of(Timing::SETTLE_TICKS);
        if self.exciters.coupled.has_lasting_contact() {
            timing.loudest = self.body.bank.loudest(modes, gain);
        } else if is_due {
            timing.loudest = self.body.bank.settle(modes, threshold * gain) / threshold;
        }
        // Modulation may change the damping.
        if touched || self.modulator.is_live() {
            timing.tail = Tail::Unknown;
        } else if is_due {
            timing.tail = Tail::Decays(0);
        }
    }

    /// Changes the body while it rings.
    fn change_body(&mut self, settings: BodySettings, list: &UserModes, elapsed: usize) {
        let before = self.body.object.settings;
        // The level must not compensate the damping by a hand.
        let is_by_hand = BodySettings { damping: before.damping, ..settings } == before
            && self.note.has_damper();
        if !is_by_hand {
            self.body.level.invalidate();
        }
        self.body.remember();
        let shape_work = self.build_body(settings, list);
        let modes = self.body.object.modes.len as u32;
        self.exciters.budget.spend(shape_work + CHANGE_WORK * modes);
        let touched = self.is_touched();
        self.body.crossfade_from(&before, touched, elapsed, self.output.gain_pan.now());
    }

    /// Skips a tick at which a steady voice has nothing to do. Returns whether it did.
    fn skip_tick(&mut self) -> bool {
        let timing = &mut self.timing;
        let ticks = timing.ticks.wrapping_add(1);
        let is_due = timing.is_changing
            || timing.tail == Tail::Unknown
            || ticks.is_multiple_of(Timing::SETTLE_TICKS);
        let rings = timing.loudest > 0.0 && self.body.bank.is_between_frames();
        if is_due
            || !rings
            || self.exciters.coupled.has_lasting_contact()
            || self.body.object.modes.are_moving()
        {
            return false;
        }
        timing.ticks = ticks;
        true
    }

    /// Whether anything is on the body or about to be.
    fn is_touched(&self) -> bool {
        let dt_s = self.body.object.dt_s();
        self.timing.onsets.are_waiting() || self.exciters.any(|exciter| exciter.is_touching(dt_s))
    }

    /// Builds the body. Returns the work of the mode shapes that had to be computed.
    pub(super) fn build_body(&mut self, settings: BodySettings, list: &UserModes) -> u32 {
        let shape_work = self.body.build(settings, list);
        let object = &self.body.object;
        self.output.air.set_striker(settings.blow.striker_kg, object.dt_s());
        self.exciters.set_body(object);
        shape_work
    }

    /// Whether all gains of the output are finite.
    pub(super) fn has_finite_gains(&self) -> bool {
        self.body.level.is_finite() && self.output.is_finite()
    }

    /// Ends the note at sample `at`.
    fn end(&mut self, at: usize) -> Ended {
        let note = self.note.address;
        self.reset();
        note.map(|note| (at, note))
    }

    /// Ends the note at sample `at` because the voice is not finite, and clears all memory.
    fn fail(&mut self, at: usize) -> Ended {
        let note = self.note.address;
        self.rebuild();
        note.map(|note| (at, note))
    }
}
