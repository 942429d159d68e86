//! The voices: how many there are, which one plays a note, and what remains of stolen ones.

use super::MAX_VOICES;
use super::controls;
use crate::body::bank::CHUNK;
use crate::body::{MAX_MODES, USUAL_MODES};
use crate::exciter::{Gesture, tumble};
use crate::modulation::slots;
use crate::params::event::NoteAddress;
use crate::params::{Param, Patch};
use crate::voice::events::ContactEvents;
use crate::voice::{FADE_S, Voice, VoiceContext};

/// Voices in which stolen notes fade out, besides those that play.
pub(super) const FADING: usize = 16;

/// Maximum number of voices, fading ones included.
pub const SLOTS: usize = MAX_VOICES + FADING;

/// The key of a note without one.
const MIDDLE_KEY: u8 = 60;

/// The key of a note.
pub fn key_of(note: &NoteAddress) -> u8 {
    note.key.unwrap_or(MIDDLE_KEY).min(127)
}

/// The voices.
#[derive(Clone, Debug)]
pub struct Pool {
    voices: Box<[Voice]>,
    room: VoiceRoom,
    /// Voices replaced by larger ones, and larger ones whose slot still sounds.
    spare: Option<VoiceSet>,
    /// Voices from here on have no note. New notes take the first free voice, so a few notes visit
    /// few voices: each is large, and visiting all of them would wait for memory.
    reach: usize,
    stolen_tail: StolenTail,
    /// The voice that began a note last.
    last: usize,
    /// Contacts are recorded for the editor.
    is_watched: bool,
}

impl Pool {
    /// A pool of these voices.
    pub fn new(set: VoiceSet) -> Self {
        Self {
            voices: set.voices,
            room: set.room,
            spare: None,
            reach: 0,
            stolen_tail: StolenTail::default(),
            last: 0,
            is_watched: false,
        }
    }

