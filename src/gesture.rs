//! What moves before it touches: a note becomes one or more blows.

pub mod strike;

pub use strike::Blow;
