//! From source to `Ictus.clap` and `Ictus.vst3`.
use crate::packages::Purpose;
use crate::progress::Steps;
use crate::workspace::Workspace;
use crate::{process, setup, supply};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

const PACKAGE: &str = "ictus";

/// `cargo xtask bundle`.
pub fn set_up_and_bundle(workspace: &Workspace) -> Result<()> {
    let mut steps = Steps::new(&["system libraries", "build", "bundle"]);
    steps.run(|| setup::set_up(Purpose::Play));
    steps.run(|| build_release(workspace));
    steps.run(|| bundle_release(workspace));
    steps.into_result()
}

/// The plug-in, the standalone instrument and the command line, in one build: the standalone's
/// features change those of shared dependencies, so that separate builds would compile most of them
/// twice.
pub fn build_release(workspace: &Workspace) -> Result<()> {
    let args = ["build", "--locked", "--release", "--package", PACKAGE, "--features", "standalone"];
    process::run(process::cargo(&workspace.root).args(args))
}

/// Makes the bundles from what [`build_release`] built.
pub fn bundle_release(workspace: &Workspace) -> Result<()> {
    bundle(workspace, &workspace.target.join("release"), &workspace.target)
}

/// The plug-in that aborts when its audio thread allocates. It needs debug assertions, hence the
/// dev profile; the tests are built in that profile too, so the two share all dependencies below
/// the framework.
pub fn build_guarded(workspace: &Workspace) -> Result<()> {
    let args =
        ["build", "--locked", "--package", PACKAGE, "--lib", "--features", "assert_process_allocs"];
    process::run(process::cargo(&workspace.root).args(args))?;
    bundle(workspace, &workspace.target.join("debug"), &workspace.guarded())
}

/// Bundles the library in `built` into the folder `bundled` of `out`.
///
/// The framework's bundler takes any program with the package's name for the standalone instrument,
/// but here that is the command line; so it is shown a folder with nothing in it but the library.
fn bundle(workspace: &Workspace, built: &Path, out: &Path) -> Result<()> {
    let stage = out.join("stage");
    fs::create_dir_all(&stage).with_context(|| format!("cannot make {}", stage.display()))?;
    let library = library_name();
    let from = built.join(&library);
    fs::copy(&from, stage.join(&library))
        .with_context(|| format!("cannot copy {}: was it built?", from.display()))?;
    // A host may still have the old bundle mapped: writing into it would crash that host, a new
    // file does not.
    for bundle in ["clap", "vst3"] {
        remove(&out.join("bundled").join(format!("{}.{bundle}", crate::workspace::NAME)))?;
    }
    put_notices(workspace, &out.join("bundled"))?;
    let args = ["--profile".to_owned(), "stage".to_owned()];
    nice_plug_xtask::bundle(out, PACKAGE, &args, false)
}

/// Puts the licences of others into every bundle that is a folder, and beside them for those that
/// are a file (a CLAP is one but on macOS). Before the bundles are made, because they are signed
/// then.
fn put_notices(workspace: &Workspace, bundled: &Path) -> Result<()> {
    let text = supply::notices(workspace)?;
    let resources = |bundle: &str| {
        bundled
            .join(format!("{}.{bundle}", crate::workspace::NAME))
            .join("Contents")
            .join("Resources")
    };
    let mut folders = vec![bundled.to_owned(), resources("vst3")];
    if cfg!(target_os = "macos") {
        folders.push(resources("clap"));
    }
    for folder in folders {
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let file = folder.join(supply::FILE);
        fs::write(&file, &text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// Removes a file or a folder; nothing happens when it is not there.
pub fn remove(path: &Path) -> Result<()> {
    let result = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    };
    result.with_context(|| format!("cannot remove {}", path.display()))
}

fn library_name() -> PathBuf {
    let name = format!("{}{PACKAGE}", std::env::consts::DLL_PREFIX);
    PathBuf::from(name).with_extension(std::env::consts::DLL_EXTENSION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_licences_of_others_come_along() {
        let workspace = Workspace::find().expect("the repository");
        let folder = std::env::temp_dir().join(format!("ictus-notices-{}", std::process::id()));
        put_notices(&workspace, &folder).expect("written");
        let inside =
            folder.join("Ictus.vst3").join("Contents").join("Resources").join(supply::FILE);
        let text = fs::read_to_string(inside).expect("in the bundle");
        assert_eq!(fs::read_to_string(folder.join(supply::FILE)).expect("beside it"), text);
        for known in ["nice-plug 0.4.2: ISC", "egui 0.37.0", "arrayvec", "SIL OPEN FONT LICENSE"] {
            assert!(text.contains(known), "{known}");
        }
        // What only tests or builds is not shipped.
        assert!(!text.contains("proptest"));
        fs::remove_dir_all(&folder).expect("cleaned up");
    }
}
