//! The pointer in the scene: it strikes the body, and drags the marks on it.

use egui::{Pos2, Response, Ui};

use super::Scene;
use super::camera::{Camera, Place};
use super::markers::{self, GRAB_RADIUS, Marker};
use crate::body::Point;
use crate::editor::control::Controls;
use crate::params::Param;
use crate::editor::relevance::Relevance;
use crate::shared_state::telemetry::Telemetry;

impl Scene {
    /// Follow the pointer.
    pub(super) fn pointer(
        &mut self,
        ui: &Ui,
        controls: &Controls,
        telemetry: &Telemetry,
        response: &Response,
        camera: &Camera,
        places: &[Place; 3],
    ) {
        let at = response.interact_pointer_pos();
        if response.is_pointer_button_down_on() && self.held.is_none() && self.struck.is_none() {
            let pressed = ui.input(|input| input.pointer.press_origin()).or(at);
            let near = pressed.and_then(|at| markers::nearest(at, camera, places));
            if let Some((marker, pressed)) = near.zip(pressed) {
                // Held where it was taken hold of, or it would jump.
                self.held = Some((marker, camera.project(places[marker as usize]) - pressed));
                marker
                    .params()
                    .iter()
                    .for_each(|param| controls.params.slot(*param).begin(controls.setter));
            } else if let Some((point, _)) = at
                .and_then(|at| self.point_under(at, camera))
                .filter(|(_, away)| *away < GRAB_RADIUS)
            {
                let [x, y] = self.patch.knobs_at(point);
                // One step back for both, and none for what is not heard.
                let moved = || {
                    let heard = |param: &Param| controls.relevance(*param) == Relevance::Heard;
                    Marker::Strike
                        .params()
                        .into_iter()
                        .zip([x, y])
                        .filter(move |(param, _)| heard(param))
                };
                moved().for_each(|(param, _)| controls.params.slot(param).begin(controls.setter));
                moved().for_each(|(param, share)| {
                    controls.params.slot(param).set(controls.setter, share as f32)
                });
                moved().for_each(|(param, _)| controls.params.slot(param).end(controls.setter));
                let key = self.key.unwrap_or(60);
                telemetry.send_note(key, Some(0.8));
                self.struck = Some(key);
            }
        }
        if let Some((marker, offset)) = self.held
            && response.dragged()
            && let Some((point, _)) = at.and_then(|at| self.point_under(at + offset, camera))
        {
            let [x, y] = self.patch.knobs_at(point);
            for (param, share) in marker.params().into_iter().zip([x, y]) {
                controls.params.slot(param).set(controls.setter, share as f32);
            }
        }
        if !response.is_pointer_button_down_on() {
            if let Some((marker, _)) = self.held.take() {
                marker
                    .params()
                    .iter()
                    .for_each(|param| controls.params.slot(*param).end(controls.setter));
            }
            if let Some(key) = self.struck.take() {
                telemetry.send_note(key, None);
            }
        }
    }

    /// The place on the body under a pointer, and how many pixels beside it.
    fn point_under(&self, at: Pos2, camera: &Camera) -> Option<(Point, f32)> {
        let solid = self.mesh.as_ref()?.solid();
        let away = |(u, v): (f32, f32)| camera.project(solid.spot(u, v).rest).distance(at);
        let (rows, columns) = (24, 36);
        let mut best = (0.5, 0.5);
        // Of two spots behind one another the near one is meant.
        let rank = |spot: (f32, f32)| {
            away(spot) + 0.01 * camera.scale() * camera.depth(solid.spot(spot.0, spot.1).rest)
        };
        for i in 0..=rows {
            for j in 0..=columns {
                let spot = (i as f32 / rows as f32, j as f32 / columns as f32);
                if rank(spot) < rank(best) {
                    best = spot;
                }
            }
        }
        let mut step = 0.5 / rows as f32;
        for _ in 0..8 {
            for (du, dv) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
                let spot = ((best.0 + du).clamp(0.0, 1.0), (best.1 + dv).clamp(0.0, 1.0));
                if rank(spot) < rank(best) {
                    best = spot;
                }
            }
            step *= 0.6;
        }
        Some((solid.spot(best.0, best.1).point, away(best)))
    }
}
