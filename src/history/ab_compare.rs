//! A/B comparison: two sounds, each with its own history.

use super::{History, Step};
use crate::io::presets::Sound;

/// One of the two sounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The first sound.
    #[default]
    A,
    /// The second sound.
    B,
}

impl Side {
    /// The opposite side.
    pub fn other(self) -> Self {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }

    /// The name shown to the user.
    pub fn name(self) -> &'static str {
        match self {
            Side::A => "A",
            Side::B => "B",
        }
    }
}

/// The inactive side.
#[derive(Clone, Debug, Default)]
struct OtherSide {
    /// `None` before the first visit: the side then starts as a copy of the other one.
    sound: Option<Sound>,
    title: String,
    history: History,
}

/// The active side with its history, and the inactive one.
#[derive(Clone, Debug, Default)]
pub struct AbCompare {
    side: Side,
    /// Title of the active sound.
    pub title: String,
    /// History of the active sound.
    pub history: History,
    other_side: OtherSide,
}

impl AbCompare {
    /// The active side.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Switches to the other side and stores `now`, the active sound. Returns the sound to play.
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

    /// Copies `now`, the active sound, to the other side. The copy can be undone there.
    pub fn copy(&mut self, now: &Sound) {
        let before = self.other_side.sound.take().unwrap_or_else(|| now.clone());
        let label = format!("Copy of {}", self.side.name());
        self.other_side
            .history
            .record(Step::between(label, &before, now).titled(&self.other_side.title, &self.title));
        self.other_side.title = self.title.clone();
        self.other_side.sound = Some(now.clone());
    }

    /// Sound and title of the inactive side, for the project's state; `None` if never visited.
    pub fn other(&self) -> Option<(&Sound, &str)> {
        self.other_side.sound.as_ref().map(|sound| (sound, self.other_side.title.as_str()))
    }

    /// Restores the state of a project, with empty histories.
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
    fn the_sides_are_independent() {
        let mut ab_compare = AbCompare { title: "One".into(), ..AbCompare::default() };
        let first = ab_compare.switch(tuned(1.0));
        assert_eq!(first, tuned(1.0), "a side starts as a copy of the other");
        assert_eq!((ab_compare.side(), ab_compare.title.as_str()), (Side::B, "One"));
        // B is edited and has its own history.
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
    fn a_copy_can_be_undone_on_the_other_side() {
        let mut ab_compare = AbCompare::default();
        ab_compare.switch(tuned(1.0));
        ab_compare.switch(tuned(2.0));
        // A is active with 1, B keeps 2.
        ab_compare.copy(&tuned(1.0));
        let mut sound = ab_compare.switch(tuned(1.0));
        assert_eq!(sound, tuned(1.0));
        ab_compare.history.undo().unwrap().apply(&mut sound);
        assert_eq!(sound, tuned(2.0));
    }

    #[test]
    fn a_project_keeps_the_inactive_side() {
        let mut ab_compare = AbCompare { title: "One".into(), ..AbCompare::default() };
        assert_eq!(
            (ab_compare.side(), ab_compare.side().name(), ab_compare.other()),
            (Side::A, "A", None)
        );
        ab_compare.switch(tuned(1.0));
        assert_eq!((ab_compare.side().name(), ab_compare.side().other()), ("B", Side::A));
        ab_compare.title = "Two".into();
        let (sound, title) = ab_compare.other().expect("A was heard");
        assert_eq!((sound, title), (&tuned(1.0), "One"));
        let kept = Some((sound.clone(), title.to_owned()));
        let mut restored = AbCompare::restore(ab_compare.side(), ab_compare.title.clone(), kept);
        assert_eq!(
            (restored.side(), restored.title.as_str(), restored.history.next_undo()),
            (Side::B, "Two", None)
        );
        assert_eq!(restored.switch(tuned(2.0)), tuned(1.0));
        assert_eq!((restored.side(), restored.title.as_str()), (Side::A, "One"));
        // A project with one side only: the other starts as a copy of it.
        let mut alone = AbCompare::restore(Side::A, "One".into(), None);
        assert!(alone.other().is_none());
        assert_eq!(alone.switch(tuned(3.0)), tuned(3.0));
        assert_eq!(alone.title, "One");
    }

    #[test]
    fn a_copy_to_a_side_that_was_never_visited_becomes_that_side() {
        let mut ab_compare = AbCompare { title: "One".into(), ..AbCompare::default() };
        ab_compare.copy(&tuned(5.0));
        assert_eq!(ab_compare.other(), Some((&tuned(5.0), "One")));
        assert_eq!(ab_compare.switch(tuned(1.0)), tuned(5.0));
        // The copy changed only its title.
        assert_eq!(ab_compare.history.next_undo(), Some("Copy of A"));
        let back = ab_compare.history.undo().expect("a step");
        assert!(back.changes.is_empty() && back.title == Some(("One".into(), String::new())));
    }
}
