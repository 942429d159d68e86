//! Undo history, name and A/B counterpart of the sound.
//!
//! Used by the threads of editor and host, never by the audio thread. Nothing here sets a
//! parameter: methods return the step to apply ([`super::state::apply_step`]).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::history::{AbCompare, Change, Edit, EditGestures, Locks, Side, Step, randomise};
use crate::io::presets::sound::Extras;
use crate::io::presets::{About, Preset, Sound};
use crate::params::{Param, Patch};

/// The field of a project that contains the session.
const FIELD: &str = "session";
/// The longest name of a preset.
const MAX_TITLE_CHARS: usize = 64;

/// Undo history, A/B, locks and the message to the user.
#[derive(Default)]
pub struct Session {
    ab_compare: AbCompare,
    edit_gestures: EditGestures,
    /// Parameters that randomising must not change.
    pub locks: Locks,
    /// The patch of the loaded preset, to detect changes since.
    reference: Option<Patch>,
    message: Option<(String, bool)>,
    seed: u64,
}

/// The stored form. Fields of a later version are ignored.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct StoredSession {
    title: String,
    side: String,
    /// The inactive side, as the text of a preset.
    other: Option<String>,
    locks: Vec<String>,
}

impl Session {
    /// The name of the sound; empty if it has none.
    pub fn title(&self) -> &str {
        &self.ab_compare.title
    }

    /// The active side.
    pub fn side(&self) -> Side {
        self.ab_compare.side()
    }

    /// Whether the sound differs from its preset.
    pub fn is_changed(&self, now: &Patch) -> bool {
        self.reference.as_ref().is_some_and(|reference| !is_same_sound(reference, now))
    }

    /// The labels of the steps that undo and redo would apply.
    pub fn next_steps(&self) -> (Option<&str>, Option<&str>) {
        (self.ab_compare.history.next_undo(), self.ab_compare.history.next_redo())
    }

    /// Sets the message to the user. `is_good` distinguishes confirmations from errors.
    pub fn set_message(&mut self, text: impl Into<String>, is_good: bool) {
        self.message = Some((text.into(), is_good));
    }

    /// The message to the user, and whether it is good.
    pub fn message(&self) -> Option<&(String, bool)> {
        self.message.as_ref()
    }

    /// Removes the message.
    pub fn clear_message(&mut self) {
        self.message = None;
    }

    /// Records the user's edits. Returns the completed steps.
    pub fn follow(&mut self, edits: Vec<Edit>) -> Vec<Step> {
        let steps: Vec<_> =
            edits.into_iter().filter_map(|edit| self.edit_gestures.process(edit)).collect();
        steps.iter().for_each(|step| self.ab_compare.history.record(step.clone()));
        steps
    }

    /// Adds a dependent change to the last step.
    pub fn amend(&mut self, change: Change) {
        self.ab_compare.history.amend(change);
    }

    /// Records a step that did not come from knobs.
    pub fn record(&mut self, step: Step) {
        self.finish();
        self.ab_compare.history.record(step);
    }

    /// Records the change of project data by a file, if any.
    pub fn record_extras(&mut self, extras: Option<(Extras, Extras)>) -> Option<Step> {
        extras.as_ref()?;
        let step = Step { label: "File".to_string(), extras, ..Step::default() };
        self.record(step.clone());
        Some(step)
    }

    /// Undoes the last step. Returns the step to apply.
    pub fn undo(&mut self) -> Option<Step> {
        self.finish();
        let step = self.ab_compare.history.undo()?;
        self.rename(&step);
        Some(step)
    }

    /// Redoes the last undone step. Returns the step to apply.
    pub fn redo(&mut self) -> Option<Step> {
        self.finish();
        let step = self.ab_compare.history.redo()?;
        self.rename(&step);
        Some(step)
    }

