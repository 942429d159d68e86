//! What sets the body of a voice in motion.

use std::sync::Arc;

use super::riders::is_two_way;
use super::settings::Settings;
use super::tail::Tail;
use super::thrown::Blows;
use super::{Voice, World, settings};
use crate::body::macros::Scale;
use crate::gesture::roll::note::Played;
use crate::gesture::row::Launch;
use crate::gesture::surface::SurfaceTable;
use crate::gesture::tumble::Toss;
use crate::gesture::{Blow, Throw};
use crate::modulation::Onset;
use crate::patch::Patch;

impl Voice {
    /// The scale of the striker of this key.
    pub fn scale(&self, world: &World) -> Scale {
        settings::scale_of(world.patch, world.tuning.pitch_st(self.key).unwrap_or_default())
    }

    /// Let a blow fall, now.
    pub fn strike(&mut self, blow: &Blow, patch: &Patch) {
        let scene = self.object.scene(patch);
        if is_two_way(patch) {
            self.riders.strike(blow, &scene, &mut self.bank);
        } else {
            self.hands.strike(blow, &scene);
        }
        self.set_going();
    }

    /// Be driven by the forces from outside, from now on.
    pub fn push(&mut self) {
        // Nothing strikes it: to what moves its settings it is a note of full velocity.
        if std::mem::take(&mut self.is_fresh) {
            self.modulator.begin(Onset { velocity: 1.0, count: 0 });
        }
        let Settings { blow, weight_kg, .. } = &self.object.settings;
        self.pushed.begin(&self.object.modes.drive_gains(blow.point, *weight_kg));
        self.set_going();
    }

    /// Be driven no more.
    pub fn push_no_more(&mut self) {
        self.pushed.end();
    }

    /// Whether forces from outside drive it.
    pub fn is_pushed(&self) -> bool {
        self.pushed.is_on()
    }

    /// Let go of a ball, now.
    pub fn throw(&mut self, throw: &Throw, patch: &Patch) {
        if is_two_way(patch) {
            self.riders.throw(throw, &self.object.scene(patch), &mut self.bank);
        } else {
            self.hands.throw(throw, patch);
        }
        self.set_going();
    }

    /// Throw a body that tumbles, now.
    pub fn toss(&mut self, toss: Toss) {
        self.thrown.throw(toss);
        self.set_going();
    }

    /// Let go of a row of balls, now.
    pub fn launch(&mut self, launch: &Launch) {
        self.row.launch(launch);
        self.set_going();
    }

    /// Set something down that rolls over the surface `table`, or push what rolls already.
    pub fn roll(&mut self, velocity: f64, table: &Arc<SurfaceTable>, patch: &Patch) {
        self.played = Played { velocity, let_go: false, ..self.played };
        self.riders.roll(&self.played, table, &self.object.scene(patch), &mut self.bank);
        self.set_going();
    }

    /// Something has been set in motion.
    pub(super) fn set_going(&mut self) {
        self.since_struck = 0;
        (self.tail, self.alone) = (Tail::Unknown, false);
    }

    /// Voices with different phases, 0…1, do not work out their thrown bodies at the same instant.
    pub fn set_phase(&mut self, phase: f64) {
        self.thrown.set_phase(phase);
    }

    /// Corners of thrown bodies that come down in the sample to come. Says how many bodies have come to rest.
    pub(super) fn let_fall(&mut self, patch: &Patch) -> usize {
        if !self.thrown.are_active() {
            return 0;
        }
        let mut blows = Blows::new();
        let rested = self.thrown.fall_due(self.object.dt_s(), patch, &mut blows);
        // Before its time, as the ticks are: bodies that land together are not asked together how they bend there.
        if let Some(point) = self.thrown.take_next_point(patch) {
            self.object.modes.expect_blow_at(point);
        }
        let scene = self.object.scene(patch);
        for blow in &blows {
            if is_two_way(patch) {
                self.riders.strike(blow, &scene, &mut self.bank);
            } else {
                self.hands.land(blow, &scene.gains_of(blow));
            }
        }
        rested
    }
}
