//! A sample of mutants, what became of it, and what it says of all of them.

use anyhow::{Context, Result};
use std::path::Path;

/// So many of all, each as likely as any other, the same for the same seed (Fisher and Yates).
pub fn draw(all: &[String], count: usize, seed: u64) -> Vec<&str> {
    let mut names: Vec<&str> = all.iter().map(String::as_str).collect();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let count = count.min(names.len());
    for place in 0..count {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = place + (state >> 33) as usize % (names.len() - place);
        names.swap(place, other);
    }
    names.truncate(count);
    names
}

/// A name as a pattern that nothing else fits.
pub fn escaped(name: &str) -> String {
    let mut pattern = String::new();
    for letter in name.chars() {
        if letter.is_ascii_punctuation() && letter != '_' {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
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
            let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            Ok(text.lines().map(str::to_owned).collect())
        };
        let caught = list("caught.txt")?.len() + list("timeout.txt")?.len();
        Ok(Self { caught, unviable: list("unviable.txt")?.len(), missed: list("missed.txt")? })
    }

    /// After what it let through was tried again.
    pub fn and_then(self, again: Self) -> Self {
        if self.missed.is_empty() {
            return self;
        }
        let caught = self.caught + (self.missed.len() - again.missed.len().min(self.missed.len()));
        Self { caught, unviable: self.unviable, missed: again.missed }
    }

    /// As a row of a table.
    pub fn row(&self, name: &str, all: usize) -> String {
        let (caught, missed) = (self.caught, self.missed.len());
        let viable = caught + missed;
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

/// Where the share of all lies with a probability of 95 %, by Wilson's score (J. Am. Stat. Assoc. 22, 1927).
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
    fn a_seed_draws_each_name_once_and_the_same_ones_again() {
        let all: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        let drawn = draw(&all, 40, 1);
        assert_eq!(drawn, draw(&all, 40, 1));
        assert_ne!(drawn, draw(&all, 40, 2));
        let mut single = drawn.clone();
        single.sort_unstable();
        single.dedup();
        assert_eq!(single.len(), 40);
        assert_eq!(draw(&all, 1000, 1).len(), 100);
    }

    #[test]
    fn a_name_is_a_pattern_of_itself() {
        assert_eq!(escaped("src/a_b.rs:3:7: replace + with *"), r"src\/a_b\.rs\:3\:7\: replace \+ with \*");
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
        let first = Outcome { caught: 30, unviable: 4, missed: vec!["a".into(), "b".into(), "c".into()] };
        let both = first.and_then(Outcome { caught: 2, unviable: 0, missed: vec!["b".into()] });
        assert_eq!((both.caught, both.unviable, both.missed.len()), (32, 4, 1));
    }
}
