//! Where what rolls is, and where its step will end.

/// Where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RollMotion {
    /// Way so far, m.
    pub x_m: f64,
    /// Speed along the way, m/s.
    pub v_m_per_s: f64,
    /// Angle, in turns, 0...1.
    pub turn: f64,
    /// Height of ground and ball's own roughness at the contact, m.
    pub height_m: f64,
    /// Height of the ball, m; touching at the height of the ground.
    pub z_m: f64,
    /// Its velocity, m/s, upwards.
    pub z_m_per_s: f64,
    /// Compression, m; negative: a gap.
    pub compression_m: f64,
    /// Its rate of change, m/s.
    pub closing_m_per_s: f64,
    /// Force of the last step, N.
    pub force_n: f64,
    /// Landings so far.
    pub landings: u64,
}

/// Where the step under way will end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ahead {
    pub(super) x_m: f64,
    pub(super) v_m_per_s: f64,
    pub(super) turn: f64,
    pub(super) height_m: f64,
    pub(super) h_s: f64,
}

/// Where a step will end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct End {
    pub(super) x_m: f64,
    pub(super) turn: f64,
    pub(super) height_m: f64,
}
