//! The three physics modules as a separate crate, which builds in seconds.
//!
//! The integration tests are modules of the crate, so that each mutant builds one program.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the crate.
pub const MODULES: [&str; 6] = ["body", "contact", "math", "params", "random", "rigid_body"];

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

/// Writes the crate with a target of `tests` and the workspace's lock file. Build files stay.
pub fn write(root: &Path, folder: &Path, target: &str) -> Result<()> {
    for old in ["src", "tests"] {
        let _ = fs::remove_dir_all(folder.join(old));
        fs::create_dir_all(folder.join(old))
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(folder.join("Cargo.toml"), MANIFEST)?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let module = module(target);
    let mut library = String::from("extern crate self as ictus;\n");
    for module in MODULES {
        library += &format!("pub mod {module};\n");
        copy(&root.join("src"), &folder.join("src"), module)?;
    }
    library += &format!("#[cfg(test)]\n#[path = \"../tests/{target}/main.rs\"]\nmod {module};\n");
    fs::write(folder.join("src/lib.rs"), library)?;
    let tests = folder.join("tests");
    for name in ["support", "data", target] {
        copy(&root.join("tests"), &tests, name)?;
    }
    // The root of the target becomes a module of the crate.
    for path in sources(&tests)? {
        let source = fs::read_to_string(&path)?;
        fs::write(&path, source.replace("crate::", &format!("crate::{module}::")))?;
    }
    remove_other_modules(&tests.join(target).join("main.rs"), &tests.join(target))
}

/// The module name of a target. The prefix keeps test filters apart from modules of the same name.
pub fn module(target: &str) -> String {
    format!("target_{target}")
}

/// All Rust files below a folder.
pub fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(path) = open.pop() {
        if path.is_dir() {
            for entry in path.read_dir()? {
                open.push(entry?.path());
            }
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}

/// Removes the declarations of modules that use other parts of the instrument.
///
/// `folder` holds the modules that `file` declares without a path.
fn remove_other_modules(file: &Path, folder: &Path) -> Result<()> {
    let mut source = fs::read_to_string(file)?;
    let lines: Vec<String> = source.lines().map(str::to_owned).collect();
    for (index, line) in lines.iter().enumerate() {
        let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) else {
            continue;
        };
        let above = index.checked_sub(1).map_or("", |above| &lines[above]);
        let path = above.strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]"));
        let (module, inside, declaration) = match path {
            Some(path) => {
                let module = file.with_file_name(path);
                let inside = module.parent().unwrap_or(folder).to_owned();
                (module, inside, format!("{above}\n{line}\n"))
            }
            None => (folder.join(format!("{name}.rs")), folder.join(name), format!("{line}\n")),
        };
        let text = fs::read_to_string(&module).unwrap_or_default();
        let mut uses = text.split("ictus::").skip(1);
        if uses.any(|rest| !MODULES.iter().any(|module| rest.starts_with(module))) {
            source = source.replace(&declaration, "");
        } else if module.exists() {
            remove_other_modules(&module, &inside)?;
        }
    }
    Ok(fs::write(file, source)?)
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
