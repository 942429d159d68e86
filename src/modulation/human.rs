//! Seeded random variation of hardness, mass, speed and time from note to note. The strike point
//! has its own parameter, `Scatter`.
//!
//! Each value is uniformly distributed around its setting, except time: a strike can be late, not
//! early. Equal seeds and note numbers give equal values.

use super::offsets::{Offsets, positions_of_ratio};
use crate::math::db_to_gain;
use crate::params::{Param, Patch};
use crate::random::signed_unit_of;

/// Hardness at full depth, in knob positions either way.
pub const WIDEST_HARDNESS: f64 = 0.25;
/// Mass at full depth, octaves either way.
pub const WIDEST_MASS_OCTAVES: f64 = 1.0;
/// Speed at full depth, dB either way.
pub const WIDEST_SPEED_DB: f64 = 6.0;

/// The random values of a note. Each has its own stream, separate from other streams indexed by
/// note number.
#[derive(Clone, Copy, Debug)]
enum Draw {
    Hardness = 1,
    Mass = 2,
    Speed = 3,
    Time = 4,
    Source = 5,
}

fn draw(patch: &Patch, what: Draw, count: u64) -> f64 {
    signed_unit_of(patch.get(Param::Seed) as u64, u64::MAX - what as u64, count)
}

/// Value of the random source for note number `count`, -1…1.
pub fn source(patch: &Patch, count: u64) -> f64 {
    draw(patch, Draw::Source, count)
}

/// Delay of note number `count`, s: uniform from 0 to the spread.
pub fn delay_s(patch: &Patch, count: u64) -> f64 {
    let spread_s = patch.get(Param::HumanTime);
    if spread_s == 0.0 { 0.0 } else { spread_s * (0.5 + 0.5 * draw(patch, Draw::Time, count)) }
}

/// Adds the random offsets of note number `count`.
pub fn shift(patch: &Patch, count: u64, offsets: &mut Offsets) {
    let mut add = |depth: Param, what: Draw, param: Param, positions: f64| {
        let depth = patch.get(depth);
        if depth != 0.0 {
            offsets.add(param, depth * positions * draw(patch, what, count));
        }
    };
    add(Param::HumanHardness, Draw::Hardness, Param::Hardness, WIDEST_HARDNESS);
    add(
        Param::HumanMass,
        Draw::Mass,
        Param::Mass,
        positions_of_ratio(Param::Mass, WIDEST_MASS_OCTAVES.exp2()),
    );
    let louder = db_to_gain(WIDEST_SPEED_DB);
    add(Param::HumanSpeed, Draw::Speed, Param::Speed, positions_of_ratio(Param::Speed, louder));
}
