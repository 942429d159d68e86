//! The `ictus` command.
use std::alloc::System;

use clap::Parser;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

/// Counts allocations, because `ictus soak` reports the memory in use.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> std::process::ExitCode {
    // A reader of our output may stop early (`ictus params | head`); exit quietly then.
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        if text.starts_with("failed printing to stdout") {
            std::process::exit(0);
        }
        default_hook(panic);
    }));
    match ictus::cli::Cli::parse().run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ictus: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
