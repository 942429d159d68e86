//! Damping of rolling contacts.
//!
//! **Fixed.** Every contact uses mu or c as entered. *Contact damping* adds a linear damper, at all
//! times.
//!
//! **By restitution** the damping depends on the state of the contact:
//!
//! - *Landing.* A gap has closed. As in a bounce, the damping follows from the approach speed, so
//!   that the ball leaves a rigid ground with e times that speed; the body's losses come on top. A
//!   landing loses exactly what e says: *Contact damping* does not act on it. The damping is
//!   corrected for the weight, which acts during the contact ([`weight`]). A landing slower than `w
//!   d0` (w the contact resonance, d0 the compression at rest: the speed of an oscillation that
//!   just lifts the ball off) has the damping of that speed: the weight holds the ball down.
//! - *Staying.* The compression grows again before the contact has ended. There is no approach
//!   speed; the ball oscillates about its rest. The damping is such that every half-cycle keeps e
//!   of the speed in small oscillations: `e = exp(-pi z/sqrt(1 - z^2))`, by a mu of `2 z w
//!   m/weight` or a c of `2 z m w`. *Contact damping* comes on top.
//!
//! The change occurs where the compression rate is zero, so that the force does not jump whatever
//! its damping. The spring stays the same, and no change of damping adds energy.
//!
//! **Edits during a contact** to law, damping and restitution wait for the same moment, or for the
//! end of the contact: at speed the force would jump. A contact that was damped by mu or c then
//! counts as a landing at the speed that its spring energy corresponds to. Stiffness and exponent
//! change at once.

mod weight;

use std::f64::consts::PI;

use super::Roll;
use super::settings::RollSettings;
use crate::contact::integrator::passive::{Push, Reach};
use crate::contact::law::{HuntCrossley, Spring};
use crate::contact::{ContactSettings, Law};
use weight::Weight;

/// State of the contact; only tracked if damping is by restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Hold {
    /// No contact.
    #[default]
    Off,
    /// A landing at this speed, m/s; `out` once the compression decreases.
    Lands { speed_m_per_s: f64, out: bool },
    /// Oscillating about the rest position.
    Stays,
}

/// The damping that follows from the settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Landing {
    /// The law while staying; the only one if damping is fixed.
    stays: Spring,
    bounces: Option<Bounces>,
}

/// Damping that depends on the speed of a landing.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounces {
    kind: Law,
    law: HuntCrossley,
    /// mu (s/m) or c (N s/m) of a landing at 1 m/s without weight.
    damping: f64,
    /// Unit of length of a landing at 1 m/s, m; scales as `v^power`.
    length_m: f64,
    power: f64,
    slowest_m_per_s: f64,
    weight: Weight,
}

impl Landing {
    pub(super) fn new(settings: &RollSettings) -> Self {
        let contact = ContactSettings {
            kind: settings.kind,
            law: settings.law,
            damper_n_s_per_m: settings.damper_n_s_per_m,
            restitution: settings.restitution,
            fit: settings.fit,
            mass_kg: settings.mass_kg,
            ..ContactSettings::default()
        };
        let at_1 = contact.at_onset(1.0);
        let rest_hz = settings.contact_resonance_hz();
        let damper_of = |ratio: f64| 4.0 * PI * ratio * settings.mass_kg * rest_hz;
        let (lying, bounces) = match settings.restitution {
            None => (at_1.spring(), None),
            Some(e) => {
                let HuntCrossley { stiffness, alpha, .. } = settings.law;
                let power = 2.0 / (alpha + 1.0);
                let bounces = Bounces {
                    kind: settings.kind,
                    law: settings.law,
                    damping: at_1.damping(),
                    length_m: (settings.mass_kg / stiffness).powf(0.5 * power),
                    power,
                    slowest_m_per_s: settings.lift_off_m_per_s(),
                    weight: Weight::new(settings.kind, e, alpha),
                };
                let swing = damper_of(-e.ln() / (PI * PI + e.ln() * e.ln()).sqrt());
                let damping = if settings.kind == Law::HuntCrossley {
                    swing / settings.weight_n()
                } else {
                    swing
                };
                (bounces.spring(damping), Some(bounces))
            }
        };
        let stays = lying.with_damper(lying.damper_n_s_per_m() + damper_of(settings.damping_ratio));
        Self { stays, bounces }
    }

    /// The law of a contact in this state, under this acceleration towards the ground.
    pub(super) fn spring(&self, hold: &Hold, fall_m_per_s2: f64) -> Spring {
        match (&self.bounces, hold) {
            (Some(bounces), Hold::Lands { speed_m_per_s, .. }) => {
                bounces.landing(*speed_m_per_s, fall_m_per_s2)
            }
            _ => self.stays,
        }
    }
}

