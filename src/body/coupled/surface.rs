//! The modal body as a compliant surface.

use super::{
    CACHED_STEPS, CachedBounds, CoupledModes, MAX_AGE, NextStep, PASSES_PER_STEP, SlotGains,
};
use crate::body::kernel::{Rows, RowsMut};
use crate::body::{Bank, Modes};
use crate::contact::coupled::{
    CompliantSurface, MAX_CONTACT_SLOTS, MotionBounds, SingleSlotSurface,
};

/// A [`CoupledModes`] with the bank and the modes that it acts on.
#[derive(Debug)]
pub struct CoupledModesSurface<'a> {
    pub(super) coupled_modes: &'a mut CoupledModes,
    pub(super) bank: &'a mut Bank,
    pub(super) modes: &'a Modes,
}

impl CoupledModesSurface<'_> {
    fn prepare_rows(&mut self, step_s: f64) {
        let CoupledModes { steps, last_used, at, own_mobility, next_step, ratios, .. } =
            &mut *self.coupled_modes;
        if steps[*at].is_for(step_s) {
            return;
        }
        ratios.prepare(self.modes);
        let now = last_used[*at] + 1;
        *at = steps.iter().position(|rows| rows.is_for(step_s)).unwrap_or_else(|| {
            // Replaces the least recently used entry.
            let oldest = (0..CACHED_STEPS).min_by_key(|slot| last_used[*slot]).unwrap_or(0);
            steps[oldest].set(self.modes, step_s);
            own_mobility[oldest] = None;
            *next_step = next_step.filter(|next_step| next_step.at != oldest);
            oldest
        });
        last_used[*at] = now;
    }

    /// Current state of all modes.
    pub(super) fn state(&self) -> Rows<'_> {
        let (re, im) = self.bank.rows();
        Rows { re: &re[..self.modes.len], im: &im[..self.modes.len] }
    }

    fn cached_bounds(&self, slot: usize) -> CachedBounds {
        let CoupledModes { points, ratios, cached_bounds, .. } = &*self.coupled_modes;
        let changes = self.bank.changes();
        if let Some(known) =
            cached_bounds.get().filter(|known| (known.slot, known.changes) == (slot, changes))
        {
            return known;
        }
        let n = self.modes.len;
        let scales = [&ratios.per_omega[..n], &ratios.speed_ratio[..n], &self.modes.omega[..n]];
        let [reach_m, speed_m_per_s, max_acceleration_m_per_s2, displacement_m] =
            self.modes.kernel.motion_bounds(&points[slot].shape[..n], scales, self.state());
        let motion_bounds = MotionBounds { displacement_m, reach_m, speed_m_per_s };
        let now = CachedBounds { slot, changes, motion_bounds, max_acceleration_m_per_s2, age: 0 };
        cached_bounds.set(Some(now));
        now
    }
}

impl CoupledModesSurface<'_> {
    /// Bounds of a slot after a step without a force; none if they are unknown or too old.
    fn bounds_after_free_step(&self, slot: usize) -> Option<CachedBounds> {
        let changes = self.bank.changes();
        let is_known = |cached_bounds: &CachedBounds| {
            (cached_bounds.slot, cached_bounds.changes) == (slot, changes)
                && cached_bounds.age < MAX_AGE
        };
        let cached_bounds = self.coupled_modes.cached_bounds.get().filter(is_known)?;
        let displacement_m = cached_bounds.motion_bounds.displacement_m + self.free_m(slot);
        Some(CachedBounds {
            motion_bounds: MotionBounds { displacement_m, ..cached_bounds.motion_bounds },
            age: cached_bounds.age + 1,
            ..cached_bounds
        })
    }
}

