//! The page of what moves what: eight slots in a table, the oscillator, the envelope, and what the
//! player's hands do.

use egui::{Align2, Rect, Sense, Ui, vec2};

use super::control::{Controls, grid};
use super::dial::DialStyle;
use super::theme;
use crate::modulation::slots::SLOTS;
use crate::params::{Group, Param};

/// Height of a row of the table, and the least of it where that makes room for all.
const ROW: f32 = 24.0;
const MIN_ROW: f32 = 22.0;
/// Widths of its columns: number, source, target, depth.
const COLUMNS: [f32; 4] = [18.0, 118.0, 118.0, 92.0];
/// Between them.
const SPACE: f32 = 4.0;

/// Draw it.
pub fn show(ui: &mut Ui, controls: &Controls) {
    let room = ui.available_rect_before_wrap();
    let wide = COLUMNS.iter().sum::<f32>() + 3.0 * SPACE + 10.0;
    let (left, right) = room.split_left_right_at_x(room.left() + wide.min(0.55 * room.width()));
    ui.scope_builder(egui::UiBuilder::new().max_rect(left), |ui| {
        heads(ui);
        let height =
            ((ui.available_height() + grid::SPACE.y) / SLOTS.len() as f32).clamp(MIN_ROW, ROW);
        egui::ScrollArea::vertical().id_salt("slots").auto_shrink(false).show(ui, |ui| {
            for (number, slot) in SLOTS.iter().enumerate() {
                self::slot(ui, controls, number + 1, slot, height);
            }
        });
    });
    ui.scope_builder(
        egui::UiBuilder::new().max_rect(right.with_min_x(right.left() + 10.0)),
        |ui| {
            egui::ScrollArea::vertical().id_salt("movers").auto_shrink(false).show(ui, |ui| {
                let of = |group| {
                    move |param: &Param| {
                        param.spec().group == group && !SLOTS.as_flattened().contains(param)
                    }
                };
                for (title, group) in [
                    ("LFO and envelope", Group::Modulation),
                    ("Player and chance", Group::Expression),
                ] {
                    ui.label(theme::title(ui, title));
                    controls.show_all(
                        ui,
                        &Param::ALL.into_iter().filter(of(group)).collect::<Vec<_>>(),
                    );
                }
            });
        },
    );
}

/// The columns of a row.
fn columns(ui: &mut Ui, height: f32) -> [Rect; 4] {
    let width = COLUMNS.iter().sum::<f32>() + 3.0 * SPACE;
    let (row, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    let mut left = row.left();
    COLUMNS.map(|wide| {
        let column = row.with_min_x(left).with_max_x(left + wide);
        left += wide + SPACE;
        column
    })
}

fn heads(ui: &mut Ui) {
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

fn slot(ui: &mut Ui, controls: &Controls, number: usize, params: &[Param; 3], height: f32) {
    let [head, columns @ ..] = columns(ui, height - grid::SPACE.y);
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(head).id_salt("row"));
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
