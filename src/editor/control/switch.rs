//! A parameter that is on or off.

use egui::{Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};
use nice_plug::prelude::ParamSetter;

use super::set_in_one_gesture;
use crate::editor::theme;
use crate::params::Spec;
use crate::shared_state::params::Slot;

const SIZE: egui::Vec2 = vec2(30.0, 16.0);

/// Draw it in the middle of `at`, which takes the clicks, without its name.
pub fn show(ui: &mut Ui, at: Rect, spec: &Spec, slot: &Slot, setter: &ParamSetter) -> Response {
    let on = slot.position() >= 0.5;
    let response = ui.interact(at, ui.scope_id().with("switch"), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, spec.name));
    if response.clicked() {
        set_in_one_gesture(slot, setter, (!on).into());
    }
    let (palette, painter) = (theme::of(ui), ui.painter());
    let track = Rect::from_center_size(at.center(), SIZE);
    let radius = 0.5 * SIZE.y;
    let fill = if on { palette.accent } else { palette.track };
    painter.rect_filled(track, radius, fill);
    if response.has_focus() || response.hovered() {
        let edge = egui::Stroke::new(1.0, palette.text);
        painter.rect_stroke(track, radius, edge, egui::StrokeKind::Outside);
    }
    // To the right is on, whatever the colours are taken for.
    let aside = if on { 0.5 * SIZE.x - radius } else { radius - 0.5 * SIZE.x };
    let thumb = if on { palette.panel } else { palette.text };
    painter.circle_filled(track.center() + vec2(aside, 0.0), radius - 3.0, thumb);
    response
}
