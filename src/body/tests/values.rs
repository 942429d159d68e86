//! Numbers as they were when somebody last looked at them, in `tests/data/body`.
//!
//! They pin what has no closed form, after the physics has been looked at elsewhere: to 1e-9, which
//! rounding stays well below and hardly any slip does. Rounding differs from one instruction set to
//! the other, so they are the same on all. After a change that is meant,
//! `ICTUS_BODY_VALUES="reason" cargo test --lib body::` writes them anew, with the reason.

use std::path::PathBuf;

/// Set to the reason for new values, to write them.
const UPDATE: &str = "ICTUS_BODY_VALUES";
/// Of most of them.
pub const TOLERANCE: f64 = 1e-9;

/// One case, and what came of it.
pub struct Row {
    pub name: String,
    pub values: Vec<f64>,
}

impl Row {
    pub fn new(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        Self { name: name.into(), values: values.into_iter().collect() }
    }

    fn line(&self) -> String {
        let values: Vec<_> = self.values.iter().map(|value| format!("{value:e}")).collect();
        format!("{}: {}\n", self.name, values.join(" "))
    }
}

/// Whether the rows are those of the file, or else the file is these rows from now on.
pub fn check(file: &str, rows: &[Row]) {
    check_within(TOLERANCE, file, rows);
}

/// The same with another tolerance, relative.
pub fn check_within(tolerance: f64, file: &str, rows: &[Row]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/body").join(file);
    if let Ok(reason) = std::env::var(UPDATE) {
        let lines: String = rows.iter().map(Row::line).collect();
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
