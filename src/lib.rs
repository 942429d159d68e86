//! Ictus: the sound of things hitting things.
//!
//! # Data flow
//!
//! ```text
//! host -> plugin -> engine -> voice -> exciter -> contact <-> body -> pickups -> output -> host
//! ```
//!
//! `plugin` turns the host's block into one `Patch` and a list of events. [`engine`] cuts the
//! block at the events and assigns notes to voices ([`voice`]). The exciter of a voice ([`exciter`])
//! says what moves, [`contact`] steps the impact, and the modes of [`body`] ring. The allowed edges
//! between these modules are a table in `docs/design/architecture.md`, which a test checks.
//!
//! # Features
//!
//! The core is everything up to `engine`: no framework, no files, no locks, no clock, and no
//! allocation after `prepare`. It builds with `--no-default-features`. `plugin` adds the VST3 and
//! CLAP shell and the editor, `standalone` the same as a program, `cli` the `ictus` command.

// The core must not lock, read the clock, print or panic (`clippy.toml` lists the methods). Tests
// and the shell modules below are exempt.
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
pub mod math;
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
