//! The instrument as a program of its own.
mod card;

fn main() {
    let args = ictus::plugin::device_block_size::with_device_block_size(
        std::env::args().collect(),
        card::block_size,
    );
    nice_plug::prelude::nice_export_standalone_with_args::<ictus::plugin::Ictus, _>(args);
}
