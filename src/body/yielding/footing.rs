//! The body under one who stands on it alone.

use super::super::kernel::{Rows, RowsMut};
use super::{Ahead, KEPT, Point, Yielding, YieldingModes};
use crate::contact::two_way::{Footing, Ground};

impl Footing for YieldingModes<'_> {
    fn push_last(&mut self, seat: usize, force_n: f64) {
        let Some((_, left)) = self.yielding.gliding.filter(|(gliding, _)| *gliding == seat) else {
            return self.push_one(seat, force_n);
        };
        let n = self.modes.len;
        self.yielding.count(super::PASSES_PER_STEP, n);
        let Yielding {
            points,
            kept,
            at,
            own,
            survey,
            ahead,
            ratios,
            gliding,
            glide_by,
            impulse_ns,
            per_mass_per_kg,
            ..
        } = &mut *self.yielding;
        let rows = &kept[*at];
        *impulse_ns += force_n * rows.step_s();
        let (re, im) = self.bank.rows_mut(n);
        let turn = Rows { re: &rows.turn_re[..n], im: &rows.turn_im[..n] };
        let hold = Rows { re: &rows.hold_re[..n], im: &rows.hold_im[..n] };
        let Point { shape, gain } = &mut points[seat];
        let y = RowsMut { re: &mut re[..n], im: &mut im[..n] };
        let rows = [&per_mass_per_kg[..n], &glide_by[..n], &ratios.slack[..n], &ratios.per_omega[..n]];
        let point = [&mut shape[..n], &mut gain[..n]];
        let (free_m, mobility_m_per_n) = self.modes.kernel.push_and_glide(y, turn, hold, point, rows, force_n);
        *own = [None; KEPT];
        own[*at] = Some((seat, mobility_m_per_n));
        survey.set(None);
        *ahead = Some(Ahead { seat, at: *at, changes: self.bank.changes(), free_m });
        *gliding = (left > 1).then_some((seat, left - 1));
    }
}
