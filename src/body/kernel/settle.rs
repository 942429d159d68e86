//! Which modes are still heard.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::{Kernel, Lanes, RowsMut, groups, groups_mut, largest, load, sum};
use crate::body::LANES;

/// What is left of the modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled {
    /// Largest `|y|^2 audible`; not a number if any mode is not.
    pub loudest: f64,
    /// Modes from here on are at rest; whole groups.
    pub live: usize,
}

impl Kernel {
    /// Stop the modes with `|y|^2 audible` below `floor`, and those with `|y|^2` below `min`.
    pub fn settle(self, y: RowsMut<'_>, audible: &[f64], floor: f64, min: f64) -> Settled {
        dispatch!(self.0, simd => settled(simd, y, audible, floor, min))
    }
}

#[inline(always)]
fn settled<S: Simd>(simd: S, y: RowsMut<'_>, audible: &[f64], floor: f64, min: f64) -> Settled {
    let zero = Lanes::splat(simd, 0.0);
    let (floor, min) = (Lanes::splat(simd, floor), Lanes::splat(simd, min));
    let (mut loudest, mut total, mut live) = (zero, zero, 0);
    let state = groups_mut(y.re).iter_mut().zip(groups_mut(y.im));
    for (group, ((re_out, im_out), audible)) in state.zip(groups(audible)).enumerate() {
        let (re, im) = (load(simd, re_out), load(simd, im_out));
        let square = re.mul_add(re, im * im);
        let power = square * load(simd, audible);
        let stops = power.simd_lt(floor) | square.simd_lt(min);
        // Mostly nothing new stops, and nothing need be stored.
        if stops.any_true() {
            stops.select(zero, re).store_array(re_out);
            stops.select(zero, im).store_array(im_out);
        }
        loudest = loudest.max(power);
        // A maximum may lose what is not a number; a sum does not.
        total += power;
        if !stops.all_true() {
            live = (group + 1) * LANES;
        }
    }
    let total = sum(total);
    let loudest = match live {
        _ if total.is_nan() => total,
        0 => 0.0,
        _ => largest(loudest),
    };
    Settled { loudest, live }
}
