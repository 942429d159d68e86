//! What is told of a contact.

use super::rigid::RigidContact;
use super::settings::ContactSettings;

/// What a contact was like, once it is over.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactReport {
    /// Time from the start of the sample in which it is told to its end, s; below 0 if the mass was
    /// in its dent for longer than that.
    pub ended_s: f64,
    /// Mass that was in contact, kg.
    pub mass_kg: f64,
    /// Velocity at onset, m/s; over a surface that moves, relative to it.
    pub v_in_m_per_s: f64,
    /// The mass's own velocity at onset, m/s.
    pub own_in_m_per_s: f64,
    /// Velocity at release, m/s, negative.
    pub v_out_m_per_s: f64,
    /// From onset to release, s.
    pub duration_s: f64,
    /// Compression at which the force was gone, m: above 0 with a linear damper.
    pub separation_m: f64,
    /// Height at onset, m: over a surface that moves, which may be met anywhere.
    pub height_in_m: f64,
    /// Height at release, m: Passive hands over at the end of a step, others at the surface. Both
    /// are over the surface as it was when the mass was let go.
    pub height_m: f64,
    /// Steps it had until its force ended, if what it met gave way.
    pub steps: u32,
}

impl ContactReport {
    /// Of a contact with a wall that came off `ended_s` after the start of a sample.
    pub(super) fn of(
        rigid_contact: &RigidContact,
        settings: &ContactSettings,
        ended_s: f64,
    ) -> Self {
        Self {
            ended_s,
            mass_kg: rigid_contact.curve().mass_kg,
            v_in_m_per_s: rigid_contact.curve().v_in_m_per_s,
            own_in_m_per_s: rigid_contact.curve().v_in_m_per_s,
            v_out_m_per_s: rigid_contact.motion().v_m_per_s,
            duration_s: rigid_contact.elapsed_s(),
            separation_m: rigid_contact.separation_m(),
            height_in_m: 0.0,
            height_m: rigid_contact.release_height_m(settings),
            steps: 0,
        }
    }
}
