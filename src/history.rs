//! Undo and redo.
//!
//! A [`Step`] is one action of the user: a drag of a dial, a preset, a randomisation. It holds only
//! what it changed, so an undo leaves alone what the host's automation has changed since. This
//! module knows neither hosts nor windows.

pub mod ab_compare;
pub mod randomise;

use std::collections::VecDeque;

use crate::io::presets::sound::{Extras, Sound};
use crate::params::{Param, Patch};
pub use ab_compare::{AbCompare, Side};
pub use randomise::Locks;

/// Steps that can be undone: bounds the memory of a long session.
pub const MAX_STEPS: usize = 200;

/// A change of one parameter, in stored values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The parameter.
    pub param: Param,
    /// The value before.
    pub before: f32,
    /// The value after.
    pub after: f32,
}

impl Change {
    /// Swaps before and after.
    fn reversed(self) -> Self {
        Self { before: self.after, after: self.before, ..self }
    }
}

/// One action of the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The name shown to the user, such as "Mass" or "Preset Anvil".
    pub label: String,
    /// The parameters that it changed.
    pub changes: Vec<Change>,
    /// The data from files, before and after, if it changed.
    pub extras: Option<(Extras, Extras)>,
    /// The title of the sound, before and after, if it changed.
    pub title: Option<(String, String)>,
}

impl Step {
    /// The step that leads from one sound to another.
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

    /// Adds a change of title.
    pub fn titled(mut self, before: &str, after: &str) -> Self {
        self.title = (before != after).then(|| (before.to_string(), after.to_string()));
        self
    }

    /// True if nothing changed.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.extras.is_none() && self.title.is_none()
    }

    /// The step that undoes this one.
    pub fn reversed(&self) -> Self {
        let swap = |(before, after): &(Extras, Extras)| (after.clone(), before.clone());
        Self {
            label: self.label.clone(),
            changes: self.changes.iter().map(|change| change.reversed()).collect(),
            extras: self.extras.as_ref().map(swap),
            title: self.title.clone().map(|(before, after)| (after, before)),
        }
    }

    /// Applies the step to a sound.
    pub fn apply(&self, sound: &mut Sound) {
        for change in &self.changes {
            sound.patch.set_stored(change.param, change.after);
        }
        if let Some((_, after)) = &self.extras {
            sound.extras = after.clone();
        }
    }
}

/// The parameters in which two patches differ.
pub fn changes(before: &Patch, after: &Patch) -> Vec<Change> {
    Param::ALL
        .into_iter()
        .map(|param| Change { param, before: before.stored(param), after: after.stored(param) })
        .filter(|change| change.before.to_bits() != change.after.to_bits())
        .collect()
}

/// The steps that can be undone, and those that can be redone.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: VecDeque<Step>,
    undone: Vec<Step>,
}

impl History {
    /// Records a step. Discards the steps that could be redone, and the oldest one beyond
    /// [`MAX_STEPS`].
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

    /// Adds a change to the last step, which made it necessary.
    pub fn amend(&mut self, change: Change) {
        let Some(step) = self.done.back_mut() else { return };
        match step.changes.iter_mut().find(|known| known.param == change.param) {
            Some(known) => known.after = change.after,
            None => step.changes.push(change),
        }
    }

    /// Undoes the last step. Returns the step to apply.
    pub fn undo(&mut self) -> Option<Step> {
        let step = self.done.pop_back()?;
        let back = step.reversed();
        self.undone.push(step);
        Some(back)
    }

    /// Redoes the step that was undone last. Returns the step to apply.
    pub fn redo(&mut self) -> Option<Step> {
        let step = self.undone.pop()?;
        self.done.push_back(step.clone());
        Some(step)
    }

    /// The label of the step that an undo would revert.
    pub fn next_undo(&self) -> Option<&str> {
        self.done.back().map(|step| step.label.as_str())
    }

    /// The label of the step that a redo would repeat.
    pub fn next_redo(&self) -> Option<&str> {
        self.undone.last().map(|step| step.label.as_str())
    }
}

/// An edit of a parameter by a control of the editor. Automation by the host is no edit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    /// A gesture begins at this stored value.
    Begin(Param, f32),
    /// The parameter gets this stored value.
    Set(Param, f32),
    /// The gesture ends.
    End(Param),
}

/// Turns edits into steps: a drag is one step, and so are parameters that are dragged together.
#[derive(Clone, Debug, Default)]
pub struct EditGestures {
    held: Vec<Param>,
    changes: Vec<Change>,
}

