//! The three physics modules as a separate crate, which builds in seconds.
//!
//! The integration tests are modules of the crate, so that each mutant builds one program.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the crate.
pub const MODULES: [&str; 3] = ["body", "contact", "rigid_body"];

/// Low optimisation and incremental builds: each mutant is compiled once and run once.
const MANIFEST: &str = r#"[package]
name = "ictus"
version = "0.1.0"
edition = "2024"

[workspace]

[features]
cli = []

[dependencies]
arrayvec = { version = "0.7", default-features = false }
fearless_simd = "1.2"

[dev-dependencies]
assert_no_alloc = "1.1"
proptest = { version = "1", default-features = false, features = ["std"] }
serde_json = "1"

[profile.dev]
opt-level = 1
debug = 0
incremental = true
"#;

/// Writes the crate with these targets of `tests` and the workspace's lock file. Build files stay.
pub fn write<'a>(root: &Path, folder: &Path, targets: impl Iterator<Item = &'a str>) -> Result<()> {
    for old in ["src", "tests"] {
        let _ = fs::remove_dir_all(folder.join(old));
        fs::create_dir_all(folder.join(old))
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(folder.join("Cargo.toml"), MANIFEST)?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut library = String::from("extern crate self as ictus;\n");
    for module in MODULES {
        library += &format!("pub mod {module};\n");
        copy(&root.join("src"), &folder.join("src"), module)?;
    }
    let tests = folder.join("tests");
    copy(&root.join("tests"), &tests, "support")?;
    copy(&root.join("tests"), &tests, "data")?;
    for target in targets {
        copy(&root.join("tests"), &tests, target)?;
        let is_file = tests.join(target).with_extension("rs").exists();
        let path = if is_file { format!("{target}.rs") } else { format!("{target}/main.rs") };
        library +=
            &format!("#[cfg(test)]\n#[path = \"../tests/{path}\"]\nmod {};\n", module(target));
        if !is_file {
            go_deeper(&tests.join(target))?;
            leave_out_others(&tests.join(target))?;
        }
    }
    fs::write(folder.join("src/lib.rs"), library)?;
    Ok(())
}

/// The module name of a target. The prefix keeps test filters apart from modules of the same name.
pub fn module(target: &str) -> String {
    format!("target_{target}")
}

/// Rewrites the paths of a target for its place one module deeper.
fn go_deeper(folder: &Path) -> Result<()> {
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "rs") {
            fs::write(&path, fs::read_to_string(&path)?.replace("crate::", "super::"))?;
        }
    }
    Ok(())
}

/// Removes the modules of a target that use other parts of the instrument: those in its folder and
/// those that it shares with other targets.
fn leave_out_others(folder: &Path) -> Result<()> {
    let main = folder.join("main.rs");
    let mut modules = fs::read_to_string(&main)?;
    let mut all: Vec<(PathBuf, String)> = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
            all.push((path.clone(), format!("mod {name};\n")));
        }
    }
    for (path, rest) in
        modules.split("#[path = \"").skip(1).filter_map(|shared| shared.split_once("\"]\n"))
    {
        let name = rest.lines().next().unwrap_or_default();
        all.push((folder.join(path), format!("#[path = \"{path}\"]\n{name}\n")));
    }
    for (path, declaration) in all {
        let source = fs::read_to_string(&path).unwrap_or_default();
        let mut uses = source.split("ictus::").skip(1);
        if uses.any(|rest| !MODULES.iter().any(|module| rest.starts_with(module))) {
            modules = modules.replace(&declaration, "");
        }
    }
    Ok(fs::write(main, modules)?)
}

/// Copies the file `name.rs` and the folder `name`, whichever exist.
fn copy(from: &Path, to: &Path, name: &str) -> Result<()> {
    let file = format!("{name}.rs");
    if from.join(&file).exists() {
        fs::copy(from.join(&file), to.join(&file))
            .with_context(|| format!("cannot copy {file}"))?;
    }
    let mut folders = vec![PathBuf::from(name)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = from.join(&folder).read_dir() else { continue };
        fs::create_dir_all(to.join(&folder))?;
        for entry in entries {
            let entry = entry?;
            let inside = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(inside);
            } else {
                fs::copy(entry.path(), to.join(&inside))
                    .with_context(|| format!("cannot copy {}", inside.display()))?;
            }
        }
    }
    Ok(())
}
