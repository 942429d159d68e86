//! Numbers that were right when somebody last looked, kept in files of `tests/data/prints`.
//!
//! They come second to laws that no change may break, and notice what those let through: a coefficient that is off, a rule
//! that is skipped, a search that ends too soon. A line is one case: its name, its numbers, and a digest of all their bits.
//! Where this machine's arithmetic is that of the file (`probe`), the digest counts; elsewhere the numbers do, but for cases
//! marked with `~`: a change of their input by 1e-13 moves them by more than [`TOLERANCE`].
//!
//! `ICTUS_PRINTS="reason" cargo test --no-default-features --features cli --test TARGET` makes the files of a target anew; the reason
//! is written into them.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Set to the reason for new numbers, to write them.
const UPDATE: &str = "ICTUS_PRINTS";

/// Where arithmetic rounds otherwise, numbers may be off by this share, and by a thousandth of it of the largest of their case.
pub const TOLERANCE: f64 = 1e-9;

/// Numbers that are kept of a case at most, evenly from all; the digest is of all.
const MOST_KEPT: usize = 32;

/// Share by which the input of a case is changed to see whether it tells of rounding.
const NUDGE: f64 = 1e-13;

/// FNV-1a over all bits. Zero has no sign here.
fn digest(numbers: impl IntoIterator<Item = f64>) -> String {
    let bytes = numbers.into_iter().flat_map(|number| (number + 0.0).to_bits().to_le_bytes());
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

/// The last bits of the functions that the system's library computes.
fn probe() -> String {
    digest((1..2000).flat_map(|n| {
        let x = f64::from(n) * 0.011;
        let more =
            [x.exp_m1(), x.ln_1p(), x.cbrt(), x.hypot(0.7), x.atan2(0.3), x.sinh(), x.cosh(), (1.0 / (1.0 + x)).acos()];
        [x.sin(), x.cos(), x.tan(), x.exp(), (-x).exp(), x.ln(), x.powf(1.37), x.powf(-0.4)].into_iter().chain(more)
    }))
}

fn alike(one: f64, other: f64, largest: f64) -> bool {
    let allowed = TOLERANCE * one.abs().max(1e-3 * largest);
    one == other || (one.is_nan() && other.is_nan()) || (one - other).abs() <= allowed
}

/// The first of these numbers that is not that of the others.
fn difference(one: &[f64], other: &[f64]) -> Option<usize> {
    let largest = one.iter().filter(|value| value.is_finite()).fold(0.0f64, |most, value| most.max(value.abs()));
    if one.len() != other.len() {
        return Some(one.len().min(other.len()));
    }
    one.iter().zip(other).position(|(a, b)| !alike(*a, *b, largest))
}

fn kept(numbers: Vec<f64>) -> impl Iterator<Item = f64> {
    let every = numbers.len().div_ceil(MOST_KEPT).max(1);
    numbers.into_iter().step_by(every)
}

fn written(reason: &str, cases: &[String], of: &impl Fn(usize, f64) -> Vec<f64>) -> String {
    let mut text = format!("# {reason}\n# {}\n", probe());
    for (index, case) in cases.iter().enumerate() {
        let numbers = of(index, 0.0);
        let is_fragile = difference(&numbers, &of(index, NUDGE)).is_some();
        let mark = if is_fragile { "~" } else { "" };
        let _ = write!(text, "{mark}{case}: {}", digest(numbers.iter().copied()));
        for number in kept(numbers).filter(|_| !is_fragile) {
            // Ten digits; whole numbers as they are.
            let whole = number.fract() == 0.0 && number.abs() < 1e9;
            let _ = if whole { write!(text, " {number:.0}") } else { write!(text, " {number:.9e}") };
        }
        text.push('\n');
    }
    text
}

/// Hold every case to the numbers of the file. `of` is asked for the numbers of a case with its input changed by a share, which is
/// 0 but where the file is made.
///
/// # Panics
/// Where a number is another one.
pub fn check(file: &str, cases: &[String], of: impl Fn(usize, f64) -> Vec<f64>) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/prints").join(file);
    if let Ok(reason) = std::env::var(UPDATE) {
        std::fs::write(&path, written(&reason, cases, &of)).expect("written");
    }
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let same_arithmetic = text.lines().nth(1).is_some_and(|line| line[2..] == probe());
    let lines = text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_once(": ").expect("a name"));
    let known: BTreeMap<&str, (bool, &str)> =
        lines.map(|(case, rest)| (case.trim_start_matches('~'), (case.starts_with('~'), rest))).collect();
    assert_eq!(known.len(), cases.len(), "{file} has other cases");
    for (index, case) in cases.iter().enumerate() {
        let (is_fragile, rest) = known.get(case.as_str()).unwrap_or_else(|| panic!("{file} knows no {case}"));
        let (bits, numbers) = rest.split_once(' ').unwrap_or((rest, ""));
        let got = of(index, 0.0);
        if (same_arithmetic && digest(got.iter().copied()) == bits) || (!same_arithmetic && *is_fragile) {
            continue;
        }
        let wanted: Vec<f64> = numbers.split(' ').filter_map(|number| number.parse().ok()).collect();
        let got: Vec<f64> = if *is_fragile { Vec::new() } else { kept(got).collect() };
        if let Some(place) = difference(&wanted, &got) {
            panic!("{file}, {case}: number {place} is {:?}, not {:?}", got.get(place), wanted.get(place));
        }
        assert!(!same_arithmetic, "{file}, {case}: some last bits are others");
    }
}
