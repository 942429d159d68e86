//! What comes in from outside, behind a gate.

/// Largest sample that is not a mistake; full scale is 1.
const LARGEST: f64 = 16.0;

/// Two channels for one block. What is not there is silence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'a> {
    /// Left.
    pub left: &'a [f32],
    /// Right; empty for a mono input.
    pub right: &'a [f32],
}

impl Input<'_> {
    /// The mean of both channels at a sample; what is no number counts as silence, and what is too
    /// large is cut.
    pub fn at(&self, sample: usize) -> f64 {
        let gate = |channel: &[f32]| {
            let x = channel.get(sample).copied().map_or(0.0, f64::from);
            if x.is_finite() { x.clamp(-LARGEST, LARGEST) } else { 0.0 }
        };
        if self.right.is_empty() {
            gate(self.left)
        } else {
            0.5 * (gate(self.left) + gate(self.right))
        }
    }
}
