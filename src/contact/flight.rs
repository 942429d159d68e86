//! Free flight between contacts, in closed form.

/// A flight that ends on the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Time still to go, s.
    pub remaining_s: f64,
    /// Speed at landing, m/s, positive into the surface.
    pub landing_m_per_s: f64,
}

impl Flight {
    /// A mass that will touch after `delay_s` with the given speed.
    pub fn arriving(delay_s: f64, landing_m_per_s: f64) -> Self {
        Self { remaining_s: delay_s.max(0.0), landing_m_per_s }
    }

    /// From `height_m` over the surface with a velocity towards it, under constant gravity; none if it never
    /// lands. A negative height is a dent to climb out of first: it lands from above, if it gets there.
    ///
    /// Both results come from the energy, so that a train of bounces adds no error of its own: a mass that
    /// leaves height 0 lands with the very speed it left with.
    pub fn falling(height_m: f64, towards_m_per_s: f64, gravity_m_per_s2: f64) -> Option<Self> {
        let v = towards_m_per_s;
        if height_m < 0.0 && v >= 0.0 {
            return None;
        }
        let landing = if height_m == 0.0 { v.abs() } else { (v * v + 2.0 * gravity_m_per_s2 * height_m).sqrt() };
        // t = (landing - v)/g, in the form without cancellation for either sign of v.
        let remaining_s = if v > 0.0 { 2.0 * height_m / (v + landing) } else { (landing - v) / gravity_m_per_s2 };
        (remaining_s.is_finite() && landing > 0.0).then_some(Self { remaining_s, landing_m_per_s: landing })
    }
}
