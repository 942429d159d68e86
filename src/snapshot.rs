//! What the editor draws of the instrument at one instant: positions, and the motion of the body.
//!
//! Plain data of fixed size, copied after a block. Taking a snapshot does not affect the sound.

use arrayvec::ArrayVec;

use crate::body::Point;
use crate::contact::recorder::ContactRecording;

/// Number of modes shown, from the lowest up: enough for the shape to look right.
pub const MODES: usize = 24;
/// Most strikers shown at once.
pub const MAX_STRIKERS: usize = 8;
/// Most balls shown of a chain.
pub const MAX_BALLS: usize = 16;

/// The state of the engine: its newest voice, and which keys sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// Sounding keys, one bit each.
    pub keys: u128,
    /// Number of notes started so far.
    pub notes: u64,
    /// The newest voice, if it still sounds.
    pub voice: Option<VoiceSnapshot>,
}

/// One voice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VoiceSnapshot {
    /// Its key.
    pub key: u8,
    /// Envelope of each of the lowest modes, in the units of the mode.
    pub mode_amplitudes: [f32; MODES],
    /// Strikers and balls above the body.
    pub strikers: ArrayVec<StrikerSnapshot, MAX_STRIKERS>,
    /// The tumbling body, if any.
    pub tumbling: Option<TumblingSnapshot>,
    /// Displacements of the balls of a chain from rest, m.
    pub balls: ArrayVec<f32, MAX_BALLS>,
    /// The rolling body.
    pub roll: Option<RollSnapshot>,
    /// The last contact of a striker coupled to the body, if recording is on
    /// ([`Engine::watch`](crate::engine::Engine::watch)).
    pub contact: Option<ContactRecording>,
}

/// A striker.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrikerSnapshot {
    /// The point of the body below it.
    pub point: Point,
    /// Height of its lowest point above the body at rest, m; below 0 in contact.
    pub height_m: f32,
    /// Whether it is in contact.
    pub is_touching: bool,
}

/// A tumbling body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TumblingSnapshot {
    /// Its centre: along, across, up, m; 0 is the middle of the path.
    pub centre_m: [f32; 3],
    /// Its orientation, as a unit quaternion w, x, y, z.
    pub turn: [f32; 4],
}

/// The rolling body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RollSnapshot {
    /// The point of the body below it.
    pub point: Point,
    /// Rolled angle, rad.
    pub angle_rad: f32,
    /// Height above the mean of the surface, m.
    pub height_m: f32,
    /// Speed, m/s.
    pub speed_m_per_s: f32,
}
