//! The editor without a window: driven by input events, by accessible names, and compared as
//! pictures.
//!
//! Each scene runs under a time limit, because an immediate-mode editor deadlocks easily: by a call
//! of the context while it holds the context's lock.

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
