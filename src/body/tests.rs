//! Tests of the body against independent formulas, and against stored reference values where there
//! are none.

use std::path::PathBuf;

mod kinds;
mod laws;
mod modes;
mod shapes;

use super::material::Damping;
use super::modes::Listening;
use super::{Bank, Drive, Geometry, Modes, Point, Row, Steps, UserModes};
use crate::contact::Surface;

pub(super) const RATE_HZ: f64 = 48_000.0;
pub(super) const LOSSES: Damping =
    Damping { support_per_s: 9.0, loss_factor: 2e-3, viscous_s: 1e-8 };

pub(super) fn close(got: f64, wanted: f64, relative: f64) {
    assert!((got - wanted).abs() <= relative * wanted.abs(), "{got:e} instead of {wanted:e}");
}

pub(super) fn heard_at(left: f64, right: f64) -> Listening {
    Listening { left: Point::along(left), right: Point::along(right) }
}

/// A free bar with `count` modes and its pickups at rest.
pub(super) fn bar(count: f64, pitch_hz: f64) -> Modes {
    let mut modes = Modes::default();
    modes.set_body(&Geometry { count, ..Geometry::default() }, &UserModes::default());
    modes.set(pitch_hz, &LOSSES, heard_at(0.11, 0.83), RATE_HZ);
    modes.arrive();
    modes
}

/// A bank after one force pulse from rest.
pub(super) fn struck(modes: &Modes) -> Bank {
    let (mut drive, mut bank) = (Drive::default(), Bank::default());
    drive.set_gains(&modes.drive_gains(0.17, 0.4));
    drive.begin_sample();
    drive.on(modes, &mut Steps::default()).push(800.0, 1.0 / RATE_HZ);
    bank.take(modes, &drive);
    bank
}

/// State of a mode after `time_s` of free vibration.
pub(super) fn later(modes: &Modes, mode: usize, (re, im): (f64, f64), time_s: f64) -> (f64, f64) {
    let (sin, cos) = (modes.omega[mode] * time_s).sin_cos();
    let shrink = (-modes.decay_per_s[mode] * time_s).exp();
    (shrink * (re * cos - im * sin), shrink * (re * sin + im * cos))
}

#[test]
pub(super) fn rows_start_on_a_cache_line_and_clones_too() {
    let rows: Vec<Row> = (1..40).map(|n| Row::filled(8 * n, n as f64)).collect();
    for row in rows.iter().chain(&rows.clone()) {
        assert_eq!(row.as_ptr() as usize % 64, 0);
        assert!(row.iter().all(|x| *x == (row.len() / 8) as f64));
    }
}

/// Environment variable that rewrites the reference values; its value is the reason.
const UPDATE: &str = "ICTUS_BODY_VALUES";
/// Default relative tolerance.
pub const TOLERANCE: f64 = 1e-9;

/// A named case and its results.
pub struct Case {
    pub name: String,
    pub values: Vec<f64>,
}

impl Case {
    pub fn new(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        Self { name: name.into(), values: values.into_iter().collect() }
    }

    fn line(&self) -> String {
        let values: Vec<_> = self.values.iter().map(|value| format!("{value:e}")).collect();
        format!("{}: {}\n", self.name, values.join(" "))
    }
}

/// Compares the rows with the reference file, or rewrites the file if [`UPDATE`] is set.
pub fn check(file: &str, rows: &[Case]) {
    check_within(TOLERANCE, file, rows);
}

/// Like [`check`] with the given relative tolerance.
pub fn check_within(tolerance: f64, file: &str, rows: &[Case]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/body").join(file);
    if let Ok(reason) = std::env::var(UPDATE) {
        let lines: String = rows.iter().map(Case::line).collect();
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, format!("# {reason}\n{lines}")).expect("written");
        return;
    }
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let known: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(known.len(), rows.len(), "{file} has other cases");
    for (row, line) in rows.iter().zip(known) {
        let (name, values) = line.split_once(": ").expect("a name and values");
        assert_eq!(name, row.name);
        let wanted: Vec<f64> =
            values.split(' ').map(|value| value.parse().expect("a number")).collect();
        assert_eq!(wanted.len(), row.values.len(), "{name}");
        let largest = wanted.iter().fold(0.0f64, |max, value| max.max(value.abs()));
        for (n, (got, wanted)) in row.values.iter().zip(&wanted).enumerate() {
            let allowed = tolerance * wanted.abs().max(1e-4 * largest);
            assert!(
                (got - wanted).abs() <= allowed,
                "{file}, {name}, value {n}: {got:e} instead of {wanted:e}"
            );
        }
    }
}
