//! `cargo xtask mutants`: whether the tests of a module notice changes of its code.
//!
//! All mutants would take weeks. A random sample gives the share of caught mutants with a
//! confidence interval.

mod separate_crate;

use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::process::Command;

/// Default seed.
const SEED: u64 = 1;
/// Default number of mutants per module.
const SAMPLE: usize = 50;
/// A mutant whose tests take longer counts as an endless loop, which is caught, s.
const MAX_S: &str = "300";

/// A module of the core and its tests.
struct Part {
    name: &'static str,
    /// Integration tests that run with the unit tests.
    target: &'static str,
    /// Modules of the target that take long: they run for the mutants that the others miss.
    slow: &'static [&'static str],
}

const PARTS: [Part; 3] = [
    Part {
        name: "contact",
        target: "contact",
        slow: &["properties", "restitution::contact", "restitution::properties", "coupled"],
    },
    Part { name: "body", target: "bodies", slow: &["moving", "ringing"] },
    Part { name: "rigid_body", target: "rigid_body", slow: &["several_points", "cost"] },
];

impl Part {
    /// Paths of the slow modules in the separate crate.
    fn slow_modules(&self) -> impl Iterator<Item = String> {
        let target = separate_crate::module(self.target);
        self.slow.iter().map(move |module| format!("{target}::{module}::"))
    }
}

/// The parsed arguments.
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
                    selection.parts =
                        vec![part.with_context(|| {
                            format!("--part {value}: contact, body or rigid_body")
                        })?];
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

