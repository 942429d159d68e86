//! Bodies have the frequencies and the shapes they should, and the tables in the source say the
//! same as the equations.

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
