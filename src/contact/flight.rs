//! Free flight between contacts, in closed form.

/// A flight that ends on the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// From the first sample it counts to the landing, s.
    remaining_s: f64,
    /// Whole samples that have gone by since: counted, not subtracted, so that a flight may be followed in strides of
    /// any length and ends at the same bit.
    samples: u64,
    /// How long it takes in all, s, without the way out of a dent.
    pub duration_s: f64,
    /// Speed at landing, m/s, positive into the surface; 0 for one that is to rest there.
    pub landing_m_per_s: f64,
}

impl Flight {
    /// A mass that will touch after `delay_s` with the given speed.
    pub fn arriving(delay_s: f64, landing_m_per_s: f64) -> Self {
        let delay_s = delay_s.max(0.0);
        Self { remaining_s: delay_s, samples: 0, duration_s: delay_s, landing_m_per_s }
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
        let lands = remaining_s.is_finite() && landing > 0.0;
        lands.then_some(Self::arriving(remaining_s, landing))
    }

    /// The same after a way out of a dent, during which nothing else happens.
    pub fn after_way_out(self, way_out_s: f64) -> Self {
        Self { remaining_s: self.remaining_s + way_out_s, ..self }
    }

    /// Time still to go, s.
    pub fn left_s(&self, dt_s: f64) -> f64 {
        self.remaining_s - self.samples as f64 * dt_s
    }

    /// It began inside a sample with `rest_s` of that to go: from here on it counts whole ones.
    pub fn begin_after(&mut self, rest_s: f64) {
        self.remaining_s -= rest_s;
    }

    /// How many whole samples, up to `most`, will go by before the one in which it lands.
    pub fn whole_samples(&self, most: u64, dt_s: f64) -> u64 {
        // The casts saturate. What rounding may do to the quotient is put right by the question itself.
        let mut count = ((self.remaining_s / dt_s) as u64).saturating_add(1).saturating_sub(self.samples).min(most);
        while count > 0 && self.remaining_s - (self.samples + count - 1) as f64 * dt_s < dt_s {
            count -= 1;
        }
        count
    }

    /// Let whole samples go by, no more than [`whole_samples`](Self::whole_samples).
    pub fn pass(&mut self, samples: u64) {
        self.samples += samples;
    }
}
