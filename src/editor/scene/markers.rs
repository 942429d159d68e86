//! Mouse input of the scene: a click strikes the body, and markers (the strike point and the two
//! pickups) can be dragged.

use egui::{Align2, Pos2, Rect, Response, Sense, Ui};

use super::Scene;
use super::camera::{Camera, Place};
use crate::body::Point;
use crate::editor::control::Controls;
use crate::editor::relevance::Relevance;
use crate::editor::theme::Palette;
use crate::params::{Param, Patch};
use crate::shared_state::telemetry::Telemetry;

/// A press this near grabs a marker, or strikes the body, points.
const GRAB_RADIUS: f32 = 14.0;

/// A point on the body that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// The strike point.
    Strike,
    /// The left pickup.
    Left,
    /// The right pickup.
    Right,
}

impl Marker {
    /// All markers.
    pub const ALL: [Marker; 3] = [Marker::Strike, Marker::Left, Marker::Right];

    /// The name for screen readers.
    pub const fn name(self) -> &'static str {
        match self {
            Marker::Strike => "Mark of the strike point",
            Marker::Left => "Mark of the left pickup",
            Marker::Right => "Mark of the right pickup",
        }
    }

    /// The parameters of its two coordinates.
    pub fn params(self) -> [Param; 2] {
        match self {
            Marker::Strike => [Param::Position, Param::PositionY],
            Marker::Left => [Param::PickupLeft, Param::PickupLeftY],
            Marker::Right => [Param::PickupRight, Param::PickupRightY],
        }
    }

    /// The tooltip.
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

    /// Adds the marker for screen readers, and its tooltip. It takes no clicks from the scene.
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

    /// Draws the marker, larger while it is dragged.
    pub fn draw(self, painter: &egui::Painter, at: Pos2, is_dragged: bool, palette: &Palette) {
        let (colour, letter) = match self {
            Marker::Strike => (palette.accent, "×"),
            Marker::Left => (palette.second, "L"),
            Marker::Right => (palette.second, "R"),
        };
        let radius = if is_dragged { 9.0 } else { 7.5 };
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

/// The marker that a press at `at` grabs.
fn nearest(at: Pos2, camera: &Camera, places: &[Place; 3]) -> Option<Marker> {
    let distance = |marker: &Marker| camera.project(places[*marker as usize]).distance(at);
    Marker::ALL
        .into_iter()
        .filter(|marker| distance(marker) < GRAB_RADIUS)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

impl Scene {
    /// Handles the pointer.
    pub(super) fn handle_pointer(
        &mut self,
        ui: &Ui,
        controls: &Controls,
        telemetry: &Telemetry,
        response: &Response,
        camera: &Camera,
        places: &[Place; 3],
    ) {
        let at = response.interact_pointer_pos();
        if response.is_pointer_button_down_on()
            && self.dragged.is_none()
            && self.struck_key.is_none()
        {
            let pressed = ui.input(|input| input.pointer.press_origin()).or(at);
            let near = pressed.and_then(|at| nearest(at, camera, places));
            if let Some((marker, pressed)) = near.zip(pressed) {
                // The marker keeps its offset from the pointer, so that it does not jump.
                self.dragged = Some((marker, camera.project(places[marker as usize]) - pressed));
                controls.begin(&marker.params());
            } else if let Some((point, _)) = at
                .and_then(|at| self.point_under(at, camera))
                .filter(|(_, distance)| *distance < GRAB_RADIUS)
            {
                self.move_strike_point(controls, point);
                let key = self.key.unwrap_or(60);
                telemetry.send_note(key, Some(0.8));
                self.struck_key = Some(key);
            }
        }
        if let Some((marker, offset)) = self.dragged
            && response.dragged()
            && let Some((point, _)) = at.and_then(|at| self.point_under(at + offset, camera))
        {
            for (param, position) in marker.params().into_iter().zip(self.patch.knobs_at(point)) {
                controls.set(param, position as f32);
            }
        }
        if !response.is_pointer_button_down_on() {
            if let Some((marker, _)) = self.dragged.take() {
                controls.end(&marker.params());
            }
            if let Some(key) = self.struck_key.take() {
                telemetry.send_note(key, None);
            }
        }
    }

    /// Moves the strike point, as one undo step. Leaves irrelevant coordinates alone.
    fn move_strike_point(&self, controls: &Controls, point: Point) {
        let positions = Marker::Strike.params().into_iter().zip(self.patch.knobs_at(point));
        let (params, positions): (Vec<Param>, Vec<f64>) =
            positions.filter(|(param, _)| controls.relevance(*param) == Relevance::Heard).unzip();
        controls.begin(&params);
        for (param, position) in params.iter().zip(positions) {
            controls.set(*param, position as f32);
        }
        controls.end(&params);
    }

    /// The point on the body nearest to the pointer, and the distance to it in points.
    fn point_under(&self, at: Pos2, camera: &Camera) -> Option<(Point, f32)> {
        let solid = self.mesh.as_ref()?.solid();
        let distance =
            |(u, v): (f32, f32)| camera.project(solid.surface_point(u, v).rest).distance(at);
        let (rows, columns) = (24, 36);
        let mut best = (0.5, 0.5);
        // Of two points behind one another, the one in front wins.
        let rank = |uv: (f32, f32)| {
            distance(uv)
                + 0.01 * camera.scale() * camera.depth(solid.surface_point(uv.0, uv.1).rest)
        };
        for i in 0..=rows {
            for j in 0..=columns {
                let uv = (i as f32 / rows as f32, j as f32 / columns as f32);
                if rank(uv) < rank(best) {
                    best = uv;
                }
            }
        }
        let mut step = 0.5 / rows as f32;
        for _ in 0..8 {
            for (du, dv) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
                let uv = ((best.0 + du).clamp(0.0, 1.0), (best.1 + dv).clamp(0.0, 1.0));
                if rank(uv) < rank(best) {
                    best = uv;
                }
            }
            step *= 0.6;
        }
        Some((solid.surface_point(best.0, best.1).point, distance(best)))
    }
}
