//! A ringing body that becomes another.
//!
//! Pitch, size and shape move on while a body rings, mode by mode, and what moves smoothly is heard
//! to move. Another kind of body, another number of them, or a leap of many knobs (a preset, a
//! throw of the dice) has other modes in the same places: a low one may become a high one from one
//! sample to the next, and would step as far as no blow does. Where a change would step further
//! than the ring itself, the body as it was rings on by itself and fades ([`FadingBody`]), and the
//! new one comes up as that goes. A mode that becomes higher loses as much amplitude as it gains in
//! frequency, and all of them together are no steeper than before: it only ever loses energy. What
//! strikes meanwhile is heard in full.

use super::Voice;
use super::settings::BodySettings;
use crate::body::bank::CHUNK;
use crate::body::fading_body::{CROSSFADE_S, risen};
use crate::body::{Bank, FadingBody, Modes, Row};

/// A change that adds no more than this share to the steepness of the ring goes on as it is: all
/// smooth automation does.
const SMOOTH: f64 = 0.25;
/// The same of a change of pitch alone, which keeps every mode's energy and steps nowhere: an
/// octave up at once.
const SMOOTH_PITCH: f64 = 1.0;

/// The body as it was, and how far the new one has come up.
#[derive(Clone, Debug)]
pub struct Crossfade {
    fading_body: FadingBody,
    /// Samples since it began to come up, and those after which it is there.
    passed: u32,
    lasts: u32,
    /// Another change waits for the tick after this one.
    waits: bool,
}

impl Crossfade {
    /// Nothing fades. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self { fading_body: FadingBody::new(capacity), passed: 0, lasts: 0, waits: false }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.fading_body.renew();
        self.reset();
    }

    /// All that is kept for each mode.
    pub(super) fn rows_in_memory(&mut self) -> [&mut Row; 7] {
        self.fading_body.rows_in_memory()
    }

    /// It is what it is.
    pub fn reset(&mut self) {
        self.fading_body.reset();
        (self.passed, self.lasts, self.waits) = (0, 0, false);
    }

    /// Whether it has not yet become what it is to be: the next change waits for it.
    pub fn is_under_way(&self) -> bool {
        self.fading_body.is_heard() || self.passed < self.lasts
    }

    /// Whether it is what it is to be, and no change waits.
    pub fn is_settled(&self) -> bool {
        !self.waits && !self.is_under_way()
    }

    /// Samples until what it was is gone.
    pub fn samples(&self) -> u64 {
        self.fading_body.samples()
    }

    /// Be so many times as loud.
    pub fn scale(&mut self, by: f64) {
        self.fading_body.scale(by);
    }

    /// How much of the new body is heard.
    fn risen(&self) -> f64 {
        risen(self.passed, self.lasts)
    }

    /// Let the new body come up.
    pub fn rise(&mut self, left: &mut [f64], right: &mut [f64]) {
        for (l, r) in left.iter_mut().zip(right) {
            if self.passed >= self.lasts {
                return;
            }
            self.passed += 1;
            let gain = self.risen();
            *l *= gain;
            *r *= gain;
        }
    }
}

impl Voice {
    /// Whether new settings have to wait, if there are any: one change at a time, unless something
    /// strikes what is to be. What has waited comes with a tick in its turn, and not with whatever
    /// sample the host's block begins at.
    pub(super) fn must_wait(&mut self, are_there: bool) -> bool {
        if !are_there {
            self.crossfade.waits &= self.since_tick > 0;
            return false;
        }
        let is_under_way =
            self.crossfade.is_under_way() && self.since_struck > 0 && !self.bank.is_at_rest();
        self.crossfade.waits = is_under_way || self.crossfade.waits && self.since_tick > 0;
        self.crossfade.waits
    }

    /// The body is about to change.
    pub(super) fn remember(&mut self) {
        if !self.crossfade.is_under_way() {
            self.crossfade.fading_body.remember(&self.object.modes, &self.bank);
        }
    }

