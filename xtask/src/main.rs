//! `cargo xtask`: everything one does with this repository, in one place.
fn main() -> nice_plug_xtask::Result<()> {
    nice_plug_xtask::main()
}
