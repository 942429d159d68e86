//! The page of what moves what: eight slots, the oscillator, the envelope, and what the player's hands do.

use egui::Ui;

use super::control::Board;
use super::theme;
use crate::modulation::slots::SLOTS;
use crate::patch::{Group, Param};

/// Draw it.
pub fn show(ui: &mut Ui, board: &Board) {
    let room = ui.available_rect_before_wrap();
    let (left, right) = room.split_left_right_at_fraction(0.36);
    ui.scope_builder(egui::UiBuilder::new().max_rect(left.with_max_x(left.right() - 8.0)), |ui| {
        egui::ScrollArea::vertical().id_salt("slots").auto_shrink(false).show(ui, |ui| {
            ui.label(theme::title(ui, "What moves what"));
            for slot in &SLOTS {
                board.show_all(ui, slot);
            }
        });
    });
    ui.scope_builder(egui::UiBuilder::new().max_rect(right), |ui| {
        egui::ScrollArea::vertical().id_salt("movers").auto_shrink(false).show(ui, |ui| {
            let of = |group| move |param: &Param| param.spec().group == group && !SLOTS.as_flattened().contains(param);
            for (title, group) in [("LFO and envelope", Group::Modulation), ("Player and chance", Group::Expression)] {
                ui.label(theme::title(ui, title));
                board.show_all(ui, &Param::ALL.into_iter().filter(of(group)).collect::<Vec<_>>());
            }
        });
    });
}
