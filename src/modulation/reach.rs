//! Range over which modulation can move a parameter, for the arc drawn on a knob.

use super::offsets::positions_of_ratio;
use super::slots::SLOTS;
use super::source::Source;
use super::{human, velocity};
use crate::math::db_to_gain;
use crate::params::{Destination, Param, Patch};

/// Largest negative and positive offset of a parameter, in knob positions.
///
/// Includes slots, velocity and random variation. Each source counts with its full range, and a
/// slot with a modulated depth counts with the set depth.
pub fn reach(patch: &Patch, param: Param) -> (f64, f64) {
    let mut ends = (0.0, 0.0);
    let mut widen = |a: f64, b: f64| {
        ends.0 += a.min(b).min(0.0);
        ends.1 += a.max(b).max(0.0);
    };
    for [from, to, depth] in SLOTS {
        if Destination::of_choice(patch.choice(to)) == Destination::Param(param) {
            let (low, high) = Source::of_choice(patch.choice(from)).range();
            let depth = patch.get(depth);
            widen(depth * low, depth * high);
        }
    }
    for (depth, moved) in velocity::DEPTHS {
        if moved == param {
            widen(-patch.get(depth), 0.0);
        }
    }
    let spread = match param {
        Param::Hardness => patch.get(Param::HumanHardness) * human::WIDEST_HARDNESS,
        Param::Mass => {
            patch.get(Param::HumanMass)
                * positions_of_ratio(param, human::WIDEST_MASS_OCTAVES.exp2())
        }
        Param::Speed => {
            patch.get(Param::HumanSpeed)
                * positions_of_ratio(param, db_to_gain(human::WIDEST_SPEED_DB))
        }
        _ => 0.0,
    };
    widen(-spread, spread);
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modulation::{Controllers, Modulator, Onset};

    #[test]
    fn no_note_leaves_the_way_that_is_shown_and_some_go_far_along_it() {
        let mut patch = Patch::default();
        assert_eq!(reach(&patch, Param::Hardness), (0.0, 0.0));
        let slot = |patch: &mut Patch, slot: usize, source: Source, depth: f64| {
            let [from, to, amount] = SLOTS[slot];
            let target =
                Destination::ALL.iter().position(|to| *to == Destination::Param(Param::Hardness));
            patch.set(from, source as usize as f64);
            patch.set(to, target.unwrap() as f64);
            patch.set(amount, depth);
        };
        slot(&mut patch, 0, Source::Velocity, 0.1);
        slot(&mut patch, 1, Source::Random, -0.1);
        patch.set(Param::VelocityHardness, 0.2);
        patch.set(Param::HumanHardness, 0.4);
        let (low, high) = reach(&patch, Param::Hardness);
        assert!((low + 0.4).abs() < 1e-6 && (high - 0.3).abs() < 1e-6, "{low} {high}");
        let (mut min, mut max) = (0.0f64, 0.0f64);
        for count in 0..400 {
            let mut modulator = Modulator::default();
            modulator.prepare(48_000.0);
            modulator.take(60, &Controllers::default());
            modulator.begin(Onset { velocity: (count % 21) as f64 / 20.0, count });
            modulator.ask(&patch, 120.0);
            let moved = modulator.patch(&patch).get(Param::Hardness) - patch.get(Param::Hardness);
            (min, max) = (min.min(moved), max.max(moved));
        }
        assert!(min >= low - 1e-6 && max <= high + 1e-6, "{min} {max}");
        assert!(min < 0.5 * low && max > 0.5 * high, "{min} {max}");
    }
}
