//! What comes into the build from elsewhere: whether it may, and what has to be said of it.
//!
//! The rules are those of `deny.toml`. They are read here, because `cargo deny` takes longer to build than the plug-in; where
//! it is installed it is asked besides.
mod crates;
mod expression;
mod notices;

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use crates::Crate;
use serde::Deserialize;

pub use notices::FILE;

/// The part of `deny.toml` that is heeded.
#[derive(Deserialize)]
struct Rules {
    licenses: Licences,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

impl Rules {
    /// What is wrong with a crate.
    fn faults(&self, one: &Crate) -> Vec<String> {
        let name = format!("{} {}", one.name, one.version);
        let mut faults = Vec::new();
        if !expression::is_satisfied(&one.licence, &|licence| {
            self.licenses.allow.iter().any(|allowed| allowed == licence)
        }) {
            faults.push(format!("{name}: its licence is {:?}", one.licence));
        }
        if self.bans.deny.iter().any(|ban| ban.name == one.name) {
            faults.push(format!("{name}: it is banned"));
        }
        let registry = one.source.strip_prefix("registry+").unwrap_or_default();
        if !self.sources.allow_registry.iter().any(|allowed| allowed == registry) {
            faults.push(format!("{name}: it comes from {:?}", one.source));
        }
        faults
    }
}

/// Fails when a crate has a licence or a source that is not allowed, or is banned, or cannot be told of.
pub fn check(workspace: &Workspace) -> Result<()> {
    let text = std::fs::read_to_string(workspace.root.join("deny.toml")).context("cannot read deny.toml")?;
    let rules: Rules = toml::from_str(&text).context("deny.toml")?;
    let all = crates::all(workspace)?;
    let mut faults: Vec<_> = all.iter().flat_map(|one| rules.faults(one)).collect();
    let shipped = crates::shipped(workspace)?;
    faults.extend(notices::without_text(&shipped).into_iter().map(|name| format!("{name}: no text of its licence")));
    if !faults.is_empty() {
        bail!("{}", faults.join("; "));
    }
    eprintln!("  {} crates, {} of them shipped: licences, sources and bans hold", all.len(), shipped.len());
    if process::succeeds("cargo-deny", &["--version"]) {
        return process::run(process::cargo(&workspace.root).args(["deny", "check", "licenses", "bans", "sources"]));
    }
    eprintln!("  cargo-deny is not installed; its advisories were not looked at");
    Ok(())
}

/// The licences of all that is shipped.
pub fn notices(workspace: &Workspace) -> Result<String> {
    Ok(notices::text(&crates::shipped(workspace)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        toml::from_str(include_str!("../../deny.toml")).expect("the rules can be read")
    }

    fn named(name: &str, licence: &str, source: &str) -> Crate {
        let (name, licence, source) = (name.into(), licence.into(), source.into());
        let (version, repository) = ("1.0.0".into(), String::new());
        Crate { name, version, authors: Vec::new(), licence, repository, source, folder: "/".into() }
    }

    #[test]
    fn a_licence_a_ban_and_a_source_are_each_enough_to_refuse() {
        let registry = "registry+https://github.com/rust-lang/crates.io-index";
        let faults = |name, licence, source| rules().faults(&named(name, licence, source));
        assert!(faults("good", "MIT OR GPL-3.0", registry).is_empty());
        assert_eq!(faults("copyleft", "GPL-3.0-only", registry).len(), 1);
        assert_eq!(faults("mute", "", registry).len(), 1);
        assert_eq!(faults("reqwest", "MIT", registry).len(), 1);
        assert_eq!(faults("forked", "MIT", "git+https://example.org/forked").len(), 1);
    }
}
