//! The tabs in the lower half of the window.

use std::sync::Arc;

use egui::{Align2, Rect, ScrollArea, Sense, Ui, UiBuilder, vec2};

use super::control::{CELL, Controls, grid, with_groups};
use super::dial::DialStyle;
use super::file_row::TuningRow;
use super::physics::{LatestContacts, Physics};
use super::theme;
use crate::editor::relevance::Relevance;
use crate::modulation::slots::SLOTS;
use crate::params::{Group, Param};
use crate::shared_state::extras::Extras;
use crate::shared_state::telemetry::Telemetry;
use crate::snapshot::Snapshot;

/// A tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The contact, with charts.
    #[default]
    Physics,
    /// Gesture and surface.
    Gesture,
    /// Modulation slots and sources.
    Modulation,
    /// Tuning and polyphony.
    Tuning,
    /// Output and external audio.
    Output,
}

impl Tab {
    /// All tabs, from left to right.
    pub const ALL: [Tab; 5] =
        [Tab::Physics, Tab::Gesture, Tab::Modulation, Tab::Tuning, Tab::Output];

    /// The name shown to the user.
    pub const fn name(self) -> &'static str {
        match self {
            Tab::Physics => "Physics",
            Tab::Gesture => "Gesture",
            Tab::Modulation => "Modulation",
            Tab::Tuning => "Tuning",
            Tab::Output => "Output",
        }
    }

    /// The tooltip.
    const fn help(self) -> &'static str {
        match self {
            Tab::Physics => {
                "How striker and body touch: the law of the contact, and the last contacts as \
                 charts."
            }
            Tab::Gesture => "How the striker moves, and the surface that it rolls or scrapes over.",
            Tab::Modulation => "What moves which control while a note sounds.",
            Tab::Tuning => {
                "Which pitch a key has, how many notes sound at once, and which keys end one \
                 another."
            }
            Tab::Output => "How loud and how wide it is heard, and sound from outside.",
        }
    }

    /// The groups of parameters on the tab, if it consists of groups only.
    fn groups(self) -> &'static [Group] {
        match self {
            Tab::Physics | Tab::Modulation | Tab::Tuning => &[],
            Tab::Gesture => &[Group::Gesture, Group::Surface],
            Tab::Output => &[Group::Output, Group::External],
        }
    }
}

/// The tabs with their state.
pub struct Tabs {
    open: Tab,
    physics: Physics,
    tuning: TuningRow,
}

impl Tabs {
    /// Creates the tabs.
    pub fn new(extras: Arc<Extras>) -> Self {
        Self { open: Tab::default(), physics: Physics::default(), tuning: TuningRow::new(extras) }
    }

    /// Draws the tab bar and the open tab.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        controls: &Controls,
        telemetry: &Telemetry,
        snapshot: &Snapshot,
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
                    recording: snapshot.voice.as_ref().and_then(|voice| voice.contact.as_ref()),
                    sample_rate_hz: telemetry.sample_rate_hz(),
                };
                self.physics.show(ui, controls, &last);
            }
            Tab::Modulation => show_modulation(ui, controls),
            Tab::Tuning => {
                self.tuning.show(ui);
                show_keys(ui, controls);
            }
            tab => show_groups(ui, controls, tab.groups()),
        }
    }
}

/// Shows all parameters of some groups, with titles.
fn show_groups(ui: &mut Ui, controls: &Controls, groups: &[Group]) {
    ScrollArea::vertical().id_salt("groups").auto_shrink(false).show(ui, |ui| {
        for group in groups {
            let mut params = with_groups(&[], &[*group], &[]);
            // Trim and Auto level follow Level; the table has them later.
            params.sort_by_key(|param| match param {
                Param::Trim | Param::AutoLevel => Param::Level as usize,
                param => *param as usize,
            });
            if params.iter().all(|param| controls.relevance(*param) == Relevance::Absent) {
                continue;
            }
            ui.label(theme::title(ui, group.name()));
            controls.show_all(ui, &params);
        }
    });
}

