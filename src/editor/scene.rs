//! The scene: the vibrating body, the objects that move over it, the strike point and the pickups.
//!
//! All motion comes from the engine ([`crate::snapshot::Snapshot`]). Only the vibration is shown
//! larger and slower than it is, because it is too small and too fast to be seen.

pub mod camera;
pub mod facets;
pub mod floor;
pub mod markers;
pub mod mesh;
pub mod objects;
pub mod solid;

use std::f32::consts::TAU;

use egui::{Align2, Rect, Sense, Ui, vec2};

use super::control::Controls;
use super::material::Material;
use super::theme::{self, Palette};
use crate::body::{Point, UserModes};
use crate::params::{Param, Patch};
use crate::shared_state::telemetry::Telemetry;
use crate::snapshot::{MODES, Snapshot, VoiceSnapshot};
use camera::{Camera, Place};
use facets::Facets;
use markers::Marker;
use mesh::BodyMesh;

/// Frequency of the lowest mode on the screen.
const LOWEST_MODE_HZ: f32 = 1.6;
/// Highest frequency of a mode on the screen: above it, a frame rate of 30 Hz shows aliasing.
const MAX_MODE_HZ: f32 = 7.0;
/// Largest displacement on the screen, in half lengths of the body.
const MAX_DISPLACEMENT: f32 = 0.13;
/// Time constant with which the largest amplitude decays, s.
const PEAK_HOLD_S: f32 = 6.0;
/// An amplitude that grows by this factor between two frames counts as a strike.
const STRIKE_GROWTH: f32 = 1.4;
/// Time for which a striker that flies off is shown, s.
const AFTER_IMAGE_S: f32 = 0.16;
/// Time for which the ring around a strike is shown, s.
const RIPPLE_S: f32 = 0.4;

/// The scene with its state between frames.
#[derive(Default)]
pub struct Scene {
    mesh: Option<BodyMesh>,
    patch: Patch,
    phases: [f32; MODES],
    /// The largest recent amplitude.
    max_amplitude: f32,
    /// The largest recent height of a striker, m, or displacement of a chain's ball.
    max_height_m: f32,
    /// The dragged marker, and its offset from the pointer.
    dragged: Option<(Marker, egui::Vec2)>,
    /// The key that a click plays: the last one that sounded.
    key: Option<u8>,
    /// The key that the current press plays.
    struck_key: Option<u8>,
    /// The body's amplitude in the last frame.
    amplitude: f32,
    /// Time since the last visible strike, s.
    since_strike_s: f32,
    /// The tumbling body's facets with the kind, size and seed they were built from.
    tumbling: Option<((usize, f64, f64), Facets)>,
    /// The gesture of the last frame.
    gesture: usize,
    /// Number of notes started up to the last frame.
    notes: u64,
    /// Notes up to this number belong to a previous preset or gesture.
    hidden_notes: u64,
    /// The preset changed since the last frame.
    is_preset_changed: bool,
}

impl Scene {
    /// Hides the current note, because it belongs to the previous preset.
    pub fn hide_last_note(&mut self) {
        self.is_preset_changed = true;
    }

