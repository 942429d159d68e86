//! Number snapshots, stored in `tests/data/numbers` and compared within a tolerance.
//!
//! They complement the tests of laws and notice what those let through: a wrong coefficient, a
//! skipped rule, a search that ends too soon. A line is one case: its name and its numbers. Cases
//! marked with `~` are chaotic: a change of their input by 1e-13 moves them by more than
//! [`TOLERANCE`], so the test only checks that they are not NaN.
//!
//! `ICTUS_PRINTS="reason" cargo test --no-default-features --features cli --test contact --test
//! rigid_body snapshots::` renews the files, with the reason in them.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Set to the reason for new numbers, to write them.
const UPDATE: &str = "ICTUS_PRINTS";

/// Allowed relative difference; in addition a thousandth of it relative to the largest number of
/// the case.
pub const TOLERANCE: f64 = 1e-9;

/// Largest number of stored numbers per case, evenly spaced.
const MAX_KEPT: usize = 32;

/// Relative change of the input of a case that finds out whether it is chaotic.
const NUDGE: f64 = 1e-13;

fn is_close(one: f64, other: f64, largest: f64) -> bool {
    let allowed = TOLERANCE * one.abs().max(1e-3 * largest);
    one == other || (one.is_nan() && other.is_nan()) || (one - other).abs() <= allowed
}

/// The first number that differs.
fn difference(one: &[f64], other: &[f64]) -> Option<usize> {
    let largest = one
        .iter()
        .filter(|value| value.is_finite())
        .fold(0.0f64, |most, value| most.max(value.abs()));
    if one.len() != other.len() {
        return Some(one.len().min(other.len()));
    }
    one.iter().zip(other).position(|(a, b)| !is_close(*a, *b, largest))
}

fn stored_path(numbers: Vec<f64>) -> impl Iterator<Item = f64> {
    let every = numbers.len().div_ceil(MAX_KEPT).max(1);
    numbers.into_iter().step_by(every)
}

fn format_numbers(reason: &str, cases: &[String], of: &impl Fn(usize, f64) -> Vec<f64>) -> String {
    let mut text = format!("# {reason}\n");
    for (index, case) in cases.iter().enumerate() {
        let numbers = of(index, 0.0);
        let is_chaotic = difference(&numbers, &of(index, NUDGE)).is_some();
        let mark = if is_chaotic { "~" } else { "" };
        let _ = write!(text, "{mark}{case}:");
        for number in stored_path(numbers).filter(|_| !is_chaotic) {
            // Ten digits; whole numbers as they are.
            let whole = number.fract() == 0.0 && number.abs() < 1e9;
            let _ =
                if whole { write!(text, " {number:.0}") } else { write!(text, " {number:.9e}") };
        }
        text.push('\n');
    }
    text
}

/// Compares every case with the file. `of` returns the numbers of a case with its input changed by
/// a share, which is 0 except when the file is written.
///
/// # Panics
/// If a number differs, or is NaN in a chaotic case.
pub fn check(file: &str, cases: &[String], of: impl Fn(usize, f64) -> Vec<f64>) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/numbers").join(file);
    if let Ok(reason) = std::env::var(UPDATE) {
        std::fs::write(&path, format_numbers(&reason, cases, &of)).expect("written");
    }
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let known: BTreeMap<&str, (bool, &str)> = lines
        .map(|line| line.split_once(':').expect("a name"))
        .map(|(case, rest)| (case.trim_start_matches('~'), (case.starts_with('~'), rest)))
        .collect();
    assert_eq!(known.len(), cases.len(), "{file} has other cases");
    for (index, case) in cases.iter().enumerate() {
        let (is_chaotic, numbers) =
            known.get(case.as_str()).unwrap_or_else(|| panic!("{file} knows no {case}"));
        let got = of(index, 0.0);
        if *is_chaotic {
            assert!(!got.iter().any(|number| number.is_nan()), "{file}, {case}: NaN");
            continue;
        }
        let wanted: Vec<f64> =
            numbers.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let got: Vec<f64> = stored_path(got).collect();
        if let Some(place) = difference(&wanted, &got) {
            panic!(
                "{file}, {case}: number {place} is {:?}, not {:?}",
                got.get(place),
                wanted.get(place)
            );
        }
    }
}
