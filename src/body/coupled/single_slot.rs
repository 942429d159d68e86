//! The body under one who stands on it alone.

use super::super::kernel::{Rows, RowsMut};
use super::{CoupledModes, CoupledModesSurface, KEPT, NextStep, SlotGains};
use crate::contact::coupled::{CompliantSurface, SingleSlotSurface};

impl SingleSlotSurface for CoupledModesSurface<'_> {
    fn push_last(&mut self, slot: usize, force_n: f64) {
        let Some((_, left)) = self.coupled_modes.gliding.filter(|(gliding, _)| *gliding == slot)
        else {
            return self.push_one(slot, force_n);
        };
        let n = self.modes.len;
        self.coupled_modes.count(super::PASSES_PER_STEP, n);
        let CoupledModes {
            points,
            kept,
            at,
            own,
            cached_bounds,
            ahead,
            ratios,
            gliding,
            glide_by,
            impulse_ns,
            per_mass_per_kg,
            ..
        } = &mut *self.coupled_modes;
        let rows = &kept[*at];
        *impulse_ns += force_n * rows.step_s();
        let (re, im) = self.bank.rows_mut(n);
        let turn = Rows { re: &rows.rotation_re[..n], im: &rows.rotation_im[..n] };
        let force_response =
            Rows { re: &rows.force_response_re[..n], im: &rows.force_response_im[..n] };
        let SlotGains { shape, gain } = &mut points[slot];
        let y = RowsMut { re: &mut re[..n], im: &mut im[..n] };
        let rows =
            [&per_mass_per_kg[..n], &glide_by[..n], &ratios.slack[..n], &ratios.per_omega[..n]];
        let point = [&mut shape[..n], &mut gain[..n]];
        let (free_m, mobility_m_per_n) =
            self.modes.kernel.push_and_glide(y, turn, force_response, point, rows, force_n);
        *own = [None; KEPT];
        own[*at] = Some((slot, mobility_m_per_n));
        cached_bounds.set(None);
        *ahead = Some(NextStep { slot, at: *at, changes: self.bank.changes(), free_m });
        *gliding = (left > 1).then_some((slot, left - 1));
    }
}
