//! The editor without a window: under a hand, by the names that a screen reader knows, and as it
//! looks.
//!
//! Driven by the events egui would get. Each scene runs under a time limit, because the fault that
//! an immediate-mode editor falls into most easily is to ask the context something while it holds
//! its lock, and wait for ever (as the bars once did at the first touch).

#![cfg(feature = "plugin")]
#![allow(unsafe_code)] // the stand-in for a host sets parameters as the framework's own wrappers do

mod browsing;
mod contrast;
mod cost;
mod fine_control;
mod header;
mod host;
mod interaction;
mod keys;
mod layout;
mod listen;
mod names;
mod physics;
mod pictures;
mod reader;
mod scene;
mod sounds;
mod stage;
mod tooltips;
mod zoom;
