//! What moves before it touches: a note becomes a blow, or a ball that comes back.

pub mod bounce;
pub mod random;
pub mod strike;

pub use bounce::{Ball, Throw};
pub use strike::Blow;

/// What a note sets in motion. The order is that of the parameter's choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gesture {
    /// One blow.
    #[default]
    Strike,
    /// A ball that falls, bounces and settles.
    Bounce,
}

impl Gesture {
    /// All of them.
    pub const ALL: [Gesture; 2] = [Gesture::Strike, Gesture::Bounce];
}
