//! A body given as a list of modes.

use crate::body::MAX_MODES;

/// One mode of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserMode {
    /// Frequency in units of the nominal pitch, 0.01…1000.
    pub ratio: f64,
    /// How the striker meets it, signed, -10…10; 1 is the mean of a body.
    pub strike: f64,
    /// How the left pickup hears it, signed, -10…10.
    pub left: f64,
    /// How the right pickup hears it, signed, -10…10.
    pub right: f64,
    /// Factor on its decay time, 0.01…100.
    pub decay: f64,
}

impl Default for UserMode {
    fn default() -> Self {
        Self { ratio: 1.0, strike: 1.0, left: 1.0, right: 1.0, decay: 1.0 }
    }
}

impl UserMode {
    /// Lowest and highest ratio.
    pub const RATIO: (f64, f64) = (0.01, 1000.0);
    /// Largest amplitude either way: +20 dB.
    pub const AMPLITUDE: (f64, f64) = (-10.0, 10.0);
    /// Least and most of the decay time.
    pub const DECAY: (f64, f64) = (0.01, 100.0);

    /// The same with every number inside its range; what is no number becomes the default.
    pub fn within_limits(&self) -> Self {
        let keep = |value: f64, (low, high): (f64, f64)| {
            if value.is_nan() { 1.0 } else { value.clamp(low, high) }
        };
        Self {
            ratio: keep(self.ratio, Self::RATIO),
            strike: keep(self.strike, Self::AMPLITUDE),
            left: keep(self.left, Self::AMPLITUDE),
            right: keep(self.right, Self::AMPLITUDE),
            decay: keep(self.decay, Self::DECAY),
        }
    }
}

/// A list of modes in rising order of frequency, behind one gate. Its room is fixed: handing it
/// over allocates nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct UserModes {
    modes: [UserMode; MAX_MODES],
    len: usize,
}

impl Default for UserModes {
    /// One mode at the nominal pitch.
    fn default() -> Self {
        Self { modes: [UserMode::default(); MAX_MODES], len: 1 }
    }
}

impl UserModes {
    /// The list of these modes: moved into their ranges, sorted, the first 256 of them. No mode at
    /// all gives the default.
    pub fn new(modes: &[UserMode]) -> Self {
        let mut list = Self::default();
        if modes.is_empty() {
            return list;
        }
        list.len = modes.len().min(MAX_MODES);
        for (slot, mode) in list.modes.iter_mut().zip(modes) {
            *slot = mode.within_limits();
        }
        list.modes[..list.len].sort_unstable_by(|a, b| a.ratio.total_cmp(&b.ratio));
        list
    }

    /// The modes.
    pub fn modes(&self) -> &[UserMode] {
        &self.modes[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_through_the_gate_out_of_range() {
        let hostile = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 0.0];
        for value in hostile {
            let mode =
                UserMode { ratio: value, strike: value, left: value, right: value, decay: value };
            let list = UserModes::new(&vec![mode; 300]);
            assert_eq!(list.modes().len(), MAX_MODES);
            for mode in list.modes() {
                assert!(
                    (0.01..=1000.0).contains(&mode.ratio) && (0.01..=100.0).contains(&mode.decay)
                );
                for amplitude in [mode.strike, mode.left, mode.right] {
                    assert!((-10.0..=10.0).contains(&amplitude));
                }
            }
        }
        assert_eq!(UserModes::new(&[]), UserModes::default());
    }

    #[test]
    fn a_list_comes_out_in_rising_order() {
        let mode = |ratio| UserMode { ratio, ..UserMode::default() };
        let list = UserModes::new(&[mode(3.0), mode(1.0), mode(2.0)]);
        assert_eq!(list.modes().iter().map(|mode| mode.ratio).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    }
}
