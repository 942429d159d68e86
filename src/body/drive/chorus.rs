//! What several forces leave in the modes within one sample, taken together.
//!
//! A [`Drive`] follows one force. Many contacts of equal steps, as a row of balls has them, need
//! not be followed one by one: what a mode feels of them all is one force too, the sum of each
//! force times its gain.

use super::{Drive, Span, span_of};
use crate::body::{Kernel, MAX_MODES, Modes, Row, Steps};

/// Most steps of a sample.
pub const MAX_PIECES: usize = 4;

/// Where one of the forces acts.
#[derive(Clone, Debug)]
pub struct Voicing {
    gains: Row,
    moves: Span,
    /// How far it is from having lifted off, 1 to 0.
    hold: f64,
}

impl Default for Voicing {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl Voicing {
    /// Nothing touches there. Room for `capacity` modes; allocates.
    pub fn new(capacity: usize) -> Self {
        Self { gains: Row::new(capacity), moves: (0, 0), hold: 1.0 }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.gains.fill(0.0);
        self.rest();
    }

    /// What is kept for each mode.
    pub(crate) fn row_in_memory(&mut self) -> &mut Row {
        &mut self.gains
    }

    /// Take the place of the contact: phi/m of each mode, 1/kg.
    pub fn set_gains(&mut self, gains: &[f64]) {
        let gains = &gains[..gains.len().min(self.gains.len())];
        self.gains[..gains.len()].copy_from_slice(gains);
        (self.moves, self.hold) = (span_of(gains), 1.0);
    }

    /// Nothing touches there yet, and what others left there is forgotten.
    pub fn rest(&mut self) {
        (self.moves, self.hold) = ((0, 0), 1.0);
    }

    /// Lift off by a further share `by` of the way. Returns whether any force still reaches the
    /// modes.
    pub fn ease(&mut self, by: f64) -> bool {
        self.hold = (self.hold - by).max(0.0);
        self.hold > 0.0
    }
}

/// Gathers the response of the modes to several forces in step.
#[derive(Clone, Debug)]
pub struct Chorus {
    sum: Drive,
    /// What each mode feels in each step, N/kg.
    felt: [Row; MAX_PIECES],
    moves: Span,
}

impl Default for Chorus {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl Chorus {
    /// At rest, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        let felt = std::array::from_fn(|_| Row::new(capacity));
        Self { sum: Drive::new(capacity), felt, moves: (0, 0) }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.sum.renew();
        self.felt.iter_mut().for_each(|felt| felt.fill(0.0));
        self.moves = (0, 0);
    }

    /// All that is kept for each mode.
    pub(crate) fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        self.sum.rows_in_memory().into_iter().chain(&mut self.felt).collect()
    }

    /// Start a new sample from rest.
    pub fn begin_sample(&mut self) {
        self.sum.begin_sample();
        for felt in &mut self.felt {
            felt[self.moves.0..self.moves.1].fill(0.0);
        }
        self.moves = (0, 0);
    }

    /// A contact pushes with these forces in as many equal steps, up to [`MAX_PIECES`].
    pub fn add(&mut self, kernel: Kernel, voicing: &Voicing, forces_n: &[f64], step_s: f64) {
        let Voicing { gains, moves, hold } = voicing;
        // Without a corner at either end, which would be heard.
        let share = crate::math::smoothstep(*hold);
        for (felt, force_n) in self.felt.iter_mut().zip(forces_n) {
            let force_n = share * force_n;
            self.sum.impulse_ns += force_n * step_s;
            kernel.mix(&mut felt[moves.0..moves.1], &gains[moves.0..moves.1], force_n);
        }
        self.moves = match self.moves {
            (0, 0) => *moves,
            (first, end) => (first.min(moves.0), end.max(moves.1)),
        };
    }

    /// Let all that was added act, in `pieces` steps; what the modes have received of it.
    pub fn act(&mut self, modes: &Modes, steps: &mut Steps, pieces: usize, step_s: f64) -> &Drive {
        let moves = self.moves.0..self.moves.1;
        self.sum.moves = self.moves;
        for felt in self.felt.iter().take(pieces) {
            self.sum.gains[moves.clone()].copy_from_slice(&felt[moves.clone()]);
            (self.sum.impulses_ns[0], self.sum.waiting, self.sum.duration_s) = (step_s, 1, step_s);
            self.sum.on(modes, steps).act();
        }
        &self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::modes;
    use super::*;
    use crate::contact::Surface;

    #[test]
    fn together_they_leave_what_they_leave_one_by_one() {
        let (modes, mut steps, dt) = (modes(), Steps::default(), 1.0 / 192e3);
        let mut chorus = Chorus::default();
        for _ in 0..3 {
            let (mut re, mut im, mut impulse_ns) = ([0.0; MAX_MODES], [0.0; MAX_MODES], 0.0);
            chorus.begin_sample();
            for (x, forces_n) in [
                (0.1, [1.0, 2.0, 3.0, 0.5]),
                (0.4, [0.0, 7.0, 0.0, 1.0]),
                (0.77, [5.0, 0.0, 2.0, 0.0]),
            ] {
                let gains = modes.drive_gains(x, 0.3);
                let (mut alone, mut voicing) = (Drive::default(), Voicing::default());
                alone.set_gains(&gains);
                voicing.set_gains(&gains);
                assert!(alone.ease(0.3) && voicing.ease(0.3));
                alone.begin_sample();
                for force_n in forces_n {
                    alone.on(&modes, &mut steps).push(force_n, dt);
                }
                chorus.add(modes.kernel, &voicing, &forces_n, dt);
                for i in 0..MAX_MODES {
                    re[i] += alone.re[i];
                    im[i] += alone.im[i];
                }
                impulse_ns += alone.impulse_ns();
            }
            let sum = chorus.act(&modes, &mut steps, 4, dt);
            assert!((sum.impulse_ns() / impulse_ns - 1.0).abs() < 1e-14);
            for i in 0..modes.len {
                let (size, off) =
                    (re[i].hypot(im[i]), (sum.re[i] - re[i]).hypot(sum.im[i] - im[i]));
                assert!(off <= 1e-13 * size + 1e-18, "mode {i}: {off} of {size}");
            }
        }
    }
}
