//! Two parameters under one pointer: the pad of materials.

use egui::{Align2, FontId, Pos2, Sense, Ui, pos2, vec2};

use super::control::{Board, set_at_once};
use super::theme;
use crate::patch::Param;
use crate::patch::relevance::Say;

const HEIGHT: f32 = 84.0;

/// Names of the corners: bottom left, bottom right, top left, top right.
const CORNERS: [&str; 4] = ["Glass", "Steel", "Rubber", "Wood"];

/// Draw the pad; `x` to the right, `y` upwards. A double click puts both back. Whoever takes hold of it while another
/// material is chosen chooses it.
pub fn show(ui: &mut Ui, board: &Board) {
    let chosen = board.say(Param::MaterialX) == Say::Heard;
    let material = board.params.slot(Param::Material);
    let [x, y] = [Param::MaterialX, Param::MaterialY].map(|param| board.params.slot(param));
    let (setter, palette) = (board.setter, theme::of(ui));
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Material pad"));
    let slots = [x, y];
    if response.drag_started() && !chosen {
        set_at_once(material, setter, 1.0);
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
            set_at_once(slot, setter, slot.default_position());
        }
    }
    let painter = ui.painter();
    painter.rect_filled(rect, 4.0, palette.track);
    let font = FontId::proportional(11.0);
    let inner = rect.shrink(5.0);
    let places = [
        (inner.left_bottom(), Align2::LEFT_BOTTOM),
        (inner.right_bottom(), Align2::RIGHT_BOTTOM),
        (inner.left_top(), Align2::LEFT_TOP),
        (inner.right_top(), Align2::RIGHT_TOP),
    ];
    for ((place, align), name) in places.into_iter().zip(CORNERS) {
        painter.text(place, align, name, font.clone(), palette.text);
    }
    let dot = pos2(rect.left() + x.position() * rect.width(), rect.bottom() - y.position() * rect.height());
    painter.circle_filled(dot, 5.0, if chosen { palette.accent } else { palette.quiet });
    response.on_hover_text("What the body is made of, between four materials. Drag it to choose them.");
    ui.add_space(4.0);
}

/// Where a pointer is, as shares of width and height.
fn shares(rect: egui::Rect, at: Pos2) -> [f32; 2] {
    let across = (at.x - rect.left()) / rect.width().max(1.0);
    let up = (rect.bottom() - at.y) / rect.height().max(1.0);
    [across.clamp(0.0, 1.0), up.clamp(0.0, 1.0)]
}
