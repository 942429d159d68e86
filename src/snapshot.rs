//! What can be seen of the instrument at one instant: where things are, and how the body bends.
//!
//! Plain numbers of fixed size, copied out after a block for whoever draws; reading them changes
//! nothing.

use arrayvec::ArrayVec;

use crate::body::Point;
use crate::contact::recorder::ContactRecording;

/// Modes whose bending is shown, from the lowest up.
pub const MODES: usize = 24;
/// Strikers shown at once.
pub const STRIKERS: usize = 8;
/// Balls of a row.
pub const BALLS: usize = 16;

/// The voice that was begun last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Keys that sound, one bit each.
    pub keys: u128,
    /// Notes that have been begun ever.
    pub notes: u64,
    /// The voice begun last, if it still sounds.
    pub voice: Option<VoiceSnapshot>,
}

/// One voice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VoiceSnapshot {
    /// Its key.
    pub key: u8,
    /// How far each of the lowest modes swings, in units of its own (the envelope, without the
    /// phase).
    pub mode_amplitudes: [f32; MODES],
    /// Strikers and balls over the body.
    pub strikers: ArrayVec<StrikerSnapshot, STRIKERS>,
    /// What tumbles.
    pub tumbling: Option<TumblingSnapshot>,
    /// Displacements of the balls of a row from where they hang, m.
    pub balls: ArrayVec<f32, BALLS>,
    /// What rolls.
    pub roll: Option<RollSnapshot>,
    /// The last contact with a compliant body or of two balls, if recording is on
    /// ([`Engine::watch`](crate::engine::Engine::watch)).
    pub contact: Option<ContactRecording>,
}

/// A striker.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrikerSnapshot {
    /// Over which place.
    pub point: Point,
    /// How high its lowest point is over the body at rest, m; below 0 in contact.
    pub height_m: f32,
    /// Whether it touches.
    pub is_touching: bool,
}

/// A body that tumbles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TumblingSnapshot {
    /// Its centre: along, across, up, m; the middle of the way is at 0.
    pub centre_m: [f32; 3],
    /// Its turn, as a unit quaternion w, x, y, z.
    pub turn: [f32; 4],
}

/// What rolls.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RollSnapshot {
    /// Over which place.
    pub point: Point,
    /// How far it has turned, rad.
    pub angle_rad: f32,
    /// How high it is over the ground's mean, m.
    pub height_m: f32,
    /// How fast it is, m/s.
    pub speed_m_per_s: f32,
}
