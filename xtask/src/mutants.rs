//! `cargo xtask mutants`: whether the tests of a part notice when its code is changed.
//!
//! All mutants of the three parts would take weeks. A sample drawn by chance says how many of all
//! are caught, to within an interval that is stated with it.

mod sample;
mod separate_crate;

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use sample::Outcome;
use std::path::Path;
use std::process::Command;

/// Drawn from this seed unless told otherwise.
const SEED: u64 = 1;
/// Mutants of each part unless told otherwise.
const SAMPLE: usize = 50;
/// A mutant whose tests take this long loops, and is caught, s.
const MAX_S: &str = "300";

/// A part of the core, and the tests that belong to it.
struct Part {
    name: &'static str,
    /// Integration tests of some seconds, run with the unit tests.
    short: &'static [&'static str],
    /// Those that take longer, for what the others let through.
    long: &'static [&'static str],
}

const PARTS: [Part; 3] = [
    Part {
        name: "contact",
        short: &[
            "contact_analysis",
            "contact_exact",
            "contact_live",
            "contact_modes",
            "contact_passive",
            "contact_snapshots",
            "contact_tables",
            "restitution_damping",
            "restitution_table",
        ],
        long: &[
            "contact_properties",
            "restitution_contact",
            "restitution_properties",
            "restitution_train",
            "two_way",
        ],
    },
    Part { name: "body", short: &["body_tuning", "levelling"], long: &["bodies", "two_way"] },
    Part {
        name: "rigid",
        short: &["rigid_chain", "rigid_jia", "rigid_snapshots", "rigid_tumble"],
        long: &["rigid_plus"],
    },
];

/// What was asked for.
struct Selection {
    parts: Vec<&'static Part>,
    sample: usize,
    seed: u64,
}

impl Selection {
    fn parse(args: &[String]) -> Result<Self> {
        let mut selection = Self { parts: PARTS.iter().collect(), sample: SAMPLE, seed: SEED };
        for pair in args.chunks(2) {
            match pair {
                [name, value] if name == "--part" => {
                    let part = PARTS.iter().find(|part| part.name == value);
                    selection.parts = vec![
                        part.with_context(|| format!("--part {value}: contact, body or rigid"))?,
                    ];
                }
                [name, value] if name == "--sample" => {
                    selection.sample = value
                        .parse()
                        .with_context(|| format!("--sample {value}: a whole number"))?;
                }
                [name, value] if name == "--seed" => {
                    selection.seed =
                        value.parse().with_context(|| format!("--seed {value}: a whole number"))?;
                }
                _ => bail!("{:?} is not one of --part, --sample, --seed with a value", pair[0]),
            }
        }
        Ok(selection)
    }
}

/// `cargo xtask mutants [--part contact|body|rigid] [--sample N] [--seed N]`.
pub fn mutants(workspace: &Workspace, args: &[String]) -> Result<()> {
    let selection = Selection::parse(args)?;
    if !process::succeeds("cargo", &["mutants", "--version"]) {
        println!("there is no cargo-mutants (`cargo install cargo-mutants --locked`): skipped");
        return Ok(());
    }
    let folder = workspace.target.join("mutants");
    let mut rows = String::new();
    for part in selection.parts {
        separate_crate::write(
            &workspace.root,
            &folder,
            part.short.iter().chain(part.long).copied(),
        )?;
        let _ = std::fs::remove_dir_all(folder.join("mutants.out"));
        let all = count(&folder, part)?;
        let shard = sample::shard(all, selection.sample, selection.seed);
        let mut command = of_part(&folder, part);
        command.args(["--sharding", "round-robin", "--shard", &shard, "--cargo-test-arg=--"]);
        command.args(
            part.long.iter().map(|target| {
                format!("--cargo-test-arg=--skip={}::", separate_crate::module(target))
            }),
        );
        let mut found = run(&folder, &mut command)?;
        ensure!(
            found.viable() > 0,
            "{}: not one can be built; {}",
            part.name,
            folder.join("mutants.out/log").display()
        );
        if !found.missed.is_empty() {
            let mut command = again(&folder, &found.missed);
            command.arg("--cargo-test-arg=--");
            command.args(
                part.long
                    .iter()
                    .map(|target| format!("--cargo-test-arg={}::", separate_crate::module(target))),
            );
            found = found.and_then(&run(&folder, &mut command)?);
        }
        found.missed.iter().for_each(|name| println!("missed: {name}"));
        rows += &found.row(part.name, all);
    }
    println!(
        "\n| part | mutants | drawn | unviable | caught | missed | caught of viable | 95 % interval |"
    );
    println!("|---|---|---|---|---|---|---|---|\n{rows}");
    Ok(())
}

