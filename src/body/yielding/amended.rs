//! What an amended contact asks of a body besides (`contact::two_way`).

use super::YieldingModes;
use crate::contact::two_way::{DERIVATIVES, Motion};

impl YieldingModes<'_> {
    /// Set every mode back by `phi/m` times `later_n_s2`.
    pub(super) fn set_modes_back(&mut self, seat: usize, later_n_s2: f64) {
        let n = self.modes.len;
        let (_, im) = self.bank.rows_mut(n);
        let gains = &self.yielding.points[seat].gain;
        for ((im, gain), omega) in im[..n].iter_mut().zip(gains).zip(&self.modes.omega) {
            *im -= omega * gain * later_n_s2;
        }
    }

    /// How a seat moves while nothing pushes: `q = Im y/w` and `y' = s y`.
    pub(super) fn motion_at(&self, seat: usize) -> Motion {
        let (state, modes) = (self.state(), self.modes);
        let per_omega = &self.yielding.ratios.per_omega;
        let mut derivatives = [0.0; DERIVATIVES];
        for (i, shape) in self.yielding.points[seat].shape[..modes.len].iter().enumerate() {
            let (decay, omega) = (modes.decay_per_s[i], modes.omega[i]);
            let (mut re, mut im) = (state.re[i], state.im[i]);
            for derivative in &mut derivatives {
                (re, im) = (-decay * re - omega * im, omega * re - decay * im);
                *derivative += shape * per_omega[i] * im;
            }
        }
        Motion(derivatives)
    }
}