    /// Records the load of a preset. Returns the step to apply.
    pub fn load(&mut self, preset: &Preset, now: &Sound) -> Step {
        let name = &preset.about.name;
        let step = Step::between(format!("Preset {name}"), now, &preset.sound)
            .titled(&self.ab_compare.title, name);
        self.record(step.clone());
        self.ab_compare.title = name.clone();
        self.reference = Some(preset.sound.patch.clone());
        step
    }

    /// Notes that the sound was saved under a name.
    pub fn mark_saved(&mut self, name: &str, now: &Patch) {
        self.ab_compare.title = name.to_string();
        self.reference = Some(now.clone());
    }

    /// Switches to the other side. Returns the step to apply.
    pub fn switch(&mut self, now: Sound) -> Step {
        self.finish();
        self.reference = None;
        let next = self.ab_compare.switch(now.clone());
        Step::between("A/B", &now, &next)
    }

    /// Copies this side to the other.
    pub fn copy(&mut self, now: &Sound) {
        self.finish();
        self.ab_compare.copy(now);
    }

    /// Randomises the sound, entirely or by `amount`, and measures its level. Records the step and
    /// returns it. Every call gives another sound, but the sequence is reproducible.
    pub fn randomise(&mut self, now: &Sound, amount: Option<f64>) -> Step {
        self.seed += 1;
        let mut next = now.clone();
        let label = match amount {
            None => {
                next.patch = randomise::randomise(&now.patch, &self.locks, self.seed);
                "Randomise"
            }
            Some(amount) => {
                next.patch = randomise::mutate(&now.patch, &self.locks, amount, self.seed);
                "Mutate"
            }
        };
        // Sound and Trim change together.
        if next.patch.is_on(Param::AutoLevel) {
            next.set_trim();
        }
        let step = Step::between(label, now, &next);
        self.record(step.clone());
        step
    }

    /// Sets the seed: different in every open window, fixed in tests.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn finish(&mut self) {
        if let Some(step) = self.edit_gestures.finish() {
            self.ab_compare.history.record(step);
        }
    }

    fn rename(&mut self, step: &Step) {
        if let Some((_, title)) = &step.title {
            self.ab_compare.title = title.clone();
            self.reference = None;
        }
    }

    /// Writes the session into the fields of a project.
    pub fn save(&self, fields: &mut BTreeMap<String, String>) {
        let other = self.ab_compare.other().map(|(sound, title)| {
            // A preset needs a name to be parsed.
            let name = if title.is_empty() { "-" } else { title }.to_string();
            Preset { about: About { name, ..About::default() }, sound: sound.clone() }.write()
        });
        let stored = StoredSession {
            title: self.ab_compare.title.clone(),
            side: self.side().name().to_string(),
            other,
            locks: self.locks.ids().into_iter().map(str::to_string).collect(),
        };
        // A fresh instance saves nothing.
        let is_fresh = stored.title.is_empty() && stored.other.is_none() && stored.locks.is_empty();
        if let Ok(text) = serde_json::to_string(&stored)
            && !is_fresh
        {
            fields.insert(FIELD.to_string(), text);
        }
    }

    /// Restores the session from the fields of a project. Invalid parts are omitted, with a
    /// message; the sound itself is stored elsewhere.
    pub fn restore(&mut self, fields: &BTreeMap<String, String>) {
        let seed = self.seed;
        *self = Self { seed, ..Self::default() };
        let stored = match fields.get(FIELD).map(|text| serde_json::from_str::<StoredSession>(text))
        {
            None => return,
            Some(Ok(stored)) => stored,
            Some(Err(error)) => {
                return self.set_message(
                    format!("The project's A/B and name were left out: {error}"),
                    false,
                );
            }
        };
        let other = match stored.other.as_deref().map(|text| Preset::read(text, "-")) {
            None => None,
            Some(Ok(preset)) => {
                let name = if preset.about.name == "-" { String::new() } else { preset.about.name };
                Some((preset.sound, name))
            }
            Some(Err(error)) => {
                self.set_message(
                    format!("The project's other side (A/B) was left out: {error:#}"),
                    false,
                );
                None
            }
        };
        let side = if stored.side == Side::B.name() { Side::B } else { Side::A };
        let title =
            stored.title.chars().filter(|c| !c.is_control()).take(MAX_TITLE_CHARS).collect();
        self.ab_compare = AbCompare::restore(side, title, other);
        self.locks = Locks::of_ids(stored.locks.iter().map(String::as_str));
    }
}

