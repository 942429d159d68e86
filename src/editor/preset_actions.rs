//! What can be done to whole sounds from the editor, apart from how it looks.

use anyhow::Result;
use nice_plug::prelude::ParamSetter;

use crate::history::Step;
use crate::io::presets::library::Query;
use crate::io::presets::{About, Entry, Library, Origin, Preset};
use crate::params::Group;
use crate::shared_state::params::HostParams;
use crate::shared_state::state::apply_step;

/// One thing to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Turn to a preset.
    Load(Origin),
    /// To the next of those that are shown, or so many further on.
    Browse(isize),
    /// Write the sound to the user's folder; a preset of the same name only if so said.
    Save {
        /// What it says of itself.
        about: About,
        /// Whether a preset of this name is replaced.
        replace: bool,
    },
    /// Give a preset of the user's another name.
    Rename(Origin, String),
    /// Remove a preset of the user's.
    Delete(Origin),
    /// Mark a preset, or not.
    Favourite(Origin, bool),
    /// Take the last step back.
    Undo,
    /// Do it again.
    Redo,
    /// Turn to the other side.
    Switch,
    /// Make the other side the same.
    Copy,
    /// Throw all dice.
    Randomise,
    /// Move all knobs a little.
    Mutate,
    /// Keep the dice from a group, or let them.
    Lock(Group, bool),
}

/// The presets that there are, and which of them is on.
pub struct PresetActions {
    library: Library,
    entries: Vec<Entry>,
    current: Option<Origin>,
    /// Which of them are shown.
    pub query: Query,
    /// How far a mutation goes, 0…1.
    pub amount: f64,
}

impl PresetActions {
    /// With this library.
    pub fn new(library: Library) -> Self {
        Self { library, entries: Vec::new(), current: None, query: Query::default(), amount: 0.2 }
    }

    /// Look again what there is.
    pub fn refresh(&mut self) {
        self.entries = self.library.entries();
    }

    /// All there is.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What is looked for.
    pub fn filtered(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| self.query.matches(entry))
    }

    /// The preset that is on, if it was chosen here.
    pub fn current(&self) -> Option<&Origin> {
        self.current.as_ref()
    }

    /// Where the user's presets are, in words.
    pub fn folder_text(&self) -> String {
        self.library
            .folder()
            .map_or_else(|error| format!("{error:#}"), |folder| folder.display().to_string())
    }

    /// Do it. What goes wrong is told, and then nothing has changed.
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
                anyhow::bail!("the presets of the instrument stay as they are")
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
            // The folder may have changed.
            None => self.refresh(),
        }
        Ok(())
    }

    /// The preset so many places after the one that is on, among those that are shown and whole;
    /// round at the ends.
    fn neighbour(&mut self, title: &str, by: isize) -> Option<Origin> {
        if self.entries.is_empty() {
            self.refresh();
        }
        let mut whole: Vec<_> = self.filtered().filter(|entry| entry.fault.is_none()).collect();
        if whole.is_empty() {
            // Looked for in vain: the arrows go through all there are.
            whole = self.entries.iter().filter(|entry| entry.fault.is_none()).collect();
        }
        let is_current = |entry: &&Entry| match &self.current {
            Some(current) => entry.origin == *current,
            None => entry.about.name == title,
        };
        let count = whole.len() as isize;
        let next = match whole.iter().position(is_current) {
            Some(index) => (index as isize + by).rem_euclid(count),
            None if by > 0 => 0,
            None => count - 1,
        };
        whole.get(next as usize).map(|entry| entry.origin.clone())
    }
}
