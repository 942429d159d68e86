//! What steps of a contact do to the modes, remembered by their length.

use std::ops::Range;

use crate::body::kernel::{MOMENTS, Rows, RowsMut};
use crate::body::{MAX_MODES, Modes, Row};

/// Step lengths remembered for one body: those of its strikers, mostly the same, and an odd one at
/// either end of a contact.
const REMEMBERED: usize = 3;

/// Response of every mode over one step of length h: `y -> turn y + gain (sum of response times
/// moment of the force)`.
#[derive(Clone, Debug)]
struct Step {
    /// Re and Im of e^(s h).
    turn: [Row; 2],
    /// The same of the responses to each moment.
    responses: [[Row; 2]; MOMENTS],
    /// h, s; not a number if nothing is remembered here.
    duration_s: f64,
    /// When it was last asked for.
    asked: u64,
}

impl Step {
    fn new(capacity: usize) -> Self {
        let pair = || [Row::new(capacity), Row::new(capacity)];
        let responses = std::array::from_fn(|_| pair());
        Self { turn: pair(), responses, duration_s: f64::NAN, asked: 0 }
    }

    fn set(&mut self, modes: &Modes, duration_s: f64) {
        self.duration_s = duration_s;
        let s = Rows { re: &modes.decay_per_s[..modes.len], im: &modes.omega[..modes.len] };
        let responses = self.responses.each_mut().map(|pair| rows_mut(pair, modes.len));
        modes.kernel.responses(s, duration_s, rows_mut(&mut self.turn, modes.len), responses);
    }
}

/// What a step does to the modes.
#[derive(Clone, Copy, Debug)]
pub struct StepRows<'a> {
    /// e^(s h).
    pub turn: Rows<'a>,
    /// What each moment of the force, of 1 N s, leaves.
    pub responses: [Rows<'a>; MOMENTS],
}

/// The step lengths of one body.
#[derive(Clone, Debug)]
pub struct Steps {
    remembered: [Step; REMEMBERED],
    asked: u64,
}

impl Default for Steps {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl Steps {
    /// None is known yet. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self { remembered: std::array::from_fn(|_| Step::new(capacity)), asked: 0 }
    }

    /// All that is kept for each mode.
    pub(crate) fn rows_in_memory(&mut self) -> impl Iterator<Item = &mut Row> {
        self.remembered
            .iter_mut()
            .flat_map(|step| step.turn.iter_mut().chain(step.responses.as_flattened_mut()))
    }

    /// The modes have changed: forget all steps.
    pub fn forget(&mut self) {
        for step in &mut self.remembered {
            step.duration_s = f64::NAN;
        }
    }

    /// What a step of `duration_s` does to the modes from `first` to before `end`.
    pub fn of(
        &mut self,
        modes: &Modes,
        duration_s: f64,
        (first, end): (usize, usize),
    ) -> StepRows<'_> {
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
        let responses = step.responses.each_ref().map(|pair| rows(pair, first..end));
        StepRows { turn: rows(&step.turn, first..end), responses }
    }
}

fn rows([re, im]: &[Row; 2], of: Range<usize>) -> Rows<'_> {
    Rows { re: &re[of.clone()], im: &im[of] }
}

fn rows_mut([re, im]: &mut [Row; 2], len: usize) -> RowsMut<'_> {
    RowsMut { re: &mut re[..len], im: &mut im[..len] }
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
        let heard = || Listening {
            left: crate::body::Point::along(0.0),
            right: crate::body::Point::along(1.0),
        };
        modes.set(100.0, &damping, heard(), 48000.0);
        let mut steps = Steps::default();
        let mut seen = |modes: &Modes, duration_s: f64| {
            let StepRows { turn, responses: [zeroth, _, _, third] } =
                steps.of(modes, duration_s, (0, modes.len));
            [turn.re, turn.im, zeroth.re, third.im].map(<[f64]>::to_vec)
        };
        let durations_s: Vec<_> = (1..=2 * REMEMBERED).map(|n| 1e-6 * n as f64).collect();
        let fresh: Vec<_> = durations_s.iter().map(|h| seen(&modes, *h)).collect();
        for (h, fresh) in durations_s.iter().zip(&fresh).rev() {
            assert_eq!(&seen(&modes, *h), fresh);
            assert_eq!(&seen(&modes, *h), fresh);
        }
        modes.set(150.0, &damping, heard(), 48000.0);
        steps.forget();
        let turn = steps.of(&modes, durations_s[0], (0, 8)).turn;
        assert_ne!(turn.im[0], fresh[0][1][0], "forgotten with the modes it belonged to");
    }
}
