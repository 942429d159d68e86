//! Modulation of the parameters of a note: controllers, LFO, envelope, random variation.
//!
//! Each voice has settings of its own as soon as anything moves them: the patch, with each moved
//! parameter shifted along the way of its knob ([`Modulator::patch`]). They pass the patch's own
//! gate, so nothing that moves can leave a parameter's range. A voice that nothing moves reads the
//! shared patch and pays nothing.
//!
//! Modulation is evaluated at the control ticks of the voice and at the sample of an event.
//! Time counts from the note's onset, in seconds: no figure depends on blocks or on the sample
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
