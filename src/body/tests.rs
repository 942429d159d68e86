//! What the body's parts do, by hand; and values as they were, where there is no other way to come
//! by them.

mod banks;
mod bars;
mod discs;
mod driving;
mod giving;
mod kernels;
mod kinds;
mod laws;
mod likeness;
mod making;
mod plates;
mod spectra;
pub mod values;

use super::material::Damping;
use super::modes::Listening;
use super::{Bank, Drive, Geometry, Modes, Point, Steps, UserModes};
use crate::contact::Surface;

const RATE_HZ: f64 = 48_000.0;
const LOSSES: Damping = Damping { support_per_s: 9.0, loss_factor: 2e-3, viscous_s: 1e-8 };

fn close(got: f64, wanted: f64, relative: f64) {
    assert!((got - wanted).abs() <= relative * wanted.abs(), "{got:e} instead of {wanted:e}");
}

fn heard_at(left: f64, right: f64) -> Listening {
    Listening { left: Point::along(left), right: Point::along(right) }
}

/// A free bar of so many modes, its pickups at rest.
fn bar(count: f64, pitch_hz: f64) -> Modes {
    let mut modes = Modes::default();
    modes.set_body(&Geometry { count, ..Geometry::default() }, &UserModes::default());
    modes.set(pitch_hz, &LOSSES, heard_at(0.11, 0.83), RATE_HZ);
    modes.arrive();
    modes
}

/// What a push leaves in a bank at rest.
fn struck(modes: &Modes) -> Bank {
    let (mut drive, mut bank) = (Drive::default(), Bank::default());
    drive.set_gains(&modes.drive_gains(0.17, 0.4));
    drive.begin_sample();
    drive.on(modes, &mut Steps::default()).push(800.0, 1.0 / RATE_HZ);
    bank.take(modes, &drive);
    bank
}

/// A mode's state after some time without a force.
fn later(modes: &Modes, mode: usize, (re, im): (f64, f64), time_s: f64) -> (f64, f64) {
    let (sin, cos) = (modes.omega[mode] * time_s).sin_cos();
    let shrink = (-modes.decay_per_s[mode] * time_s).exp();
    (shrink * (re * cos - im * sin), shrink * (re * sin + im * cos))
}
