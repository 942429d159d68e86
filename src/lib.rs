//! Ictus: the sound of things hitting things.
//!
//! # The way of a note
//!
//! ```text
//! host ─ notes, parameters ─► plugin ─ Patch + events ─► engine ─► voice ─► gesture ─► contact ─► body ─► pickups ─► output ─► host
//!                                ▲                                                                                     │
//!                              editor ◄───────────────── telemetry (lock-free, may drop) ◄─────────────────────────────┘
//! ```
//!
//! A note becomes a blow ([`gesture`]): a mass with a speed. It meets a surface ([`contact`]) and
//! leaves in the modes of a body ([`body`]) what its force does to them; two pickups listen.
//! [`engine`] cuts blocks at the events and shares the notes among voices ([`voice`]).
//!
//! # Features
//!
//! Everything above is the core: no framework, no files, no locks, no clock, nothing allocated
//! after `prepare`. It builds with `--no-default-features`. `plugin` adds the VST3 and CLAP shell
//! and the editor, `standalone` the same as a program, `cli` the `ictus` command.

// Nothing in the core may lock, ask the time, print or panic (`clippy.toml` has the lists). Tests
// may, and the shell, which is let off below.
#![cfg_attr(
    not(test),
    warn(
        clippy::dbg_macro,
        clippy::disallowed_macros,
        clippy::disallowed_methods,
        clippy::disallowed_types,
        clippy::exit,
        clippy::expect_used,
        clippy::panic,
        clippy::print_stderr,
        clippy::print_stdout,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

pub mod body;
pub mod contact;
pub mod engine;
pub mod exciter;
pub mod levelling;
pub mod modulation;
pub mod params;
pub mod random;
pub mod rigid_body;
pub mod snapshot;
pub mod sync;
pub mod tuning;
pub mod voice;

#[cfg(any(feature = "plugin", feature = "cli"))]
#[allow(
    clippy::restriction,
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]
pub mod history;
#[cfg(any(feature = "plugin", feature = "cli"))]
#[allow(
    clippy::restriction,
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]
pub mod io;

#[cfg(feature = "plugin")]
#[allow(
    clippy::restriction,
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]
pub mod editor;
#[cfg(feature = "plugin")]
#[allow(
    clippy::restriction,
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]
pub mod plugin;
#[cfg(feature = "plugin")]
#[allow(
    clippy::restriction,
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]
pub mod shared_state;

#[cfg(feature = "cli")]
#[allow(
    clippy::restriction,
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]
pub mod cli;
#[cfg(feature = "cli")]
#[allow(
    clippy::restriction,
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]
pub mod research;