    /// The body has changed from `before`: if what rings would step, it goes on as it was and
    /// fades. `touched`: something is on the body, and what it does to the new one is heard at
    /// once. `elapsed`: samples since the last tick.
    pub(super) fn take_new_body(&mut self, before: &BodySettings, touched: bool, elapsed: usize) {
        if self.crossfade.is_under_way() {
            return;
        }
        let (fading_body, rate_hz) = (&self.crossfade.fading_body, self.object.sample_rate_hz());
        let steep = fading_body.steepness(&self.object.modes, &self.bank, CHUNK as f64 / rate_hz);
        let now = self.object.settings;
        let is_bent =
            BodySettings { pitch_hz: before.pitch_hz, blow: before.blow, ..now } == *before;
        let smooth = if is_bent { SMOOTH_PITCH } else { SMOOTH };
        // A comparison with what is no number says no, and leaves the voice to whoever looks for
        // that.
        let steps = steep.change + (steep.after - steep.before).max(0.0) > smooth * steep.before;
        if !steps {
            return;
        }
        self.begin_fading_body(elapsed);
        self.object.modes.arrive();
        if touched {
            return self.bank.reset();
        }
        soften(&mut self.bank, &self.object.modes, self.crossfade.fading_body.omega());
        let steep = self.crossfade.fading_body.steepness(&self.object.modes, &self.bank, 1.0);
        if steep.after > steep.before {
            self.bank.scale(&self.object.modes, steep.before / steep.after);
        }
        self.begin_rise();
    }

    /// The body as it is rings on by itself and fades, whatever becomes of it, `elapsed` samples
    /// after the last tick.
    pub(super) fn fade_as_it_was(&mut self, elapsed: usize) {
        self.object.modes.arrive();
        self.remember();
        self.begin_fading_body(elapsed);
    }

    /// The state of the modes is to be changed from outside: nobody else has hold of it.
    pub(super) fn take_hold(&mut self) {
        self.bank.catch_up(&self.object.modes);
        self.coupled_contacts.land(&mut self.bank, &self.object.modes);
    }

    /// The body as it is now comes up as the one before goes.
    pub(super) fn begin_rise(&mut self) {
        // The cast saturates.
        let samples = (CROSSFADE_S * self.object.sample_rate_hz()).ceil().max(1.0) as u32;
        (self.crossfade.passed, self.crossfade.lasts) = (0, samples);
    }

    fn begin_fading_body(&mut self, elapsed: usize) {
        let sides = self.gain_pan.now().map(|side| side * self.level.after(elapsed));
        self.crossfade.fading_body.begin(sides, self.object.sample_rate_hz());
    }

    /// Something strikes: it is to be heard in full, and what is still coming up stays where it is.
    pub(super) fn stand_still(&mut self) {
        if self.crossfade.passed < self.crossfade.lasts {
            self.take_hold();
            self.bank.scale(&self.object.modes, self.crossfade.risen());
            self.crossfade.passed = self.crossfade.lasts;
        }
    }

    /// Add what is left of the body as it was. Says whether that is a number.
    pub(super) fn add_fading_body(&mut self, left: &mut [f64], right: &mut [f64]) -> bool {
        if !self.crossfade.fading_body.is_heard() {
            return true;
        }
        let (kernel, n) = (self.object.modes.kernel, left.len());
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        self.crossfade.fading_body.process(
            kernel,
            &mut l[..n],
            &mut r[..n],
            (self.fade, self.fade_step),
        );
        if !kernel.are_finite(&l, &r) {
            return false;
        }
        kernel.mix(left, &l, 1.0);
        kernel.mix(right, &r, 1.0);
        true
    }
}

fn soften(bank: &mut Bank, modes: &Modes, before: &[f64]) {
    let state = bank.state(modes);
    for (i, (re, im)) in state.re.iter_mut().zip(state.im).enumerate() {
        if before[i] < modes.omega[i] {
            let share = before[i] / modes.omega[i];
            *re *= share;
            *im *= share;
        }
    }
}
