//! The crates of the build, by cargo's own account.
use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// One crate of somebody else's.
#[derive(Clone, Debug)]
pub struct Crate {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Who wrote it, as far as it says.
    pub authors: Vec<String>,
    /// Its licence expression; empty if it says none.
    pub licence: String,
    /// Where its source is kept, or nothing.
    pub repository: String,
    /// Its unpacked folder.
    pub folder: PathBuf,
}

/// What is linked into the plug-in and the standalone instrument on this system.
pub fn shipped(workspace: &Workspace) -> Result<Vec<Crate>> {
    let host = host()?;
    let metadata = metadata(workspace, &host)?;
    let reached =
        reached(&metadata).context("`cargo metadata` does not say what the plug-in needs")?;
    Ok(foreign(&metadata, |id| reached.contains(id)))
}

fn metadata(workspace: &Workspace, host: &str) -> Result<Value> {
    let args = [
        "metadata",
        "--locked",
        "--format-version=1",
        "--features",
        "ictus/standalone",
        "--filter-platform",
        host,
    ];
    let output = process::cargo(&workspace.root)
        .args(args)
        .output()
        .context("cannot run `cargo metadata`")?;
    serde_json::from_slice(&output.stdout).with_context(|| {
        format!("cannot read `cargo metadata`: {}", String::from_utf8_lossy(&output.stderr))
    })
}

/// The system that this program was built for, as rustc calls it.
fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output =
        std::process::Command::new(rustc).arg("-vV").output().context("cannot run rustc")?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    told.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .context("rustc names no host")
}

/// Packages that the plug-in needs to run; not what only builds or tests it.
fn reached(metadata: &Value) -> Option<BTreeSet<String>> {
    let nodes = metadata["resolve"]["nodes"].as_array()?;
    let root =
        metadata["packages"].as_array()?.iter().find(|package| package["name"] == "ictus")?;
    let mut reached = BTreeSet::new();
    let mut open = vec![root["id"].as_str()?.to_owned()];
    while let Some(id) = open.pop() {
        let node = nodes.iter().find(|node| node["id"] == id.as_str())?;
        for needed in node["deps"].as_array()? {
            if needed["dep_kinds"].as_array()?.iter().any(|kind| kind["kind"].is_null()) {
                open.extend(
                    needed["pkg"].as_str().filter(|id| !reached.contains(*id)).map(str::to_owned),
                );
            }
        }
        reached.insert(id);
    }
    Some(reached)
}

/// All that are not of this workspace, by name and version.
fn foreign(metadata: &Value, wanted: impl Fn(&str) -> bool) -> Vec<Crate> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let packages = packages
        .iter()
        .filter(|package| package["source"].is_string() && wanted(&text(&package["id"])));
    let mut crates: Vec<_> = packages
        .map(|package| Crate {
            name: text(&package["name"]),
            version: text(&package["version"]),
            authors: package["authors"]
                .as_array()
                .map_or(Vec::new(), |authors| authors.iter().map(text).collect()),
            licence: text(&package["license"]),
            repository: text(&package["repository"]),
            folder: PathBuf::from(text(&package["manifest_path"]))
                .parent()
                .map(PathBuf::from)
                .unwrap_or_default(),
        })
        .collect();
    crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    crates
}
