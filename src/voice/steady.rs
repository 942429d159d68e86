//! A voice that nothing is near and in which nothing moves: most voices, most of the time.
//!
//! What [`Voice::process`] asks in every control period stays as it is until something is played or
//! turned, so here it is asked once. What the bank hands out goes straight into the mix. To the bit
//! it is the same sound.

use super::{Voice, VoiceContext};
use crate::body::bank::CHUNK;
use crate::params::Param;
use crate::params::event::NoteAddress;

/// How a calm stretch went.
pub(super) enum Steady {
    /// So many samples have been played.
    Played(usize),
    /// The note came to its end at this sample, if there was one.
    Over(Option<(usize, NoteAddress)>),
}

impl Voice {
    /// Whether nothing moves before something is played or turned.
    fn is_steady(&self, context: &VoiceContext) -> bool {
        self.alone
            && self.fade_step == 0.0
            && self.level.is_steady()
            && self.crossfade.is_settled()
            && !self.modulator.is_live()
            && !self.modulator.is_stale(context.patch)
            && self.is_placed()
            && self.is_as_read(context)
            && self.air.is_unheard(self.modulator.patch(context.patch).get(Param::Air))
            && self.has_finite_gains()
    }

    /// Whether it stands where it is to stand.
    fn is_placed(&self) -> bool {
        let stand = self.modulator.stand();
        self.gain_pan.is_at(stand.gain, stand.pan + self.key_pan)
    }

    /// Whether its body is made from what would be read now.
    fn is_as_read(&self, context: &VoiceContext) -> bool {
        let (bend_st, damped) = (self.modulator.stand().pitch_st, self.damped || self.muted);
        context.tuning.pitch_st(self.key).is_some_and(|key_st| {
            self.settings_cache.is_built_from(
                (key_st, bend_st, damped, context.list_number),
                self.modulator.asked(),
            )
        })
    }

    /// Play all samples if it is calm, and none if it is not.
    pub(super) fn render_steady(
        &mut self,
        context: &VoiceContext,
        left: &mut [f64],
        right: &mut [f64],
    ) -> Steady {
        if !self.is_steady(context) {
            return Steady::Played(0);
        }
        let (gain, sides, kernel) =
            (self.level.after(0), self.gain_pan.now(), self.object.modes.kernel);
        let mut done = 0;
        // Unheard, or it would not be calm.
        self.air.set_mix(0.0);
        while done < left.len() {
            if self.since_tick == 0 {
                self.hurried = false;
                if !(self.tick_idly() || self.tick(None, context, CHUNK)) {
                    return Steady::Over(self.end().map(|note| (done, note)));
                }
            }
            let max = (left.len() - done).min(CHUNK - self.since_tick);
            let (heard, frame) = self.bank.hand_out(&mut self.object.modes, max);
            let n = frame.len();
            let out = [&mut left[done..done + n], &mut right[done..done + n]];
            // One voice that went wrong must not take the others with it.
            if !kernel.mix_heard(out, heard, frame.start, sides, gain) {
                return Steady::Over(self.fail().map(|note| (done, note)));
            }
            self.air.pass(0..n);
            self.since_tick = (self.since_tick + n) % CHUNK;
            self.tail.pass(n);
            done += n;
        }
        self.modulator.pass(done);
        self.since_struck += done as u64;
        Steady::Played(done)
    }
}
