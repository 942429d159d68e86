//! The estimate of a note's loudness.

use std::hint::black_box;

use ictus::body::{Kernel, MAX_MODES, Point};
use ictus::contact::ContactSettings;
use ictus::levelling::ReferenceBlow;
use ictus_bench::ringing;

use crate::Work;

/// A coupled body, which takes longer, with the maximum number of modes. At most 5000 instructions.
const NAME: &str = "levelling estimate, 256 modes";

/// Names of the work in this file.
pub fn names() -> Vec<String> {
    vec![NAME.into()]
}

/// Sets up the work.
pub fn set_up(_: &str) -> Work {
    let (mut modes, _) = ringing(Kernel::best(), MAX_MODES);
    let (contact, point) = (ContactSettings::default(), Point::along(0.07));
    // Computes the mode shapes at the strike point, which the blow needs anyway.
    modes.expect_strike_at(point);
    let blow = ReferenceBlow::new(&contact, 3.0, 0.4, point, true);
    Box::new(move || {
        black_box(black_box(&blow).gain(&mut modes));
    })
}
