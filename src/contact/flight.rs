//! Free flight between contacts, in closed form.

/// A flight that ends on the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// Time from the first counted sample to the landing, s.
    remaining_s: f64,
    /// Whole samples that have passed since. They are counted, not subtracted, so that the result
    /// does not depend on how the samples are divided into calls.
    samples: u64,
    /// Total duration, s, without the time to leave a dent.
    pub duration_s: f64,
    /// Speed at landing, m/s, positive into the surface; 0 for a mass that comes to rest there.
    pub landing_m_per_s: f64,
}

impl Flight {
    /// A mass that touches after `delay_s` with the given speed.
    pub fn arriving(delay_s: f64, landing_m_per_s: f64) -> Self {
        let delay_s = delay_s.max(0.0);
        Self { remaining_s: delay_s, samples: 0, duration_s: delay_s, landing_m_per_s }
    }

    /// From `height_m` above the surface with a velocity towards it, under constant gravity; `None`
    /// if it never lands. A negative height is inside a dent, which the mass must leave first.
    ///
    /// Both results come from the energy, so that a train of bounces accumulates no error: a mass
    /// that leaves height 0 lands with exactly the speed at which it left.
    pub fn falling(height_m: f64, towards_m_per_s: f64, gravity_m_per_s2: f64) -> Option<Self> {
        let v = towards_m_per_s;
        if height_m < 0.0 && v >= 0.0 {
            return None;
        }
        let landing = if height_m == 0.0 {
            v.abs()
        } else {
            (v * v + 2.0 * gravity_m_per_s2 * height_m).sqrt()
        };
        // t = (landing - v)/g, in the form without cancellation for either sign of v.
        let remaining_s =
            if v > 0.0 { 2.0 * height_m / (v + landing) } else { (landing - v) / gravity_m_per_s2 };
        let lands = remaining_s.is_finite() && landing > 0.0;
        lands.then_some(Self::arriving(remaining_s, landing))
    }

    /// The same flight after the time to leave a dent.
    pub fn after_way_out(self, way_out_s: f64) -> Self {
        Self { remaining_s: self.remaining_s + way_out_s, ..self }
    }

    /// Remaining time, s.
    pub fn left_s(&self, dt_s: f64) -> f64 {
        self.remaining_s - self.samples as f64 * dt_s
    }

    /// Accounts for the `rest_s` of the sample in which the flight began.
    pub fn begin_after(&mut self, rest_s: f64) {
        self.remaining_s -= rest_s;
    }

    /// Number of whole samples, up to `max`, before the one in which it lands.
    pub fn whole_samples(&self, max: u64, dt_s: f64) -> u64 {
        // The casts saturate. The loop corrects a quotient that was rounded up.
        let mut count = ((self.remaining_s / dt_s) as u64)
            .saturating_add(1)
            .saturating_sub(self.samples)
            .min(max);
        // One or two rounds, and never more than `max`.
        while count > 0 && self.remaining_s - (self.samples + count - 1) as f64 * dt_s < dt_s {
            count -= 1;
        }
        count
    }

    /// Advances by whole samples, no more than [`whole_samples`](Self::whole_samples).
    pub fn pass(&mut self, samples: u64) {
        self.samples += samples;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duration_and_landing_speed_are_those_of_a_parabola() {
        for (height_m, v, gravity) in [
            (2.0, 0.0, 10.0),
            (0.5, 3.0, 9.81),
            (0.5, -3.0, 9.81),
            (0.0, -2.0, 5.0),
            (-0.1, -2.0, 5.0),
        ] {
            let flight = Flight::falling(height_m, v, gravity).expect("it lands");
            let t = flight.duration_s;
            assert!((height_m - v * t - 0.5 * gravity * t * t).abs() < 1e-12, "{height_m} {v}");
            assert!((v + gravity * t - flight.landing_m_per_s).abs() < 1e-12, "{height_m} {v}");
            assert!(flight.landing_m_per_s > 0.0 && t > 0.0);
        }
        let bounce = Flight::falling(0.0, -0.3, 9.81).expect("it lands");
        assert_eq!((bounce.landing_m_per_s, bounce.duration_s), (0.3, 0.6 / 9.81));
        let straight = Flight::falling(3.0, 1.5, 0.0).expect("it lands");
        assert_eq!((straight.landing_m_per_s, straight.duration_s), (1.5, 2.0));
    }

    #[test]
    fn a_mass_that_flies_off_or_stays_in_its_dent_never_lands() {
        assert_eq!(Flight::falling(1.0, -1.0, 0.0), None);
        assert_eq!(Flight::falling(-0.1, 1.0, 9.81), None);
        assert_eq!(Flight::falling(-0.1, 0.0, 9.81), None);
        assert_eq!(Flight::falling(-1.0, -1.0, 9.81), None, "it does not get out");
        assert_eq!(Flight::falling(0.0, 0.0, 9.81), None);
    }

    #[test]
    fn whole_samples_pass_before_the_one_of_the_landing() {
        let dt_s = 0.25;
        let mut flight = Flight::arriving(1.6, 2.0);
        assert_eq!((flight.whole_samples(100, dt_s), flight.whole_samples(3, dt_s)), (6, 3));
        flight.pass(4);
        assert_eq!(flight.whole_samples(100, dt_s), 2);
        assert!((flight.left_s(dt_s) - 0.6).abs() < 1e-15);
        flight.begin_after(0.1);
        assert!((flight.left_s(dt_s) - 0.5).abs() < 1e-15);
        assert_eq!(
            flight.whole_samples(100, dt_s),
            2,
            "it lands with the end of a sample, which is whole"
        );
        flight.pass(2);
        assert_eq!(flight.whole_samples(100, dt_s), 0);
        assert_eq!(Flight::arriving(-1.0, 2.0).left_s(dt_s), 0.0);
        let late = Flight::arriving(1.0, 2.0).after_way_out(0.5);
        assert_eq!((late.left_s(dt_s), late.duration_s), (1.5, 1.0));
    }
}
