//! The thing that is hit, alive: how it bends, what moves over it, where it is struck and heard.
//!
//! All motion comes from the engine ([`crate::snapshot::Snapshot`]); only two things are for the
//! eye: bending is shown larger than it is, and slower, because the real one is too small and too
//! fast to be seen.

pub mod camera;
mod draw_objects;
pub mod facets;
pub mod floor;
pub mod light;
pub mod markers;
pub mod mesh;
pub mod objects;
mod outline;
mod pointer;
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

/// The lowest mode swings this often a second on the screen.
const SHOWN_HZ: f32 = 1.6;
/// No mode is shown faster than this.
const FASTEST_HZ: f32 = 7.0;
/// Largest bending shown, in half lengths of the body.
const LARGEST: f32 = 0.13;
/// What counts as the largest swing is forgotten by 1/e in this time, s.
const PEAK_HOLD_S: f32 = 6.0;
/// A swing so many times that of the frame before is a blow.
const STRIKE_SWING: f32 = 1.4;
/// What has struck is seen for this long, s.
const AFTER_IMAGE_S: f32 = 0.16;
/// And the ring that runs out from there.
const RIPPLE_S: f32 = 0.4;

/// The picture, and what it remembers from frame to frame.
#[derive(Default)]
pub struct Scene {
    mesh: Option<BodyMesh>,
    patch: Patch,
    phases: [f32; MODES],
    largest: f32,
    highest_m: f32,
    /// The mark under the hand, and how far beside it the hand is.
    held: Option<(Marker, egui::Vec2)>,
    /// The key that a click strikes: the last one that was heard.
    key: Option<u8>,
    struck: Option<u8>,
    /// How far the body swung in the last frame, and how long ago a blow was seen in that, s.
    swing: f32,
    since_blow_s: f32,
    /// What is thrown, as it was made: which, how large, by which seed.
    tumbling: Option<((usize, f64, f64), Facets)>,
    /// The gesture of the last frame.
    gesture: usize,
    /// Notes that had been begun at the last frame; those up to `past` belong to another sound.
    notes: u64,
    past: u64,
    /// Another sound has come on since the last frame.
    is_forgotten: bool,
}

impl Scene {
    /// Another sound is on: what moves now belongs to the one before, and is not drawn any more.
    pub fn forget_last_note(&mut self) {
        self.is_forgotten = true;
    }

    /// What is to be seen of the voice: nothing, if it belongs to another sound or gesture.
    fn present<'a>(&mut self, view: &'a Snapshot) -> Option<&'a VoiceSnapshot> {
        let gesture = self.patch.choice(Param::Gesture);
        let is_other = std::mem::replace(&mut self.gesture, gesture) != gesture;
        if std::mem::take(&mut self.is_forgotten) || is_other {
            self.past = self.notes;
        }
        self.notes = view.notes;
        view.voice.as_ref().filter(|_| view.notes > self.past)
    }

    /// Draw it, and follow the pointer.
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
        controls.params.write_to(&mut self.patch);
        let geometry = self.patch.geometry();
        if self.mesh.as_ref().is_none_or(|mesh| *mesh.geometry() != geometry) {
            self.mesh = Some(BodyMesh::new(&geometry, list));
        }
        self.key = view.voice.as_ref().map(|voice| voice.key).or(self.key);
        let voice = self.present(view);
        let displacements = self.displacements(ui.input(|input| input.stable_dt).min(0.1), voice);
        let camera = Camera::new(rect);
        let palette = theme::of(ui);
        let painter = ui.painter_at(rect);
        let material = Material::of(&self.patch);
        if let Some(mesh) = &mut self.mesh {
            mesh.footprint().draw(&painter, rect, &camera, palette);
            mesh.draw(&painter, &camera, &displacements, &material);
        }
        if let Some(voice) = voice {
            self.draw_objects(&painter, rect, &camera, &displacements, voice, palette);
        }
        let places = Marker::ALL.map(|marker| self.place_of(marker, &displacements));
        self.pointer(ui, controls, telemetry, &response, &camera, &places);
        for (marker, place) in Marker::ALL.into_iter().zip(places) {
            let at = camera.project(place);
            marker.describe(ui, at, &self.patch);
            marker.draw(&painter, at, self.held.is_some_and(|(held, _)| held == marker), palette);
        }
        self.draw_words(&painter, rect, view, palette);
    }

    /// Where each mode stands on the screen.
    fn displacements(&mut self, dt_s: f32, voice: Option<&VoiceSnapshot>) -> [f32; MODES] {
        let Some((voice, mesh)) = voice.zip(self.mesh.as_ref()) else { return [0.0; MODES] };
        for (phase, ratio) in self.phases.iter_mut().zip(mesh.ratios()) {
            let hz = (SHOWN_HZ * ratio.powf(0.6)).min(FASTEST_HZ);
            *phase = (*phase + TAU * hz * dt_s) % TAU;
        }
        let total: f32 = voice.mode_amplitudes.iter().sum();
        self.largest = (self.largest * (-dt_s / PEAK_HOLD_S).exp()).max(total).max(1e-12);
        self.since_blow_s =
            if total > STRIKE_SWING * self.swing { 0.0 } else { self.since_blow_s + dt_s };
        self.swing = total;
        // A root makes quiet motion visible without hiding that it dies away.
        let gain = LARGEST * (total / self.largest).sqrt() / total.max(1e-12);
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

    fn draw_words(&self, painter: &egui::Painter, rect: Rect, view: &Snapshot, palette: &Palette) {
        let words = match view.voice {
            Some(_) => "",
            None if rect.width() < 330.0 => "Click to strike, drag the marks.",
            None => "Click the body to strike it there. Drag the marks to move them.",
        };
        if words.is_empty() {
            return;
        }
        let galley = painter.layout_no_wrap(words.to_string(), theme::small(), palette.muted);
        let at =
            Align2::CENTER_BOTTOM.anchor_size(rect.center_bottom() - vec2(0.0, 6.0), galley.size());
        // Tall bodies come down to there.
        painter.rect_filled(
            at.expand2(vec2(6.0, 2.0)),
            4.0,
            palette.background.gamma_multiply(0.8),
        );
        painter.galley(at.min, galley, palette.muted);
    }
}
