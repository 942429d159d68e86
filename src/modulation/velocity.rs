//! Effects of the velocity of a note apart from the strike speed.
//!
//! At full velocity a patch sounds as set. Softer notes move each of four parameters by `depth
//! (velocity - 1)` of its range: with a depth of 50 % the softest note is half the range below the
//! hardest.

use super::offsets::Offsets;
use crate::params::{Param, Patch};

/// Exponent of the curve at one end; its reciprocal at the other.
const STEEPEST: f64 = 4.0;

/// Depth parameters and their destinations.
pub(crate) const DEPTHS: [(Param, Param); 4] = [
    (Param::VelocityHardness, Param::Hardness),
    (Param::VelocitySize, Param::Size),
    (Param::VelocityThickness, Param::Thickness),
    (Param::VelocitySupport, Param::Support),
];

/// Applies the velocity curve: `v^(4^-c)`, c the curve from -1 to 1; input and output 0…1.
///
/// Above 0 it raises soft notes, below 0 it lowers them; the ends stay.
pub fn curved(patch: &Patch, velocity: f64) -> f64 {
    let curve = patch.get(Param::VelocityCurve);
    if curve == 0.0 { velocity } else { velocity.powf(STEEPEST.powf(-curve)) }
}

/// Adds the offsets for a note of this velocity.
pub fn shift(patch: &Patch, velocity: f64, offsets: &mut Offsets) {
    for (depth, param) in DEPTHS {
        offsets.add(param, patch.get(depth) * (velocity - 1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_keeps_its_ends_and_bends_between() {
        let mut patch = Patch::default();
        assert_eq!(curved(&patch, 0.37), 0.37, "none by default");
        for (curve, middle) in [(1.0, 0.5f64.powf(0.25)), (-1.0, 0.0625), (0.5, 0.5f64.sqrt())] {
            patch.set(Param::VelocityCurve, curve);
            assert!((curved(&patch, 0.5) - middle).abs() < 1e-9, "{curve}");
            assert_eq!((curved(&patch, 0.0), curved(&patch, 1.0)), (0.0, 1.0));
        }
    }

    #[test]
    fn depth_moves_the_knob_of_softer_notes() {
        let mut patch = Patch::default();
        for (depth, param) in DEPTHS {
            patch.set(depth, 0.5);
            let mut offsets = Offsets::default();
            shift(&patch, 0.25, &mut offsets);
            assert!((offsets.of(param) + 0.375).abs() < 1e-7, "{param:?}");
            offsets.clear();
            shift(&patch, 1.0, &mut offsets);
            assert!(offsets.is_empty(), "full velocity plays the patch as it is");
            patch.set(depth, 0.0);
        }
    }
}
