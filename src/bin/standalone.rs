//! The instrument as a program of its own.
fn main() {
    nice_plug::prelude::nice_export_standalone::<ictus::plugin::Ictus>();
}
