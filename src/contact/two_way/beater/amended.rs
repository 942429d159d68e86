//! A ball whose steps are amended: what it is asked and told besides.

use super::super::super::integrator::passive::Push;
use super::super::super::settings::{ContactSettings, Law};
use super::super::amends::{Basis, Motion};
use super::Beater;
use super::touch::Touch;

/// Of a step that touches at its very end, no less counts than this.
const LEAST_SHARE: f64 = 1e-3;

impl Beater {
    /// Whether a step of `h_s` is to make up for what it lacks: of a contact that may begin in it, or of one that began with such steps. A striker leaves
    /// once, and has no need of it.
    pub(in super::super) fn is_amended(&self, h_s: f64) -> bool {
        match &self.contact {
            Some(_) => self.amended.as_ref().is_some_and(|amended| amended.h_s() == h_s),
            None => {
                let returns = self.settings.gravity_m_per_s2 > 0.0 && !self.lifts_off();
                returns && self.x_m <= 0.0 && Basis::is_fine(h_s, self.way_in_s)
            }
        }
    }

    /// What the surface is like to a contact that may begin in the next step, which is then amended: by how much it gives way, its own lean, and how it moves.
    pub(in super::super) fn offer(&mut self, h_s: f64, mobility_m_per_n: f64, lean_m: f64, surface: Option<Motion>) {
        let ContactSettings { mass_kg, gravity_m_per_s2, .. } = self.settings;
        let closing = surface.map(|Motion(away)| {
            let mut closing = away.map(|derivative| -derivative);
            closing[0] += self.v_m_per_s;
            closing[1] += gravity_m_per_s2;
            Motion(closing)
        });
        let lean_m = lean_m + self.own_lean_m(h_s);
        self.basis = Some(Basis { closing, ..Basis::new(h_s, mass_kg, mobility_m_per_n, lean_m) });
    }

    /// Where the step under way leads to, of an amended contact; the lean is the surface's own.
    pub(in super::super) fn set_lean(&mut self, lean_m: f64, h_s: f64) {
        self.lean_m = Some(lean_m + self.own_lean_m(h_s));
    }

    /// For what share of the step under way its force counts: a linear damper pushes at once, and moves nothing before the touch.
    pub(in super::super) fn touching_share(&self, h_s: f64) -> f64 {
        let begins = |touch: &&Touch| touch.steps == 0 && touch.by_damper && self.amended.is_some();
        self.contact.as_ref().filter(begins).map_or(1.0, |touch| (1.0 - touch.late_s / h_s).clamp(LEAST_SHARE, 1.0))
    }

    /// A contact with a linear damper has begun in the last step, and is amended: by how much the surface is ahead, N s^2. The mass is set right.
    pub(in super::super) fn begun(&mut self) -> Option<f64> {
        let touch = self.contact.as_ref().filter(|touch| touch.by_damper && touch.steps == 1)?;
        let amended = self.amended.as_ref()?;
        let jump_n_s2 = amended.jump_n_s2(self.base.damper_n_s_per_m(), self.v_in_m_per_s);
        let jump_m = amended.jump_m(jump_n_s2);
        // A touch that is hardly one is left alone.
        if self.x_m <= jump_m {
            return None;
        }
        let later_n_s2 = 0.5 * self.force_n * amended.h_s() * touch.late_s - jump_n_s2;
        self.x_m -= jump_m;
        self.way_m += later_n_s2 / self.settings.mass_kg;
        Some(later_n_s2)
    }

    /// Whether a contact that begins now would be by a linear damper.
    pub(in super::super) fn is_damper(&self) -> bool {
        self.settings.kind == Law::HertzDamper
    }

    /// Where the damper of an amended contact lets go within the next step: after what share of it, and the force of that step, N.
    pub(in super::super) fn letting_go(&self) -> Option<(f64, f64)> {
        self.contact.as_ref().filter(|touch| touch.by_damper && touch.let_go_s.is_none())?;
        self.amended.as_ref()?.letting_go()
    }

    /// It lets go after that share of the next step.
    pub(in super::super) fn set_let_go(&mut self, share: f64) {
        if let (Some(touch), Some(amended)) = (&mut self.contact, &self.amended) {
            touch.let_go_s = Some(touch.time_s + share * amended.h_s());
        }
    }

    /// A step is over. If it was an amended one, it led to the lean that was told.
    pub(super) fn pass_amended(&mut self, push: &Push) {
        let (basis, lean_m) = (self.basis.take(), self.lean_m.take());
        if let (None, Some(basis), Some(lean_m)) = (&self.contact, basis, lean_m) {
            // It has not touched, and was looked at as if it did.
            self.x_m = (self.x_m + (lean_m - basis.lean_m)).min(self.x_m.max(0.0));
        }
        // What is made up for in steps of one length is not in others.
        self.amended = self.amended.zip(lean_m).map(|(amended, lean_m)| amended.after(push, lean_m));
        if let (Some(_), Some(lean_m)) = (&self.amended, lean_m) {
            self.leant_m = lean_m;
        }
    }

    /// What its weight adds to the lean of a compression, m.
    fn own_lean_m(&self, h_s: f64) -> f64 {
        self.settings.gravity_m_per_s2 * h_s * h_s / 12.0
    }
}
