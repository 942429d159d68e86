//! Copies the bundles to where hosts look for them.
use crate::bundle::remove;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Copies both bundles and says where to.
pub fn install(workspace: &Workspace) -> Result<()> {
    let (clap, vst3) = folders()?;
    for (bundle, folder) in [(workspace.clap(), clap), (workspace.vst3(), vst3)] {
        let name = bundle.file_name().context("a bundle without a name")?;
        let to = folder.join(name);
        replace(&bundle, &to)?;
        println!("installed {}", to.display());
    }
    println!("Let your host scan for plug-ins again to find it.");
    Ok(())
}

/// The user's folders for CLAP and VST3, by each format's own rules.
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

/// Puts a copy of `from` at `to`. The copy is made beside it and then moved, so that a host which
/// scans meanwhile never sees half a plug-in, and one that has the old file open keeps it.
pub fn replace(from: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().context("a target without a folder")?;
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
    fn an_old_bundle_is_replaced_whole() {
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
