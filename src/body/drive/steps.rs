//! What steps of a contact do to the modes, remembered by their length.

use crate::body::kernel::{Rows, RowsMut};
use crate::body::{MAX_MODES, Modes, PerMode};

/// Step lengths remembered for one body: the regular ones of its strikers, mostly the same, and the odd ones at either
/// end of a contact.
const REMEMBERED: usize = 4;

/// Response of every mode over one step of length h: `y -> turn y + hold gain F`.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct Step {
    /// Re e^(s h).
    turn_re: PerMode,
    /// Im e^(s h).
    turn_im: PerMode,
    /// Re (e^(s h) - 1)/s, s.
    hold_re: PerMode,
    /// Im (e^(s h) - 1)/s, s.
    hold_im: PerMode,
    /// h, s; not a number if nothing is remembered here.
    duration_s: f64,
    /// When it was last asked for.
    asked: u64,
}

impl Step {
    const EMPTY: Step = Step {
        turn_re: [0.0; MAX_MODES],
        turn_im: [0.0; MAX_MODES],
        hold_re: [0.0; MAX_MODES],
        hold_im: [0.0; MAX_MODES],
        duration_s: f64::NAN,
        asked: 0,
    };

    fn set(&mut self, modes: &Modes, duration_s: f64) {
        self.duration_s = duration_s;
        let len = ..modes.len;
        let turn = RowsMut { re: &mut self.turn_re[len], im: &mut self.turn_im[len] };
        let hold = RowsMut { re: &mut self.hold_re[len], im: &mut self.hold_im[len] };
        modes.kernel.exponential(&modes.decay_per_s[len], &modes.omega[len], duration_s, turn, hold);
    }
}

/// The step lengths of one body.
#[derive(Clone, Debug)]
pub struct Steps {
    remembered: [Step; REMEMBERED],
    asked: u64,
}

impl Default for Steps {
    fn default() -> Self {
        Self { remembered: [Step::EMPTY; REMEMBERED], asked: 0 }
    }
}

impl Steps {
    /// The modes have changed: forget all steps.
    pub fn forget(&mut self) {
        for step in &mut self.remembered {
            step.duration_s = f64::NAN;
        }
    }

    /// Turn and hold of `modes` over a step of `duration_s`.
    pub fn of(&mut self, modes: &Modes, duration_s: f64) -> (Rows<'_>, Rows<'_>) {
        self.asked += 1;
        // Exact equality is meant: the same number again is the same step.
        let known = self.remembered.iter().position(|step| step.duration_s == duration_s);
        let slot = known.unwrap_or_else(|| {
            // The one not asked for the longest makes room.
            let slot = (0..REMEMBERED).min_by_key(|slot| self.remembered[*slot].asked).unwrap_or(0);
            self.remembered[slot].set(modes, duration_s);
            slot
        });
        let step = &mut self.remembered[slot];
        step.asked = self.asked;
        let len = ..modes.len;
        let turn = Rows { re: &step.turn_re[len], im: &step.turn_im[len] };
        (turn, Rows { re: &step.hold_re[len], im: &step.hold_im[len] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Listening;
    use crate::body::material::Damping;

    #[test]
    fn a_step_is_the_same_whether_it_was_remembered_or_not() {
        let mut modes = Modes::default();
        let damping = Damping { support_per_s: 5.0, loss_factor: 1e-3, viscous_s: 1e-8 };
        modes.set(
            100.0,
            &damping,
            Listening { left: crate::body::Point::along(0.0), right: crate::body::Point::along(1.0) },
            48000.0,
        );
        let mut steps = Steps::default();
        let mut seen = |modes: &Modes, duration_s: f64| {
            let (turn, hold) = steps.of(modes, duration_s);
            [turn.re, turn.im, hold.re, hold.im].map(<[f64]>::to_vec)
        };
        let durations_s: Vec<_> = (1..=2 * REMEMBERED).map(|n| 1e-6 * n as f64).collect();
        let fresh: Vec<_> = durations_s.iter().map(|h| seen(&modes, *h)).collect();
        for (h, fresh) in durations_s.iter().zip(&fresh).rev() {
            assert_eq!(&seen(&modes, *h), fresh);
            assert_eq!(&seen(&modes, *h), fresh);
        }
        modes.set(
            150.0,
            &damping,
            Listening { left: crate::body::Point::along(0.0), right: crate::body::Point::along(1.0) },
            48000.0,
        );
        steps.forget();
        let (turn, _) = steps.of(&modes, durations_s[0]);
        assert_ne!(turn.im[0], fresh[0][1][0], "forgotten with the modes it belonged to");
    }
}
