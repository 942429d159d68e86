//! The estimate of a note's loudness.

use std::hint::black_box;

use ictus::body::{Kernel, MAX_MODES, Point};
use ictus::contact::ContactSettings;
use ictus::levelling::ReferenceBlow;

use crate::Work;
use ictus_bench::ringing::ringing;

/// The body gives way, which takes longer, and has as many modes as there may be. At most 5000
/// instructions.
const NAME: &str = "levelling estimate, 256 modes";

/// What can be counted here.
pub fn names() -> Vec<String> {
    vec![NAME.into()]
}

/// The work of this name.
pub fn set_up(_: &str) -> Work {
    let (mut modes, _) = ringing(Kernel::best(), MAX_MODES);
    let (contact, point) = (ContactSettings::default(), Point::along(0.07));
    // The shapes at the strike point are needed for the blow itself.
    modes.expect_strike_at(point);
    let blow = ReferenceBlow::new(&contact, 3.0, 0.4, point, true);
    Box::new(move || {
        black_box(black_box(&blow).gain(&mut modes));
    })
}
