//! `cargo xtask hosts`: what hosts that people use make of the bundles, where they are installed.
mod ardour;
mod qtractor;
mod validators;

use crate::workspace::Workspace;
use crate::{install, measurement};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::PathBuf;

/// What a host did with the bundle, line by line; `None` if it is not installed.
type HostReport = Option<Vec<String>>;

/// A home of its own for the hosts, so that nobody's settings are touched.
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
            install::replace(&bundle, &folder.join(place).join(name))?;
        }
        Ok(Self { folder })
    }
}

/// Where the results are kept.
const RECORD: &str = "docs/measurements/hosts.md";

/// Every host that is there, and every validator that is named; the first thing that goes wrong is
/// an error.
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
    let mut take = |name: &str, account: HostReport| {
        let account = account.unwrap_or_else(|| vec!["not installed, skipped".to_owned()]);
        for line in account {
            println!("{name}: {line}");
            lines.push(format!("- {name}: {line}"));
        }
    };
    take("Ardour", ardour::run(workspace, &home)?);
    take("Qtractor", qtractor::run(workspace, &home)?);
    for (name, path) in &programs {
        take(name, validators::run(name, path, workspace, seeds)?);
    }
    if is_recorded {
        let text = format!(
            "{}\n{}\n",
            measurement::head("Hosts and validators", workspace)?,
            lines.join("\n")
        );
        measurement::write(workspace, RECORD, &text)?;
    }
    Ok(())
}
