//! What can be seen of the instrument. Reads, and changes nothing.

use super::Engine;
use crate::snapshot::Snapshot;

impl Engine {
    /// Somebody looks on: from now on the course of contacts is kept for [`view`](Self::view). What
    /// is heard is the same.
    pub fn watch(&mut self, is_on: bool) {
        self.pool.watch(is_on);
    }

    /// Where everything is now: the keys that sound, and the voice that was struck last.
    pub fn snapshot(&self) -> Snapshot {
        let mut view = Snapshot { notes: self.notes_ever, ..Snapshot::default() };
        for voice in self.pool.playing_voices() {
            view.keys |= 1 << voice.key().min(127);
        }
        let newest = self.pool.playing_voices().min_by_key(|voice| voice.since_struck());
        view.voice = newest.map(|voice| voice.snapshot());
        view
    }
}
