//! Modulation offsets of parameters, in knob positions.

use arrayvec::ArrayVec;

use crate::params::{Param, Patch};

/// Maximum number of offset parameters: slots, velocity, random variation and the host's
/// modulation.
pub const MAX_OFFSETS: usize = 32;

/// Offsets of some parameters, in knob positions: 1 is the whole range of the knob.
///
/// Offsets of one parameter add up; only their sum is limited to the range.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offsets {
    list: ArrayVec<(Param, f64), MAX_OFFSETS>,
}

impl Offsets {
    /// Removes all offsets.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// Whether there are no offsets.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds to a parameter's offset. Non-finite values, and parameters beyond the capacity, are
    /// ignored.
    pub fn add(&mut self, param: Param, positions: f64) {
        if !positions.is_finite() || positions == 0.0 {
            return;
        }
        match self.list.iter_mut().find(|(known, _)| *known == param) {
            Some((_, sum)) => *sum += positions,
            None => {
                let _ = self.list.try_push((param, positions));
            }
        }
    }

    /// Sets a parameter's offset. Returns whether it changed.
    pub fn set(&mut self, param: Param, positions: f64) -> bool {
        let positions = if positions.is_finite() { positions.clamp(-1.0, 1.0) } else { 0.0 };
        match self.list.iter_mut().find(|(known, _)| *known == param) {
            Some((_, known)) => std::mem::replace(known, positions) != positions,
            None => positions != 0.0 && self.list.try_push((param, positions)).is_ok(),
        }
    }

    /// Offset of a parameter.
    pub fn of(&self, param: Param) -> f64 {
        self.list.iter().find(|(known, _)| *known == param).map_or(0.0, |(_, sum)| *sum)
    }

    /// Adds all offsets of another list.
    pub fn join(&mut self, other: &Offsets) {
        other.list.iter().for_each(|&(param, positions)| self.add(param, positions));
    }

    /// Value of a parameter in SI units with its offset, as [`Offsets::apply`] would set it.
    pub fn value(&self, patch: &Patch, param: Param) -> f64 {
        let (spec, offset) = (param.spec(), self.of(param));
        if offset == 0.0 {
            patch.get(param)
        } else {
            spec.stored_to_si(shifted(patch, param, offset))
        }
    }

    /// Adds the offsets to a patch, limited to the parameters' ranges.
    pub fn apply(&self, patch: &mut Patch) {
        for &(param, positions) in &self.list {
            let stored = shifted(patch, param, positions);
            patch.set_stored(param, stored);
        }
    }
}

/// Stored value of a parameter that is offset by `positions`.
fn shifted(patch: &Patch, param: Param, positions: f64) -> f32 {
    let spec = param.spec();
    let (min, max) = spec.range_stored();
    let way = f64::from(max - min);
    spec.clamp_stored((f64::from(patch.stored(param)) + positions * way) as f32)
}

/// Offset of a logarithmic parameter that corresponds to a factor, in knob positions.
pub fn positions_of_ratio(param: Param, ratio: f64) -> f64 {
    let (min, max) = param.spec().range_stored();
    ratio.log10() / f64::from(max - min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_add_up_and_their_sum_stays_in_range() {
        let mut patch = Patch::default();
        patch.set(Param::Hardness, 0.5);
        let mut offsets = Offsets::default();
        offsets.add(Param::Hardness, 0.9);
        offsets.add(Param::Hardness, -0.8);
        offsets.add(Param::Size, 5.0);
        offsets.add(Param::Mass, f64::NAN);
        let mut moved = patch.clone();
        offsets.apply(&mut moved);
        assert!((moved.get(Param::Hardness) - 0.6).abs() < 1e-6);
        assert_eq!(moved.get(Param::Size), 4.0);
        assert_eq!(moved.get(Param::Mass), patch.get(Param::Mass));
        assert_eq!(offsets.value(&patch, Param::Size), 4.0);
    }

    #[test]
    fn a_factor_is_a_way_of_the_knob() {
        let mut patch = Patch::default();
        let before = patch.get(Param::Mass);
        let mut offsets = Offsets::default();
        offsets.add(Param::Mass, positions_of_ratio(Param::Mass, 2.0));
        offsets.apply(&mut patch);
        assert!((patch.get(Param::Mass) / before - 2.0).abs() < 1e-5);
    }

    #[test]
    fn more_shifts_than_fit_are_left_out() {
        let mut offsets = Offsets::default();
        Param::ALL.into_iter().for_each(|param| offsets.add(param, 0.1));
        let mut patch = Patch::default();
        offsets.apply(&mut patch);
        assert_eq!(offsets.list.len(), MAX_OFFSETS);
        assert!(!offsets.set(Param::ALL[Param::COUNT - 1], 0.5));
    }
}