    /// Sets the sample rate and resets. Frees the voices that larger ones have replaced.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        (0..self.voices.len()).for_each(|index| self.enlarge(index));
        self.spare = None;
        self.voices.iter_mut().for_each(|voice| voice.prepare(sample_rate_hz));
        (self.reach, self.last) = (0, 0);
        self.stolen_tail.prepare(sample_rate_hz);
    }

    /// Switches the recording of contacts for the editor.
    pub fn watch(&mut self, is_watched: bool) {
        if std::mem::replace(&mut self.is_watched, is_watched) != is_watched {
            self.sounding().for_each(|voice| voice.watch(is_watched));
        }
    }

    /// Offers voices with more room. A sounding note keeps its voice; the larger one replaces it
    /// when the next note begins in that slot. Neither allocates nor frees; returns the voices that
    /// are no longer needed.
    pub fn offer(&mut self, mut set: VoiceSet) -> Option<VoiceSet> {
        if self.room.covers(set.room) || !set.room.covers(self.room) {
            return Some(set);
        }
        for (voice, larger) in self.voices[..self.reach].iter_mut().zip(&mut set.voices) {
            if voice.note().is_some() {
                std::mem::swap(voice, larger);
            }
        }
        std::mem::swap(&mut self.voices, &mut set.voices);
        std::mem::swap(&mut self.room, &mut set.room);
        self.spare.replace(set)
    }

    /// The number of voices, and of modes for the next note.
    pub fn room(&self) -> VoiceRoom {
        self.room
    }

    /// Replaces a silent voice with the larger one of its slot, if there is one.
    fn enlarge(&mut self, index: usize) {
        let spare = self.spare.as_mut().and_then(|spare| spare.voices.get_mut(index));
        if let Some(spare) = spare.filter(|spare| spare.capacity() > self.voices[index].capacity())
        {
            std::mem::swap(spare, &mut self.voices[index]);
        }
    }

    /// Resets to silence.
    pub fn reset(&mut self) {
        self.voices.iter_mut().for_each(Voice::reset);
        (self.reach, self.last) = (0, 0);
        self.stolen_tail.reset();
    }

    /// Excludes the voices at the end whose notes have ended.
    pub fn trim(&mut self) {
        let last = self.voices[..self.reach].iter().rposition(|voice| voice.note().is_some());
        self.reach = last.map_or(0, |last| last + 1);
    }

    /// Whether nothing sounds; valid after [`trim`](Self::trim).
    pub fn is_silent(&self) -> bool {
        self.reach == 0 && self.stolen_tail.samples() == 0
    }

    /// Voices that sound, fading ones included.
    pub fn sounding(&mut self) -> impl Iterator<Item = &mut Voice> {
        self.voices[..self.reach].iter_mut().filter(|voice| voice.note().is_some())
    }

    /// The tails of stolen voices.
    pub fn stolen_tail(&mut self) -> &mut StolenTail {
        &mut self.stolen_tail
    }

    /// Voices that play; fading ones are excluded.
    pub fn players(&mut self) -> impl Iterator<Item = &mut Voice> {
        self.voices[..self.reach].iter_mut().filter(|voice| voice.is_playing())
    }

    /// Voices playing a note that matches the address.
    pub fn matching<'a>(
        &'a mut self,
        address: &'a NoteAddress,
    ) -> impl Iterator<Item = &'a mut Voice> {
        self.players().filter(|voice| voice.note().is_some_and(|note| address.matches(&note)))
    }

    /// Voices playing on a channel, or on all channels.
    pub fn on_channel(&mut self, channel: Option<u8>) -> impl Iterator<Item = &mut Voice> {
        let wanted = channel.map(|channel| controls::index(Some(channel)));
        self.players().filter(move |voice| {
            wanted.is_none_or(|wanted| controls::index(voice.channel()) == wanted)
        })
    }

    /// [`players`](Self::players), read only.
    pub fn playing_voices(&self) -> impl Iterator<Item = &Voice> {
        self.voices[..self.reach].iter().filter(|voice| voice.is_playing())
    }

    /// Number of voices that play.
    pub fn playing(&self) -> usize {
        self.voices[..self.reach].iter().filter(|voice| voice.is_playing()).count()
    }

    /// Samples until silence: an upper bound.
    pub fn tail_samples(&self) -> u64 {
        let sounding = self.voices[..self.reach].iter().filter(|voice| voice.note().is_some());
        sounding.map(Voice::tail_samples).max().unwrap_or(0).max(self.stolen_tail.samples() as u64)
    }

    /// The voice for a new note, and the note that this ends, if any.
    ///
    /// If a key strikes the same body again, that is the voice that plays the same key and channel.
    /// Otherwise it is a silent voice; the quietest one fades out first if too many play.
    pub fn voice_for(
        &mut self,
        note: NoteAddress,
        context: &VoiceContext,
    ) -> (&mut Voice, Option<NoteAddress>) {
        let key = key_of(&note);
        self.choke_groups(key, context);
        let again = if context.patch.strikes_same_body() { self.body_of(&note) } else { None };
        if let Some(index) = again {
            let before = self.voices[index].take(note);
            return (&mut self.voices[index], before);
        }
        self.keep_at_most(context.patch.voices().min(self.room.voices) - 1);
        let (index, before) = self.free_slot(context);
        self.enlarge(index);
        // Notes of a chord mostly have the same body.
        if let Ok([voice, last]) = self.voices.get_disjoint_mut([index, self.last]) {
            voice.copy_caches_from(last);
        }
        self.last = index;
        self.reach = self.reach.max(index + 1);
        self.voices[index].begin(note, key, context);
        self.voices[index].watch(self.is_watched);
        (&mut self.voices[index], before)
    }

    fn body_of(&self, note: &NoteAddress) -> Option<usize> {
        let same = |had: NoteAddress| had.key == note.key && had.channel == note.channel;
        self.voices[..self.reach]
            .iter()
            .position(|voice| voice.is_playing() && voice.note().is_some_and(same))
    }

    /// Chokes the other keys of the choke groups of a key.
    fn choke_groups(&mut self, key: u8, context: &VoiceContext) {
        for group in
            context.patch.key_groups().iter().filter(|group| group.chokes && group.has(key))
        {
            self.players()
                .filter(|voice| voice.key() != key && group.has(voice.key()))
                .for_each(Voice::choke);
        }
    }

    /// Fades out the quietest voices until no more than `max` play.
    pub fn keep_at_most(&mut self, max: usize) {
        for _ in max..self.playing() {
            // Among equally loud ones, the one that was struck first.
            let quietest = self.players().min_by(|a, b| {
                a.loudness().total_cmp(&b.loudness()).then(b.since_struck().cmp(&a.since_struck()))
            });
            quietest.into_iter().for_each(Voice::choke);
        }
    }

    /// A silent voice. If there is none, frees the slot of the voice that has faded furthest: its
    /// note ends, and the rest of its fade moves to the stolen-voice tail.
    fn free_slot(&mut self, context: &VoiceContext) -> (usize, Option<NoteAddress>) {
        if let Some(index) = self.voices.iter().position(|voice| voice.note().is_none()) {
            return (index, None);
        }
        // Fewer voices play than there are slots (`keep_at_most`), so at least one fades.
        let fading = (0..self.voices.len()).filter(|&index| !self.voices[index].is_playing());
        let faintest =
            fading.min_by(|&a, &b| self.voices[a].fading().total_cmp(&self.voices[b].fading()));
        let index = faintest.unwrap_or(0);
        (index, self.stolen_tail.take(&mut self.voices[index], context))
    }
}

/// The golden ratio: its multiples modulo 1 never come close to each other.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// Number of voices, and modes that each has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoiceRoom {
    /// Modes per voice.
    pub modes: usize,
    /// Voices that play at once, fading ones excluded.
    pub voices: usize,
}

