//! How the contact of what rolls is damped.
//!
//! **Fixed.** The law as entered, mu or c, in every contact. *Contact damping* is a linear damper
//! beside it, all the time.
//!
//! **By restitution** there are two cases, and the contact knows which it is in:
//!
//! - *It lands.* A gap has closed. As in a bounce the damping follows from the speed at which the
//!   two sides meet, so that it comes off with e times that speed from a ground that does not give
//!   way; what the body takes comes on top. e is all that a landing loses: *Contact damping* has no
//!   part in it. Weight, which acts in the contact, is allowed for ([`weight`]). A landing slower
//!   than `w d0` (w the contact resonance, d0 the compression at rest: the speed of a swing that
//!   just lifts the ball off) has the damping of that speed: its weight holds it down.
//! - *It stays*, from when its compression grows again before it has come off. Nothing lands, so
//!   there is no speed to go by; it swings about its rest. There it is damped so that every half
//!   swing keeps e of its speed, in small swings: `e = exp(-pi z/sqrt(1 - z^2))`, by a mu of `2 z w
//!   m/weight` or a c of `2 z m w`. *Contact damping* comes on top.
//!
//! At the change the compression stands still, so that the force does not jump whatever its
//! damping. The spring is the same throughout, and no change of damping makes energy.
//!
//! **Turned by hand** in a contact, law, damping and restitution wait for the same moment, or until
//! it has come off: at speed the force would jump. What was damped by mu or c has then landed with
//! the speed that its spring holds. Stiffness and exponent follow at once, as the knob does.

mod weight;

use std::f64::consts::PI;

use super::Roll;
use super::settings::RollSettings;
use crate::contact::integrator::passive::{Push, Reach};
use crate::contact::law::{HuntCrossley, Spring};
use crate::contact::{ContactSettings, Law};
use weight::Weight;

/// What the contact is doing. Followed only where damping is by restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Hold {
    /// Nothing presses.
    #[default]
    Off,
    /// It has landed at this speed, m/s, and may be on its way out.
    Lands { speed_m_per_s: f64, out: bool },
    /// It is down to stay.
    Stays,
}

/// The dampings of one setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Landing {
    /// The law while it stays; the only one where damping is fixed.
    stays: Spring,
    bounces: Option<Bounces>,
}

/// Damping that follows the speed of a landing.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounces {
    kind: Law,
    law: HuntCrossley,
    /// mu (s/m) or c (N s/m) of a landing at 1 m/s without weight.
    damping: f64,
    /// The unit of length of a landing at 1 m/s, m: it grows as `v^power`.
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

    /// The law of a contact that does this, under what pulls it down.
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

    /// mu goes with 1/v, c with v/L.
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
    /// Tell it of the whole change that the step ahead would bring without force, the ground's part
    /// included: the speed at which a gap closes settles the damping of a landing. Between
    /// [`Roll::reach`] and the solution.
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
        // A dragged tip has a share of every force, settled for the step.
        let share = self.spring.stiffness() / self.law.stiffness();
        self.law = self.landing.spring(&self.hold, self.fall_m_per_s2);
        self.spring = self.law.eased(share);
    }

    /// Take over the dampings of new settings.
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

    /// Nothing presses.
    pub(super) fn let_go(&mut self) {
        (self.hold, self.waits) = (Hold::Off, false);
        self.law = self.landing.stays;
    }

    /// The compression stands still: what was turned in the contact takes effect.
    fn take_effect(&mut self) {
        self.waits = false;
        self.hold = match (self.landing.bounces, self.hold) {
            (None, _) => Hold::Off,
            // What stands still has all the energy of a landing in its spring.
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

    /// See what the contact has come to after a step; before it, the compression was growing or
    /// not.
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
            // Others pressed the ground against it, or it came back into a dent that it had let go
            // of.
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
