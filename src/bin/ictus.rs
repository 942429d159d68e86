//! The `ictus` command.
use std::alloc::System;

use clap::Parser;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

/// The system's, counting: `ictus soak` must know what is in use.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> std::process::ExitCode {
    // Whoever reads our output may stop early (`ictus params | head`): then there is nobody left to
    // write to.
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        if text.starts_with("failed printing to stdout") {
            std::process::exit(0);
        }
        tell(panic);
    }));
    match ictus::cli::Cli::parse().run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ictus: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
