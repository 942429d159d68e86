//! Two sounds side by side, each with a history of its own.

use super::{History, Step};
use crate::presets::Sound;

/// One of the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The first.
    #[default]
    A,
    /// The second.
    B,
}

impl Side {
    /// The one that is not this.
    pub fn other(self) -> Self {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// As shown.
    pub fn name(self) -> &'static str {
        match self {
            Side::A => "A",
            Side::B => "B",
        }
    }
}

/// What is kept of the side that is not heard.
#[derive(Clone, Debug, Default)]
struct Rest {
    /// Nothing before the first visit: the side then begins as the other one is.
    sound: Option<Sound>,
    title: String,
    history: History,
}

/// The side that is heard, with its history, and the one that is not.
#[derive(Clone, Debug, Default)]
pub struct Bench {
    side: Side,
    /// What the heard sound is called.
    pub title: String,
    /// What was done to it.
    pub history: History,
    rest: Rest,
}

impl Bench {
    /// Which is heard.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Turn to the other side; `now` is what is heard. Returns what will be.
    pub fn switch(&mut self, now: Sound) -> Sound {
        let next = match self.rest.sound.take() {
            Some(sound) => sound,
            None => {
                self.rest.title = self.title.clone();
                now.clone()
            }
        };
        self.rest.sound = Some(now);
        self.side = self.side.other();
        std::mem::swap(&mut self.title, &mut self.rest.title);
        std::mem::swap(&mut self.history, &mut self.rest.history);
        next
    }

    /// Make the other side the same as this one. It can be taken back there.
    pub fn copy(&mut self, now: &Sound) {
        let before = self.rest.sound.take().unwrap_or_else(|| now.clone());
        let label = format!("Copy of {}", self.side.name());
        self.rest.history.record(Step::between(label, &before, now).titled(&self.rest.title, &self.title));
        self.rest.title = self.title.clone();
        self.rest.sound = Some(now.clone());
    }

    /// The side that is not heard, for a project to keep; nothing if it was never visited.
    pub fn other(&self) -> Option<(&Sound, &str)> {
        self.rest.sound.as_ref().map(|sound| (sound, self.rest.title.as_str()))
    }

    /// As a project kept it. The histories begin anew.
    pub fn restored(side: Side, title: String, other: Option<(Sound, String)>) -> Self {
        let (sound, rest_title) = other.map_or((None, String::new()), |(sound, title)| (Some(sound), title));
        let rest = Rest { sound, title: rest_title, history: History::default() };
        Self { side, title, history: History::default(), rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Param;

    fn tuned(semitones: f64) -> Sound {
        let mut sound = Sound::default();
        sound.patch.set(Param::Tune, semitones);
        sound
    }

    #[test]
    fn the_sides_do_not_touch_each_other() {
        let mut bench = Bench { title: "One".into(), ..Bench::default() };
        let first = bench.switch(tuned(1.0));
        assert_eq!(first, tuned(1.0), "a side begins as the other one is");
        assert_eq!((bench.side(), bench.title.as_str()), (Side::B, "One"));
        // B is edited, and has a history of its own.
        bench.title = "Two".into();
        bench.history.record(Step::between("Tune", &tuned(1.0), &tuned(2.0)));
        assert_eq!(bench.switch(tuned(2.0)), tuned(1.0));
        assert_eq!((bench.title.as_str(), bench.history.next_undo()), ("One", None));
        assert_eq!(bench.switch(tuned(1.5)), tuned(2.0));
        assert_eq!((bench.title.as_str(), bench.history.next_undo()), ("Two", Some("Tune")));
        assert_eq!(bench.switch(tuned(2.0)), tuned(1.5));
    }

    #[test]
    fn a_copy_can_be_taken_back_on_the_other_side() {
        let mut bench = Bench::default();
        bench.switch(tuned(1.0));
        bench.switch(tuned(2.0));
        // A is heard with 1, B keeps 2.
        bench.copy(&tuned(1.0));
        let mut sound = bench.switch(tuned(1.0));
        assert_eq!(sound, tuned(1.0));
        bench.history.undo().unwrap().apply(&mut sound);
        assert_eq!(sound, tuned(2.0));
    }
}
