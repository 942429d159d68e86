//! Exciters: what a note sets in motion. A strike, a bouncing ball, a roll or scrape, a tumbling
//! body, a chain of balls, or the side-chain.

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

/// The gestures. The order is that of the parameter's choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gesture {
    /// One blow.
    #[default]
    Strike,
    /// A ball that falls, bounces and settles.
    Bounce,
    /// A ball that rolls over the body.
    Roll,
    /// A tip that is dragged over it.
    Scrape,
    /// A body that is thrown and tumbles.
    Tumble,
    /// A row of balls.
    Chain,
}

impl Gesture {
    /// All of them.
    pub const ALL: [Gesture; 6] = [
        Gesture::Strike,
        Gesture::Bounce,
        Gesture::Roll,
        Gesture::Scrape,
        Gesture::Tumble,
        Gesture::Chain,
    ];

    /// Whether it stays on the body.
    pub fn rolls(self) -> bool {
        matches!(self, Gesture::Roll | Gesture::Scrape)
    }
}
