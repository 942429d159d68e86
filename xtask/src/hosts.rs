//! `cargo xtask hosts`: the bundles in installed hosts and validators.
mod ardour;
mod qtractor;
mod validators;

use crate::workspace::Workspace;
use crate::{bundle, measure};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::PathBuf;

/// Results of a host, one per line; `None` if it is not installed.
type HostReport = Option<Vec<String>>;

/// A separate home folder for the hosts, so that they do not change the settings of the user.
struct Home {
    folder: PathBuf,
}

impl Home {
    fn new(workspace: &Workspace) -> Result<Self> {
        let folder = workspace.target.join("hosts");
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .with_context(|| format!("cannot clear {}", folder.display()))?;
        }
        for (bundle, place) in [(workspace.vst3(), ".vst3"), (workspace.clap(), ".clap")] {
            ensure!(
                bundle.exists(),
                "{} is not there; `cargo xtask bundle` builds it",
                bundle.display()
            );
            let name = bundle.file_name().context("a bundle has a name")?;
            bundle::replace(&bundle, &folder.join(place).join(name))?;
        }
        Ok(Self { folder })
    }
}

/// The file that `--record` writes.
const RECORD: &str = "docs/measurements/hosts.md";

/// Runs the installed hosts and the named validators. The first fault is an error.
pub fn hosts(workspace: &Workspace, args: &[String]) -> Result<()> {
    let (mut programs, mut is_recorded, mut seeds, mut rest) =
        (Vec::new(), false, usize::MAX, args.iter());
    while let Some(argument) = rest.next() {
        match (argument.as_str(), rest.as_slice()) {
            ("--record", _) => is_recorded = true,
            ("--with", [named, ..]) => {
                let (name, path) = named.split_once('=').context("--with takes NAME=PATH")?;
                programs.push((name.to_owned(), PathBuf::from(path)));
                rest.next();
            }
            ("--seeds", [count, ..]) => {
                seeds = count
                    .parse()
                    .with_context(|| format!("--seeds takes a number, not {count:?}"))?;
                rest.next();
            }
            (other, _) => {
                bail!(
                    "`cargo xtask hosts` takes --with NAME=PATH, --seeds N and --record, but was given {other:?}"
                )
            }
        }
    }
    let home = Home::new(workspace)?;
    let mut lines = Vec::new();
    let mut add = |name: &str, report: HostReport| {
        let report = report.unwrap_or_else(|| vec!["not installed, skipped".to_owned()]);
        for line in report {
            println!("{name}: {line}");
            lines.push(format!("- {name}: {line}"));
        }
    };
    add("Ardour", ardour::run(workspace, &home)?);
    add("Qtractor", qtractor::run(workspace, &home)?);
    for (name, path) in &programs {
        add(name, validators::run(name, path, workspace, seeds)?);
    }
    if is_recorded {
        let text = format!(
            "{}\n{}\n",
            measure::head("Hosts and validators", workspace)?,
            lines.join("\n")
        );
        measure::write(workspace, RECORD, &text)?;
    }
    Ok(())
}
