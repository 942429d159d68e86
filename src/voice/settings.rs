//! The settings of a body, from the patch and the key, and the blow that sets its level.

use super::VoiceContext;
use super::exciters::is_coupled;
use crate::body::macros::{BodyScale, Thickness, contact_time_s};
use crate::body::material::{Damping, rate_of_t60};
use crate::body::{Geometry, Listening, Parts, Point};
use crate::contact::ContactSettings;
use crate::exciter::Gesture;
use crate::exciter::{chain, tumble};
use crate::levelling::ReferenceBlow;
use crate::params::{Param, Patch};

/// Lowest pitch of a bend, Hz: a body far below hearing would take minutes to come to rest.
const MIN_BENT_HZ: f64 = 1.0;

/// Energy (J), Hardness and longest contact at 1 m/s (periods of the pitch) of the reference blow
/// of a gesture that rolls.
const ROLL_BLOW_J: f64 = 0.09;
const ROLL_BLOW_HARDNESS: f64 = 0.5;
const ROLL_BLOW_PERIODS: f64 = 0.75;

/// What the modes are computed from. They are rebuilt when it changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySettings {
    /// Nominal pitch, Hz.
    pub pitch_hz: f64,
    /// Shape and size.
    pub geometry: Geometry,
    /// Its damping, that of a hand included.
    pub damping: Damping,
    /// The pickups.
    pub listening: Listening,
    /// Mass of the body, kg.
    pub weight_kg: f64,
    /// The blow that is equally loud on every body.
    pub blow: ReferenceBlow,
    /// Identifies the mode list, for a body that is built from one.
    pub list: u64,
    /// The bodies it consists of.
    pub parts: Parts,
}

impl BodySettings {
    /// The body of a key that is `key_st` semitones above A4, with a bend. `damped`: a hand is on
    /// it. `knobs`: the patch without modulation, because the level must not compensate modulation
    /// of the striker.
    pub fn new(
        patch: &Patch,
        knobs: &Patch,
        key_st: f64,
        bend_st: f64,
        damped: bool,
        list: u64,
    ) -> Self {
        let (pitch_hz, scale) =
            BodyScale::of_key(key_hz(patch, key_st), patch.get(Param::Size), patch.key_tracking());
        // A bend changes the pitch alone, and not the size as another key may.
        let pitch_hz = if bend_st == 0.0 {
            pitch_hz
        } else {
            (pitch_hz * (bend_st / 12.0).exp2()).max(MIN_BENT_HZ)
        };
        let thickness = Thickness::new(patch.get(Param::Thickness));
        let mut damping = scale.damping(&thickness.damping(&patch.damping()));
        if damped {
            damping.support_per_s += 2.0 * rate_of_t60(patch.get(Param::Hand));
        }
        let weight_kg = patch.weight_kg() * scale.mass() * thickness.mass();
        Self {
            pitch_hz,
            geometry: thickness.geometry(&patch.geometry()),
            damping,
            listening: patch.listening(),
            weight_kg,
            blow: reference_blow(patch, knobs, pitch_hz, &scale, weight_kg),
            list,
            parts: tumble::thrown_part(patch, &scale)
                .map(Parts::Two)
                .or_else(|| chain::ball_parts(patch))
                .unwrap_or_default(),
        }
    }
}

/// The blow that the level refers to: the striker of `knobs` at full velocity.
fn reference_blow(
    patch: &Patch,
    knobs: &Patch,
    pitch_hz: f64,
    scale: &BodyScale,
    weight_kg: f64,
) -> ReferenceBlow {
    let (gesture, contact, point) =
        (patch.gesture(), knobs.contact_of(scale), patch.strike_point());
    if gesture.rolls() {
        return roll_blow(&contact, patch.scale(), pitch_hz, scale, weight_kg, point);
    }
    let down_m_per_s = knobs.get(Param::Speed) * knobs.get(Param::Angle).to_radians().cos();
    let height_m = if matches!(gesture, Gesture::Bounce | Gesture::Tumble) {
        knobs.get(Param::Height)
    } else {
        0.0
    };
    let landing_m_per_s =
        (down_m_per_s * down_m_per_s + 2.0 * knobs.get(Param::Gravity) * height_m).sqrt();
    if gesture == Gesture::Chain {
        // The reduced mass of two equal balls. Their contacts are rigid.
        let contact = ContactSettings { mass_kg: 0.5 * contact.mass_kg, ..contact };
        return ReferenceBlow::new(&contact, landing_m_per_s, weight_kg, point, false);
    }
    ReferenceBlow::new(&contact, landing_m_per_s, weight_kg, point, is_coupled(patch))
}

