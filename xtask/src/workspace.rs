//! Paths of the repository, of the target folder and of what is built there.
use crate::process;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The name of the bundles.
pub const NAME: &str = "Ictus";

/// The repository and the folder that cargo builds into.
pub struct Workspace {
    /// The folder of the outer `Cargo.toml`.
    pub root: PathBuf,
    /// Usually `target`, otherwise `CARGO_TARGET_DIR`.
    pub target: PathBuf,
}

impl Workspace {
    /// Finds the repository through `cargo metadata` and makes it the current folder.
    pub fn find() -> Result<Self> {
        let manifest = std::env::var("CARGO_MANIFEST_DIR")
            .unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
        let root = Path::new(&manifest)
            .parent()
            .context("the xtask crate has no folder above it")?
            .to_owned();
        let output = process::cargo(&root)
            .args(["metadata", "--no-deps", "--format-version=1"])
            .output()
            .context("cannot run `cargo metadata`")?;
        let metadata: serde_json::Value =
            serde_json::from_slice(&output.stdout).context("cannot read `cargo metadata`")?;
        let target = metadata["target_directory"]
            .as_str()
            .context("`cargo metadata` names no target folder")?;
        std::env::set_current_dir(&root)
            .with_context(|| format!("cannot go to {}", root.display()))?;
        Ok(Self { target: target.into(), root })
    }

    /// The release CLAP bundle.
    pub fn clap(&self) -> PathBuf {
        self.target.join("bundled").join(format!("{NAME}.clap"))
    }

    /// The release VST3 bundle.
    pub fn vst3(&self) -> PathBuf {
        self.target.join("bundled").join(format!("{NAME}.vst3"))
    }

    /// The folder of the bundles that abort when the audio thread allocates.
    pub fn guarded(&self) -> PathBuf {
        self.target.join("guarded")
    }

    /// The CLAP bundle that aborts when the audio thread allocates.
    pub fn guarded_clap(&self) -> PathBuf {
        self.guarded().join("bundled").join(format!("{NAME}.clap"))
    }

    /// The standalone instrument.
    pub fn standalone(&self) -> PathBuf {
        self.program("ictus-standalone")
    }

    /// The command line.
    pub fn cli(&self) -> PathBuf {
        self.program("ictus")
    }

    fn program(&self, name: &str) -> PathBuf {
        self.target.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// A path relative to the repository, if it lies inside.
    pub fn shown<'a>(&self, path: &'a Path) -> std::path::Display<'a> {
        path.strip_prefix(&self.root).unwrap_or(path).display()
    }
}
