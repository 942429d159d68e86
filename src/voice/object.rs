//! What a voice rings: the modes, as the settings of its key have made them.

use super::rigid_contacts::ContactContext;
use super::settings::BodySettings;
use crate::body::{Modes, UserModes};
use crate::params::Patch;

/// The thing on one key.
#[derive(Clone, Debug)]
pub struct Object {
    /// How it can ring.
    pub modes: Modes,
    /// What it was made from.
    pub settings: BodySettings,
    sample_rate_hz: f64,
    /// One over it: asked for in every sample, and a division takes its time.
    dt_s: f64,
}

impl Object {
    /// Of the default patch, with room for `capacity` modes; to be made before it is played.
    /// Allocates.
    pub fn new(capacity: usize) -> Self {
        let settings = of_default_patch();
        Self {
            modes: Modes::new(capacity),
            settings,
            sample_rate_hz: 48_000.0,
            dt_s: 1.0 / 48_000.0,
        }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.modes.renew();
        self.settings = of_default_patch();
    }

    /// Take over a sample rate, Hz.
    pub fn prepare(&mut self, sample_rate_hz: f64) {
        (self.sample_rate_hz, self.dt_s) = (sample_rate_hz, 1.0 / sample_rate_hz);
    }

    /// Whether it is prepared for this rate, Hz.
    pub fn is_at(&self, sample_rate_hz: f64) -> bool {
        (self.sample_rate_hz, self.dt_s) == (sample_rate_hz, 1.0 / sample_rate_hz)
    }

    /// Make it anew. Returns the work of the shapes that had to be found.
    pub fn make(&mut self, settings: BodySettings, list: &UserModes) -> u32 {
        self.settings = settings;
        self.modes.set_body(&settings.geometry, list);
        self.modes.set_parts(&settings.parts, list);
        self.modes.set(
            settings.pitch_hz,
            &settings.damping,
            settings.listening,
            self.sample_rate_hz,
        )
    }

    /// What strikers meet, with `patch` for contacts to come.
    pub fn contact_context<'a>(&'a self, patch: &'a Patch) -> ContactContext<'a> {
        ContactContext {
            modes: &self.modes,
            patch,
            weight_kg: self.settings.weight_kg,
            dt_s: self.dt_s(),
        }
    }

    /// Samples per second.
    pub fn sample_rate_hz(&self) -> f64 {
        self.sample_rate_hz
    }

    /// Interval between samples, s.
    pub fn dt_s(&self) -> f64 {
        self.dt_s
    }
}

fn of_default_patch() -> BodySettings {
    let patch = Patch::default();
    BodySettings::new(&patch, &patch, 0.0, 0.0, false, 0)
}
