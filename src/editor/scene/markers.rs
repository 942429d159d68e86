//! The strike point and the two pickups, as marks on the body.

use egui::{Align2, Pos2, Rect, Sense, Ui};

use super::camera::{Camera, Place};
use crate::editor::theme::Palette;
use crate::params::{Param, Patch};

/// A pointer this near has hold of a mark.
pub const GRAB_RADIUS: f32 = 14.0;

/// What can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// Where it is struck.
    Strike,
    /// Where the left side listens.
    Left,
    /// Where the right side listens.
    Right,
}

impl Marker {
    /// In this order.
    pub const ALL: [Marker; 3] = [Marker::Strike, Marker::Left, Marker::Right];

    /// As a screen reader knows it.
    pub const fn name(self) -> &'static str {
        match self {
            Marker::Strike => "Mark of the strike point",
            Marker::Left => "Mark of the left pickup",
            Marker::Right => "Mark of the right pickup",
        }
    }

    /// Its two coordinates.
    pub fn params(self) -> [Param; 2] {
        match self {
            Marker::Strike => [Param::Position, Param::PositionY],
            Marker::Left => [Param::PickupLeft, Param::PickupLeftY],
            Marker::Right => [Param::PickupRight, Param::PickupRightY],
        }
    }

    /// What a pointer that rests on it is told.
    const fn help(self) -> &'static str {
        match self {
            Marker::Strike => "Strike point: drag it along the body.",
            Marker::Left => {
                "Left pickup: drag it along the body. What bends here is heard on the left."
            }
            Marker::Right => {
                "Right pickup: drag it along the body. What bends here is heard on the right."
            }
        }
    }

    /// By its name, for whoever cannot see it. It takes no clicks from the scene.
    pub fn describe(self, ui: &Ui, at: Pos2, patch: &Patch) {
        let rect = Rect::from_center_size(at, egui::Vec2::splat(2.0 * GRAB_RADIUS));
        let response = ui.interact(rect, ui.scope_id().with(self.name()), Sense::hover());
        let [along, across] =
            self.params().map(|param| param.spec().format_stored(patch.stored(param)));
        response.widget_info(|| {
            let mut info = egui::WidgetInfo::labeled(egui::Role::Image, true, self.name());
            info.current_text_value = Some(format!("{along}, {across}"));
            info
        });
        response.on_hover_cursor(egui::CursorIcon::Grab).on_hover_text(self.help());
    }

    /// Draw it; larger while it is held.
    pub fn draw(self, painter: &egui::Painter, at: Pos2, held: bool, palette: &Palette) {
        let (colour, letter) = match self {
            Marker::Strike => (palette.accent, "×"),
            Marker::Left => (palette.second, "L"),
            Marker::Right => (palette.second, "R"),
        };
        let radius = if held { 9.0 } else { 7.5 };
        painter.circle_filled(
            at + egui::vec2(0.0, 1.5),
            radius + 2.0,
            egui::Color32::from_black_alpha(60),
        );
        painter.circle(at, radius, colour, egui::Stroke::new(1.5, palette.background));
        painter.text(
            at,
            Align2::CENTER_CENTER,
            letter,
            egui::FontId::proportional(10.5),
            palette.background,
        );
    }
}

/// The mark within reach of a pointer.
pub fn nearest(at: Pos2, camera: &Camera, places: &[Place; 3]) -> Option<Marker> {
    let away = |marker: &Marker| camera.project(places[*marker as usize]).distance(at);
    Marker::ALL
        .into_iter()
        .filter(|marker| away(marker) < GRAB_RADIUS)
        .min_by(|a, b| away(a).total_cmp(&away(b)))
}
