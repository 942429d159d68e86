//! What the patch and the key make of a body, and how loud it will be.

use super::VoiceContext;
use super::coupled_contacts::is_coupled;
use crate::body::macros::{BodyScale, Thickness, contact_time_s};
use crate::body::material::{Damping, rate_of_t60};
use crate::body::{Geometry, Listening, Parts, Point};
use crate::contact::ContactSettings;
use crate::exciter::Gesture;
use crate::exciter::{chain, tumble};
use crate::levelling::ReferenceBlow;
use crate::params::{Param, Patch};

/// A bend goes no lower than this, Hz: a body far below hearing would take minutes to come to rest.
const LOWEST_BENT_HZ: f64 = 1.0;

/// Energy (J), Hardness and longest contact at 1 m/s (periods of the pitch) of the blow that stands
/// for what rolls.
const STAND_IN_J: f64 = 0.09;
const STAND_IN_HARDNESS: f64 = 0.5;
const STAND_IN_PERIODS: f64 = 0.75;

/// All that the modes are made from; they are made anew when it changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySettings {
    /// Nominal pitch, Hz.
    pub pitch_hz: f64,
    /// What it is.
    pub geometry: Geometry,
    /// How it loses energy, the hand on it included.
    pub damping: Damping,
    /// Where it is heard.
    pub listening: Listening,
    /// Mass of the body, kg.
    pub weight_kg: f64,
    /// The blow that is as loud as that on any other body.
    pub blow: ReferenceBlow,
    /// Which list of modes it was made from, if it is one.
    pub list: u64,
    /// How many bodies that is, and which.
    pub parts: Parts,
}

impl BodySettings {
    /// Of the body of a key that is `key_st` semitones above A4, bent by some more; `damped` by a
    /// hand or not. `knobs` is the patch without modulation, which keeps its effect on the loudness
    /// of blows.
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
        // A bend tunes the body it finds: whatever a key does, nothing grows under the hand.
        let pitch_hz = if bend_st == 0.0 {
            pitch_hz
        } else {
            (pitch_hz * (bend_st / 12.0).exp2()).max(LOWEST_BENT_HZ)
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

/// The blow that is levelled: the striker of the knobs at full velocity.
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
        return stand_in_blow(&contact, patch.scale(), pitch_hz, scale, weight_kg, point);
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
        // Two equal balls meet with half the mass of one; they do not feel how they ring.
        let contact = ContactSettings { mass_kg: 0.5 * contact.mass_kg, ..contact };
        return ReferenceBlow::new(&contact, landing_m_per_s, weight_kg, point, false);
    }
    ReferenceBlow::new(&contact, landing_m_per_s, weight_kg, point, is_coupled(patch))
}

/// What rolls has no blow of its own. One of fixed energy and hardness against a wall stands for
/// it, and its loudness is set by a boost (`level::boost`). A key that resizes scales the energy,
/// as it scales that of what rolls.
fn stand_in_blow(
    contact: &ContactSettings,
    size: BodyScale,
    pitch_hz: f64,
    scale: &BodyScale,
    body_kg: f64,
    point: Point,
) -> ReferenceBlow {
    let (striker_kg, alpha) = (contact.mass_kg, contact.law.alpha);
    let speed_m_per_s = (2.0 * STAND_IN_J * scale.mass() / (striker_kg * size.mass())).sqrt();
    let at_1_s =
        (contact_time_s(STAND_IN_HARDNESS) * scale.length()).min(STAND_IN_PERIODS / pitch_hz);
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

/// Key and bend in semitones, whether a hand is on the body, and the number of the list of modes.
type SettingsKey = (f64, f64, bool, u64);

/// Settings as they were last read. Reading them takes powers and logarithms, and in most blocks
/// nothing has moved.
#[derive(Clone, Debug)]
pub struct SettingsCache {
    patch: Patch,
    of: SettingsKey,
    settings: BodySettings,
    /// The body was made from these settings, as far as is known.
    is_built: bool,
    /// How often the modulator had been asked by then.
    asked: u64,
}

impl Default for SettingsCache {
    fn default() -> Self {
        let patch = Patch::default();
        let settings = BodySettings::new(&patch, &patch, 0.0, 0.0, false, 0);
        Self { settings, patch, of: (0.0, 0.0, false, 0), is_built: false, asked: 0 }
    }
}

impl SettingsCache {
    /// Read anew the next time: nothing of a note is to reach the one after it.
    pub fn forget(&mut self) {
        self.of.0 = f64::NAN;
    }

    /// Read what [`BodySettings::new`] gives. With `is_known` the patch is the one that was read
    /// last.
    pub fn read(
        &mut self,
        context: &VoiceContext,
        is_known: bool,
        key_st: f64,
        bend_st: f64,
        damped: bool,
    ) -> &BodySettings {
        let VoiceContext { patch, knobs, list_number: list, .. } = *context;
        let of = (key_st, bend_st, damped, list);
        if self.of != of || !(is_known || self.patch.is_same(patch)) {
            self.settings = BodySettings::new(patch, knobs, key_st, bend_st, damped, list);
            self.of = of;
            self.patch.clone_from(patch);
            self.is_built = false;
        }
        &self.settings
    }

    /// Whether the body was made from what was read, for the same, and the modulator has not been
    /// asked since.
    pub fn is_built_from(&self, of: SettingsKey, asked: u64) -> bool {
        self.is_built && self.of == of && self.asked == asked
    }

    /// Whether the modulator has been asked since the last call, of how often it has been.
    pub fn is_asked(&mut self, asked: u64) -> bool {
        std::mem::replace(&mut self.asked, asked) != asked
    }

    /// The body has been made anew, from these settings or from others.
    pub fn invalidate(&mut self) {
        self.is_built = false;
    }

    /// What was read, if it differs from what the body is made from.
    pub fn changed(&mut self, built_from: &BodySettings) -> Option<BodySettings> {
        // They are many: a comparison that was made is not made again.
        self.is_built = self.is_built || self.settings == *built_from;
        (!self.is_built).then_some(self.settings)
    }
}

/// How much larger the striker of a key is than the one of the patch: Size and, if it resizes, the
/// key.
pub fn scale_of(patch: &Patch, key_st: f64) -> BodyScale {
    BodyScale::of_key(key_hz(patch, key_st), patch.get(Param::Size), patch.key_tracking()).1
}

/// Pitch of a key that is so many semitones above A4, Hz.
fn key_hz(patch: &Patch, key_st: f64) -> f64 {
    patch.get(Param::MasterTune) * ((key_st + patch.get(Param::Tune)) / 12.0).exp2()
}
