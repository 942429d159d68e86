//! Lists the factory presets, and links the plug-in so that it stays in memory once a host has
//! loaded it.
//!
//! A host that unloads a library while a thread that has run its code comes to an end may call that
//! thread's destructors where there is nothing any more. The libraries of the C++ runtime guard
//! themselves the same way.

use std::path::Path;

const PRESETS: &str = "plugin-assets/presets";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    list_presets();
}

/// Writes `[("anvil", include_str!("…/anvil.json")), …]`: a new file in the folder is a new factory
/// preset.
fn list_presets() {
    println!("cargo::rerun-if-changed={PRESETS}");
    let variable = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"));
    let folder = Path::new(&variable("CARGO_MANIFEST_DIR")).join(PRESETS);
    let files =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let rows = paths.iter().map(|path| {
        let key = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a preset's file has a plain name");
        format!("({key:?}, include_str!({path:?})),\n")
    });
    let list = format!("&[\n{}]\n", rows.collect::<String>());
    std::fs::write(Path::new(&variable("OUT_DIR")).join("factory_presets.rs"), list)
        .expect("the list can be written");
}
