//! Two sounds side by side, each with a history of its own.

use super::{History, Step};
use crate::io::presets::Sound;

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
struct OtherSide {
    /// Nothing before the first visit: the side then begins as the other one is.
    sound: Option<Sound>,
    title: String,
    history: History,
}

/// The side that is heard, with its history, and the one that is not.
#[derive(Clone, Debug, Default)]
pub struct AbCompare {
    side: Side,
    /// What the heard sound is called.
    pub title: String,
    /// What was done to it.
    pub history: History,
    other_side: OtherSide,
}

impl AbCompare {
    /// Which is heard.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Turn to the other side; `now` is what is heard. Returns what will be.
    pub fn switch(&mut self, now: Sound) -> Sound {
        let next = match self.other_side.sound.take() {
            Some(sound) => sound,
            None => {
                self.other_side.title = self.title.clone();
                now.clone()
            }
        };
        self.other_side.sound = Some(now);
        self.side = self.side.other();
        std::mem::swap(&mut self.title, &mut self.other_side.title);
        std::mem::swap(&mut self.history, &mut self.other_side.history);
        next
    }

    /// Make the other side the same as this one. It can be taken back there.
    pub fn copy(&mut self, now: &Sound) {
        let before = self.other_side.sound.take().unwrap_or_else(|| now.clone());
        let label = format!("Copy of {}", self.side.name());
        self.other_side
            .history
            .record(Step::between(label, &before, now).titled(&self.other_side.title, &self.title));
        self.other_side.title = self.title.clone();
        self.other_side.sound = Some(now.clone());
    }

    /// The side that is not heard, for a project to keep; nothing if it was never visited.
    pub fn other(&self) -> Option<(&Sound, &str)> {
        self.other_side.sound.as_ref().map(|sound| (sound, self.other_side.title.as_str()))
    }

    /// As a project kept it. The histories begin anew.
    pub fn restore(side: Side, title: String, other: Option<(Sound, String)>) -> Self {
        let (sound, other_title) =
            other.map_or((None, String::new()), |(sound, title)| (Some(sound), title));
        let other_side = OtherSide { sound, title: other_title, history: History::default() };
        Self { side, title, history: History::default(), other_side }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Param;

    fn tuned(semitones: f64) -> Sound {
        let mut sound = Sound::default();
        sound.patch.set(Param::Tune, semitones);
        sound
    }

    #[test]
    fn the_sides_do_not_touch_each_other() {
        let mut ab_compare = AbCompare { title: "One".into(), ..AbCompare::default() };
        let first = ab_compare.switch(tuned(1.0));
        assert_eq!(first, tuned(1.0), "a side begins as the other one is");
        assert_eq!((ab_compare.side(), ab_compare.title.as_str()), (Side::B, "One"));
        // B is edited, and has a history of its own.
        ab_compare.title = "Two".into();
        ab_compare.history.record(Step::between("Tune", &tuned(1.0), &tuned(2.0)));
        assert_eq!(ab_compare.switch(tuned(2.0)), tuned(1.0));
        assert_eq!((ab_compare.title.as_str(), ab_compare.history.next_undo()), ("One", None));
        assert_eq!(ab_compare.switch(tuned(1.5)), tuned(2.0));
        assert_eq!(
            (ab_compare.title.as_str(), ab_compare.history.next_undo()),
            ("Two", Some("Tune"))
        );
        assert_eq!(ab_compare.switch(tuned(2.0)), tuned(1.5));
    }

    #[test]
    fn a_copy_can_be_taken_back_on_the_other_side() {
        let mut ab_compare = AbCompare::default();
        ab_compare.switch(tuned(1.0));
        ab_compare.switch(tuned(2.0));
        // A is heard with 1, B keeps 2.
        ab_compare.copy(&tuned(1.0));
        let mut sound = ab_compare.switch(tuned(1.0));
        assert_eq!(sound, tuned(1.0));
        ab_compare.history.undo().unwrap().apply(&mut sound);
        assert_eq!(sound, tuned(2.0));
    }
}