/// The reference blow of a gesture that rolls: a rigid blow of fixed energy and hardness. The gain
/// of the gesture (`Level`) sets the loudness. A key that resizes scales the energy, as it scales
/// that of the roll.
fn roll_blow(
    contact: &ContactSettings,
    size: BodyScale,
    pitch_hz: f64,
    scale: &BodyScale,
    body_kg: f64,
    point: Point,
) -> ReferenceBlow {
    let (striker_kg, alpha) = (contact.mass_kg, contact.law.alpha);
    let speed_m_per_s = (2.0 * ROLL_BLOW_J * scale.mass() / (striker_kg * size.mass())).sqrt();
    let at_1_s =
        (contact_time_s(ROLL_BLOW_HARDNESS) * scale.length()).min(ROLL_BLOW_PERIODS / pitch_hz);
    let contact_s = at_1_s * speed_m_per_s.powf((1.0 - alpha) / (1.0 + alpha));
    let (restitution, is_coupled) = (1.0, false);
    ReferenceBlow {
        striker_kg,
        body_kg,
        speed_m_per_s,
        alpha,
        contact_s,
        restitution,
        point,
        is_coupled,
    }
}

/// What the settings depend on besides the patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SettingsKey {
    pub key_st: f64,
    pub bend_st: f64,
    /// A hand is on the body.
    pub is_damped: bool,
    /// Identifies the mode list.
    pub list: u64,
}

/// The settings as last computed. They take powers and logarithms, and mostly nothing has changed.
#[derive(Clone, Debug)]
pub(super) struct SettingsCache {
    patch: Patch,
    key: SettingsKey,
    settings: BodySettings,
    /// The body is known to be built from these settings.
    is_built: bool,
    /// The count of updates of the modulator at that time.
    asked: u64,
}

impl Default for BodySettings {
    fn default() -> Self {
        let patch = Patch::default();
        Self::new(&patch, &patch, 0.0, 0.0, false, 0)
    }
}

impl Default for SettingsCache {
    fn default() -> Self {
        let key = SettingsKey { key_st: 0.0, bend_st: 0.0, is_damped: false, list: 0 };
        let (patch, settings) = (Patch::default(), BodySettings::default());
        Self { settings, patch, key, is_built: false, asked: 0 }
    }
}

impl SettingsCache {
    /// Computes the settings again at the next read, so that nothing of a note reaches the next.
    pub fn clear(&mut self) {
        self.key.key_st = f64::NAN;
    }

    /// The result of [`BodySettings::new`]. `is_known`: the patch is the same as at the last read.
    pub fn read(
        &mut self,
        context: &VoiceContext,
        is_known: bool,
        key_st: f64,
        bend_st: f64,
        is_damped: bool,
    ) -> &BodySettings {
        let VoiceContext { patch, knobs, list_number: list, .. } = *context;
        let key = SettingsKey { key_st, bend_st, is_damped, list };
        if self.key != key || !(is_known || self.patch.is_same(patch)) {
            self.settings = BodySettings::new(patch, knobs, key_st, bend_st, is_damped, list);
            self.key = key;
            self.patch.clone_from(patch);
            self.is_built = false;
        }
        &self.settings
    }

    /// Whether the body is built from the settings for `key`, and the modulator has not been
    /// updated since.
    pub fn is_built_from(&self, key: SettingsKey, asked: u64) -> bool {
        self.is_built && self.key == key && self.asked == asked
    }

    /// Takes over the count of updates of the modulator. Returns whether it has changed.
    pub fn is_asked(&mut self, asked: u64) -> bool {
        std::mem::replace(&mut self.asked, asked) != asked
    }

    /// The body may have been built from other settings.
    pub fn invalidate(&mut self) {
        self.is_built = false;
    }

    /// The settings, if they differ from those the body is built from.
    pub fn changed(&mut self, built_from: &BodySettings) -> Option<BodySettings> {
        // The comparison is expensive, so its result is kept.
        self.is_built = self.is_built || self.settings == *built_from;
        (!self.is_built).then_some(self.settings)
    }
}

/// Scale of the striker of a key: Size and, if keys resize, the key.
pub(super) fn scale_of(patch: &Patch, key_st: f64) -> BodyScale {
    BodyScale::of_key(key_hz(patch, key_st), patch.get(Param::Size), patch.key_tracking()).1
}

/// Pitch of a key that is `key_st` semitones above A4, Hz.
fn key_hz(patch: &Patch, key_st: f64) -> f64 {
    patch.get(Param::MasterTune) * ((key_st + patch.get(Param::Tune)) / 12.0).exp2()
}
