//! The body under one who stands on it alone.

use super::super::kernel::{Rows, RowsMut};
use super::{Point, Yielding, YieldingModes};
use crate::contact::two_way::{Footing, Stance};

impl Footing for YieldingModes<'_> {
    fn stance(&self, seat: usize) -> Stance {
        let n = self.modes.len;
        let Yielding { points, ratios, .. } = &*self.yielding;
        let rows = self.yielding.rows();
        let turn = Rows { re: &rows.turn_re[..n], im: &rows.turn_im[..n] };
        let hold = Rows { re: &rows.hold_re[..n], im: &rows.hold_im[..n] };
        let Point { shape, gain } = &points[seat];
        let rows = [&shape[..n], &gain[..n], &ratios.slack[..n], &ratios.per_omega[..n]];
        let [free_m, later_m, mobility_m_per_n, echo_m_per_n] =
            self.modes.kernel.stance(self.state(), turn, hold, rows);
        Stance { free_m, later_m, mobility_m_per_n, echo_m_per_n }
    }

    fn push_alone(&mut self, seat: usize, force_n: f64) -> f64 {
        let n = self.modes.len;
        self.yielding.count(1, n);
        let Yielding { points, kept, at, ratios, impulse_ns, .. } = &mut *self.yielding;
        let rows = &kept[*at];
        *impulse_ns += force_n * rows.step_s();
        let (re, im) = self.bank.rows_mut(n);
        let turn = Rows { re: &rows.turn_re[..n], im: &rows.turn_im[..n] };
        let hold = Rows { re: &rows.hold_re[..n], im: &rows.hold_im[..n] };
        let Point { shape, gain } = &points[seat];
        let y = RowsMut { re: &mut re[..n], im: &mut im[..n] };
        self.modes.kernel.push_and_look(y, turn, hold, [&shape[..n], &gain[..n], &ratios.slack[..n]], force_n)
    }
}
