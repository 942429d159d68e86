//! Rolling notes: settings from the patch and the player's controllers.

use super::{AtTheEnd, Manner, Pull, RollSettings, Wander};
use crate::exciter::Gesture;
use crate::params::{Param, Patch};

/// Speed factor at full wheel or pressure.
const FASTEST_BY_HAND: f64 = 4.0;

/// Performance state of a note.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Played {
    /// Velocity of the note, 0…1.
    pub velocity: f64,
    /// The larger of wheel and pressure, 0…1.
    pub pressed: f64,
    /// Whether the key has been released.
    pub let_go: bool,
}

/// Settings of the roll.
pub fn settings(patch: &Patch) -> RollSettings {
    let contact = patch.contact();
    let scrapes = patch.gesture() == Gesture::Scrape;
    RollSettings {
        manner: if scrapes {
            Manner::Scrape { friction: patch.get(Param::ScrapeFriction) }
        } else {
            Manner::Roll
        },
        radius_m: patch.get(Param::Radius) * patch.scale().length(),
        mass_kg: contact.mass_kg,
        kind: contact.kind,
        law: contact.law,
        damper_n_s_per_m: contact.damper_n_s_per_m,
        restitution: contact.restitution,
        fit: contact.fit,
        damping_ratio: patch.get(Param::RollDamping),
        gravity_m_per_s2: patch.get(Param::Gravity),
        press_n: if scrapes { patch.get(Param::Press) } else { 0.0 },
        off_centre: patch.get(Param::OffCentre),
        rolling_friction: patch.get(Param::RollFriction),
        slope_rad: patch.get(Param::Slope).atan(),
        ..RollSettings::default()
    }
    .within_limits()
}

/// Target speed along the way, m/s: that of a strike, up to four times as much by wheel or
/// pressure.
pub fn speed_m_per_s(patch: &Patch, played: &Played) -> f64 {
    patch.impact_speed_m_per_s(played.velocity)
        * (1.0 + (FASTEST_BY_HAND - 1.0) * played.pressed.clamp(0.0, 1.0))
}

/// Drive: the target speed while the key is down, then none.
pub fn pull(patch: &Patch, played: &Played) -> Pull {
    if played.let_go || patch.choice(Param::RollDrive) == 1 {
        return Pull::Free;
    }
    Pull::Follow { speed_m_per_s: speed_m_per_s(patch, played), time_s: patch.get(Param::Follow) }
}

/// Path over the body.
pub fn wander(patch: &Patch) -> Wander {
    Wander {
        start: patch.get(Param::Position),
        span_m: patch.get(Param::Span),
        at_the_end: AtTheEnd::Reflect,
    }
}
