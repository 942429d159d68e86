//! What has been done to a sound, and how to take it back.
//!
//! A [`Step`] is one thing a user did: a drag of a knob, a preset, a throw of the dice. It holds
//! only what it changed, so taking it back leaves alone what a host's automation has moved
//! meanwhile. Nothing here knows a host or a window.

pub mod ab_compare;
pub mod edit_gestures;
pub mod locks;
pub mod randomise;

use std::collections::VecDeque;

use crate::io::presets::sound::{Extras, Sound};
use crate::params::{Param, Patch};
pub use ab_compare::{AbCompare, Side};
pub use edit_gestures::{Edit, EditGestures};
pub use locks::Locks;

/// Steps that can be taken back.
pub const MAX_STEPS: usize = 200;

/// One parameter, before and after, as stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Which.
    pub param: Param,
    /// What it was.
    pub before: f32,
    /// What it became.
    pub after: f32,
}

impl Change {
    /// The other way round.
    fn reversed(self) -> Self {
        Self { before: self.after, after: self.before, ..self }
    }
}

/// One thing that was done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// For the user: "Mass", "Preset Anvil".
    pub label: String,
    /// The parameters that it moved.
    pub changes: Vec<Change>,
    /// What is no parameter, before and after, if it changed.
    pub extras: Option<(Extras, Extras)>,
    /// The name of the sound, before and after, if it changed.
    pub title: Option<(String, String)>,
}

impl Step {
    /// From one sound to another.
    pub fn between(label: impl Into<String>, before: &Sound, after: &Sound) -> Self {
        let extras =
            (before.extras != after.extras).then(|| (before.extras.clone(), after.extras.clone()));
        Self {
            label: label.into(),
            changes: changes(&before.patch, &after.patch),
            extras,
            title: None,
        }
    }

    /// The same with a change of name.
    pub fn titled(mut self, before: &str, after: &str) -> Self {
        self.title = (before != after).then(|| (before.to_string(), after.to_string()));
        self
    }

    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.extras.is_none() && self.title.is_none()
    }

    /// What takes it back.
    pub fn reversed(&self) -> Self {
        let swap = |(before, after): &(Extras, Extras)| (after.clone(), before.clone());
        Self {
            label: self.label.clone(),
            changes: self.changes.iter().map(|change| change.reversed()).collect(),
            extras: self.extras.as_ref().map(swap),
            title: self.title.clone().map(|(before, after)| (after, before)),
        }
    }

    /// Do it to a sound.
    pub fn apply(&self, sound: &mut Sound) {
        for change in &self.changes {
            sound.patch.set_stored(change.param, change.after);
        }
        if let Some((_, after)) = &self.extras {
            sound.extras = after.clone();
        }
    }
}

/// What differs.
pub fn changes(before: &Patch, after: &Patch) -> Vec<Change> {
    Param::ALL
        .into_iter()
        .map(|param| Change { param, before: before.stored(param), after: after.stored(param) })
        .filter(|change| change.before.to_bits() != change.after.to_bits())
        .collect()
}

/// The steps that were done, and those that were taken back.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
}

impl History {
    /// Something was done. What had been taken back is gone; so is the oldest step when there are
    /// too many.
    pub fn record(&mut self, step: Step) {
        if step.is_empty() {
            return;
        }
        self.undone.clear();
        self.done.push_back(step);
        if self.done.len() > MAX_STEPS {
            self.done.pop_front();
        }
    }

    /// Adds to the last step a change that it made necessary.
    pub fn amend(&mut self, change: Change) {
        let Some(step) = self.done.back_mut() else { return };
        match step.changes.iter_mut().find(|known| known.param == change.param) {
            Some(known) => known.after = change.after,
            None => step.changes.push(change),
        }
    }

    /// Take the last step back: what is to be done for that.
    pub fn undo(&mut self) -> Option<Step> {
        let step = self.done.pop_back()?;
        let back = step.reversed();
        self.undone.push(step);
        Some(back)
    }

    /// Do again what was taken back last.
    pub fn redo(&mut self) -> Option<Step> {
        let step = self.undone.pop()?;
        self.done.push_back(step.clone());
        Some(step)
    }

    /// What would be taken back.
    pub fn next_undo(&self) -> Option<&str> {
        self.done.back().map(|step| step.label.as_str())
    }

    /// What would be done again.
    pub fn next_redo(&self) -> Option<&str> {
        self.undone.last().map(|step| step.label.as_str())
    }
}

#[cfg(test)]
mod tests {
    mod sides;

    use super::*;

    fn step(before: f64, after: f64) -> Step {
        let sound = |mass| {
            let mut sound = Sound::default();
            sound.patch.set(Param::Mass, mass);
            sound
        };
        Step::between("Mass", &sound(before), &sound(after))
    }

    #[test]
    fn undo_and_redo_lead_back_to_the_same_bits() {
        let mut history = History::default();
        let mut sound = Sound::default();
        let mut course = vec![sound.clone()];
        for seed in 0..50 {
            let mut next = sound.clone();
            next.patch = randomise::randomise(&sound.patch, &Locks::default(), seed);
            history.record(Step::between("dice", &sound, &next));
            sound = next;
            course.push(sound.clone());
        }
        for expected in course.iter().rev().skip(1) {
            history.undo().unwrap().apply(&mut sound);
            assert_eq!(sound, *expected);
        }
        assert_eq!(history.undo(), None);
        for expected in &course[1..] {
            history.redo().unwrap().apply(&mut sound);
            assert_eq!(sound, *expected);
        }
        assert_eq!(history.redo(), None);
    }

    #[test]
    fn what_automation_moved_is_left_alone() {
        let mut history = History::default();
        history.record(step(0.02, 1.0));
        let mut sound = Sound::default();
        sound.patch.set(Param::Mass, 1.0);
        sound.patch.set(Param::Tune, 7.0);
        history.undo().unwrap().apply(&mut sound);
        assert!((sound.patch.get(Param::Mass) - 0.02).abs() < 1e-6);
        assert_eq!(sound.patch.get(Param::Tune), 7.0);
    }

    #[test]
    fn the_oldest_steps_go_and_a_new_one_ends_what_could_be_redone() {
        let mut history = History::default();
        for _ in 0..2 * MAX_STEPS {
            history.record(step(0.02, 1.0));
        }
        history.record(step(1.0, 1.0));
        assert_eq!(
            (0..).map_while(|_| history.undo()).count(),
            MAX_STEPS,
            "and nothing is no step"
        );
        history.record(step(0.02, 0.5));
        assert_eq!((history.next_redo(), history.next_undo()), (None, Some("Mass")));
    }
}
