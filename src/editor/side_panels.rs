//! The two sides of the window: what hits, and what rings.

use egui::{Sense, Ui, vec2};

use super::control::{Controls, grid};
use super::dial::DialStyle;
use super::spectrum::ModeChart;
use super::{pad, theme};
use crate::body::UserModes;
use crate::params::Param;

/// Of one side: three cells, a bar to scroll, and what is around them.
pub const WIDTH: f32 = 3.0 * 62.0 + 2.0 * 2.0 + 10.0 + 22.0;
/// Room of a title beside its list.
const TITLE: f32 = 62.0;
/// Height of the modes' picture, and the least of it.
const MODES: f32 = 90.0;
const MIN_MODES: f32 = 50.0;

/// A title, and the list that says which one it is.
fn head(ui: &mut Ui, controls: &Controls, title: &str, which: Param) {
    let (row, _) = ui.allocate_exact_size(vec2(grid::width(3), 24.0), Sense::hover());
    let ink = theme::of(ui).accent;
    let font = egui::FontId::proportional(theme::TITLE);
    ui.painter().text(row.left_center(), egui::Align2::LEFT_CENTER, title, font, ink);
    let list = row.with_min_x(row.left() + TITLE).shrink2(vec2(0.0, 1.0));
    controls.show_bare(ui, list, which, DialStyle::Bar);
}

/// What hits.
pub fn striker(ui: &mut Ui, controls: &Controls) {
    head(ui, controls, "Striker", Param::Gesture);
    let height = grid::height(ui.available_height());
    egui::ScrollArea::vertical().id_salt("striker").auto_shrink(false).show(ui, |ui| {
        controls.show_rows(ui, &STRIKER, height);
    });
}

/// What rings.
pub fn body(ui: &mut Ui, controls: &Controls, modes: &mut ModeChart, list: &UserModes) {
    head(ui, controls, "Body", Param::Body);
    // In a low window the picture leaves room for the dials below it.
    let (room, between) = (ui.available_height(), ui.spacing().item_spacing.y);
    let height = grid::height(room);
    let modes_tall = (room - between - height).clamp(MIN_MODES, MODES);
    egui::ScrollArea::vertical().id_salt("body").auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(grid::width(3));
        modes.show(ui, controls, list, modes_tall);
        controls.show_rows(ui, &ABOVE, height);
        pad::show(ui, controls);
        controls.show_all(ui, &BELOW);
    });
}

/// The controls on the left.
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

/// The controls on the right: above the pad of materials.
const ABOVE: [Param; 3] = [Param::Tune, Param::Size, Param::Thickness];

/// And below it, in rows of three cells; lists take two.
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
