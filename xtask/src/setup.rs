//! Gets what is missing where it can, and names it where it cannot.
use crate::packages::{Need, Purpose, missing};
use crate::process;
use anyhow::{Context, Result, bail};
use std::io::IsTerminal;
use std::process::Command;

/// Makes the machine ready: on Debian and its kin by installing packages, elsewhere by saying which
/// are missing.
pub fn set_up(purpose: Purpose) -> Result<()> {
    let debian = is_debian(&std::fs::read_to_string("/etc/os-release").unwrap_or_default())
        && process::succeeds("apt-get", &["--version"]);
    let lacking = missing(purpose, debian);
    if lacking.is_empty() {
        eprintln!("  all there");
        return Ok(());
    }
    for need in &lacking {
        eprintln!("  missing: {} ({})", need.debian, need.why);
    }
    if debian { install(&lacking, purpose) } else { name(&lacking, purpose) }
}

/// Debian itself, Ubuntu, Mint and all that call themselves their kin.
fn is_debian(os_release: &str) -> bool {
    os_release
        .lines()
        .filter_map(|line| line.split_once('='))
        .filter(|(key, _)| matches!(*key, "ID" | "ID_LIKE"))
        .flat_map(|(_, value)| value.trim_matches('"').split_whitespace())
        .any(|id| matches!(id, "debian" | "ubuntu"))
}

fn install(lacking: &[Need], purpose: Purpose) -> Result<()> {
    let mut names: Vec<_> = lacking.iter().map(|need| need.debian).collect();
    names.dedup();
    let by_hand = format!("apt-get install {}", names.join(" "));
    let rights = Rights::find()
        .with_context(|| format!("these packages need an administrator; run as one: {by_hand}"))?;
    // An old package list makes the installation fail; a list that cannot be had now may still be
    // good enough.
    if let Err(error) = process::run(rights.apt_get().arg("update")) {
        eprintln!("  {error:#}; trying with the package list that is there");
    }
    let mut command = rights.apt_get();
    command.args(["install", "--yes", "--no-install-recommends"]).args(&names);
    process::run(&mut command)
        .with_context(|| format!("cannot install the packages; try by hand: {by_hand}"))?;
    let still: Vec<_> = missing(purpose, true).iter().map(|need| need.debian).collect();
    if !still.is_empty() {
        bail!("installed, but still not usable: {}", still.join(", "));
    }
    Ok(())
}

fn name(lacking: &[Need], purpose: Purpose) -> Result<()> {
    let list = |name: fn(&Need) -> &'static str| {
        let mut names: Vec<_> = lacking.iter().map(name).collect();
        names.sort_unstable();
        names.dedup();
        names.join(" ")
    };
    if cfg!(target_os = "linux") {
        eprintln!("  This is neither Debian nor Ubuntu, so please install them yourself:");
        eprintln!("    Fedora: dnf install {}", list(|need| need.fedora));
        eprintln!("    Arch:   pacman -S {}", list(|need| need.arch));
        eprintln!("    Debian: apt-get install {}", list(|need| need.debian));
    } else {
        eprintln!(
            "  Please install Python 3 with its venv module (python.org or your package manager)."
        );
    }
    if purpose == Purpose::Test || lacking.iter().any(|need| need.to_build) {
        bail!("what is listed above is missing; run this command again when it is there");
    }
    eprintln!("  Going on: the build does not need them.");
    Ok(())
}

/// How packages may be installed here.
enum Rights {
    Root,
    Sudo { ask: bool },
}

impl Rights {
    fn find() -> Result<Self> {
        let id = Command::new("id").arg("-u").output().context("cannot run `id`")?;
        if id.stdout.trim_ascii() == b"0" {
            return Ok(Self::Root);
        }
        let ask = std::io::stdin().is_terminal() && std::env::var_os("CI").is_none();
        if !process::succeeds("sudo", &["--version"]) {
            bail!("sudo is not installed");
        }
        if !ask && !process::succeeds("sudo", &["--non-interactive", "true"]) {
            bail!("sudo wants a password, and there is no terminal to ask for it");
        }
        Ok(Self::Sudo { ask })
    }

    fn apt_get(&self) -> Command {
        let mut command = match self {
            Self::Root => Command::new("env"),
            Self::Sudo { ask } => {
                let mut sudo = Command::new("sudo");
                if !ask {
                    sudo.arg("--non-interactive");
                }
                sudo.arg("env");
                sudo
            }
        };
        // By `env` and not by the environment, which sudo drops.
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_and_its_kin_are_known() {
        assert!(is_debian("PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"));
        assert!(is_debian("ID=ubuntu\nID_LIKE=debian\n"));
        assert!(is_debian("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"));
        assert!(!is_debian("NAME=\"not debian\"\nID=fedora\n"));
        assert!(!is_debian(""));
    }
}
