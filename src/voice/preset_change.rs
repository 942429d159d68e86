//! What becomes of a voice when the instrument leaps to another sound.

use super::object::Object;
use super::settings::BodySettings;
use super::{Voice, VoiceContext, level};
use crate::levelling::ReferenceBlow;

impl Voice {
    /// The instrument has leapt to another sound, that of `context`. What was struck before stays
    /// as loud as it was, `louder` times as loud as the new level would make it. What is on its way
    /// to the body is gone: it belonged to the other sound. What `rolled` and still rolls is set
    /// down anew.
    pub fn preset_change(&mut self, louder: f64, rolled: bool, context: &VoiceContext) {
        self.kept *= louder;
        self.level.scale(louder);
        self.crossfade.scale(louder);
        let rolls = rolled && self.coupled_contacts.are_active();
        self.take_hold();
        if self.coupled_contacts.are_active() {
            self.bank.unbend(&self.object.modes);
        }
        self.rigid_contacts.reset();
        self.coupled_contacts.reset();
        self.tumbling.reset();
        self.ball_chain.reset();
        self.air.let_go();
        if rolls && context.patch.gesture().rolls() && self.is_playing() {
            self.roll_anew(context);
        }
    }

    /// What rolled goes on rolling, over another body: that begins at rest, while the one before
    /// fades.
    fn roll_anew(&mut self, context: &VoiceContext) {
        if self.crossfade.is_under_way() {
            return self.choke();
        }
        self.fade_as_it_was(self.since_tick);
        self.bank.reset();
        self.modulator.ask(context.patch, context.tempo_bpm);
        let patch = &self.modulator.patch(context.patch).clone();
        self.make_unstruck(&VoiceContext { patch, ..*context });
        if let Some(table) = context.table.filter(|_| !self.played.let_go) {
            self.roll(self.played.velocity, table, patch);
            self.begin_rise();
        }
    }

    /// Settles the level for the body that was just made.
    pub(super) fn begin_level(&mut self) {
        let Object { modes, settings, .. } = &mut self.object;
        self.level.begin(modes, &settings.blow, self.boost);
    }

    /// Something strikes a body that sounds: settles the level for it. What rings goes on as it
    /// was.
    pub(super) fn renew_level(&mut self, context: &VoiceContext) {
        self.stand_still();
        let key_st = context.tuning.pitch_st(self.key).unwrap_or_default();
        let bend_st = self.modulator.stand().pitch_st;
        let (now, rolls) = (&self.object.settings, context.patch.gesture().rolls());
        let is_as_it_was = self.kept == 1.0 && rolls == self.rolls;
        let new = BodySettings::new(
            context.patch,
            context.knobs,
            key_st,
            bend_st,
            false,
            context.list_number,
        );
        // Another place is a change of the body, which comes with the next tick.
        let blow = ReferenceBlow { point: now.blow.point, ..new.blow };
        if is_as_it_was && blow == now.blow && !self.level.is_stale() {
            return;
        }
        (self.boost, self.kept, self.rolls) = (level::boost(context.patch), 1.0, rolls);
        self.take_blow(blow);
        // A body that is pressed on cannot be rescaled; the level glides.
        if is_as_it_was && self.coupled_contacts.are_active() {
            return self.level.change();
        }
        self.take_hold();
        let modes = &mut self.object.modes;
        let louder = self.level.renew(modes, &blow, self.boost, self.since_tick);
        if louder.is_finite() && louder > 0.0 {
            self.bank.scale(modes, 1.0 / louder);
        }
    }

    /// Takes over another reference blow: what rings has nothing to do with it.
    pub(super) fn take_blow(&mut self, blow: ReferenceBlow) {
        self.object.settings.blow = blow;
        self.settings_cache.invalidate();
        self.air.set_striker(blow.striker_kg, self.object.dt_s());
    }
}
