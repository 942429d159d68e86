//! What happened to a body, for whoever wants to know.

use arrayvec::ArrayVec;

use crate::body::Point;
use crate::contact::{ContactReport, ContactSettings};
use crate::params::event::NoteAddress;

/// Most happenings remembered of one block. More are forgotten, not played differently.
pub const MAX_CONTACT_EVENTS: usize = 256;

/// The happenings of one block.
pub type ContactEvents = ArrayVec<ContactEvent, MAX_CONTACT_EVENTS>;

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactEvent {
    /// Samples from the start of the block to the start of the sample in which it is told.
    pub offset: usize,
    /// Time from there to its end, s. More than a sample for a rest, which is known ahead; below 0
    /// for a contact by the linear damper, which is told when the striker is out of its dent.
    pub after_s: f64,
    /// Whose it was.
    pub note: NoteAddress,
    /// What it was.
    pub what: ContactEventKind,
}

/// What may happen.
// Nearly all of them are contacts, and a box would have to be made on the audio thread.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactEventKind {
    /// A contact, told when it is over.
    Contact(FinishedContact),
    /// A ball lies on the body from then on.
    Rest,
}

/// A contact that is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishedContact {
    /// From onset to release, s: the onset was that long before the end.
    pub duration_s: f64,
    /// Speed at onset, m/s; relative to a body that moves.
    pub speed_in_m_per_s: f64,
    /// The striker's own speed then, m/s.
    pub own_in_m_per_s: f64,
    /// Speed at release, m/s.
    pub speed_out_m_per_s: f64,
    /// Height at onset and at release, m, over the surface as it was when the striker was let go; 0
    /// on a body that does not give way, but for Passive, which hands over at the end of a step.
    pub height_in_m: f64,
    /// See `height_in_m`.
    pub height_out_m: f64,
    /// Where on the body.
    pub point: Point,
    /// Effective mass in contact, kg.
    pub mass_kg: f64,
    /// Mass of the striker itself, kg; its energy is that of this mass.
    pub own_mass_kg: f64,
    /// What pulls it back, m/s^2; 0 for a striker that does not come back.
    pub gravity_m_per_s2: f64,
    /// Steps it had, if the body gave way and nothing rolled.
    pub steps: u32,
    /// Settings of the contact, if it was one mass against a wall.
    pub wall_settings: Option<ContactSettings>,
}

/// A contact that has just ended, by what is known where it was: at `point`, of something with the
/// mass `own_mass_kg`; and with its settings, if it met a wall.
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

/// A contact of something that no report is kept of: it lasted, came in and went off with these
/// speeds, m/s.
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
    /// Kinetic energy at onset and that of its height, J.
    pub fn energy_before_j(&self) -> f64 {
        self.energy_j(self.own_in_m_per_s, self.height_in_m)
    }

    /// Kinetic energy at release and that of its height, J.
    pub fn energy_after_j(&self) -> f64 {
        self.energy_j(self.speed_out_m_per_s, self.height_out_m)
    }

    fn energy_j(&self, speed_m_per_s: f64, height_m: f64) -> f64 {
        self.own_mass_kg * (0.5 * speed_m_per_s * speed_m_per_s + self.gravity_m_per_s2 * height_m)
    }
}
