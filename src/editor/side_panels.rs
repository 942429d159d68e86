//! The panels at both sides of the window: striker and body.

use egui::{Sense, Ui, vec2};

use super::control::{Controls, grid, with_groups};
use super::dial::DialStyle;
use super::spectrum::ModeChart;
use super::{material, theme};
use crate::body::UserModes;
use crate::params::{Group, Param};

/// Width of a panel, points: three cells with two spaces, a scroll bar, and the margins.
pub const WIDTH: f32 = 3.0 * grid::CELL.x + 2.0 * grid::SPACE.x + 10.0 + 22.0;
/// Width of a title beside its list, points.
const TITLE: f32 = 62.0;
/// Usual height of the mode chart, points.
const MODES: f32 = 90.0;
/// Minimum height of the mode chart, in a low window.
const MIN_MODES: f32 = 50.0;

/// Shows a title and the list of kinds.
fn show_title(ui: &mut Ui, controls: &Controls, title: &str, which: Param) {
    let (row, _) = ui.allocate_exact_size(vec2(grid::width(3), 24.0), Sense::hover());
    let colour = theme::of(ui).accent;
    let font = egui::FontId::proportional(theme::TITLE);
    ui.painter().text(row.left_center(), egui::Align2::LEFT_CENTER, title, font, colour);
    let list = row.with_min_x(row.left() + TITLE).shrink2(vec2(0.0, 1.0));
    controls.show_bare(ui, list, which, DialStyle::Bar);
}

/// Shows the controls of the striker.
pub fn show_striker(ui: &mut Ui, controls: &Controls) {
    show_title(ui, controls, "Striker", Param::Gesture);
    let height = grid::height(ui.available_height());
    egui::ScrollArea::vertical().id_salt("striker").auto_shrink(false).show(ui, |ui| {
        controls.show_rows(ui, &with_groups(&STRIKER, &[Group::Striker], &[]), height);
    });
}

/// Shows the controls of the body.
pub fn show_body(ui: &mut Ui, controls: &Controls, modes: &mut ModeChart, list: &UserModes) {
    show_title(ui, controls, "Body", Param::Body);
    // In a low window the chart shrinks, so that a row of dials stays visible.
    let (room, between) = (ui.available_height(), ui.spacing().item_spacing.y);
    let height = grid::height(room);
    let modes_height = (room - between - height).clamp(MIN_MODES, MODES);
    egui::ScrollArea::vertical().id_salt("body").auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(grid::width(3));
        modes.show(ui, controls, list, modes_height);
        controls.show_rows(ui, &ABOVE, height);
        material::show_pad(ui, controls);
        let shown = [ABOVE.as_slice(), &[Param::Body]].concat();
        controls.show_all(ui, &with_groups(&BELOW, &[Group::Body, Group::Material], &shown));
    });
}

/// The first controls of the striker; others of its group follow.
const STRIKER: [Param; 12] = [
    Param::Speed,
    Param::Mass,
    Param::Hardness,
    Param::Restitution,
    Param::Dynamics,
    Param::Position,
    Param::PositionY,
    Param::Scatter,
    Param::Angle,
    Param::Spin,
    Param::Seed,
    Param::Coupling,
];

/// The controls above the material pad.
const ABOVE: [Param; 3] = [Param::Tune, Param::Size, Param::Thickness];

/// The first controls below the material pad, in rows of three cells (lists take two); others of
/// the groups follow.
const BELOW: [Param; 14] = [
    Param::Material,
    Param::Weight,
    Param::MaterialX,
    Param::MaterialY,
    Param::Support,
    Param::Friction,
    Param::Viscosity,
    Param::Modes,
    Param::Aspect,
    Param::Split,
    Param::Inharmonicity,
    Param::KeyTracking,
    Param::Hand,
    Param::NoteOff,
];
