//! Contacts and rests that a voice reports.

use arrayvec::ArrayVec;

use crate::body::Point;
use crate::contact::{ContactReport, ContactSettings};
use crate::params::event::NoteAddress;

/// Most events reported in one block. Further ones are dropped; the sound is the same.
pub const MAX_CONTACT_EVENTS: usize = 256;

/// The events of one block.
pub type ContactEvents = ArrayVec<ContactEvent, MAX_CONTACT_EVENTS>;

/// One contact or rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactEvent {
    /// Samples from the start of the block to the start of the sample in which it is reported.
    pub offset: usize,
    /// Time from there to its end, s. More than a sample for a rest, which is known ahead. Negative
    /// for a contact with the linear damper, which is reported when the dent has closed.
    pub after_s: f64,
    /// The note of the voice.
    pub note: NoteAddress,
    /// What happened.
    pub what: ContactEventKind,
}

/// What happened.
// Nearly all are contacts, and a box would allocate on the audio thread.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactEventKind {
    /// A contact, reported when it is over.
    Contact(FinishedContact),
    /// A ball has come to rest on the body.
    Rest,
}

/// Adds events to those of a block.
pub(super) struct EventWriter<'a> {
    pub events: &'a mut ContactEvents,
    /// Samples from the start of the block to the current sample.
    pub offset: usize,
    pub note: NoteAddress,
}

impl EventWriter<'_> {
    /// Reports what happened `after_s` after the start of the current sample. Dropped if the block
    /// already has [`MAX_CONTACT_EVENTS`].
    pub fn report(&mut self, after_s: f64, what: ContactEventKind) {
        let Self { offset, note, .. } = *self;
        let _ = self.events.try_push(ContactEvent { offset, after_s, note, what });
    }
}

/// A contact that is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishedContact {
    /// From onset to release, s.
    pub duration_s: f64,
    /// Speed at onset relative to the surface, m/s.
    pub speed_in_m_per_s: f64,
    /// Speed of the striker alone at onset, m/s.
    pub own_in_m_per_s: f64,
    /// Speed at release, m/s.
    pub speed_out_m_per_s: f64,
    /// Height at onset and at release, m, over the surface as it was when the striker was
    /// released; 0 on a rigid body, except for the Passive law, which ends contacts at the end of
    /// a step.
    pub height_in_m: f64,
    /// See `height_in_m`.
    pub height_out_m: f64,
    /// Where on the body.
    pub point: Point,
    /// Effective mass in contact, kg.
    pub mass_kg: f64,
    /// Mass of the striker itself, kg; its energy is that of this mass.
    pub own_mass_kg: f64,
    /// Gravity, m/s^2; 0 for a striker that does not come back.
    pub gravity_m_per_s2: f64,
    /// Sub-steps of a coupled striker; 0 otherwise.
    pub steps: u32,
    /// Settings of the contact, if it was one mass against a wall.
    pub wall_settings: Option<ContactSettings>,
}

/// A contact that has just ended at `point`, of a striker of mass `own_mass_kg`.
pub fn ended(
    report: &ContactReport,
    point: Point,
    own_mass_kg: f64,
    gravity_m_per_s2: f64,
    wall_settings: Option<ContactSettings>,
) -> ContactEventKind {
    ContactEventKind::Contact(FinishedContact {
        duration_s: report.duration_s,
        speed_in_m_per_s: report.v_in_m_per_s,
        own_in_m_per_s: report.own_in_m_per_s,
        speed_out_m_per_s: -report.v_out_m_per_s,
        height_in_m: report.height_in_m,
        height_out_m: report.height_m,
        point,
        mass_kg: report.mass_kg,
        own_mass_kg,
        gravity_m_per_s2,
        steps: report.steps,
        wall_settings,
    })
}

/// A contact without a report, such as one hop of a rolling ball, with its speeds at onset and
/// release, m/s.
pub fn passed(
    duration_s: f64,
    speeds_m_per_s: (f64, f64),
    point: Point,
    mass_kg: f64,
    gravity_m_per_s2: f64,
) -> ContactEventKind {
    let (speed_in_m_per_s, speed_out_m_per_s) = speeds_m_per_s;
    ContactEventKind::Contact(FinishedContact {
        duration_s,
        speed_in_m_per_s,
        own_in_m_per_s: speed_in_m_per_s,
        speed_out_m_per_s,
        height_in_m: 0.0,
        height_out_m: 0.0,
        point,
        mass_kg,
        own_mass_kg: mass_kg,
        gravity_m_per_s2,
        steps: 0,
        wall_settings: None,
    })
}

impl FinishedContact {
    /// Kinetic and potential energy at onset, J.
    pub fn energy_before_j(&self) -> f64 {
        self.energy_j(self.own_in_m_per_s, self.height_in_m)
    }

    /// Kinetic and potential energy at release, J.
    pub fn energy_after_j(&self) -> f64 {
        self.energy_j(self.speed_out_m_per_s, self.height_out_m)
    }

    fn energy_j(&self, speed_m_per_s: f64, height_m: f64) -> f64 {
        self.own_mass_kg * (0.5 * speed_m_per_s * speed_m_per_s + self.gravity_m_per_s2 * height_m)
    }
}
