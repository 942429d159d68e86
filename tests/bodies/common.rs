//! Spectra for the tests.

use ictus::body::shape::UserMode;
use ictus::body::{BodyKind, Geometry, Spectrum, UserModes};

/// A body; for the user's list, one of twelve modes.
pub fn spectrum(geometry: Geometry) -> Spectrum {
    let mut spectrum = Spectrum::default();
    let odd = |i: i32| if i % 2 == 0 { 1.0 } else { -0.5 };
    let mode = |i: i32| UserMode {
        ratio: 1.0 + 0.37 * f64::from(i * i),
        strike: 1.0,
        left: odd(i),
        right: odd(i + 1),
        decay: 1.0 / f64::from(1 + i),
    };
    spectrum.set(&geometry, &UserModes::new(&(0..12).map(mode).collect::<Vec<_>>()));
    spectrum
}

pub fn kind_named(name: &str) -> BodyKind {
    BodyKind::ALL
        .into_iter()
        .find(|kind| kind.name() == name)
        .unwrap_or_else(|| panic!("no body '{name}'"))
}