    /// The voice to draw; `None` if it belongs to a previous preset or gesture.
    fn visible_voice<'a>(&mut self, view: &'a Snapshot) -> Option<&'a VoiceSnapshot> {
        let gesture = self.patch.choice(Param::Gesture);
        let is_changed = std::mem::replace(&mut self.gesture, gesture) != gesture;
        if std::mem::take(&mut self.is_preset_changed) || is_changed {
            self.hidden_notes = self.notes;
        }
        self.notes = view.notes;
        view.voice.as_ref().filter(|_| view.notes > self.hidden_notes)
    }

    /// Draws the scene and handles the pointer.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        controls: &Controls,
        telemetry: &Telemetry,
        view: &Snapshot,
        list: &UserModes,
    ) {
        let size = ui.available_size();
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Scene: click to strike")
        });
        self.patch.clone_from(controls.patch);
        let geometry = self.patch.geometry();
        if self.mesh.as_ref().is_none_or(|mesh| *mesh.geometry() != geometry) {
            self.mesh = Some(BodyMesh::new(&geometry, list));
        }
        self.key = view.voice.as_ref().map(|voice| voice.key).or(self.key);
        let voice = self.visible_voice(view);
        let displacements = self.displacements(ui.input(|input| input.stable_dt).min(0.1), voice);
        let camera = Camera::new(rect);
        let palette = theme::of(ui);
        let painter = ui.painter_at(rect);
        let material = Material::new(&self.patch);
        if let Some(mesh) = &mut self.mesh {
            mesh.footprint().draw(&painter, rect, &camera, palette);
            mesh.draw(&painter, &camera, &displacements, &material);
        }
        if let Some(voice) = voice {
            self.draw_objects(&painter, rect, &camera, &displacements, voice, palette);
        }
        let places = Marker::ALL.map(|marker| self.place_of(marker, &displacements));
        self.handle_pointer(ui, controls, telemetry, &response, &camera, &places);
        for (marker, place) in Marker::ALL.into_iter().zip(places) {
            let at = camera.project(place);
            marker.describe(ui, at, &self.patch);
            marker.draw(
                &painter,
                at,
                self.dragged.is_some_and(|(dragged, _)| dragged == marker),
                palette,
            );
        }
        self.draw_hint(&painter, rect, view, palette);
    }

    /// The displacement of each mode on the screen.
    fn displacements(&mut self, dt_s: f32, voice: Option<&VoiceSnapshot>) -> [f32; MODES] {
        let Some((voice, mesh)) = voice.zip(self.mesh.as_ref()) else { return [0.0; MODES] };
        for (phase, ratio) in self.phases.iter_mut().zip(mesh.ratios()) {
            let hz = (LOWEST_MODE_HZ * ratio.powf(0.6)).min(MAX_MODE_HZ);
            *phase = (*phase + TAU * hz * dt_s) % TAU;
        }
        let total: f32 = voice.mode_amplitudes.iter().sum();
        self.max_amplitude =
            (self.max_amplitude * (-dt_s / PEAK_HOLD_S).exp()).max(total).max(1e-12);
        self.since_strike_s =
            if total > STRIKE_GROWTH * self.amplitude { 0.0 } else { self.since_strike_s + dt_s };
        self.amplitude = total;
        // The square root keeps quiet motion visible while it decays.
        let gain = MAX_DISPLACEMENT * (total / self.max_amplitude).sqrt() / total.max(1e-12);
        std::array::from_fn(|mode| gain * voice.mode_amplitudes[mode] * self.phases[mode].cos())
    }

    fn point_of(&self, marker: Marker) -> Point {
        let listening = self.patch.listening();
        match marker {
            Marker::Strike => self.patch.strike_point(),
            Marker::Left => listening.left,
            Marker::Right => listening.right,
        }
    }

    fn place(&self, point: Point, displacements: &[f32; MODES]) -> Place {
        self.mesh.as_ref().map_or([0.0; 3], |mesh| mesh.place_of(point, displacements))
    }

    fn place_of(&self, marker: Marker, displacements: &[f32; MODES]) -> Place {
        self.place(self.point_of(marker), displacements)
    }

    /// Draws the usage hint while no note sounds.
    fn draw_hint(&self, painter: &egui::Painter, rect: Rect, view: &Snapshot, palette: &Palette) {
        if view.voice.is_some() {
            return;
        }
        let text = match rect.width() {
            width if width < 330.0 => "Click to strike, drag the marks.",
            _ => "Click the body to strike it there. Drag the marks to move them.",
        };
        let galley = painter.layout_no_wrap(text.to_string(), theme::small(), palette.muted);
        let at =
            Align2::CENTER_BOTTOM.anchor_size(rect.center_bottom() - vec2(0.0, 6.0), galley.size());
        // Tall bodies reach down to the text.
        painter.rect_filled(
            at.expand2(vec2(6.0, 2.0)),
            4.0,
            palette.background.gamma_multiply(0.8),
        );
        painter.galley(at.min, galley, palette.muted);
    }
}
