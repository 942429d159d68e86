//! The last milliseconds of voices that had to give up their place in mid-fade.
//!
//! A voice that fades and whose place is wanted plays the rest of its fade at once, into a buffer
//! that is heard from then on: so nothing ever stops short, however many notes come together. It is
//! the work that it would have done anyway.

use crate::body::bank::CHUNK;
use crate::params::event::NoteAddress;
use crate::voice::events::ContactEvents;
use crate::voice::{FADE_S, Voice, VoiceContext};

/// Sound that is yet to be heard, in a ring as long as the longest fade.
#[derive(Clone, Debug, Default)]
pub struct StolenTail {
    left: Box<[f64]>,
    right: Box<[f64]>,
    /// Where in the ring the next sample is.
    at: usize,
    /// Samples that may be other than zero from there.
    samples: usize,
    /// What happens in it is not told.
    unreported: Box<ContactEvents>,
}

impl StolenTail {
    /// Take over a sample rate, and be silent. Allocates.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        // The fade's own count may be off by one for rounding; another for the sample in which it
        // ends.
        let length = (FADE_S * sample_rate_hz).ceil() as usize + 2;
        self.left = vec![0.0; length].into();
        self.right = vec![0.0; length].into();
        self.reset();
    }

    /// Be silent.
    pub fn reset(&mut self) {
        self.left.fill(0.0);
        self.right.fill(0.0);
        (self.at, self.samples) = (0, 0);
    }

    /// Samples until silence.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Take over what is left of a voice that fades, and leave it silent. Returns its note, which
    /// is over.
    pub fn take(&mut self, voice: &mut Voice, context: &VoiceContext) -> Option<NoteAddress> {
        let (note, length) = (voice.note(), self.left.len());
        let mut done = 0;
        while done < length && voice.note().is_some() {
            let n = CHUNK.min(length - done);
            let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
            voice.process(context, &mut l[..n], &mut r[..n], &mut self.unreported);
            self.unreported.clear();
            for i in 0..n {
                let place = (self.at + done + i) % length;
                self.left[place] += l[i];
                self.right[place] += r[i];
            }
            done += n;
        }
        self.samples = self.samples.max(done);
        voice.reset();
        note
    }

    /// Be so many times as loud.
    pub fn scale(&mut self, by: f64) {
        self.left.iter_mut().chain(&mut self.right).for_each(|x| *x *= by);
    }

    /// Add the next samples to `left` and `right`.
    pub fn mix(&mut self, left: &mut [f64], right: &mut [f64]) {
        let n = self.samples.min(left.len());
        for (l, r) in left.iter_mut().zip(right).take(n) {
            *l += std::mem::take(&mut self.left[self.at]);
            *r += std::mem::take(&mut self.right[self.at]);
            self.at = (self.at + 1) % self.left.len();
        }
        self.samples -= n;
    }
}