impl CompliantSurface for CoupledModesSurface<'_> {
    fn prepare(&mut self, steps: u32, dt_s: f64) {
        self.prepare_rows(dt_s / f64::from(steps));
    }

    fn free_m(&self, slot: usize) -> f64 {
        let n = self.modes.len;
        let CoupledModes { points, ratios, next_step, at, .. } = &*self.coupled_modes;
        let is_known = |known: &NextStep| {
            (known.slot, known.at, known.changes) == (slot, *at, self.bank.changes())
        };
        if let Some(known) = next_step.filter(is_known) {
            return known.free_m;
        }
        let rows = self.coupled_modes.rows();
        let force_response =
            Rows { re: &rows.force_response_re[..n], im: &rows.force_response_im[..n] };
        self.modes.kernel.free_displacement(
            &points[slot].shape[..n],
            &ratios.decay_ratio[..n],
            force_response,
            self.state(),
        )
    }

    fn mobility_m_per_n(&self, at: usize, from: usize) -> f64 {
        let n = self.modes.len;
        let CoupledModes { points, ratios, .. } = &*self.coupled_modes;
        let force_response_im = &self.coupled_modes.rows().force_response_im[..n];
        self.modes.kernel.dot4(
            &points[at].shape[..n],
            &points[from].gain[..n],
            force_response_im,
            &ratios.per_omega[..n],
        )
    }

    fn push(&mut self, forces_n: &[f64; MAX_CONTACT_SLOTS]) {
        let n = self.modes.len;
        let kernel = self.modes.kernel;
        let pressing = forces_n.iter().filter(|force_n| **force_n != 0.0).count() as u32;
        self.coupled_modes.count(PASSES_PER_STEP + pressing, n);
        let CoupledModes { points, steps, at, impulse_ns, .. } = &mut *self.coupled_modes;
        let rows = &steps[*at];
        *impulse_ns += forces_n.iter().sum::<f64>() * rows.step_s();
        let (re, im) = self.bank.rows_mut(n);
        let rotation = Rows { re: &rows.rotation_re[..n], im: &rows.rotation_im[..n] };
        let force_response =
            Rows { re: &rows.force_response_re[..n], im: &rows.force_response_im[..n] };
        let mut pressing = points.iter().zip(forces_n).filter(|(_, force_n)| **force_n != 0.0);
        let y = RowsMut { re: &mut re[..n], im: &mut im[..n] };
        match pressing.next() {
            None => kernel.rotate(y, rotation, 1),
            Some((point, &force_n)) => {
                kernel.push(y, rotation, force_response, &point.gain[..n], &[force_n])
            }
        }
        for (point, &force_n) in pressing {
            kernel.add_force(
                RowsMut { re: &mut re[..n], im: &mut im[..n] },
                force_response,
                &point.gain[..n],
                force_n,
            );
        }
    }

    fn own_mobility_m_per_n(&mut self, slot: usize) -> f64 {
        let at = self.coupled_modes.at;
        match self.coupled_modes.own_mobility[at] {
            Some((known, mobility_m_per_n)) if known == slot => mobility_m_per_n,
            _ => {
                let mobility_m_per_n = self.mobility_m_per_n(slot, slot);
                self.coupled_modes.own_mobility[at] = Some((slot, mobility_m_per_n));
                mobility_m_per_n
            }
        }
    }

    fn push_one(&mut self, slot: usize, force_n: f64) {
        let n = self.modes.len;
        self.coupled_modes.count(PASSES_PER_STEP, n);
        let kept_bounds = if force_n == 0.0 { self.bounds_after_free_step(slot) } else { None };
        let CoupledModes { points, steps, at, ratios, impulse_ns, .. } = &mut *self.coupled_modes;
        let rows = &steps[*at];
        *impulse_ns += force_n * rows.step_s();
        let (re, im) = self.bank.rows_mut(n);
        let rotation = Rows { re: &rows.rotation_re[..n], im: &rows.rotation_im[..n] };
        let force_response =
            Rows { re: &rows.force_response_re[..n], im: &rows.force_response_im[..n] };
        let y = RowsMut { re: &mut re[..n], im: &mut im[..n] };
        let SlotGains { shape, gain } = &points[slot];
        let rows = [&gain[..n], &shape[..n], &ratios.decay_ratio[..n]];
        let free_m = self.modes.kernel.push_and_free_displacement(
            y,
            rotation,
            force_response,
            rows,
            force_n,
        );
        let changes = self.bank.changes();
        self.coupled_modes
            .cached_bounds
            .set(kept_bounds.map(|cached_bounds| CachedBounds { changes, ..cached_bounds }));
        let CoupledModes { at, next_step, .. } = &mut *self.coupled_modes;
        // The next step mostly has the same length.
        *next_step = Some(NextStep { slot, at: *at, changes, free_m });
    }

    fn displacement_m(&self, slot: usize) -> f64 {
        let n = self.modes.len;
        let shape = &self.coupled_modes.points[slot].shape[..n];
        self.modes.kernel.dot3(shape, self.state().im, &self.coupled_modes.ratios.per_omega[..n])
    }

    fn motion_bounds(&self, slot: usize) -> MotionBounds {
        self.cached_bounds(slot).motion_bounds
    }

    fn max_acceleration_m_per_s2(&self, slot: usize) -> f64 {
        self.coupled_modes.ratios.max_acceleration
            * self.cached_bounds(slot).max_acceleration_m_per_s2
    }

    /// A mode that reverses within the push has less weight: `1/(1 + (w t/2)^2)`.
    fn per_mass_per_kg(&self, slot: usize, time_s: f64) -> f64 {
        let n = self.modes.len;
        let SlotGains { shape, gain } = &self.coupled_modes.points[slot];
        if time_s == 0.0 {
            return self.modes.kernel.dot(&shape[..n], Rows { re: &gain[..n], im: &gain[..n] }).0;
        }
        self.modes.kernel.inverse_mass(
            &shape[..n],
            &gain[..n],
            &self.modes.omega[..n],
            0.5 * time_s,
        )
    }

    fn take_work(&mut self) -> u32 {
        self.coupled_modes.work.take()
    }

    /// `m/2 (q'^2 + w0^2 q^2)` of each mode, exactly.
    fn energy_j(&self) -> f64 {
        let (re, im) = self.bank.rows();
        (0..self.modes.len)
            .filter(|&i| self.modes.omega[i] > 0.0)
            .map(|i| {
                let (d, w) = (self.modes.decay_per_s[i], self.modes.omega[i]);
                let q = im[i] / w;
                let rate = re[i] - d * q;
                0.5 / self.coupled_modes.per_mass_per_kg[i]
                    * (rate * rate + (d * d + w * w) * q * q)
            })
            .sum()
    }
}