/// Whether two patches differ only by the rounding of a host's positions.
fn is_same_sound(a: &Patch, b: &Patch) -> bool {
    crate::history::changes(a, b).iter().all(|change| {
        let (min, max) = change.param.spec().range_stored();
        (change.before - change.after).abs() <= 1e-6 * (max - min)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Group;

    fn tuned(semitones: f64) -> Sound {
        let mut sound = Sound::default();
        sound.patch.set(Param::Tune, semitones);
        sound
    }

    fn preset(name: &str, sound: Sound) -> Preset {
        Preset { about: About { name: name.to_string(), ..About::default() }, sound }
    }

    #[test]
    fn a_project_keeps_the_name_the_other_side_and_the_locks() {
        let mut session = Session::default();
        let mut fields = BTreeMap::new();
        session.save(&mut fields);
        assert!(fields.is_empty(), "a fresh instance saves nothing");
        session.load(&preset("Seven", tuned(7.0)), &tuned(0.0));
        session.switch(tuned(7.0));
        session.locks.set_group(Group::Body, true);
        session.save(&mut fields);
        let mut other = Session::default();
        other.restore(&fields);
        assert_eq!((other.title(), other.side()), ("Seven", Side::B));
        assert_eq!(other.locks, session.locks);
        let mut sound = tuned(3.0);
        other.switch(tuned(3.0)).apply(&mut sound);
        assert_eq!(sound, tuned(7.0));
        let mut again = BTreeMap::new();
        let mut same = Session::default();
        same.restore(&fields);
        same.save(&mut again);
        assert_eq!(again, fields);
    }

    #[test]
    fn invalid_sessions_are_omitted_with_a_message() {
        for text in
            ["", "17", "{\"title\": 3}", &"[".repeat(1 << 20), r#"{"title": "x", "other": "[["}"#]
        {
            let mut session = Session::default();
            session.restore(&BTreeMap::from([(FIELD.to_string(), text.to_string())]));
            assert!(
                session
                    .message()
                    .is_some_and(|(message, is_good)| !is_good && message.contains("left out")),
                "{text:.40}"
            );
            assert!(session.ab_compare.other().is_none());
        }
    }

    #[test]
    fn undoing_a_preset_brings_back_the_name_before() {
        let mut session = Session::default();
        session.load(&preset("One", tuned(1.0)), &tuned(0.0));
        session.load(&preset("Two", tuned(2.0)), &tuned(1.0));
        assert!(!session.is_changed(&tuned(2.0).patch) && session.is_changed(&tuned(2.5).patch));
        let mut sound = tuned(2.0);
        session.undo().unwrap().apply(&mut sound);
        assert_eq!((session.title(), &sound), ("One", &tuned(1.0)));
        session.redo().unwrap().apply(&mut sound);
        assert_eq!((session.title(), &sound), ("Two", &tuned(2.0)));
    }

    #[test]
    fn knobs_presets_and_randomising_share_one_history() {
        let mut session = Session::default();
        let knob =
            [Edit::Begin(Param::Tune, 0.0), Edit::Set(Param::Tune, 2.0), Edit::End(Param::Tune)];
        session.follow(knob.to_vec());
        let step = session.randomise(&tuned(2.0), None);
        assert!(!step.changes.is_empty());
        assert_eq!(session.next_steps().0, Some("Randomise"));
        session.undo();
        assert_eq!(session.next_steps(), (Some("Tune"), Some("Randomise")));
    }
}
