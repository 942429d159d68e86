//! Samples in which nothing can touch: the ground rings by itself, in blocks.

use super::{CompliantSurface, CoupledSolver, FreeMass, MAX_CONTACT_SLOTS, MotionBounds, drift};

/// A stretch without contact. Its length is settled when it begins, so that nothing depends on how
/// it is cut into blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coast {
    left: usize,
    done: usize,
    dt_s: f64,
    /// Where the surface was when it began, m.
    from_m: [f64; MAX_CONTACT_SLOTS],
}

impl CoupledSolver {
    /// How many of the next samples, `room` at most, are certain to pass without contact. The
    /// ground may then ring by itself for any part of them, to be told in
    /// [`coasted`](CoupledSolver::coasted). 0: [`advance`](CoupledSolver::advance) by one.
    ///
    /// `room` must end where the ground may change, and not where a block happens to.
    pub fn free_samples(
        &mut self,
        ground: &mut impl CompliantSurface,
        dt_s: f64,
        room: usize,
    ) -> usize {
        // In contact there is nothing to look for, and looking costs as much as a step.
        if self.occupied().iter().any(FreeMass::is_in_contact) {
            self.land(ground);
            return 0;
        }
        if self.coast.left == 0 && !self.claimed.contains(&true) {
            self.land(ground);
            ground.prepare(1, dt_s);
            let (mut left, mut from_m) = (room, [0.0; MAX_CONTACT_SLOTS]);
            for (slot, free_mass) in self
                .occupied_mut()
                .iter_mut()
                .enumerate()
                .filter(|(_, free_mass)| free_mass.is_active())
            {
                let motion_bounds = ground.motion_bounds(slot);
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

    /// The ground has rung by itself for `samples` of those it might. Returns whether the stretch
    /// is over, and [`land`](CoupledSolver::land) due.
    pub fn coasted(&mut self, samples: usize) -> bool {
        self.coast.left = self.coast.left.saturating_sub(samples);
        self.coast.done += samples;
        self.coast.left == 0
    }

    /// A stretch without contact is under way, part of which has passed.
    pub fn is_coasting(&self) -> bool {
        self.coast.done > 0
    }

    /// What is left of the stretch under way, in samples.
    pub fn coasting_samples(&self) -> usize {
        self.coast.left
    }

    /// End a stretch without contact here. To be called before the ground changes.
    pub fn land(&mut self, ground: &mut impl CompliantSurface) {
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
            drift(free_mass, ground.displacement_m(slot) - from_m[slot], done as f64 * dt_s);
            free_mass.check();
        }
    }
}

/// Samples that pass before the two can meet: while the mass is higher than the ring reaches, or
/// until it could have closed the gap at the greatest speed there can be; whichever is longer.
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
    // The cast saturates. Two samples less, for rounding.
    ((by_reach_s.max(by_speed_s) / dt_s) as usize).saturating_sub(2)
}

/// Time to come down by `height_m` with a velocity downwards, s; endless if it never does, none if
/// it is down.
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
mod tests;