/// cargo-mutants on the crate in this folder. Not with the environment that cargo gives to this
/// program.
fn cargo_mutants(folder: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(folder).arg("mutants").env_remove("CARGO_MANIFEST_DIR");
    command
}

/// The mutants of a part.
fn of_part(folder: &Path, part: &Part) -> Command {
    let mut command = cargo_mutants(folder);
    command.args([
        "--file",
        &format!("src/{}.rs", part.name),
        "--file",
        &format!("src/{}/**", part.name),
    ]);
    command
}

/// These mutants; and those of their files that leave out a field, which cargo-mutants lets through
/// any pattern.
fn again(folder: &Path, names: &[String]) -> Command {
    let mut command = cargo_mutants(folder);
    for name in names {
        let file = name.split(':').next().unwrap_or_default();
        command.args(["--file", file, "--re", &format!("^{}$", sample::escaped(name))]);
    }
    command
}

/// How many mutants a part has.
fn count(folder: &Path, part: &Part) -> Result<usize> {
    let output = of_part(folder, part).arg("--list").output().context("cannot list the mutants")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().count())
}

/// Tries mutants.
fn run(folder: &Path, command: &mut Command) -> Result<Outcome> {
    // The crate is a copy already.
    command.args([
        "--in-place",
        "--baseline",
        "skip",
        "--timeout",
        MAX_S,
        "--colors",
        "never",
        "--features",
        "cli",
    ]);
    command.arg("--cargo-arg=--lib");
    let status = command.status().context("cannot start cargo-mutants")?;
    // It ends with 2 when some are missed and with 3 when some take too long: both are a result.
    match status.code() {
        Some(0 | 2 | 3) => Outcome::read(folder),
        _ => bail!("cargo-mutants failed ({status})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_numbers_are_taken_by_name() {
        let words = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
        let selection = Selection::parse(&words("--part rigid --sample 7")).expect("known");
        assert_eq!(
            (selection.parts.len(), selection.parts[0].name, selection.sample, selection.seed),
            (1, "rigid", 7, SEED)
        );
        assert_eq!(Selection::parse(&[]).expect("nothing").parts.len(), 3);
        assert!(
            Selection::parse(&words("--part voice")).is_err()
                && Selection::parse(&words("--sample")).is_err()
        );
    }

    #[test]
    fn every_target_is_there() {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
        for target in PARTS.iter().flat_map(|part| part.short.iter().chain(part.long)) {
            let there = tests.join(format!("{target}.rs")).exists()
                || tests.join(target).join("main.rs").exists();
            assert!(there, "{target}");
        }
    }

    #[test]
    fn the_parts_know_nothing_of_the_rest() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder above");
        let folder = std::env::temp_dir().join(format!("ictus-apart-{}", std::process::id()));
        separate_crate::write(root, &folder, ["two_way"].into_iter()).expect("written");
        let mut files = vec![folder.join("src")];
        let mut seen = 0;
        while let Some(path) = files.pop() {
            if path.is_dir() {
                files.extend(
                    path.read_dir().expect("a folder").map(|entry| entry.expect("a file").path()),
                );
                continue;
            }
            // Tables of numbers lie beside the code that reads them.
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            seen += 1;
            let source = std::fs::read_to_string(&path).expect("a text");
            for (at, _) in source.match_indices("crate::") {
                let rest = &source[at + "crate::".len()..];
                assert!(
                    separate_crate::MODULES.iter().any(|module| rest.starts_with(module)),
                    "{}: {rest:.30}",
                    path.display()
                );
            }
        }
        assert!(seen > 50);
        let library = std::fs::read_to_string(folder.join("src/lib.rs")).expect("written");
        // Or the unit tests of the module of that name would be taken for the target's.
        assert!(library.contains("mod target_two_way;"), "{library}");
        let test = std::fs::read_to_string(folder.join("tests/two_way/strike.rs")).expect("copied");
        assert!(test.contains("use super::body::Body;"));
        let target = std::fs::read_to_string(folder.join("tests/two_way/main.rs")).expect("copied");
        assert!(target.contains("mod life;") && !target.contains("mod seen;"), "{target}");
        assert!(
            !target.contains("patches"),
            "what it shares with others and knows more is left out, too: {target}"
        );
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
