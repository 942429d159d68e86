//! Which voice plays a note.

pub mod fault;

use super::MAX_VOICES;
use super::controls;
use super::stolen_tail::StolenTail;
use super::voice_set::{Room, VoiceSet};
use crate::params::event::NoteAddress;
use crate::voice::{Voice, VoiceContext};

/// Voices beyond those that play, in which stolen ones fade out.
pub(super) const FADING: usize = 16;

/// Most voices in all.
pub const SLOTS: usize = MAX_VOICES + FADING;

/// The key of a note that has none.
const MIDDLE_KEY: u8 = 60;

/// The key that a note plays.
pub fn key_of(note: &NoteAddress) -> u8 {
    note.key.unwrap_or(MIDDLE_KEY).min(127)
}

/// The voices.
#[derive(Clone, Debug)]
pub struct Pool {
    voices: Box<[Voice]>,
    room: Room,
    /// Voices that were replaced by larger ones, and larger ones whose place is still in use.
    spare: Option<VoiceSet>,
    /// Voices from here on have no note. New notes take the first free voice, so that a few notes
    /// leave most of them out, and silence all: they are large, and to look at each is to wait for
    /// memory.
    reach: usize,
    stolen_tail: StolenTail,
    /// The voice that was begun last.
    last: usize,
    /// Somebody looks on.
    is_watched: bool,
}

impl Pool {
    /// With these voices.
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

    /// Take over a sample rate, and be silent. Frees the voices that larger ones have replaced.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        (0..self.voices.len()).for_each(|index| self.enlarge(index));
        self.spare = None;
        self.voices.iter_mut().for_each(|voice| voice.prepare(sample_rate_hz));
        (self.reach, self.last) = (0, 0);
        self.stolen_tail.prepare(sample_rate_hz);
    }

    /// Somebody looks on, or nobody does.
    pub fn watch(&mut self, is_watched: bool) {
        if std::mem::replace(&mut self.is_watched, is_watched) != is_watched {
            self.sounding().for_each(|voice| voice.watch(is_watched));
        }
    }

    /// Takes voices with more room. What sounds keeps its voice; the larger one takes its place
    /// when the next note begins there. Neither allocates nor frees; returns what is no longer
    /// needed.
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

    /// How many voices there are, and how many modes the next note has room for.
    pub fn room(&self) -> Room {
        self.room
    }

    /// Lets the larger voice of a place take it, if there is one.
    fn enlarge(&mut self, index: usize) {
        let spare = self.spare.as_mut().and_then(|spare| spare.voices.get_mut(index));
        if let Some(spare) = spare.filter(|spare| spare.capacity() > self.voices[index].capacity())
        {
            std::mem::swap(spare, &mut self.voices[index]);
        }
    }

    /// Be silent.
    pub fn reset(&mut self) {
        self.voices.iter_mut().for_each(Voice::reset);
        (self.reach, self.last) = (0, 0);
        self.stolen_tail.reset();
    }

    /// Leave out the voices at the end whose notes are over.
    pub fn draw_in(&mut self) {
        let last = self.voices[..self.reach].iter().rposition(|voice| voice.note().is_some());
        self.reach = last.map_or(0, |last| last + 1);
    }

    /// Whether nothing sounds. To be asked after [`draw_in`](Self::draw_in).
    pub fn is_silent(&self) -> bool {
        self.reach == 0 && self.stolen_tail.samples() == 0
    }

    /// Voices with something to hear.
    pub fn sounding(&mut self) -> impl Iterator<Item = &mut Voice> {
        self.voices[..self.reach].iter_mut().filter(|voice| voice.note().is_some())
    }

    /// What is left of voices that gave up their place.
    pub fn stolen_tail(&mut self) -> &mut StolenTail {
        &mut self.stolen_tail
    }

    /// Voices that play.
    pub fn players(&mut self) -> impl Iterator<Item = &mut Voice> {
        self.voices[..self.reach].iter_mut().filter(|voice| voice.is_playing())
    }

    /// Voices playing a note that this address means.
    pub fn matching<'a>(
        &'a mut self,
        address: &'a NoteAddress,
    ) -> impl Iterator<Item = &'a mut Voice> {
        self.players().filter(|voice| voice.note().is_some_and(|note| address.matches(&note)))
    }

    /// Voices playing on a channel, or on any.
    pub fn on_channel(&mut self, channel: Option<u8>) -> impl Iterator<Item = &mut Voice> {
        let wanted = channel.map(|channel| controls::index(Some(channel)));
        self.players().filter(move |voice| {
            wanted.is_none_or(|wanted| controls::index(voice.channel()) == wanted)
        })
    }

    /// Voices that sound and are not on their way out.
    pub fn playing_voices(&self) -> impl Iterator<Item = &Voice> {
        self.voices[..self.reach].iter().filter(|voice| voice.is_playing())
    }

    /// How many notes sound.
    pub fn playing(&self) -> usize {
        self.voices[..self.reach].iter().filter(|voice| voice.is_playing()).count()
    }

    /// Samples until silence: an upper bound.
    pub fn tail_samples(&self) -> u64 {
        let sounding = self.voices[..self.reach].iter().filter(|voice| voice.note().is_some());
        sounding.map(Voice::tail_samples).max().unwrap_or(0).max(self.stolen_tail.samples() as u64)
    }

    /// The voice for a new note: the body of the same key and channel while it rings, if that is to
    /// be struck again; else a silent one, after the quietest has been sent off if too many play.
    /// Also returns a note that is over by this.
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
        let (index, before) = self.free_place(context);
        self.enlarge(index);
        // Most notes of a chord are bodies of one make.
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

    /// A key sends off the other keys of the groups that it chokes.
    fn choke_groups(&mut self, key: u8, context: &VoiceContext) {
        for group in
            context.patch.key_groups().iter().filter(|group| group.chokes && group.has(key))
        {
            self.players()
                .filter(|voice| voice.key() != key && group.has(voice.key()))
                .for_each(Voice::choke);
        }
    }

    /// Send off the quietest voices until no more than `max` play.
    pub fn keep_at_most(&mut self, max: usize) {
        for _ in max..self.playing() {
            // Of equals the one that was struck first.
            let quietest = self.players().min_by(|a, b| {
                a.loudness().total_cmp(&b.loudness()).then(b.since_struck().cmp(&a.since_struck()))
            });
            quietest.into_iter().for_each(Voice::choke);
        }
    }

    /// A silent voice. With none left, the one that has faded furthest fades on outside, and its
    /// note is over.
    fn free_place(&mut self, context: &VoiceContext) -> (usize, Option<NoteAddress>) {
        if let Some(index) = self.voices.iter().position(|voice| voice.note().is_none()) {
            return (index, None);
        }
        // Fewer play than there are places (`keep_at_most`): one fades.
        let fading = (0..self.voices.len()).filter(|&index| !self.voices[index].is_playing());
        let faintest =
            fading.min_by(|&a, &b| self.voices[a].fading().total_cmp(&self.voices[b].fading()));
        let index = faintest.unwrap_or(0);
        (index, self.stolen_tail.take(&mut self.voices[index], context))
    }
}