impl EditGestures {
    /// Processes one edit; returns a step when the last gesture ends.
    pub fn process(&mut self, edit: Edit) -> Option<Step> {
        match edit {
            Edit::Begin(param, before) => {
                // A window that closes during a drag never sends the end of the gesture.
                let unfinished = if self.held.contains(&param) { self.finish() } else { None };
                self.held.push(param);
                if !self.changes.iter().any(|change| change.param == param) {
                    self.changes.push(Change { param, before, after: before });
                }
                unfinished
            }
            Edit::Set(param, to) => {
                if let Some(change) = self.changes.iter_mut().find(|change| change.param == param) {
                    change.after = to;
                }
                None
            }
            Edit::End(param) => {
                self.held.retain(|held| *held != param);
                if self.held.is_empty() { self.finish() } else { None }
            }
        }
    }

    /// Ends all gestures.
    pub fn finish(&mut self) -> Option<Step> {
        self.held.clear();
        let mut changes = std::mem::take(&mut self.changes);
        changes.retain(|change| change.before.to_bits() != change.after.to_bits());
        let label = changes.first()?.param.spec().name.to_string();
        Some(Step { label, changes, ..Step::default() })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use Edit::{Begin, End, Set};

    use super::*;
    use crate::body::UserModes;

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
        let mut sounds = vec![sound.clone()];
        for seed in 0..50 {
            let mut next = sound.clone();
            next.patch = randomise::randomise(&sound.patch, &Locks::default(), seed);
            history.record(Step::between("Randomise", &sound, &next));
            sound = next;
            sounds.push(sound.clone());
        }
        for expected in sounds.iter().rev().skip(1) {
            history.undo().unwrap().apply(&mut sound);
            assert_eq!(sound, *expected);
        }
        assert_eq!(history.undo(), None);
        for expected in &sounds[1..] {
            history.redo().unwrap().apply(&mut sound);
            assert_eq!(sound, *expected);
        }
        assert_eq!(history.redo(), None);
    }

    #[test]
    fn an_undo_leaves_alone_what_automation_changed() {
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
    fn the_oldest_steps_are_discarded_and_a_new_step_discards_the_redo() {
        let mut history = History::default();
        for _ in 0..2 * MAX_STEPS {
            history.record(step(0.02, 1.0));
        }
        history.record(step(1.0, 1.0));
        assert_eq!(
            (0..).map_while(|_| history.undo()).count(),
            MAX_STEPS,
            "an empty step is not recorded"
        );
        history.record(step(0.02, 0.5));
        assert_eq!((history.next_redo(), history.next_undo()), (None, Some("Mass")));
    }

    #[test]
    fn data_from_files_is_undone_with_the_title() {
        let (plain, mut listed) = (Sound::default(), Sound::default());
        listed.extras.modes = Some(Arc::new(UserModes::default()));
        let step = Step::between("Modes", &plain, &listed).titled("Anvil", "Anvil of mine");
        assert!(!step.is_empty() && step.changes.is_empty());
        let mut history = History::default();
        history.record(step);
        let back = history.undo().expect("a step");
        assert_eq!(back.title, Some(("Anvil of mine".into(), "Anvil".into())));
        let mut sound = listed.clone();
        back.apply(&mut sound);
        assert_eq!(sound, plain);
        assert_eq!(history.next_redo(), Some("Modes"));
        history.redo().expect("a step").apply(&mut sound);
        assert_eq!(sound, listed);
        // The same title is no change; another title alone is a step.
        assert!(Step::between("Name", &plain, &plain).titled("a", "a").is_empty());
        assert!(!Step::between("Name", &plain, &plain).titled("a", "b").is_empty());
        assert!(!Step::between("List", &plain, &listed).is_empty());
    }

    fn steps(edits: &[Edit]) -> Vec<Step> {
        let mut gestures = EditGestures::default();
        edits.iter().filter_map(|edit| gestures.process(*edit)).collect()
    }

    #[test]
    fn a_drag_is_one_step_from_its_first_to_its_last_value() {
        let mut edits = vec![Begin(Param::Tune, 0.0)];
        edits.extend((1..=100).map(|n| Set(Param::Tune, n as f32 / 10.0)));
        edits.push(End(Param::Tune));
        let steps = steps(&edits);
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].changes, [Change { param: Param::Tune, before: 0.0, after: 10.0 }]);
    }

    #[test]
    fn parameters_dragged_together_are_one_step() {
        let (x, y) = (Param::MaterialX, Param::MaterialY);
        let steps = steps(&[
            Begin(x, 0.5),
            Begin(y, 0.3),
            Set(x, 0.6),
            Set(y, 0.4),
            Set(x, 0.7),
            End(x),
            End(y),
        ]);
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].changes.len(), 2);
    }

    #[test]
    fn a_drag_back_to_the_start_is_no_step_and_a_missing_end_loses_no_step() {
        let tune = Param::Tune;
        assert!(steps(&[Begin(tune, 0.0), Set(tune, 3.0), Set(tune, 0.0), End(tune)]).is_empty());
        let steps =
            steps(&[Begin(tune, 0.0), Set(tune, 3.0), Begin(tune, 3.0), Set(tune, 4.0), End(tune)]);
        assert_eq!(steps.len(), 2);
    }
}
