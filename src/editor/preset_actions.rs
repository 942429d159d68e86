//! Actions of the editor on whole sounds: presets, undo, A/B, randomisation.

use anyhow::Result;
use nice_plug::prelude::ParamSetter;

use crate::history::Step;
use crate::io::presets::library::Query;
use crate::io::presets::{About, Entry, Library, Origin, Preset};
use crate::params::Group;
use crate::shared_state::params::HostParams;
use crate::shared_state::state::apply_step;

/// An action.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Loads a preset.
    Load(Origin),
    /// Loads the filtered preset that is this many places further on.
    Browse(isize),
    /// Saves the sound to the user's folder.
    Save {
        /// The preset's description.
        about: About,
        /// True to replace a preset with the same name.
        replace: bool,
    },
    /// Renames a user preset.
    Rename(Origin, String),
    /// Deletes a user preset.
    Delete(Origin),
    /// Marks or unmarks a preset as a favourite.
    Favourite(Origin, bool),
    /// Undoes the last step.
    Undo,
    /// Redoes the step that was undone last.
    Redo,
    /// Switches between A and B.
    Switch,
    /// Copies the active side to the other one.
    Copy,
    /// Sets all unlocked parameters at random.
    Randomise,
    /// Changes all unlocked parameters a little.
    Mutate,
    /// Locks or unlocks a group for randomisation.
    Lock(Group, bool),
}

/// Performs actions, with the list of presets and the current one.
pub struct PresetActions {
    library: Library,
    entries: Vec<Entry>,
    current: Option<Origin>,
    /// The filter of the browser.
    pub query: Query,
    /// Amount of a mutation, 0…1.
    pub amount: f64,
}

impl PresetActions {
    /// Creates the actions with a library of presets.
    pub fn new(library: Library) -> Self {
        Self { library, entries: Vec::new(), current: None, query: Query::default(), amount: 0.2 }
    }

    /// Reads the list of presets again.
    pub fn refresh(&mut self) {
        self.entries = self.library.entries();
    }

    /// All presets.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The presets that match the filter.
    pub fn filtered(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| self.query.matches(entry))
    }

    /// The current preset, if it was loaded here.
    pub fn current(&self) -> Option<&Origin> {
        self.current.as_ref()
    }

    /// The folder of the user's presets, or why there is none, as text.
    pub fn folder_text(&self) -> String {
        self.library
            .folder()
            .map_or_else(|error| format!("{error:#}"), |folder| folder.display().to_string())
    }

    /// Performs an action. An error changes nothing and is shown as the session's message.
    pub fn perform(&mut self, action: Action, params: &HostParams, setter: &ParamSetter) {
        params.session().clear_message();
        if let Err(error) = self.try_perform(action, params, setter) {
            params.session().set_message(format!("{error:#}"), false);
        }
    }

    fn try_perform(
        &mut self,
        action: Action,
        params: &HostParams,
        setter: &ParamSetter,
    ) -> Result<()> {
        let now = params.sound();
        let mut session = params.session();
        let step: Option<Step> = match action {
            Action::Load(origin) => {
                let preset = self.library.load(&origin)?;
                if let Some(host) = params.host() {
                    host.preset_loaded(&origin);
                }
                self.current = Some(origin);
                Some(session.load(&preset, &now))
            }
            Action::Browse(by) => {
                let Some(origin) = self.neighbour(session.title(), by) else { return Ok(()) };
                drop(session);
                return self.try_perform(Action::Load(origin), params, setter);
            }
            Action::Save { about, replace } => {
                let name = about.name.clone();
                let path = self.library.save(&Preset { about, sound: now.clone() }, replace)?;
                session.mark_saved(&name, &now.patch);
                session.set_message(format!("Saved to {}", path.display()), true);
                self.current = Some(Origin::User(path));
                None
            }
            Action::Rename(Origin::User(path), name) => {
                let renamed = Origin::User(self.library.rename(&path, &name)?);
                if self.current == Some(Origin::User(path)) {
                    session.mark_saved(name.trim(), &now.patch);
                    self.current = Some(renamed);
                }
                None
            }
            Action::Delete(Origin::User(path)) => {
                self.library.delete(&path)?;
                None
            }
            Action::Rename(..) | Action::Delete(..) => {
                anyhow::bail!("factory presets cannot be changed")
            }
            Action::Favourite(ref origin, on) => {
                self.library.set_favourite(origin, on)?;
                None
            }
            Action::Undo => session.undo(),
            Action::Redo => session.redo(),
            Action::Switch => Some(session.switch(now)),
            Action::Copy => {
                session.copy(&now);
                None
            }
            Action::Randomise => Some(session.randomise(&now, None)),
            Action::Mutate => Some(session.randomise(&now, Some(self.amount))),
            Action::Lock(group, on) => {
                session.locks.set_group(group, on);
                None
            }
        };
        drop(session);
        match step {
            Some(step) => apply_step(&step, params, setter),
            // The folder's contents may have changed.
            None => self.refresh(),
        }
        Ok(())
    }

    /// The preset `by` places after the current one among the filtered, valid presets; wraps
    /// around.
    fn neighbour(&mut self, title: &str, by: isize) -> Option<Origin> {
        if self.entries.is_empty() {
            self.refresh();
        }
        let mut valid: Vec<_> = self.filtered().filter(|entry| entry.fault.is_none()).collect();
        if valid.is_empty() {
            // Without a match, the arrows go through all presets.
            valid = self.entries.iter().filter(|entry| entry.fault.is_none()).collect();
        }
        let is_current = |entry: &&Entry| match &self.current {
            Some(current) => entry.origin == *current,
            None => entry.about.name == title,
        };
        let count = valid.len() as isize;
        let next = match valid.iter().position(is_current) {
            Some(index) => (index as isize + by).rem_euclid(count),
            None if by > 0 => 0,
            None => count - 1,
        };
        valid.get(next as usize).map(|entry| entry.origin.clone())
    }
}
