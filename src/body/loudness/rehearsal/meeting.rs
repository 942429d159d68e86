//! How striker and body meet: what is known of a blow before it is rehearsed.

use super::super::super::{Modes, PerMode};
use super::super::blow::FeltBlow;
use super::{Rehearsal, spring_at};
use crate::contact::law::Spring;

/// Steps in the time that the striker would be on a wall, had it the mass of striker and body in series: on a heavy body, and on one
/// that is lighter than the striker, where much of what is given comes back and what stays is a small difference, ...
const STEPS_PER_CONTACT: (f64, f64) = (12.0, 24.0);
/// ... which counts as no shorter than this share of the contact of its own mass.
const SHORTEST: f64 = 0.25;
/// A damper stops the striker within m/c, which has so many of them.
const STEPS_PER_STOP: f64 = 3.0;
/// How often the time of the contact is worked out from the modes that count, and these from the time. The first is that of a
/// wall; steps are so fine that the second is near enough.
const ROUNDS: u32 = 2;

/// How striker and body meet.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::body::loudness) struct Meeting {
    /// How long the first contact takes, and its steps, s.
    pub contact_s: f64,
    pub step_s: f64,
    /// The striker's mass over that of the body, as the contact feels it.
    pub lightness: f64,
}

impl Rehearsal {
    /// What is known of the first contact before it is played.
    pub fn meet(
        &mut self,
        modes: &Modes,
        blow: &FeltBlow,
        (struck, lanes): (&PerMode, usize),
        body_kg: f64,
    ) -> Meeting {
        let all = modes.len.min(lanes);
        for (i, struck) in struck.iter().enumerate().take(all) {
            self.shape[i] = modes.presence[i] * struck;
            self.gain[i] = self.shape[i] / body_kg;
        }
        self.pace_s(modes, all, blow, &spring_at(blow.contact(), blow.speed_m_per_s()))
    }

    fn pace_s(&self, modes: &Modes, len: usize, blow: &FeltBlow, spring: &Spring) -> Meeting {
        let (mass_kg, wall_s) = (blow.contact().mass_kg, blow.contact_s());
        let (mut contact_s, mut lightness) = (wall_s, 0.0);
        // A mode that swings back within the contact counts for less, and the contact is the shorter the lighter they are.
        for _ in 0..ROUNDS {
            let (shape, gain, omega) = (&self.shape[..len], &self.gain[..len], &modes.omega[..len]);
            lightness = mass_kg * modes.kernel.lightness(shape, gain, omega, 0.5 * contact_s);
            contact_s = wall_s * (1.0 + lightness).powf(-1.0 / (spring.alpha() + 1.0));
        }
        let (few, many) = STEPS_PER_CONTACT;
        let steps = few + (many - few) * lightness.min(1.0);
        let damper = spring.damper_n_s_per_m();
        if damper > 0.0 {
            contact_s = contact_s.min(steps / STEPS_PER_STOP * mass_kg / damper);
        }
        let contact_s = contact_s.max(SHORTEST * wall_s);
        Meeting { contact_s, step_s: contact_s / steps, lightness }
    }
}
