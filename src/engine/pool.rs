//! Which voice plays a note.

use super::VOICES;
use crate::event::NoteAddress;
use crate::voice::{Voice, World};

/// Voices beyond those that play, in which stolen ones fade out.
const FADING: usize = 8;

/// Voices in all.
pub const SLOTS: usize = VOICES + FADING;

/// The key that a note plays.
pub fn key_of(note: &NoteAddress) -> u8 {
    note.key.unwrap_or(60).min(127)
}

/// The voices.
#[derive(Clone, Debug)]
pub struct Pool {
    voices: Box<[Voice]>,
}

impl Pool {
    /// Allocates the voices.
    pub fn new() -> Self {
        let voice = |slot: usize| {
            let mut voice = Voice::new();
            voice.set_phase(slot as f64 / SLOTS as f64);
            voice
        };
        Self { voices: (0..SLOTS).map(voice).collect() }
    }

    /// Take over a sample rate, and be silent.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        self.voices.iter_mut().for_each(|voice| voice.prepare(sample_rate_hz));
    }

    /// Be silent.
    pub fn reset(&mut self) {
        self.voices.iter_mut().for_each(Voice::reset);
    }

    /// Voices with something to hear.
    pub fn sounding(&mut self) -> impl Iterator<Item = &mut Voice> {
        self.voices.iter_mut().filter(|voice| voice.note().is_some())
    }

    /// Voices playing a note that this address means.
    pub fn matching<'a>(&'a mut self, address: &'a NoteAddress) -> impl Iterator<Item = &'a mut Voice> {
        self.voices
            .iter_mut()
            .filter(|voice| voice.is_playing() && voice.note().is_some_and(|note| address.matches(&note)))
    }

    /// How many notes sound.
    pub fn playing(&self) -> usize {
        self.voices.iter().filter(|voice| voice.is_playing()).count()
    }

    /// Samples until silence: an upper bound.
    pub fn tail_samples(&self) -> u64 {
        self.voices.iter().filter(|voice| voice.note().is_some()).map(Voice::tail_samples).max().unwrap_or(0)
    }

    /// The voice for a new note: the body of the same key and channel while it rings, else a silent one,
    /// after the quietest has been sent off if too many play. Also returns the note that had the voice, if
    /// it has to be told that it is over.
    pub fn voice_for(&mut self, note: NoteAddress, world: &World) -> (&mut Voice, Option<NoteAddress>) {
        let same_key = |voice: &Voice| {
            voice.is_playing() && voice.note().is_some_and(|n| n.key == note.key && n.channel == note.channel)
        };
        if let Some(index) = self.voices.iter().position(same_key) {
            let before = self.voices[index].take(note);
            return (&mut self.voices[index], before);
        }
        if self.playing() >= VOICES {
            self.quietest(Voice::is_playing).choke();
        }
        let silent = self.voices.iter().position(|voice| voice.note().is_none());
        // With every slot still fading the quietest of those has to go at once.
        let voice = match silent {
            Some(index) => &mut self.voices[index],
            None => self.quietest(|voice| !voice.is_playing()),
        };
        let before = voice.note();
        voice.begin(note, key_of(&note), world);
        (voice, before)
    }

    /// The quietest voice of a kind; of any, if there is none of that kind.
    fn quietest(&mut self, kind: impl Fn(&Voice) -> bool) -> &mut Voice {
        let rank = |voice: &Voice| {
            if kind(voice) { voice.loudness() } else { f64::INFINITY }
        };
        let index = (0..self.voices.len())
            .min_by(|&a, &b| rank(&self.voices[a]).total_cmp(&rank(&self.voices[b])))
            .unwrap_or(0);
        &mut self.voices[index]
    }
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}