impl Bounces {
    fn spring(&self, damping: f64) -> Spring {
        match self.kind {
            Law::HuntCrossley => HuntCrossley { mu_s_per_m: damping, ..self.law }.prepare(),
            Law::HertzDamper => {
                HuntCrossley { mu_s_per_m: 0.0, ..self.law }.prepare().with_damper(damping)
            }
        }
    }

    /// mu scales with 1/v, c with v/L.
    fn landing(&self, speed_m_per_s: f64, fall_m_per_s2: f64) -> Spring {
        let v = speed_m_per_s.max(self.slowest_m_per_s);
        let growth = v.powf(self.power);
        let gamma = (fall_m_per_s2 * self.length_m * growth / (v * v)).clamp(0.0, 1.0);
        let share = self.weight.share(gamma);
        self.spring(
            share
                * self.damping
                * if self.kind == Law::HuntCrossley { 1.0 / v } else { v / growth },
        )
    }
}

impl Roll {
    /// Registers the total free change of the next step, including the ground's part.
    ///
    /// To be called between [`Roll::reach`] and the solution: the speed at which a gap closes sets
    /// the damping of the landing.
    #[inline]
    pub fn meet(&mut self, reach: &Reach) {
        self.contacts.expect(reach.free_m);
        if self.landing.bounces.is_some()
            && self.hold == Hold::Off
            && !self.waits
            && reach.free_m > 0.0
            && reach.x_m + reach.free_m > 0.0
        {
            self.land(reach.free_m / reach.h_s);
        }
    }

    fn land(&mut self, speed_m_per_s: f64) {
        self.hold = Hold::Lands { speed_m_per_s, out: false };
        // Keep the stiffness factor of a dragged tip, which is fixed for the step.
        let share = self.spring.stiffness() / self.law.stiffness();
        self.law = self.landing.spring(&self.hold, self.fall_m_per_s2);
        self.spring = self.law.eased(share);
    }

    /// Changes the damping, deferred while in contact.
    pub(super) fn set_landing(&mut self, landing: Landing) {
        if landing == self.landing {
            return;
        }
        self.landing = landing;
        let touches = self.motion.force_n > 0.0 && self.motion.compression_m > 0.0;
        if touches {
            self.waits = true;
            let HuntCrossley { stiffness, alpha, .. } = self.settings.law;
            let law = HuntCrossley { stiffness, alpha, mu_s_per_m: self.law.mu_s_per_m() };
            self.law = law.prepare().with_damper(self.law.damper_n_s_per_m());
        } else {
            self.let_go();
        }
    }

    /// Ends the contact state.
    pub(super) fn let_go(&mut self) {
        (self.hold, self.waits) = (Hold::Off, false);
        self.law = self.landing.stays;
    }

    /// Applies a deferred change of damping; called where the compression rate is zero.
    fn take_effect(&mut self) {
        self.waits = false;
        self.hold = match (self.landing.bounces, self.hold) {
            (None, _) => Hold::Off,
            // At zero compression rate, all energy of the landing is stored in the spring.
            (Some(_), Hold::Off) => {
                let stored = 2.0
                    * self.law.potential_j(self.motion.compression_m)
                    * self.rates.per_mass_per_kg;
                Hold::Lands { speed_m_per_s: stored.sqrt(), out: false }
            }
            (Some(_), hold) => hold,
        };
        self.law = self.landing.spring(&self.hold, self.fall_m_per_s2);
    }

    /// Updates the contact state after a step. `was_closing`: the compression was growing before
    /// it.
    #[inline]
    pub(super) fn follow(&mut self, push: &Push, was_closing: bool) {
        if self.landing.bounces.is_none() && !self.waits {
            return;
        }
        if push.force_n <= 0.0 || self.motion.compression_m <= 0.0 {
            if self.waits {
                self.let_go();
            }
            self.hold = Hold::Off;
            return;
        }
        if self.waits {
            if was_closing == (push.change_m > 0.0) {
                return;
            }
            self.take_effect();
            if self.landing.bounces.is_none() {
                return;
            }
        }
        match &mut self.hold {
            // The ground was pushed up by other contacts, or the ball returned into a dent from
            // which it had separated.
            Hold::Off => self.land(push.change_m / self.ahead.h_s),
            Hold::Lands { out, .. } if !*out || push.change_m <= 0.0 => *out |= push.change_m < 0.0,
            Hold::Lands { .. } => {
                self.hold = Hold::Stays;
                self.law = self.landing.stays;
            }
            Hold::Stays => {}
        }
    }
}
