//! Third-party crates: the rules of `deny.toml`, and the licences that ship with the bundles.

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Fails if a crate breaks a rule of `deny.toml` or has no licence text.
pub fn check(workspace: &Workspace) -> Result<()> {
    check_rules(workspace)?;
    let shipped = shipped(workspace)?;
    let without = without_text(&shipped);
    if !without.is_empty() {
        bail!("no licence text: {}", without.join("; "));
    }
    eprintln!("  {} crates are shipped, each with the text of its licence", shipped.len());
    Ok(())
}

/// The text of `THIRD_PARTY.txt`: the licences of all shipped crates.
pub fn notices(workspace: &Workspace) -> Result<String> {
    Ok(text(&shipped(workspace)?))
}

/// A third-party crate.
#[derive(Clone, Debug)]
struct Crate {
    name: String,
    version: String,
    authors: Vec<String>,
    /// Licence expression; may be empty.
    licence: String,
    repository: String,
    /// Unpacked sources.
    folder: PathBuf,
}

/// The crates linked into the plug-in and the standalone instrument on this system.
fn shipped(workspace: &Workspace) -> Result<Vec<Crate>> {
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

/// The target triple of this machine.
fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output =
        std::process::Command::new(rustc).arg("-vV").output().context("cannot run rustc")?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    printed
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .context("rustc names no host")
}

/// Identifiers of the packages that the plug-in links, without build and test dependencies.
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

/// The wanted packages outside this workspace, sorted by name and version.
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

/// The version to install. Another version might interpret the rules differently.
const VERSION: &str = "0.20.2";

/// The checks that depend on the crates alone. Advisories come from a database on the network that
/// changes daily.
const CHECKS: [&str; 3] = ["bans", "licenses", "sources"];

/// Runs `cargo deny` over everything that any build of the workspace uses on any system.
fn check_rules(workspace: &Workspace) -> Result<()> {
    let mut command = std::process::Command::new(program(workspace)?);
    command.current_dir(&workspace.root).args([
        "--workspace",
        "--all-features",
        "--locked",
        "check",
    ]);
    process::run(command.args(CHECKS))
}

/// The cargo-deny on the PATH, or else the one in `target/tools`, which is built if missing.
fn program(workspace: &Workspace) -> Result<PathBuf> {
    const NAME: &str = "cargo-deny";
    if process::succeeds(NAME, &["--version"]) {
        return Ok(NAME.into());
    }
    let tools = workspace.target.join("tools");
    let ours = tools.join("bin").join(format!("{NAME}{}", std::env::consts::EXE_SUFFIX));
    if !is_version(&ours, VERSION) {
        eprintln!(
            "  missing: {NAME} (licences, bans and sources); {VERSION} is built into {}",
            workspace.shown(&tools)
        );
        install(workspace, &tools)
            .with_context(|| format!("cannot install {NAME}; try by hand: cargo install {NAME}"))?;
    }
    Ok(ours)
}

fn install(workspace: &Workspace, tools: &Path) -> Result<()> {
    let mut command = process::cargo(&workspace.root);
    command
        .args(["install", "cargo-deny", "--version", VERSION, "--locked", "--force", "--root"])
        .arg(tools);
    // Its release profile uses link-time optimisation and takes minutes to build.
    command.arg("--debug").env("CARGO_PROFILE_DEV_DEBUG", "0");
    // A separate target folder, because its dependencies differ from the plug-in's. An interrupted
    // build keeps it and continues there.
    let build = tools.join("build");
    process::run(command.env("CARGO_TARGET_DIR", &build))?;
    std::fs::remove_dir_all(&build)
        .with_context(|| format!("cannot clear {}", workspace.shown(&build)))
}

/// Whether the program exists and reports this version.
fn is_version(program: &Path, version: &str) -> bool {
    let printed = std::process::Command::new(program).arg("--version").output();
    printed.is_ok_and(|printed| {
        String::from_utf8_lossy(&printed.stdout).split_whitespace().last() == Some(version)
    })
}

/// File name of the third-party licences.
pub const FILE: &str = "THIRD_PARTY.txt";

