//! Where a key stands between left and right; its note's own pan comes on top
//! ([`gain_pan`](super::gain_pan)).

use crate::params::{Param, Patch};

/// The key in the middle.
const MIDDLE: f64 = 60.0;
/// Keys from the middle all the way to a side.
const REACH: f64 = 48.0;

/// Place of a key, -1 (left) to 1.
pub fn pan(patch: &Patch, key: u8) -> f64 {
    (patch.get(Param::KeyPan) * (f64::from(key) - MIDDLE) / REACH).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_spread_around_the_middle() {
        let mut patch = Patch::default();
        assert!((0..128).all(|key| pan(&patch, key) == 0.0));
        patch.set(Param::KeyPan, 1.0);
        assert_eq!(
            [0, 12, 60, 84, 108, 127].map(|key| pan(&patch, key)),
            [-1.0, -1.0, 0.0, 0.5, 1.0, 1.0]
        );
        patch.set(Param::KeyPan, -0.5);
        assert_eq!([12, 108].map(|key| pan(&patch, key)), [0.5, -0.5]);
    }
}
