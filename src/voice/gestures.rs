//! What sets the body of a voice in motion.

use std::sync::Arc;

use super::coupled_contacts::is_coupled;
use super::settings::BodySettings;
use super::tail::Tail;
use super::tumbling::FallenBlows;
use super::{Voice, VoiceContext, settings};
use crate::body::macros::BodyScale;
use crate::exciter::chain::Launch;
use crate::exciter::roll::note::Played;
use crate::exciter::surface::SurfaceTable;
use crate::exciter::tumble::TumblingBody;
use crate::exciter::{Blow, Throw};
use crate::modulation::Onset;
use crate::params::Patch;

impl Voice {
    /// The scale of the striker of this key.
    pub fn scale(&self, context: &VoiceContext) -> BodyScale {
        settings::scale_of(context.patch, context.tuning.pitch_st(self.key).unwrap_or_default())
    }

    /// Let a blow fall, now.
    pub fn strike(&mut self, blow: &Blow, patch: &Patch) {
        let contact_context = self.object.contact_context(patch);
        if is_coupled(patch) {
            self.coupled_contacts.strike(blow, &contact_context, &mut self.bank);
        } else {
            self.rigid_contacts.strike(blow, &contact_context);
        }
        self.set_going();
    }

    /// Be driven by the forces from outside, from now on.
    pub fn push(&mut self) {
        // Nothing strikes it: to what moves its settings it is a note of full velocity.
        if std::mem::take(&mut self.is_unstruck) {
            self.modulator.begin(Onset { velocity: 1.0, count: 0 });
        }
        let BodySettings { blow, weight_kg, .. } = &self.object.settings;
        self.external_force.begin(&self.object.modes.drive_gains(blow.point, *weight_kg));
        self.set_going();
    }

    /// Be driven no more.
    pub fn push_no_more(&mut self) {
        self.external_force.end();
    }

    /// Whether forces from outside drive it.
    pub fn is_pushed(&self) -> bool {
        self.external_force.is_on()
    }

    /// Let go of a ball, now.
    pub fn throw(&mut self, throw: &Throw, patch: &Patch) {
        if is_coupled(patch) {
            self.coupled_contacts.throw(throw, &self.object.contact_context(patch), &mut self.bank);
        } else {
            self.rigid_contacts.throw(throw, patch);
        }
        self.set_going();
    }

    /// Throw a body that tumbles, now.
    pub fn throw_tumbling_body(&mut self, tumbling_body: TumblingBody) {
        self.tumbling.throw(tumbling_body);
        self.set_going();
    }

    /// Let go of a row of balls, now.
    pub fn launch(&mut self, launch: &Launch) {
        self.ball_chain.launch(launch);
        self.set_going();
    }

    /// Set something down that rolls over the surface `table`, or push what rolls already.
    pub fn roll(&mut self, velocity: f64, table: &Arc<SurfaceTable>, patch: &Patch) {
        self.played = Played { velocity, let_go: false, ..self.played };
        self.coupled_contacts.roll(
            &self.played,
            table,
            &self.object.contact_context(patch),
            &mut self.bank,
        );
        self.set_going();
    }

    /// Something has been set in motion.
    pub(super) fn set_going(&mut self) {
        self.since_struck = 0;
        (self.tail, self.alone) = (Tail::Unknown, false);
    }

    /// Voices with different phases, 0…1, do not work out their thrown bodies at the same instant.
    pub fn set_phase(&mut self, phase: f64) {
        self.tumbling.set_phase(phase);
    }

    /// Corners of thrown bodies that come down in the sample to come. Says how many bodies have
    /// come to rest.
    pub(super) fn let_fall(&mut self, patch: &Patch) -> usize {
        if !self.tumbling.are_active() {
            return 0;
        }
        let mut blows = FallenBlows::new();
        let rested = self.tumbling.fall_due(self.object.dt_s(), patch, &mut blows);
        // Before its time, as the ticks are: bodies that land together are not asked together how
        // they bend there.
        if let Some(point) = self.tumbling.take_next_point(patch) {
            self.object.modes.expect_strike_at(point);
        }
        let contact_context = self.object.contact_context(patch);
        for blow in &blows {
            if is_coupled(patch) {
                self.coupled_contacts.strike(blow, &contact_context, &mut self.bank);
            } else {
                self.rigid_contacts.land(blow, &contact_context.gains_of(blow));
            }
        }
        rested
    }
}