impl VoiceRoom {
    /// Enough for most patches.
    pub const USUAL: Self = Self { modes: USUAL_MODES, voices: MAX_VOICES / 2 };
    /// Enough for every patch.
    pub const ALL: Self = Self { modes: MAX_MODES, voices: MAX_VOICES };

    /// The room that a patch needs, rounded up to few sizes.
    pub fn of(patch: &Patch) -> Self {
        // Several bodies in one voice share the maximum number of modes.
        let has_several_bodies = match patch.gesture() {
            Gesture::Tumble => tumble::both_ring(patch),
            Gesture::Chain => patch.choice(Param::BallsRing) == 1,
            _ => false,
        };
        let modes = if has_several_bodies || slots::move_param(patch, Param::Modes) {
            MAX_MODES
        } else {
            // The cast saturates.
            (patch.get(Param::Modes).ceil() as usize)
                .clamp(USUAL_MODES, MAX_MODES)
                .next_power_of_two()
        };
        let voices =
            if patch.voices() > Self::USUAL.voices { MAX_VOICES } else { Self::USUAL.voices };
        Self { modes, voices }
    }

    /// The larger of both in each respect.
    pub fn max(self, other: Self) -> Self {
        Self { modes: self.modes.max(other.modes), voices: self.voices.max(other.voices) }
    }

    /// Whether this is enough for `other`.
    pub fn covers(self, other: Self) -> bool {
        self.max(other) == self
    }
}

/// The voices of an engine.
#[derive(Clone, Debug)]
pub struct VoiceSet {
    pub(super) voices: Box<[Voice]>,
    pub(super) room: VoiceRoom,
    sample_rate_hz: f64,
}

impl VoiceSet {
    /// Creates the voices, fading ones included. Allocates.
    pub fn new(room: VoiceRoom, sample_rate_hz: f64) -> Self {
        let voice = |slot: usize| {
            let mut voice = Voice::with_capacity(room.modes);
            // Spreads the control ticks, so that tumbling bodies of several voices are not solved
            // in the same sample.
            voice.set_phase((slot as f64 * GOLDEN).fract());
            voice.prepare(sample_rate_hz);
            voice
        };
        Self { voices: (0..room.voices + FADING).map(voice).collect(), room, sample_rate_hz }
    }

    /// Prepares the voices for another sample rate.
    pub(super) fn prepare(&mut self, sample_rate_hz: f64) {
        if self.sample_rate_hz != sample_rate_hz {
            self.sample_rate_hz = sample_rate_hz;
            self.voices.iter_mut().for_each(|voice| voice.prepare(sample_rate_hz));
        }
    }
}

/// The rest of the fades of stolen voices.
///
/// A fading voice whose slot is needed renders the rest of its fade at once into this ring buffer,
/// so no note ever stops short. The work is the same as without stealing.
#[derive(Clone, Debug, Default)]
pub struct StolenTail {
    left: Box<[f64]>,
    right: Box<[f64]>,
    /// Index of the next sample.
    at: usize,
    /// Samples from there on that may differ from zero.
    samples: usize,
    /// Contact events of the tails, which are discarded.
    unreported: Box<ContactEvents>,
}

impl StolenTail {
    /// Sets the sample rate and resets. Allocates.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        // One sample more for rounding, and one for the sample in which the fade ends.
        let length = (FADE_S * sample_rate_hz).ceil() as usize + 2;
        self.left = vec![0.0; length].into();
        self.right = vec![0.0; length].into();
        self.reset();
    }

    /// Resets to silence.
    pub fn reset(&mut self) {
        self.left.fill(0.0);
        self.right.fill(0.0);
        (self.at, self.samples) = (0, 0);
    }

    /// Samples until silence.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// Renders the rest of a fading voice and resets it. Returns its note, which ends.
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

    /// Multiplies everything by a gain.
    pub fn scale(&mut self, gain: f64) {
        self.left.iter_mut().chain(&mut self.right).for_each(|x| *x *= gain);
    }

    /// Adds the next samples to `left` and `right`.
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

/// Fault injection for tests: places prepared voices ([`voice::fault`](crate::voice::fault)) in
/// the pool. Nothing in the plug-in calls it.
pub mod fault {
    use crate::engine::Engine;
    use crate::voice::Voice;

    /// The first `count` voices.
    pub fn voices(engine: &mut Engine, count: usize) -> &mut [Voice] {
        &mut engine.pool.voices[..count]
    }

    /// Resets the engine and puts these voices in the first slots. The next note copies the caches
    /// of the voice at `last`.
    pub fn slot(engine: &mut Engine, voices: &[Voice], last: usize) {
        engine.reset();
        let pool = &mut engine.pool;
        pool.voices.iter_mut().zip(voices).for_each(|(place, voice)| place.clone_from(voice));
        pool.reach = voices.len();
        pool.last = last;
    }
}
