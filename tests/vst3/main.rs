//! The built VST3 in a host of the tests, compared with the built CLAP and exposed to everything
//! that hosts do.
//!
//! Most tests run in a process of their own, so that an abort is a failed test and not a dead run;
//! those with an editor run on a display without a screen (Xvfb).

#![cfg(all(target_os = "linux", feature = "plugin"))]

#[path = "../support/mod.rs"]
mod support;
#[path = "../support/vst3_host.rs"]
mod vst3_host;

#[allow(dead_code)]
#[path = "../hosts/common.rs"]
mod common;
#[allow(dead_code)]
#[path = "../window/display.rs"]
mod display;
#[path = "../window/memory.rs"]
mod memory;
#[allow(dead_code)]
#[path = "../window/screen.rs"]
mod screen;
#[allow(dead_code)]
#[path = "../window/window.rs"]
mod window;

mod clap_parity;
mod clap_state_parity;
mod editor;
mod helpers;
mod lifecycle;
mod old_state;
mod params;
mod programs;
mod roll;
mod threads;
