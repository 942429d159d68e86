//! A sample of mutants, what became of it, and what it says of all of them.

use anyhow::{Context, Result};
use std::path::Path;

/// A name as a pattern that nothing else fits.
pub fn escaped(name: &str) -> String {
    let mut pattern = String::new();
    for letter in name.chars() {
        // Others must stay as they are: `\>` would be the end of a word.
        if r"\.+*?()|[]{}^$".contains(letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

/// Every how many-th mutant is tried, so that about `count` are. Where it begins is up to the seed,
/// so each is as likely as any other.
pub fn shard(all: usize, count: usize, seed: u64) -> String {
    let every = all.div_ceil(count.max(1)).max(1);
    format!("{}/{every}", seed % every as u64)
}

/// What became of the mutants that were tried.
pub struct Outcome {
    /// By how many a test failed or did not end.
    pub caught: usize,
    /// How many the compiler refused.
    pub unviable: usize,
    /// What no test noticed.
    pub missed: Vec<String>,
}

impl Outcome {
    /// From the lists that cargo-mutants writes.
    pub fn read(folder: &Path) -> Result<Self> {
        let list = |name: &str| -> Result<Vec<String>> {
            let path = folder.join("mutants.out").join(name);
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            Ok(text.lines().map(str::to_owned).collect())
        };
        let caught = list("caught.txt")?.len() + list("timeout.txt")?.len();
        Ok(Self { caught, unviable: list("unviable.txt")?.len(), missed: list("missed.txt")? })
    }

    /// After what it let through was tried again, maybe with others beside it.
    pub fn and_then(self, again: &Self) -> Self {
        let (missed, now_caught): (Vec<_>, Vec<_>) =
            self.missed.into_iter().partition(|name| again.missed.contains(name));
        Self { caught: self.caught + now_caught.len(), unviable: self.unviable, missed }
    }

    /// How many could be built.
    pub fn viable(&self) -> usize {
        self.caught + self.missed.len()
    }

    /// As a row of a table.
    pub fn row(&self, name: &str, all: usize) -> String {
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

/// Where the share of all lies with a probability of 95 %, by Wilson's score (J. Am. Stat. Assoc.
/// 22, 1927).
pub fn interval(caught: usize, of: usize) -> (f64, f64) {
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
    fn a_sample_is_as_large_as_wished_and_begins_where_the_seed_says() {
        assert_eq!(shard(3296, 30, 1), "1/110");
        assert_eq!(shard(3296, 30, 111), "1/110");
        assert_eq!(shard(5, 30, 7), "0/1");
    }

    #[test]
    fn a_name_is_a_pattern_of_itself() {
        assert_eq!(
            escaped("src/a_b.rs:3:7: replace + with > in f"),
            r"src/a_b\.rs:3:7: replace \+ with > in f"
        );
    }

    #[test]
    fn the_interval_is_that_of_the_tables() {
        // Wilson's interval of 45 of 50, to three digits.
        let (low, high) = interval(45, 50);
        assert!((low - 0.786).abs() < 1e-3 && (high - 0.957).abs() < 1e-3, "{low} {high}");
        assert_eq!(interval(0, 0), (0.0, 1.0));
    }

    #[test]
    fn what_is_caught_at_the_second_try_is_caught() {
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
