//! The built CLAP, loaded and played as a host does it. One file for each property that a host
//! relies on.
//!
//! Unless a test says otherwise it plays the guarded bundle, in which an allocation inside
//! `process` aborts the whole run.

#[path = "../support/random.rs"]
mod random;
#[path = "../support/mod.rs"]
mod support;

mod automation;
mod blocks;
mod bursts;
#[cfg(feature = "cli")]
mod command_line;
mod common;
mod expression;
mod fx;
mod guards;
mod hostile_state;
mod layouts;
mod load;
mod matrix;
mod notes;
mod params;
mod presets;
mod reset;
mod state;
mod storm;
mod surfaces;
mod tail;
