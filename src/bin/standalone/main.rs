//! The instrument as a program of its own.
mod card;

fn main() {
    let args = ictus::plugin::period::fitting(std::env::args().collect(), card::period);
    nice_plug::prelude::nice_export_standalone_with_args::<ictus::plugin::Ictus, _>(args);
}
