//! The instrument as a program of its own.
mod period;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let args = period::fitting(args, period::first);
    nice_plug::prelude::nice_export_standalone_with_args::<ictus::plugin::Ictus, _>(args);
}
