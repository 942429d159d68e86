//! `cargo xtask mutants`: whether the tests of a part notice when its code is changed.
//!
//! All mutants of the three parts would take weeks. A sample drawn by chance says how many of all are caught, to within an
//! interval that is stated with it.

mod sample;

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use sample::{Outcome, draw};
use std::path::Path;
use std::process::Command;

/// Drawn from this seed unless told otherwise.
const SEED: u64 = 1;
/// Mutants of each part unless told otherwise.
const SAMPLE: usize = 50;
/// A mutant that loops is caught when its tests take this long.
const MOST_S: &str = "300";

/// A part of the core, and the tests that belong to it.
struct Part {
    name: &'static str,
    /// Unit tests that are run first: they catch most of what can be caught.
    units: &'static [&'static str],
    /// Integration tests for what these let through.
    targets: &'static [&'static str],
}

const PARTS: [Part; 3] = [
    Part {
        name: "contact",
        units: &["contact::", "gesture::", "voice::"],
        targets: &[
            "contact_analysis",
            "contact_exact",
            "contact_live",
            "contact_modes",
            "contact_passive",
            "contact_tables",
            "restitution_contact",
            "restitution_table",
            "two_way",
        ],
    },
    Part {
        name: "body",
        units: &["body::", "voice::"],
        targets: &["bodies", "body_tuning", "levelling", "levelling_hurry", "invariance", "two_way"],
    },
    Part {
        name: "rigid",
        units: &["rigid::", "gesture::", "voice::"],
        targets: &["rigid_chain", "rigid_jia", "rigid_plus", "rigid_tumble", "tumble", "chain", "oblique"],
    },
];

/// What was asked for.
struct Wish {
    parts: Vec<&'static Part>,
    sample: usize,
    seed: u64,
}

impl Wish {
    fn parse(args: &[String]) -> Result<Self> {
        let mut wish = Self { parts: PARTS.iter().collect(), sample: SAMPLE, seed: SEED };
        for pair in args.chunks(2) {
            match pair {
                [name, value] if name == "--part" => {
                    let part = PARTS.iter().find(|part| part.name == value);
                    wish.parts = vec![part.with_context(|| format!("--part {value}: contact, body or rigid"))?];
                }
                [name, value] if name == "--sample" => {
                    wish.sample = value.parse().with_context(|| format!("--sample {value}: a whole number"))?;
                }
                [name, value] if name == "--seed" => {
                    wish.seed = value.parse().with_context(|| format!("--seed {value}: a whole number"))?;
                }
                _ => bail!("{:?} is not one of --part, --sample, --seed with a value", pair[0]),
            }
        }
        Ok(wish)
    }
}

/// `cargo xtask mutants [--part contact|body|rigid] [--sample N] [--seed N]`.
pub fn mutants(workspace: &Workspace, args: &[String]) -> Result<()> {
    let wish = Wish::parse(args)?;
    if !process::succeeds("cargo", &["mutants", "--version"]) {
        println!("there is no cargo-mutants (`cargo install cargo-mutants --locked`): skipped");
        return Ok(());
    }
    let mut rows = String::new();
    for part in wish.parts {
        let all = list(workspace, part)?;
        let drawn = draw(&all, wish.sample, wish.seed);
        let folder = workspace.target.join("mutants").join(part.name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", workspace.shown(&folder)))?;
        // What unit tests let through is tried again with the integration tests.
        run(workspace, &folder, &drawn, &["--lib"], part.units, false)?;
        let targets: Vec<&str> = part.targets.iter().flat_map(|target| ["--test", target]).collect();
        let first = Outcome::read(&folder)?;
        if !first.missed.is_empty() {
            run(workspace, &folder, &drawn, &targets, &[], true)?;
        }
        let found = first.and_then(Outcome::read(&folder)?);
        rows += &found.row(part.name, all.len());
        found.missed.iter().for_each(|name| println!("missed: {name}"));
    }
    println!("\n| part | mutants | drawn | unviable | caught | missed | caught of viable | 95 % interval |");
    println!("|---|---|---|---|---|---|---|---|\n{rows}");
    Ok(())
}

fn cargo_mutants(workspace: &Workspace) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(&workspace.root).arg("mutants");
    command
}

/// All mutants of a part, by name.
fn list(workspace: &Workspace, part: &Part) -> Result<Vec<String>> {
    let name = part.name;
    let mut command = cargo_mutants(workspace);
    command.args(["--list", "--file", &format!("src/{name}.rs"), "--file", &format!("src/{name}/**")]);
    let output = command.output().context("cannot list the mutants")?;
    let text = String::from_utf8(output.stdout).context("names of mutants that are no text")?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Try these mutants; `again` leaves out those that were caught or cannot be built.
fn run(
    workspace: &Workspace,
    folder: &Path,
    names: &[&str],
    targets: &[&str],
    units: &[&str],
    again: bool,
) -> Result<()> {
    let mut command = cargo_mutants(workspace);
    command.args(["--baseline", "skip", "--timeout", MOST_S, "--colors", "never", "--output"]).arg(folder);
    command.args(["--no-default-features", "--features", "cli"]);
    command.args(again.then_some("--iterate"));
    for name in names {
        command.arg("--re").arg(format!("^{}$", sample::escaped(name)));
    }
    for target in targets {
        command.arg(format!("--cargo-arg={target}"));
    }
    command.args(units.iter().flat_map(|unit| ["--cargo-test-arg", unit]));
    // Its own folder, kept: the copy of the source is a new one each time, what it depends on is not.
    command.env("CARGO_TARGET_DIR", workspace.target.join("mutants/target"));
    // A change of one function builds one piece anew. No limit of lints: a mutant may leave something unused.
    command.env("CARGO_INCREMENTAL", "1").env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    eprintln!("  {} mutants by {}", names.len(), targets.join(" "));
    // It ends with 2 when some are missed and with 3 when some take too long: both are a result.
    let status = command.status().context("cannot start cargo-mutants")?;
    match status.code() {
        Some(0 | 2 | 3) => Ok(()),
        _ => bail!("cargo-mutants failed ({status})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_numbers_are_taken_by_name() {
        let words = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
        let wish = Wish::parse(&words("--part rigid --sample 7")).expect("known");
        assert_eq!((wish.parts.len(), wish.parts[0].name, wish.sample, wish.seed), (1, "rigid", 7, SEED));
        assert_eq!(Wish::parse(&[]).expect("nothing").parts.len(), 3);
        assert!(Wish::parse(&words("--part voice")).is_err() && Wish::parse(&words("--sample")).is_err());
    }

    #[test]
    fn every_target_is_there() {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
        for target in PARTS.iter().flat_map(|part| part.targets) {
            let there = tests.join(format!("{target}.rs")).exists() || tests.join(target).join("main.rs").exists();
            assert!(there, "{target}");
        }
    }
}
