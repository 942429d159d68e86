//! The `ictus` command.
use clap::Parser;

fn main() -> std::process::ExitCode {
    match ictus::cli::Cli::parse().run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ictus: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
