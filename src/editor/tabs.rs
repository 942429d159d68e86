//! The lower half: one tab at a time.

use egui::Ui;

use super::control::{CELL, Controls};
use super::physics::{LatestContacts, Physics};
use super::tuning::TuningRow;
use super::{slots, theme};
use crate::params::{Group, Param};
use crate::shared_state::telemetry::Telemetry;
use crate::snapshot::Snapshot;

/// The tabs there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The contact.
    #[default]
    Physics,
    /// What a note sets in motion.
    Gesture,
    /// What moves what.
    Modulation,
    /// Which pitch a key has, and how many keys sound.
    Tuning,
    /// What is heard.
    Output,
}

impl Tab {
    /// In the order in which they stand.
    pub const ALL: [Tab; 5] =
        [Tab::Physics, Tab::Gesture, Tab::Modulation, Tab::Tuning, Tab::Output];

    /// As shown.
    pub const fn name(self) -> &'static str {
        match self {
            Tab::Physics => "Physics",
            Tab::Gesture => "Gesture",
            Tab::Modulation => "Modulation",
            Tab::Tuning => "Tuning",
            Tab::Output => "Output",
        }
    }

    /// What a pointer that rests on it is told.
    const fn help(self) -> &'static str {
        match self {
            Tab::Physics => {
                "How striker and body touch: the law of the contact, and the last contacts as charts."
            }
            Tab::Gesture => "How the striker moves, and the surface that it rolls or scrapes over.",
            Tab::Modulation => "What moves which control while a note sounds.",
            Tab::Tuning => {
                "Which pitch a key has, how many notes sound at once, and which keys end one another."
            }
            Tab::Output => "How loud and how wide it is heard, and sound from outside.",
        }
    }

    /// The groups of parameters that it holds.
    fn groups(self) -> &'static [Group] {
        match self {
            Tab::Physics | Tab::Modulation | Tab::Tuning => &[],
            Tab::Gesture => &[Group::Gesture, Group::Surface],
            Tab::Output => &[Group::Output, Group::External],
        }
    }
}

/// Which is open, and what they remember.
#[derive(Default)]
pub struct Tabs {
    open: Tab,
    physics: Physics,
}

impl Tabs {
    /// Draw them.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        controls: &Controls,
        telemetry: &Telemetry,
        view: &Snapshot,
        tuning: &mut TuningRow,
    ) {
        ui.horizontal(|ui| {
            for tab in Tab::ALL {
                if ui
                    .selectable_label(self.open == tab, tab.name())
                    .on_hover_text(tab.help())
                    .clicked()
                {
                    self.open = tab;
                }
            }
        });
        match self.open {
            Tab::Physics => {
                let last = LatestContacts {
                    wall: telemetry.take_contacts().collect(),
                    recording: view.voice.as_ref().and_then(|voice| voice.contact.as_ref()),
                    sample_rate_hz: telemetry.sample_rate_hz(),
                };
                self.physics.show(ui, controls, &last);
            }
            Tab::Modulation => slots::show(ui, controls),
            Tab::Tuning => {
                tuning.show(ui);
                keys(ui, controls);
            }
            tab => groups(ui, controls, tab.groups()),
        }
    }
}

/// All parameters of some groups, under their titles.
fn groups(ui: &mut Ui, controls: &Controls, groups: &[Group]) {
    egui::ScrollArea::vertical().id_salt("groups").auto_shrink(false).show(ui, |ui| {
        for group in groups {
            let mut params: Vec<Param> =
                Param::ALL.into_iter().filter(|param| param.spec().group == *group).collect();
            // Beside Level, though the table has them later.
            params.sort_by_key(|param| match param {
                Param::Trim | Param::AutoLevel => Param::Level as usize,
                param => *param as usize,
            });
            if params.iter().all(|param| {
                controls.relevance(*param) == crate::editor::relevance::Relevance::Absent
            }) {
                continue;
            }
            ui.label(theme::title(ui, group.name()));
            controls.show_all(ui, &params);
        }
    });
}

/// From, to, and whether they choke one another, of each group of keys.
const KEY_GROUPS: [(Param, &str); 12] = [
    (Param::Group1Low, "1: from"),
    (Param::Group1High, "1: to"),
    (Param::Group1Chokes, "1: chokes"),
    (Param::Group2Low, "2: from"),
    (Param::Group2High, "2: to"),
    (Param::Group2Chokes, "2: chokes"),
    (Param::Group3Low, "3: from"),
    (Param::Group3High, "3: to"),
    (Param::Group3Chokes, "3: chokes"),
    (Param::Group4Low, "4: from"),
    (Param::Group4High, "4: to"),
    (Param::Group4Chokes, "4: chokes"),
];

/// Which pitch a key has, how many sound, and which belong together.
fn keys(ui: &mut Ui, controls: &Controls) {
    let is_grouped = |param: &Param| KEY_GROUPS.iter().any(|(grouped, _)| grouped == param);
    let play = Param::ALL
        .into_iter()
        .filter(|param| param.spec().group == Group::Play && !is_grouped(param));
    let all: Vec<Param> =
        [Param::MasterTune, Param::Tune, Param::KeyTracking].into_iter().chain(play).collect();
    egui::ScrollArea::vertical().id_salt("keys").auto_shrink(false).show(ui, |ui| {
        controls.show_all(ui, &all);
        ui.label(theme::title(ui, "Groups of keys"));
        controls.show_named(ui, &KEY_GROUPS, CELL.y);
    });
}