impl SingleSlotSurface for CoupledModesSurface<'_> {
    fn push_last(&mut self, slot: usize, force_n: f64) {
        let Some((_, left)) = self.coupled_modes.gliding.filter(|(gliding, _)| *gliding == slot)
        else {
            return self.push_one(slot, force_n);
        };
        let n = self.modes.len;
        self.coupled_modes.count(PASSES_PER_STEP, n);
        let CoupledModes {
            points,
            steps,
            at,
            own_mobility,
            cached_bounds,
            next_step,
            ratios,
            gliding,
            glide_by,
            impulse_ns,
            per_mass_per_kg,
            ..
        } = &mut *self.coupled_modes;
        let rows = &steps[*at];
        *impulse_ns += force_n * rows.step_s();
        let (re, im) = self.bank.rows_mut(n);
        let rotation = Rows { re: &rows.rotation_re[..n], im: &rows.rotation_im[..n] };
        let force_response =
            Rows { re: &rows.force_response_re[..n], im: &rows.force_response_im[..n] };
        let SlotGains { shape, gain } = &mut points[slot];
        let y = RowsMut { re: &mut re[..n], im: &mut im[..n] };
        let rows = [
            &per_mass_per_kg[..n],
            &glide_by[..n],
            &ratios.decay_ratio[..n],
            &ratios.per_omega[..n],
        ];
        let point = [&mut shape[..n], &mut gain[..n]];
        let (free_m, mobility_m_per_n) =
            self.modes.kernel.push_and_glide(y, rotation, force_response, point, rows, force_n);
        *own_mobility = [None; CACHED_STEPS];
        own_mobility[*at] = Some((slot, mobility_m_per_n));
        cached_bounds.set(None);
        *next_step = Some(NextStep { slot, at: *at, changes: self.bank.changes(), free_m });
        *gliding = (left > 1).then_some((slot, left - 1));
    }
}
