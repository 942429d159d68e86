//! What the speed of a blow does to the body's brightness, as against a wall.

use std::f64::consts::PI;

use super::blow::half_sine;

/// Contacts that differ by no more than this are alike.
const ALIKE: f64 = 0.02;
/// Most that the speed is taken to make of the power, either way.
const MOST: f64 = 10.0;

/// A slow blow lasts longer and is duller. It is levelled as it falls; that it is softer for being slow is to stay, and is what
/// a wall would make of it.
pub(super) struct Pace {
    /// Duration of the pulse as it falls, and that of the reference, s.
    own_s: f64,
    reference_s: f64,
    /// Duration of the pulse that is thought of before it is rehearsed, s.
    thought_s: f64,
    /// Power that each makes of the body.
    own: f64,
    reference: f64,
    thought: f64,
}

impl Pace {
    pub fn new(own_s: f64, reference_s: f64, thought_s: f64) -> Self {
        Self { own_s, reference_s, thought_s, own: 0.0, reference: 0.0, thought: 0.0 }
    }

    fn is_alike(&self) -> bool {
        (self.own_s / self.reference_s - 1.0).abs() <= ALIKE
    }

    /// Add a mode of angular frequency `omega` that rings so long and is heard with this weight.
    pub fn add(&mut self, omega: f64, rings_s: f64, weight: f64) {
        let hz = omega / (2.0 * PI);
        self.thought += weight * rings_s * half_sine(hz * self.thought_s).powi(2);
        if !self.is_alike() {
            self.own += weight * rings_s * half_sine(hz * self.own_s).powi(2);
            self.reference += weight * rings_s * half_sine(hz * self.reference_s).powi(2);
        }
    }

    /// Power that the pulse that is thought of makes of the body, had it 1 m/s.
    pub fn thought(&self) -> f64 {
        self.thought
    }

    /// Power of the reference per power of the blow as it falls.
    pub fn to_reference(&self) -> f64 {
        if self.own > 0.0 { (self.reference / self.own).clamp(1.0 / MOST, MOST) } else { 1.0 }
    }
}
