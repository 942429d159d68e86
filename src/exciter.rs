//! Exciters: the gestures that a note can start, and the side-chain.

pub mod bounce;
pub mod chain;
pub mod external;
pub mod oblique;
mod patch;
pub mod roll;
pub mod strike;
pub mod surface;
pub mod tumble;

pub use bounce::{Ball, Throw};
pub use roll::{Roll, RollSettings};
pub use strike::Blow;
pub use surface::{Recipe, SurfaceTable};

/// The gestures, in the order of the parameter's choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gesture {
    /// A single strike.
    #[default]
    Strike,
    /// A ball that falls, bounces and settles.
    Bounce,
    /// A ball that rolls over the body.
    Roll,
    /// A tip dragged over the body.
    Scrape,
    /// A thrown body that tumbles.
    Tumble,
    /// A chain of balls.
    Chain,
}

impl Gesture {
    /// All gestures.
    pub const ALL: [Gesture; 6] = [
        Gesture::Strike,
        Gesture::Bounce,
        Gesture::Roll,
        Gesture::Scrape,
        Gesture::Tumble,
        Gesture::Chain,
    ];

    /// True for gestures that stay in contact with the body.
    pub fn rolls(self) -> bool {
        matches!(self, Gesture::Roll | Gesture::Scrape)
    }
}
