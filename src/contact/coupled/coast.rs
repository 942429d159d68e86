//! Coasting: samples in which no contact is possible, so that the surface rings freely in blocks.

use super::{CompliantSurface, CoupledSolver, FreeMass, MAX_CONTACT_SLOTS, MotionBounds, drift};

/// A period without contact. Its length is chosen when it begins, so that the result does not
/// depend on the block size.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coast {
    left: usize,
    done: usize,
    dt_s: f64,
    /// Displacements of the surface when it began, m.
    from_m: [f64; MAX_CONTACT_SLOTS],
}

impl CoupledSolver {
    /// Number of the next samples, up to `room`, that certainly pass without contact. The surface
    /// may then ring freely for any part of them, reported by [`coasted`](CoupledSolver::coasted).
    /// 0: [`advance`](CoupledSolver::advance) by one sample.
    ///
    /// `room` must end where the surface may change, not at the end of a block.
    pub fn free_samples(
        &mut self,
        surface: &mut impl CompliantSurface,
        dt_s: f64,
        room: usize,
    ) -> usize {
        // In contact there are none, and the search costs as much as a step.
        if self.occupied().iter().any(FreeMass::is_in_contact) {
            self.land(surface);
            return 0;
        }
        if self.coast.left == 0 && !self.claimed.contains(&true) {
            self.land(surface);
            surface.prepare(1, dt_s);
            let (mut left, mut from_m) = (room, [0.0; MAX_CONTACT_SLOTS]);
            for (slot, free_mass) in self
                .occupied_mut()
                .iter_mut()
                .enumerate()
                .filter(|(_, free_mass)| free_mass.is_active())
            {
                let motion_bounds = surface.motion_bounds(slot);
                free_mass.leave_for_good(&motion_bounds);
                if free_mass.is_active() {
                    left = left.min(clear_samples(free_mass, &motion_bounds, dt_s));
                    from_m[slot] = motion_bounds.displacement_m;
                }
            }
            self.coast = Coast { left, done: 0, dt_s, from_m };
        }
        self.coast.left.min(room)
    }

    /// Reports that the surface has rung freely for `samples`. Returns true if the period is over
    /// and [`land`](CoupledSolver::land) must be called.
    pub fn coasted(&mut self, samples: usize) -> bool {
        self.coast.left = self.coast.left.saturating_sub(samples);
        self.coast.done += samples;
        self.coast.left == 0
    }

    /// True if part of a period without contact has passed.
    pub fn is_coasting(&self) -> bool {
        self.coast.done > 0
    }

    /// Remaining samples of the period.
    pub fn coasting_samples(&self) -> usize {
        self.coast.left
    }

    /// Ends a period without contact. Call it before the surface changes.
    pub fn land(&mut self, surface: &mut impl CompliantSurface) {
        self.coast.left = 0;
        if self.coast.done == 0 {
            return;
        }
        let Coast { done, dt_s, from_m, .. } = std::mem::take(&mut self.coast);
        for (slot, free_mass) in self
            .occupied_mut()
            .iter_mut()
            .enumerate()
            .filter(|(_, free_mass)| free_mass.is_active())
        {
            drift(free_mass, surface.displacement_m(slot) - from_m[slot], done as f64 * dt_s);
            free_mass.check();
        }
    }
}

/// Samples that certainly pass before a contact: while the mass is above the reach of the surface,
/// or until it could have closed the gap at the maximum speed; whichever is longer.
fn clear_samples(free_mass: &FreeMass, motion_bounds: &MotionBounds, dt_s: f64) -> usize {
    if free_mass.is_in_contact() || free_mass.compression_m() >= 0.0 {
        return 0;
    }
    let (v, gravity) = (free_mass.velocity_m_per_s(), free_mass.gravity_m_per_s2());
    let by_reach_s = fall_s(
        free_mass.height_m(motion_bounds.displacement_m) - motion_bounds.reach_m,
        v,
        gravity,
    );
    let by_speed_s = fall_s(-free_mass.compression_m(), v + motion_bounds.speed_m_per_s, gravity);
    // The cast saturates. Two samples are spare for rounding.
    ((by_reach_s.max(by_speed_s) / dt_s) as usize).saturating_sub(2)
}

/// Time to fall by `height_m` with a velocity downwards, s; infinite if it never does, 0 for a
/// height of 0 or less.
fn fall_s(height_m: f64, down_m_per_s: f64, gravity_m_per_s2: f64) -> f64 {
    if height_m <= 0.0 {
        return 0.0;
    }
    let landing = (down_m_per_s * down_m_per_s + 2.0 * gravity_m_per_s2 * height_m).sqrt();
    if down_m_per_s > 0.0 {
        2.0 * height_m / (down_m_per_s + landing)
    } else if gravity_m_per_s2 > 0.0 {
        (landing - down_m_per_s) / gravity_m_per_s2
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ContactSettings;

    #[test]
    fn a_fall_takes_the_time_of_a_parabola() {
        for (height_m, down, gravity) in
            [(2.0, 0.0, 10.0), (0.5, 3.0, 9.81), (0.5, -3.0, 9.81), (0.2, 1.0, 300.0)]
        {
            let t = fall_s(height_m, down, gravity);
            assert!(
                t > 0.0 && (down * t + 0.5 * gravity * t * t - height_m).abs() < 1e-12,
                "{height_m} {down}: {t}"
            );
        }
        assert_eq!(fall_s(3.0, 2.0, 0.0), 1.5);
        assert_eq!((fall_s(3.0, 0.0, 0.0), fall_s(3.0, -1.0, 0.0)), (f64::INFINITY, f64::INFINITY));
        assert_eq!((fall_s(0.0, 1.0, 9.81), fall_s(-1.0, 1.0, 9.81)), (0.0, 0.0));
    }

    /// The longer of both bounds counts, less two samples.
    #[test]
    fn samples_are_clear_by_reach_or_by_speed() {
        let free_mass = FreeMass::thrown(&ContactSettings::default(), 1.0, 0.5);
        let clear = |displacement_m, reach_m, speed_m_per_s| {
            clear_samples(
                &free_mass,
                &MotionBounds { displacement_m, reach_m, speed_m_per_s },
                0.01,
            )
        };
        assert_eq!(clear(0.0, 0.203, 9.5), 157, "0.797 m at 0.5 m/s");
        assert_eq!(clear(0.0, 5.0, 0.31), 121, "1 m at 0.81 m/s");
        assert_eq!(clear(0.303, 0.2, 9.5), 97, "the surface is 0.303 m beyond its rest");
        assert_eq!(clear(0.0, 5.0, 1e9), 0);
        let touching = FreeMass::thrown(&ContactSettings::default(), 0.0, 0.5);
        assert_eq!(clear_samples(&touching, &MotionBounds::default(), 0.01), 0);
    }
}
