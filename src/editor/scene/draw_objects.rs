//! What moves over the body, put where the engine says it is.

use egui::{Painter, Pos2, Rect};

use super::camera::Camera;
use super::facets::Facets;
use super::{AFTER_IMAGE_S, RIPPLE_S, Scene, floor, objects};
use crate::editor::theme::Palette;
use crate::exciter::{Gesture, chain};
use crate::params::Param;
use crate::rigid_body::shape::{RigidShape as Rigid, RigidShapeKind as TumblingKind};
use crate::snapshot::{MODES, VoiceSnapshot};

impl Scene {
    /// Draw all that there is of a voice.
    pub(super) fn draw_objects(
        &mut self,
        painter: &Painter,
        rect: Rect,
        camera: &Camera,
        displacements: &[f32; MODES],
        voice: &VoiceSnapshot,
        palette: &Palette,
    ) {
        let struck = [Gesture::Strike, Gesture::Bounce].map(|gesture| gesture as usize);
        if struck.contains(&self.patch.choice(Param::Gesture)) && self.since_blow_s < RIPPLE_S {
            let point = voice
                .strikers
                .first()
                .map_or_else(|| self.patch.strike_point(), |striker| striker.point);
            floor::ripple(
                painter,
                camera.project(self.place(point, displacements)),
                self.since_blow_s / RIPPLE_S,
                palette,
            );
        }
        let highest = voice.strikers.iter().map(|striker| striker.height_m).fold(0.0, f32::max);
        self.highest_m = (0.995 * self.highest_m).max(highest).max(1e-3);
        let radius = 5.0 + 26.0 * (self.patch.get(Param::Mass) as f32).powf(0.33).min(1.0);
        for striker in &voice.strikers {
            let ground = self.place(striker.point, displacements);
            // The highest that was seen fits between the place and the upper edge, on a tall body
            // too.
            let up = [ground[0], ground[1], ground[2] + 1.0];
            let room = camera.project(ground).y - rect.top() - 2.2 * radius;
            let unit = (camera.project(ground).y - camera.project(up).y).max(1.0);
            let metre = (room / unit).clamp(0.05, 0.75) / self.highest_m;
            objects::striker(painter, camera, ground, striker, metre, radius, palette);
        }
        if self.patch.choice(Param::Gesture) == Gesture::Strike as usize
            && self.since_blow_s < AFTER_IMAGE_S
        {
            let ground = self.place(self.patch.strike_point(), displacements);
            objects::leaving(
                painter,
                camera,
                ground,
                self.since_blow_s / AFTER_IMAGE_S,
                radius,
                palette,
            );
        }
        if let Some(roll) = &voice.roll {
            let ground = self.place(roll.point, displacements);
            if self.patch.choice(Param::Gesture) == Gesture::Scrape as usize {
                objects::scraping(painter, camera, ground, palette);
            } else {
                objects::rolling(painter, camera, ground, roll.angle_rad, radius, palette);
            }
        }
        if let Some(pose) = &voice.tumbling {
            let ground = self.place(self.patch.strike_point(), displacements);
            let facets = self.facets();
            objects::tumbling(
                painter,
                camera,
                ground,
                facets,
                pose,
                0.16 / facets.radius_m(),
                palette,
            );
        }
        if !voice.balls.is_empty() {
            let hangs = self.patch.choice(Param::Swing) == 1;
            let widest = voice.balls.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            self.highest_m = self.highest_m.max(widest);
            let moved: Vec<f32> =
                voice.balls.iter().map(|x| x / self.highest_m.max(1e-9) * 3.0).collect();
            let struck = self.struck_by_row(voice.balls.len(), displacements, camera);
            objects::row(painter, rect, &moved, &struck, hangs, palette);
        }
    }

    /// Where on the body each two neighbours of a row are heard.
    fn struck_by_row(
        &self,
        balls: usize,
        displacements: &[f32; MODES],
        camera: &Camera,
    ) -> Vec<Pos2> {
        let (contacts, y) = (balls.saturating_sub(1), self.patch.get(Param::PositionY));
        let place = |contact| self.patch.place(chain::place(&self.patch, contact, contacts), y);
        (0..contacts)
            .map(|contact| camera.project(self.place(place(contact), displacements)))
            .collect()
    }

    /// What is thrown; made anew when it is another.
    fn facets(&mut self) -> &Facets {
        let [size, seed] = [Param::ThrownSize, Param::Seed].map(|param| self.patch.get(param));
        let of =
            (self.patch.choice(Param::TumblingBodies).min(TumblingKind::ALL.len() - 1), size, seed);
        if self.tumbling.as_ref().is_some_and(|(made, _)| *made != of) {
            self.tumbling = None;
        }
        let mass_kg = self.patch.get(Param::Mass);
        let make =
            || (of, Facets::new(&Rigid::new(TumblingKind::ALL[of.0], size, mass_kg, seed as u64)));
        &self.tumbling.get_or_insert_with(make).1
    }
}
