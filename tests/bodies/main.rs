//! Bodies have the correct frequencies and shapes, and the tables in the source agree with the
//! equations.

#![cfg(feature = "cli")]

#[path = "../support/discs.rs"]
mod discs;
#[path = "../support/ritz.rs"]
mod ritz;

mod common;
mod frequencies;
mod moving;
mod ringing;
mod shapes;
mod tables;
mod tuning;
