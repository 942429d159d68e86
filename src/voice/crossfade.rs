//! The crossfade from one body to another while a voice rings.
//!
//! Pitch, size and shape may change while a body rings; the modes follow one by one, and a smooth
//! change is heard as motion. Another kind of body, another number of bodies, or a jump of many
//! parameters (a preset) puts other modes in the same places: a low mode may become a high one from
//! one sample to the next, which is heard as a click. Where a change would step further than the
//! ringing itself, the old body rings on and fades out ([`FadingBody`]) while the new one fades in.
//! A mode that becomes higher loses as much amplitude as it gains in frequency, and the sum of all
//! modes gets no steeper: the energy never grows. New strikes are heard at full level.

use super::body::VoiceBody;
use super::process::Timing;
use super::settings::BodySettings;
use crate::body::bank::CHUNK;
use crate::body::fading_body::{CROSSFADE_S, risen};
use crate::body::{Bank, FadingBody, Modes, Row};

/// Largest share that a change may add to the steepness of the sound without a crossfade. Smooth
/// automation stays below it.
const SMOOTH: f64 = 0.25;
/// The same for a change of pitch alone, which keeps the energy of every mode and makes no step:
/// up to an octave at once.
const SMOOTH_PITCH: f64 = 1.0;

/// The old body, and how far the new one has faded in.
#[derive(Clone, Debug)]
pub struct Crossfade {
    fading_body: FadingBody,
    /// Samples since the fade-in began, and its length.
    passed: u32,
    length: u32,
    /// A change waits for the tick after this one.
    is_waiting: bool,
}

impl Crossfade {
    /// Nothing fades. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self { fading_body: FadingBody::new(capacity), passed: 0, length: 0, is_waiting: false }
    }

    /// Clears all memory, NaN included.
    pub fn rebuild(&mut self) {
        self.fading_body.renew();
        self.reset();
    }

    /// Memory with one value per mode, for fault injection.
    pub(super) fn rows_in_memory(&mut self) -> [&mut Row; 7] {
        self.fading_body.rows_in_memory()
    }

    /// Ends the crossfade at once.
    pub fn reset(&mut self) {
        self.fading_body.reset();
        (self.passed, self.length, self.is_waiting) = (0, 0, false);
    }

    /// Whether a crossfade is under way. The next change of the body waits for its end.
    pub fn is_active(&self) -> bool {
        self.fading_body.is_heard() || self.is_rising()
    }

    /// Whether the new body is still fading in.
    pub fn is_rising(&self) -> bool {
        self.passed < self.length
    }

    /// Whether no crossfade is under way and no change waits.
    pub fn is_settled(&self) -> bool {
        !self.is_waiting && !self.is_active()
    }

    /// Samples until the old body is silent.
    pub fn samples(&self) -> u64 {
        self.fading_body.samples()
    }

    /// Scales the old body.
    pub fn scale(&mut self, by: f64) {
        self.fading_body.scale(by);
    }

    /// Gain of the new body.
    fn gain(&self) -> f64 {
        risen(self.passed, self.length)
    }

    /// Applies the fade-in of the new body.
    pub fn process(&mut self, left: &mut [f64], right: &mut [f64]) {
        for (l, r) in left.iter_mut().zip(right) {
            if !self.is_rising() {
                return;
            }
            self.passed += 1;
            let gain = self.gain();
            *l *= gain;
            *r *= gain;
        }
    }
}

impl VoiceBody {
    /// Whether new settings have to wait: one change at a time, unless a strike wants the new body
    /// now. A change that has waited comes with a regular tick, not with the sample at which the
    /// host's block happens to begin.
    pub fn must_wait(&mut self, has_change: bool, timing: &Timing) -> bool {
        let is_between_ticks = timing.since_tick > 0;
        if !has_change {
            self.crossfade.is_waiting &= is_between_ticks;
            return false;
        }
        let is_fading =
            self.crossfade.is_active() && timing.since_struck > 0 && !self.bank.is_at_rest();
        self.crossfade.is_waiting = is_fading || self.crossfade.is_waiting && is_between_ticks;
        self.crossfade.is_waiting
    }

    /// Copies the body that is about to change, in case it has to fade.
    pub fn remember(&mut self) {
        if !self.crossfade.is_active() {
            self.crossfade.fading_body.remember(&self.object.modes, &self.bank);
        }
    }

    /// Starts a crossfade from `before` if the change would make the sound step. `touched`:
    /// something is on the body, and its effect on the new one is heard at once. `elapsed`: samples
    /// since the last tick. `sides`: gains of left and right.
    pub fn crossfade_from(
        &mut self,
        before: &BodySettings,
        touched: bool,
        elapsed: usize,
        sides: [f64; 2],
    ) {
        if self.crossfade.is_active() {
            return;
        }
        let (fading_body, rate_hz) = (&self.crossfade.fading_body, self.object.sample_rate_hz());
        let steep = fading_body.steepness(&self.object.modes, &self.bank, CHUNK as f64 / rate_hz);
        let now = self.object.settings;
        let is_bend =
            BodySettings { pitch_hz: before.pitch_hz, blow: before.blow, ..now } == *before;
        let smooth = if is_bend { SMOOTH_PITCH } else { SMOOTH };
        // False for NaN; `process` ends such a voice.
        let steps = steep.change + (steep.after - steep.before).max(0.0) > smooth * steep.before;
        if !steps {
            return;
        }
        self.begin_fade_out(elapsed, sides);
        self.object.modes.arrive();
        if touched {
            return self.bank.reset();
        }
        soften(&mut self.bank, &self.object.modes, self.crossfade.fading_body.omega());
        let steep = self.crossfade.fading_body.steepness(&self.object.modes, &self.bank, 1.0);
        if steep.after > steep.before {
            self.bank.scale(&self.object.modes, steep.before / steep.after);
        }
        self.begin_fade_in();
    }

    /// Fades the body out as it is, `elapsed` samples after the last tick.
    pub fn fade_out(&mut self, elapsed: usize, sides: [f64; 2]) {
        self.object.modes.arrive();
        self.remember();
        self.begin_fade_out(elapsed, sides);
    }

    /// Fades the body in.
    pub fn begin_fade_in(&mut self) {
        // The cast saturates.
        let samples = (CROSSFADE_S * self.object.sample_rate_hz()).ceil().max(1.0) as u32;
        (self.crossfade.passed, self.crossfade.length) = (0, samples);
    }

    fn begin_fade_out(&mut self, elapsed: usize, sides: [f64; 2]) {
        let gains = sides.map(|side| side * self.level.after(elapsed));
        self.crossfade.fading_body.begin(gains, self.object.sample_rate_hz());
    }

    /// Freezes the fade-in where it is, so that a new strike is heard at full level.
    pub fn freeze_fade_in(&mut self) {
        self.bank.scale(&self.object.modes, self.crossfade.gain());
        self.crossfade.passed = self.crossfade.length;
    }

    /// Adds the old body, faded by `fade` and its change per sample. Returns whether it is finite.
    pub fn add_fading_body(
        &mut self,
        left: &mut [f64],
        right: &mut [f64],
        fade: (f64, f64),
    ) -> bool {
        if !self.crossfade.fading_body.is_heard() {
            return true;
        }
        let (kernel, n) = (self.object.modes.kernel, left.len());
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        self.crossfade.fading_body.process(kernel, &mut l[..n], &mut r[..n], fade);
        if !kernel.are_finite(&l, &r) {
            return false;
        }
        kernel.mix(left, &l, 1.0);
        kernel.mix(right, &r, 1.0);
        true
    }
}

/// Scales modes that became higher by the ratio of the frequencies.
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
