//! A bar that has been struck once, alone in its bank.

use ictus::body::material::Damping;
use ictus::body::shape::bar;
use ictus::body::{Bank, Drive, Kernel, Listening, Modes, Point, Steps};
use ictus::contact::Surface;

use super::bench_engine::RATE_HZ;

/// A bar with exactly this many modes, low enough that the last is just below the top of the band,
/// and its bank. It rings on, so that every mode counts to the end.
pub fn ringing(kernel: Kernel, count: usize) -> (Modes, Bank) {
    let mut modes = Modes::default();
    modes.kernel = kernel;
    let damping = Damping { support_per_s: 1e-3, loss_factor: 0.0, viscous_s: 0.0 };
    let listening = Listening { left: Point::along(0.1), right: Point::along(0.8) };
    modes.set(0.4485 * RATE_HZ / bar::ratio(count - 1), &damping, listening, RATE_HZ);
    modes.arrive();
    assert_eq!(modes.len, count);
    let mut drive = Drive::default();
    drive.set_gains(&modes.drive_gains(0.07, 1.0));
    drive.begin_sample();
    drive.on(&modes, &mut Steps::default()).push(1e6, 1.0 / RATE_HZ);
    let mut bank = Bank::default();
    bank.take(&modes, &drive);
    (modes, bank)
}
