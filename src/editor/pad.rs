//! Two parameters under one pointer: the pad of materials.

use egui::{Align2, Color32, FontId, Mesh, Pos2, Sense, Shape, Stroke, Ui, UiBuilder, pos2, vec2};

use super::control::{Controls, grid, set_in_one_gesture};
use super::material::{CORNERS, Material};
use super::theme;
use crate::params::Param;
use crate::editor::relevance::Relevance;

const HEIGHT: f32 = 76.0;
/// How much of the colours is left while another material is chosen.
const UNCHOSEN: f32 = 0.45;
/// The colours are given at so many places each way, and run into one another between them.
const STEPS: u32 = 8;

/// Draw the pad; `x` to the right, `y` upwards. A double click puts both back. Whoever takes hold
/// of it while another material is chosen chooses it.
pub fn show(ui: &mut Ui, controls: &Controls) {
    let chosen = controls.relevance(Param::MaterialX) == Relevance::Heard;
    let material = controls.params.slot(Param::Material);
    let [x, y] = [Param::MaterialX, Param::MaterialY].map(|param| controls.params.slot(param));
    let (setter, palette) = (controls.setter, theme::of(ui));
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let mut ui = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("pad"));
    grid::hide_clipped(&mut ui, rect);
    let response = ui.interact(rect, ui.scope_id().with("hand"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Material pad"));
    let slots = [x, y];
    if response.drag_started() && !chosen {
        set_in_one_gesture(material, setter, 1.0);
    }
    if response.drag_started() {
        slots.iter().for_each(|slot| slot.begin(setter));
    }
    if let Some(at) = response.interact_pointer_pos()
        && response.dragged()
    {
        let [across, up] = shares(rect, at);
        x.set(setter, across);
        y.set(setter, up);
    }
    if response.drag_stopped() {
        slots.iter().for_each(|slot| slot.end(setter));
    }
    if response.double_clicked() {
        for slot in slots {
            set_in_one_gesture(slot, setter, slot.default_position());
        }
    }
    let painter = ui.painter();
    painter.add(Shape::mesh(colours(rect, if chosen { 1.0 } else { UNCHOSEN }, palette.well)));
    let (font, inner) = (FontId::proportional(11.0), rect.shrink(5.0));
    let places = [
        (inner.left_bottom(), Align2::LEFT_BOTTOM),
        (inner.right_bottom(), Align2::RIGHT_BOTTOM),
        (inner.left_top(), Align2::LEFT_TOP),
        (inner.right_top(), Align2::RIGHT_TOP),
    ];
    for ((place, align), (name, _)) in places.into_iter().zip(CORNERS) {
        // On a plate of their own: the colours behind them are of every brightness.
        let galley = painter.layout_no_wrap(name.to_string(), font.clone(), palette.text);
        let at = align.anchor_size(place, galley.size());
        painter.rect_filled(at.expand2(vec2(3.0, 0.0)), 3.0, palette.panel);
        painter.galley(at.min, galley, palette.text);
    }
    let dot = pos2(
        rect.left() + x.position() * rect.width(),
        rect.bottom() - y.position() * rect.height(),
    );
    let dot = rect.shrink(6.0).clamp(dot);
    painter.circle(
        dot,
        6.0,
        if chosen { palette.accent } else { palette.muted },
        Stroke::new(2.0, palette.panel),
    );
    response
        .on_hover_text("What the body is made of, between four materials. Drag it to choose them.");
    ui.add_space(4.0);
}

/// Where a pointer is, as shares of width and height.
fn shares(rect: egui::Rect, at: Pos2) -> [f32; 2] {
    let across = (at.x - rect.left()) / rect.width().max(1.0);
    let up = (rect.bottom() - at.y) / rect.height().max(1.0);
    [across.clamp(0.0, 1.0), up.clamp(0.0, 1.0)]
}

/// What the materials look like, over the whole pad.
fn colours(rect: egui::Rect, share: f32, behind: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    for row in 0..=STEPS {
        for column in 0..=STEPS {
            let [across, up] = [column, row].map(|i| i as f32 / STEPS as f32);
            let at = pos2(rect.left() + across * rect.width(), rect.bottom() - up * rect.height());
            mesh.colored_vertex(at, behind.lerp_to_gamma(Material::at(across, up).colour, share));
            if row < STEPS && column < STEPS {
                let corner = row * (STEPS + 1) + column;
                mesh.add_triangle(corner, corner + 1, corner + STEPS + 2);
                mesh.add_triangle(corner, corner + STEPS + 2, corner + STEPS + 1);
            }
        }
    }
    mesh
}