/// The parameters of the groups of keys, with their names on the page.
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

/// Shows pitch, polyphony and the groups of keys.
fn show_keys(ui: &mut Ui, controls: &Controls) {
    let first = [Param::MasterTune, Param::Tune, Param::KeyTracking];
    let all = with_groups(&first, &[Group::Play], &KEY_GROUPS.map(|(param, _)| param));
    ScrollArea::vertical().id_salt("keys").auto_shrink(false).show(ui, |ui| {
        controls.show_all(ui, &all);
        ui.label(theme::title(ui, "Groups of keys"));
        controls.show_named(ui, &KEY_GROUPS, CELL.y);
    });
}

/// Usual height of a row of the slot table, points.
const ROW: f32 = 24.0;
/// Minimum height of a row, so that all slots fit a low window.
const MIN_ROW: f32 = 22.0;
/// Widths of the columns: number, source, target, depth.
const COLUMNS: [f32; 4] = [18.0, 118.0, 118.0, 92.0];
/// Space between the columns.
const COLUMN_SPACE: f32 = 4.0;

/// Shows the modulation: a table of slots, the LFO, the envelope and the player's sources.
fn show_modulation(ui: &mut Ui, controls: &Controls) {
    let room = ui.available_rect_before_wrap();
    let width = COLUMNS.iter().sum::<f32>() + 3.0 * COLUMN_SPACE + 10.0;
    let (left, right) = room.split_left_right_at_x(room.left() + width.min(0.55 * room.width()));
    ui.scope_builder(UiBuilder::new().max_rect(left), |ui| {
        show_column_titles(ui);
        let height =
            ((ui.available_height() + grid::SPACE.y) / SLOTS.len() as f32).clamp(MIN_ROW, ROW);
        ScrollArea::vertical().id_salt("slots").auto_shrink(false).show(ui, |ui| {
            for (number, slot) in SLOTS.iter().enumerate() {
                show_slot(ui, controls, number + 1, slot, height);
            }
        });
    });
    ui.scope_builder(UiBuilder::new().max_rect(right.with_min_x(right.left() + 10.0)), |ui| {
        ScrollArea::vertical().id_salt("movers").auto_shrink(false).show(ui, |ui| {
            for (title, group) in
                [("LFO and envelope", Group::Modulation), ("Player and chance", Group::Expression)]
            {
                ui.label(theme::title(ui, title));
                controls.show_all(ui, &with_groups(&[], &[group], SLOTS.as_flattened()));
            }
        });
    });
}

/// Allocates a row and returns its columns.
fn columns(ui: &mut Ui, height: f32) -> [Rect; 4] {
    let width = COLUMNS.iter().sum::<f32>() + 3.0 * COLUMN_SPACE;
    let (row, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    let mut left = row.left();
    COLUMNS.map(|width| {
        let column = row.with_min_x(left).with_max_x(left + width);
        left += width + COLUMN_SPACE;
        column
    })
}

fn show_column_titles(ui: &mut Ui) {
    let [_, columns @ ..] = columns(ui, 15.0);
    for (column, name) in columns.into_iter().zip(["Source", "Target", "Depth"]) {
        ui.painter().text(
            column.left_center(),
            Align2::LEFT_CENTER,
            name,
            theme::small(),
            theme::of(ui).muted,
        );
    }
}

fn show_slot(ui: &mut Ui, controls: &Controls, number: usize, params: &[Param; 3], height: f32) {
    let [head, columns @ ..] = columns(ui, height - grid::SPACE.y);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(head).id_salt("row"));
    let ui = &mut ui;
    grid::hide_clipped(ui, head);
    ui.painter().text(
        head.left_center(),
        Align2::LEFT_CENTER,
        number,
        theme::small(),
        theme::of(ui).muted,
    );
    for (column, param) in columns.into_iter().zip(params) {
        controls.show_bare(ui, column, *param, DialStyle::Bar);
    }
}
