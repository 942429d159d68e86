//! Modulation of the parameters of a note: controllers, LFO, envelope, random variation.
//!
//! A voice has its own settings as soon as anything modulates them: the patch, with each modulated
//! parameter offset in knob positions ([`Modulator::patch`]). They pass the patch's own clamping,
//! so modulation cannot leave a parameter's range. An unmodulated voice reads the shared patch at
//! no cost.
//!
//! Modulation is evaluated at the control ticks of the voice and at the sample of an event. Time
//! counts from the note's onset, in seconds, so the result does not depend on block size or sample
//! rate.

pub mod controllers;
pub mod envelope;
pub mod expression;
pub mod human;
pub mod lfo;
mod modulator;
pub mod offsets;
pub mod reach;
pub mod slots;
pub mod source;
pub mod velocity;

pub use crate::params::Destination;
pub use controllers::{Controllers, Zone};
pub use expression::Expression;
pub use modulator::{Modulator, Onset};
pub use source::Source;