/// `cargo xtask mutants [--part contact|body|rigid_body] [--sample N] [--seed N]`.
pub fn mutants(workspace: &Workspace, args: &[String]) -> Result<()> {
    let selection = Selection::parse(args)?;
    if !process::succeeds("cargo", &["mutants", "--version"]) {
        println!("there is no cargo-mutants (`cargo install cargo-mutants --locked`): skipped");
        return Ok(());
    }
    let folder = workspace.target.join("mutants");
    let mut rows = String::new();
    for part in selection.parts {
        separate_crate::write(&workspace.root, &folder, part.target)?;
        let _ = std::fs::remove_dir_all(folder.join("mutants.out"));
        let all = count(&folder, part)?;
        let shard = shard(all, selection.sample, selection.seed);
        let mut command = module_command(&folder, part);
        command.args(["--sharding", "round-robin", "--shard", &shard, "--cargo-test-arg=--"]);
        command.args(part.slow_modules().map(|path| format!("--cargo-test-arg=--skip={path}")));
        let mut found = run(&folder, &mut command)?;
        ensure!(
            found.viable() > 0,
            "{}: no mutant builds; {}",
            part.name,
            folder.join("mutants.out/log").display()
        );
        if !found.missed.is_empty() {
            let mut command = repeat_command(&folder, &found.missed);
            command.arg("--cargo-test-arg=--");
            command.args(part.slow_modules().map(|path| format!("--cargo-test-arg={path}")));
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

/// cargo-mutants for the crate in this folder, without the environment that cargo set for xtask.
fn cargo_mutants(folder: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(folder).arg("mutants").env_remove("CARGO_MANIFEST_DIR");
    command
}

/// cargo-mutants for one module.
fn module_command(folder: &Path, part: &Part) -> Command {
    let mut command = cargo_mutants(folder);
    command.args([
        "--file",
        &format!("src/{}.rs", part.name),
        "--file",
        &format!("src/{}/**", part.name),
    ]);
    command
}

/// cargo-mutants for the named mutants. It also runs mutants of their files that remove a field,
/// because no pattern excludes those.
fn repeat_command(folder: &Path, names: &[String]) -> Command {
    let mut command = cargo_mutants(folder);
    for name in names {
        let file = name.split(':').next().unwrap_or_default();
        command.args(["--file", file, "--re", &format!("^{}$", escaped(name))]);
    }
    command
}

/// Number of mutants of a module.
fn count(folder: &Path, part: &Part) -> Result<usize> {
    let output =
        module_command(folder, part).arg("--list").output().context("cannot list the mutants")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().count())
}

/// Runs cargo-mutants and reads its result.
fn run(folder: &Path, command: &mut Command) -> Result<Outcome> {
    // The crate is already a copy.
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
    // Exit codes 2 (missed mutants) and 3 (timeouts) are results, too.
    match status.code() {
        Some(0 | 2 | 3) => Outcome::read(folder),
        _ => bail!("cargo-mutants failed ({status})"),
    }
}

/// A regular expression that matches only this name.
fn escaped(name: &str) -> String {
    let mut pattern = String::new();
    for letter in name.chars() {
        // Other characters stay unescaped: `\>` would mean the end of a word.
        if r"\.+*?()|[]{}^$".contains(letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

/// The shard `offset/every` that selects about `count` mutants. The seed chooses the offset.
fn shard(all: usize, count: usize, seed: u64) -> String {
    let every = all.div_ceil(count.max(1)).max(1);
    format!("{}/{every}", seed % every as u64)
}

/// Results of the mutants that were run.
struct Outcome {
    /// Mutants with a failing or endless test.
    caught: usize,
    /// Mutants that do not compile.
    unviable: usize,
    /// Mutants that pass all tests.
    missed: Vec<String>,
}

impl Outcome {
    /// Reads the lists that cargo-mutants writes.
    fn read(folder: &Path) -> Result<Self> {
        let list = |name: &str| -> Result<Vec<String>> {
            let path = folder.join("mutants.out").join(name);
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            Ok(text.lines().map(str::to_owned).collect())
        };
        let caught = list("caught.txt")?.len() + list("timeout.txt")?.len();
        Ok(Self { caught, unviable: list("unviable.txt")?.len(), missed: list("missed.txt")? })
    }

    /// Combines with a second run of the missed mutants; others in that run do not count.
    fn and_then(self, again: &Self) -> Self {
        let (missed, now_caught): (Vec<_>, Vec<_>) =
            self.missed.into_iter().partition(|name| again.missed.contains(name));
        Self { caught: self.caught + now_caught.len(), unviable: self.unviable, missed }
    }

    fn viable(&self) -> usize {
        self.caught + self.missed.len()
    }

    /// A row of the table.
    fn row(&self, name: &str, all: usize) -> String {
        let (caught, missed) = (self.caught, self.missed.len());
        let viable = self.viable();
        let (low, high) = interval(caught, viable);
        format!(
            "| {name} | {all} | {} | {} | {caught} | {missed} | {:.0} % | {:.0} to {:.0} % |\n",
            viable + self.unviable,
            self.unviable,
            100.0 * caught as f64 / viable.max(1) as f64,
            100.0 * low,
            100.0 * high
        )
    }
}

/// The 95 % confidence interval of a share: Wilson's score (J. Am. Stat. Assoc. 22, 1927).
fn interval(caught: usize, of: usize) -> (f64, f64) {
    const Z: f64 = 1.959_964;
    if of == 0 {
        return (0.0, 1.0);
    }
    let (n, share) = (of as f64, caught as f64 / of as f64);
    let middle = (share + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_parsed() {
        let words = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
        let selection = Selection::parse(&words("--part rigid_body --sample 7")).expect("known");
        assert_eq!(
            (selection.parts.len(), selection.parts[0].name, selection.sample, selection.seed),
            (1, "rigid_body", 7, SEED)
        );
        assert_eq!(Selection::parse(&[]).expect("nothing").parts.len(), 3);
        assert!(
            Selection::parse(&words("--part voice")).is_err()
                && Selection::parse(&words("--sample")).is_err()
        );
    }

    #[test]
    fn every_slow_module_exists() {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
        for part in &PARTS {
            assert!(tests.join(part.target).join("main.rs").exists(), "{}", part.target);
            for module in part.slow {
                let file = format!("{}.rs", module.replace("::", "/"));
                assert!(tests.join(part.target).join(&file).exists(), "{file}");
            }
        }
    }

    #[test]
    fn the_separate_crate_uses_nothing_else_of_the_instrument() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder above");
        let folder = std::env::temp_dir().join(format!("ictus-separate-{}", std::process::id()));
        separate_crate::write(root, &folder, "contact").expect("written");
        let sources = separate_crate::sources(&folder.join("src")).expect("readable");
        assert!(sources.len() > 50);
        for path in &sources {
            let source = std::fs::read_to_string(path).expect("a text");
            for (at, _) in source.match_indices("crate::") {
                let rest = &source[at + "crate::".len()..];
                assert!(
                    separate_crate::MODULES.iter().any(|module| rest.starts_with(module)),
                    "{}: {rest:.30}",
                    path.display()
                );
            }
        }
        let read = |file: &str| std::fs::read_to_string(folder.join(file)).expect("written");
        // Without the prefix, `contact::` would also select unit tests.
        assert!(read("src/lib.rs").contains("mod target_contact;"));
        let target = read("tests/contact/main.rs");
        assert!(target.contains("mod coupled;") && !target.contains("mod replay;"), "{target}");
        assert!(!target.contains("mod playing;"), "shared modules that use the rest are left out");
        let nested = read("tests/contact/coupled.rs");
        assert!(nested.contains("mod strike;") && !nested.contains("mod recording;"), "{nested}");
        std::fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn a_shard_has_the_wanted_size_and_the_offset_of_the_seed() {
        assert_eq!(shard(3296, 30, 1), "1/110");
        assert_eq!(shard(3296, 30, 111), "1/110");
        assert_eq!(shard(5, 30, 7), "0/1");
    }

    #[test]
    fn an_escaped_name_matches_itself() {
        assert_eq!(
            escaped("src/a_b.rs:3:7: replace + with > in f"),
            r"src/a_b\.rs:3:7: replace \+ with > in f"
        );
    }

    #[test]
    fn the_interval_is_that_of_published_tables() {
        // Wilson's interval of 45 of 50, to three digits.
        let (low, high) = interval(45, 50);
        assert!((low - 0.786).abs() < 1e-3 && (high - 0.957).abs() < 1e-3, "{low} {high}");
        assert_eq!(interval(0, 0), (0.0, 1.0));
    }

    #[test]
    fn mutants_caught_in_the_second_run_are_caught() {
        let first =
            Outcome { caught: 30, unviable: 4, missed: vec!["a".into(), "b".into(), "c".into()] };
        let both = first.and_then(&Outcome {
            caught: 5,
            unviable: 1,
            missed: vec!["b".into(), "x".into()],
        });
        assert_eq!((both.caught, both.unviable, both.missed.len()), (32, 4, 1));
    }
}
