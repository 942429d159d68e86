//! Builds `Ictus.clap` and `Ictus.vst3`, and copies them to where hosts look.

use crate::progress::Steps;
use crate::setup::Purpose;
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

/// Bundles what [`build_release`] has built.
pub fn bundle_release(workspace: &Workspace) -> Result<()> {
    bundle(workspace, &workspace.target.join("release"), &workspace.target)
}

/// Builds and bundles the plug-in that aborts when its audio thread allocates.
///
/// The guard is a debug assertion, hence the dev profile. The tests use that profile too, so both
/// share the dependencies.
pub fn build_guarded(workspace: &Workspace) -> Result<()> {
    let args =
        ["build", "--locked", "--package", PACKAGE, "--lib", "--features", "assert_process_allocs"];
    process::run(process::cargo(&workspace.root).args(args))?;
    bundle(workspace, &workspace.target.join("debug"), &workspace.guarded())
}

/// Bundles the library in `built` into the folder `bundled` of `out`.
///
/// The framework's bundler takes a program with the package's name for the standalone instrument,
/// but here that name is the command line. So it gets a folder that holds only the library.
fn bundle(workspace: &Workspace, built: &Path, out: &Path) -> Result<()> {
    let stage = out.join("stage");
    fs::create_dir_all(&stage).with_context(|| format!("cannot make {}", stage.display()))?;
    let library = library_name();
    let from = built.join(&library);
    fs::copy(&from, stage.join(&library))
        .with_context(|| format!("cannot copy {}: was it built?", from.display()))?;
    // A host may have the old bundle mapped. Writing into that file would crash the host; a new
    // file does not.
    for bundle in ["clap", "vst3"] {
        remove(&out.join("bundled").join(format!("{}.{bundle}", crate::workspace::NAME)))?;
    }
    put_notices(workspace, &out.join("bundled"))?;
    let args = ["--profile".to_owned(), "stage".to_owned()];
    nice_plug_xtask::bundle(out, PACKAGE, &args, false)
}

/// Writes the third-party licences into every bundle that is a folder and beside the bundles.
///
/// A CLAP bundle is a folder on macOS only. The files come first because bundling signs the folder.
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

/// Removes a file or a folder if it exists.
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

/// Copies both bundles into the user's plug-in folders and prints the paths.
pub fn install(workspace: &Workspace) -> Result<()> {
    let (clap, vst3) = folders()?;
    for (bundle, folder) in [(workspace.clap(), clap), (workspace.vst3(), vst3)] {
        let name = bundle.file_name().context("the bundle has no name")?;
        let to = folder.join(name);
        replace(&bundle, &to)?;
        println!("installed {}", to.display());
    }
    println!("Let your host scan for plug-ins again to find it.");
    Ok(())
}

/// The user's folders for CLAP and VST3, as each format specifies them.
fn folders() -> Result<(PathBuf, PathBuf)> {
    let variable = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value
            .map(PathBuf::from)
            .with_context(|| format!("{name} is not set, so the plug-in folders are unknown"))
    };
    if cfg!(target_os = "windows") {
        let common = variable("LOCALAPPDATA")?.join("Programs").join("Common");
        Ok((common.join("CLAP"), common.join("VST3")))
    } else if cfg!(target_os = "macos") {
        let plugins = variable("HOME")?.join("Library/Audio/Plug-Ins");
        Ok((plugins.join("CLAP"), plugins.join("VST3")))
    } else {
        let home = variable("HOME")?;
        Ok((home.join(".clap"), home.join(".vst3")))
    }
}

/// Replaces `to` by a copy of `from`.
///
/// The copy is made under another name and then renamed, so that a scanning host never sees half a
/// plug-in and a host that has the old file open keeps it.
pub fn replace(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().context("the target has no folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let new = to.with_extension("new");
    remove(&new)?;
    copy(from, &new)?;
    remove(to)?;
    fs::rename(&new, to).with_context(|| format!("cannot write {}", to.display()))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        fs::copy(from, to)
            .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
        return Ok(());
    }
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry.with_context(|| format!("cannot read {}", from.display()))?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundles_contain_the_third_party_licences() {
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
        // Test dependencies are not shipped.
        assert!(!text.contains("proptest"));
        fs::remove_dir_all(&folder).expect("cleaned up");
    }

    #[test]
    fn replacing_leaves_no_old_file() {
        let folder = std::env::temp_dir().join(format!("ictus-install-{}", std::process::id()));
        let (from, to) = (folder.join("Ictus.vst3"), folder.join("out").join("Ictus.vst3"));
        fs::create_dir_all(from.join("Contents")).expect("a folder");
        fs::write(from.join("Contents").join("new"), "new").expect("a file");
        fs::create_dir_all(&to).expect("a folder");
        fs::write(to.join("old"), "old").expect("a file");
        replace(&from, &to).expect("replaced");
        assert!(to.join("Contents").join("new").exists());
        assert!(!to.join("old").exists());
        fs::remove_dir_all(&folder).expect("cleaned up");
    }
}