const HEAD: &str = "\
Ictus is made with the work of others. These are their crates and fonts, and their licences.

";

/// Upper-case beginnings of the names of licence files.
const BEGINNINGS: [&str; 5] = ["LICEN", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"];
const FONTS: [&str; 4] =
    ["OFL.TXT", "UFL.TXT", "HACK-REGULAR.TXT", "EMOJI-ICON-FONT-MIT-LICENSE.TXT"];

/// Texts for crates without a licence file: the first that the licence expression names is used.
const TEXTS: [(&str, &str); 6] = [
    ("MIT", include_str!("supply/texts/MIT.txt")),
    ("ISC", include_str!("supply/texts/ISC.txt")),
    ("Zlib", include_str!("supply/texts/Zlib.txt")),
    ("BSL-1.0", include_str!("supply/texts/BSL-1.0.txt")),
    ("Unlicense", include_str!("supply/texts/Unlicense.txt")),
    ("Apache-2.0", include_str!("../../LICENSE-APACHE")),
];

/// The text of [`FILE`] for these crates.
fn text(crates: &[Crate]) -> String {
    let mut text = HEAD.to_owned();
    // Crates with the same text share one entry.
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in crates {
        let name = format!("{} {}", one.name, one.version);
        let _ = writeln!(text, "  {name}: {} {}", one.licence, one.repository);
        for licence in texts(one) {
            by_text.entry(licence).or_default().push(name.clone());
        }
    }
    for (licence, names) in by_text {
        let _ =
            write!(text, "\n{}\n{}\n\n{}\n", "=".repeat(100), names.join(", "), licence.trim_end());
    }
    text
}

/// The licences of a crate: its own files, or else the text of the licence that it names.
fn texts(one: &Crate) -> Vec<String> {
    let mut texts =
        files(&one.folder, &|name| BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)));
    texts.extend(files(&one.folder.join("fonts"), &|name| FONTS.contains(&name)));
    if texts.is_empty() {
        let known = TEXTS.iter().find(|(licence, _)| {
            let mut words = one.licence.split(|c: char| c.is_whitespace() || "/()".contains(c));
            words.any(|word| word == *licence)
        });
        let authors = if one.authors.is_empty() {
            format!("the authors of {}", one.name)
        } else {
            one.authors.join(", ")
        };
        texts.extend(
            known.map(|(licence, text)| format!("{licence}. Copyright (c) {authors}\n\n{text}")),
        );
    }
    texts
}

/// Texts of the files whose upper-case name is wanted, sorted by name.
fn files(folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    paths.retain(|path| {
        path.file_name().is_some_and(|name| wanted(&name.to_string_lossy().to_uppercase()))
    });
    paths.sort();
    let read =
        |path| Some(String::from_utf8_lossy(&std::fs::read(path).ok()?).replace("\r\n", "\n"));
    paths.iter().filter_map(read).collect()
}

/// Crates without any licence text.
fn without_text(crates: &[Crate]) -> Vec<String> {
    let lacking = crates.iter().filter(|one| texts(one).is_empty());
    lacking.map(|one| format!("{} {} ({})", one.name, one.version, one.licence)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_versions_and_missing_programs_are_not_accepted() {
        assert!(!is_version(Path::new("rustc"), VERSION));
        assert!(!is_version(Path::new("surely-no-such-program"), VERSION));
    }

    fn named(licence: &str) -> Crate {
        Crate {
            name: "thing".into(),
            version: "1.0.0".into(),
            authors: vec!["Somebody".into()],
            licence: licence.into(),
            repository: String::new(),
            folder: "/surely/no/such/folder".into(),
        }
    }

    #[test]
    fn a_crate_without_a_file_gets_the_text_that_it_names_and_its_authors() {
        let text = text(&[named("Apache-2.0/MIT")]);
        assert!(
            text.contains("MIT. Copyright (c) Somebody")
                && text.contains("Permission is hereby granted"),
            "{text}"
        );
        assert_eq!(without_text(&[named("ISC"), named("Of-my-own")]), ["thing 1.0.0 (Of-my-own)"]);
    }
}
