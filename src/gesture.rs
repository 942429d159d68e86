//! What moves before it touches: a note becomes one or more blows, or something that rolls.

pub mod roll;
pub mod strike;
pub mod surface;

pub use roll::{Roll, RollSettings};
pub use strike::Blow;
pub use surface::{Recipe, SurfaceTable};
