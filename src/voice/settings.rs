//! What the patch and the key make of a body, and how loud it will be.

use super::riders::is_two_way;
use crate::body::loudness::{FeltBlow, ReferenceBlow, own_at_1_s};
use crate::body::macros::{Scale, Thickness};
use crate::body::material::{Damping, rate_of_t60};
use crate::body::{Geometry, Listening, Parts};
use crate::gesture::Gesture;
use crate::gesture::{row, tumble};
use crate::patch::{Param, Patch};

/// A bend goes no lower than this, Hz: a body far below hearing would take minutes to come to rest.
const LOWEST_BENT_HZ: f64 = 1.0;

/// All that the modes are made from; they are made anew when it changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
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
    /// The blow that is to be as loud as that on any other body.
    pub blow: ReferenceBlow,
    /// Which list of modes it was made from, if it is one.
    pub list: u64,
    /// How many bodies that is, and which.
    pub parts: Parts,
}

impl Settings {
    /// Of the body of a key that is `key_st` semitones above A4, bent by some more; `damped` by a hand or not.
    pub fn new(patch: &Patch, key_st: f64, bend_st: f64, damped: bool, list: u64) -> Self {
        let (pitch_hz, scale) = Scale::of_key(key_hz(patch, key_st), patch.get(Param::Size), patch.key_tracking());
        // A bend tunes the body it finds: whatever a key does, nothing grows under the hand.
        let pitch_hz = if bend_st == 0.0 { pitch_hz } else { (pitch_hz * (bend_st / 12.0).exp2()).max(LOWEST_BENT_HZ) };
        let thickness = Thickness::new(patch.get(Param::Thickness));
        let mut damping = scale.damping(&thickness.damping(&patch.damping()));
        if damped {
            damping.support_per_s += 2.0 * rate_of_t60(patch.get(Param::Hand));
        }
        let weight_kg = patch.weight_kg() * scale.mass() * thickness.mass();
        // What rolls is levelled by a blow against a wall; balls of a row do not feel the body.
        let feels = is_two_way(patch) && !patch.gesture().rolls() && patch.gesture() != Gesture::Chain;
        Self {
            pitch_hz,
            geometry: thickness.geometry(&patch.geometry()),
            damping,
            listening: patch.listening(),
            weight_kg,
            blow: ReferenceBlow {
                striker_kg: patch.get(Param::Mass) * scale.mass(),
                body_kg: weight_kg,
                alpha: patch.get(Param::Alpha),
                length: scale.length(),
                pitch_hz,
                mu_s_per_m: match (patch.choice(Param::Law), patch.choice(Param::DampingMode)) {
                    (0, 0) => patch.get(Param::Mu),
                    _ => 0.0,
                },
                point: patch.strike_point(),
                // What rolls is as loud as it is by other means.
                own_at_1_s: (!patch.gesture().rolls())
                    .then(|| {
                        let felt_kg = feels.then_some(weight_kg);
                        own_at_1_s(&patch.contact_of(&scale), scale.length(), pitch_hz, felt_kg)
                    })
                    .flatten(),
                felt: feels.then(|| {
                    let straight = patch.get(Param::Angle).to_radians().cos();
                    let speed_m_per_s = straight * patch.get(Param::Speed);
                    FeltBlow::new(&patch.contact_of(&scale), scale.length(), pitch_hz, speed_m_per_s)
                }),
            },
            list,
            parts: tumble::thrown_part(patch, &scale)
                .map(Parts::Two)
                .or_else(|| row::ball_parts(patch))
                .unwrap_or_default(),
        }
    }
}

/// Key and bend in semitones, whether a hand is on the body, and the number of the list of modes.
type Of = (f64, f64, bool, u64);

/// Settings as they were last read. Reading them takes powers and logarithms, and in most blocks nothing has moved.
#[derive(Clone, Debug)]
pub struct Reading {
    patch: Patch,
    of: Of,
    settings: Settings,
    /// The body was made from these settings, as far as is known.
    is_made: bool,
    /// How often the modulator had been asked by then.
    asked: u64,
}

impl Default for Reading {
    fn default() -> Self {
        let patch = Patch::default();
        let settings = Settings::new(&patch, 0.0, 0.0, false, 0);
        Self { settings, patch, of: (0.0, 0.0, false, 0), is_made: false, asked: 0 }
    }
}

impl Reading {
    /// Read anew the next time: nothing of a note is to reach the one after it.
    pub fn forget(&mut self) {
        self.of.0 = f64::NAN;
    }

    /// Read what [`Settings::new`] gives. With `is_known` the patch is the one that was read last.
    pub fn read(&mut self, patch: &Patch, is_known: bool, key_st: f64, bend_st: f64, damped: bool, list: u64) {
        let of = (key_st, bend_st, damped, list);
        if self.of != of || !(is_known || self.patch.is_same(patch)) {
            self.settings = Settings::new(patch, key_st, bend_st, damped, list);
            self.of = of;
            self.patch.clone_from(patch);
            self.is_made = false;
        }
    }

    /// Whether the body was made from what was read, for the same, and the modulator has not been asked since.
    pub fn is_made_of(&self, of: Of, asked: u64) -> bool {
        self.is_made && self.of == of && self.asked == asked
    }

    /// Whether the modulator has been asked since the last call, of how often it has been.
    pub fn is_asked(&mut self, asked: u64) -> bool {
        std::mem::replace(&mut self.asked, asked) != asked
    }

    /// The body has been made anew, from these settings or from others.
    pub fn doubt(&mut self) {
        self.is_made = false;
    }

    /// What was read, if it differs from what the body is made from.
    pub fn news(&mut self, made_from: &Settings) -> Option<Settings> {
        // They are many: a comparison that was made is not made again.
        self.is_made = self.is_made || self.settings == *made_from;
        (!self.is_made).then_some(self.settings)
    }
}

/// How much larger the striker of a key is than the one of the patch: Size and, if it resizes, the key.
pub fn scale_of(patch: &Patch, key_st: f64) -> Scale {
    Scale::of_key(key_hz(patch, key_st), patch.get(Param::Size), patch.key_tracking()).1
}

/// Pitch of a key that is so many semitones above A4, Hz.
fn key_hz(patch: &Patch, key_st: f64) -> f64 {
    patch.get(Param::MasterTune) * ((key_st + patch.get(Param::Tune)) / 12.0).exp2()
}
