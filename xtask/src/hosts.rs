//! `cargo xtask hosts`: what hosts that people use make of the bundles, where they are installed.
mod ardour;
mod qtractor;

use crate::install;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::PathBuf;

/// What a host did with the bundle, line by line; `None` if it is not installed.
type Account = Option<Vec<String>>;

/// A home of its own for the hosts, so that nobody's settings are touched.
struct Home {
    folder: PathBuf,
}

impl Home {
    fn new(workspace: &Workspace) -> Result<Self> {
        let folder = workspace.target.join("hosts");
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("cannot clear {}", folder.display()))?;
        }
        for (bundle, place) in [(workspace.vst3(), ".vst3"), (workspace.clap(), ".clap")] {
            ensure!(bundle.exists(), "{} is not there; `cargo xtask bundle` builds it", bundle.display());
            let name = bundle.file_name().context("a bundle has a name")?;
            install::replace(&bundle, &folder.join(place).join(name))?;
        }
        Ok(Self { folder })
    }
}

/// Every host that is there; the first thing that goes wrong is an error.
pub fn hosts(workspace: &Workspace) -> Result<()> {
    let home = Home::new(workspace)?;
    for (name, account) in [("Ardour", ardour::run(workspace, &home)?), ("Qtractor", qtractor::run(workspace, &home)?)]
    {
        match account {
            None => println!("{name}: not installed, skipped"),
            Some(lines) => lines.iter().for_each(|line| println!("{name}: {line}")),
        }
    }
    Ok(())
}
