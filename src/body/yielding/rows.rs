//! Coefficients of one step length.

use super::super::kernel::RowsMut;
use super::super::{MAX_MODES, Modes, PerMode};

/// With what of their deflection the modes are pressed and read in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::body) enum Grip {
    /// As it is.
    Plain,
    /// With `1 - (s h)^2/12` of it, which is `1 + (w h)^2/12` but for the losses: for a contact that is amended (`contact::two_way`).
    Amended,
}

/// What the share of an amended grip adds to a reading `q = Im y/w` of each mode: `Im((share - 1) y)/w`, s.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in crate::body) struct Lean {
    pub of_re: PerMode,
    pub of_im: PerMode,
}

impl Default for Lean {
    fn default() -> Self {
        Self { of_re: [0.0; MAX_MODES], of_im: [0.0; MAX_MODES] }
    }
}

/// How every mode moves over one step of length h: `y -> turn y + hold (phi/m) F`. Its displacement `q = Im y/w` changes by
/// `Im(s hold y)/w`, and by `Im(hold)/w` per unit of (phi/m) F, which is never negative.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in crate::body) struct StepRows {
    /// e^(s h).
    pub turn_re: PerMode,
    pub turn_im: PerMode,
    /// (e^(s h) - 1)/s, s.
    pub hold_re: PerMode,
    pub hold_im: PerMode,
    grip: Grip,
    step_s: f64,
}

impl Default for StepRows {
    fn default() -> Self {
        let zero = [0.0; MAX_MODES];
        Self { step_s: f64::NAN, grip: Grip::Plain, turn_re: zero, turn_im: zero, hold_re: zero, hold_im: zero }
    }
}

impl StepRows {
    pub fn forget(&mut self) {
        self.step_s = f64::NAN;
    }

    /// What it is ready for, s.
    pub fn step_s(&self) -> f64 {
        self.step_s
    }

    /// Exact equality is meant: the same number again is the same step.
    pub fn is_for(&self, step_s: f64, grip: Grip) -> bool {
        (self.step_s, self.grip) == (step_s, grip)
    }

    /// The grip of its steps.
    pub fn grip(&self) -> Grip {
        self.grip
    }

    /// Put the share of every deflection into `hold`, and what it is more than 1 into `lean`. Where h is no small part of a swing or of a decay it is 1 again: such a
    /// mode follows the push as it is.
    pub fn amend(&mut self, modes: &Modes, lean: &mut Lean) {
        self.grip = Grip::Amended;
        for i in 0..modes.len {
            let (decay, omega) = (modes.decay_per_s[i], modes.omega[i]);
            // Of |s| h: a mode that is damped within a step follows it as it is, too.
            let square = (omega * omega + decay * decay) * self.step_s * self.step_s;
            let twelfth_s2 = self.step_s * self.step_s / (12.0 * (1.0 + square * square));
            // -s^2 h^2/12
            let (re, im) = (twelfth_s2 * (omega * omega - decay * decay), twelfth_s2 * 2.0 * decay * omega);
            // Padding of the last group does not move.
            let per_omega = if omega > 0.0 { 1.0 / omega } else { 0.0 };
            (lean.of_re[i], lean.of_im[i]) = (per_omega * im, per_omega * re);
            let (hold_re, hold_im) = (self.hold_re[i], self.hold_im[i]);
            self.hold_re[i] += hold_re * re - hold_im * im;
            self.hold_im[i] += hold_re * im + hold_im * re;
        }
    }

    /// Make ready for steps of `step_s`.
    pub fn set(&mut self, modes: &Modes, step_s: f64) {
        self.set_first(modes, modes.len, step_s);
    }

    /// The same for the first `len` modes alone.
    pub fn set_first(&mut self, modes: &Modes, len: usize, step_s: f64) {
        (self.step_s, self.grip) = (step_s, Grip::Plain);
        let turn = RowsMut { re: &mut self.turn_re[..len], im: &mut self.turn_im[..len] };
        let hold = RowsMut { re: &mut self.hold_re[..len], im: &mut self.hold_im[..len] };
        modes.kernel.exponential(&modes.decay_per_s[..len], &modes.omega[..len], step_s, turn, hold);
        // Padding of the last group stays where it is.
        for i in (0..len).filter(|&i| modes.omega[i] == 0.0) {
            self.clear(i);
        }
    }

    fn clear(&mut self, mode: usize) {
        for row in [&mut self.turn_re, &mut self.turn_im, &mut self.hold_re, &mut self.hold_im] {
            row[mode] = 0.0;
        }
    }
}

/// What is known of every mode whatever the step: with |y| its amplitude, most that there can be of its motion.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in crate::body) struct Ratios {
    /// Most of q per unit of |y|: 1/w, s.
    pub per_omega: PerMode,
    /// d/w.
    pub slack: PerMode,
    /// Most of q' per unit of |y|: `sqrt(1 + (d/w)^2)`.
    pub quickness: PerMode,
    /// Most of q'' per unit of w |y|: the largest `1 + (d/w)^2` of all modes.
    pub unrest: f64,
    known: bool,
}

impl Default for Ratios {
    fn default() -> Self {
        let zero = [0.0; MAX_MODES];
        Self { known: false, per_omega: zero, slack: zero, quickness: zero, unrest: 1.0 }
    }
}

impl Ratios {
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Make ready, if that is not so already.
    pub fn prepare(&mut self, modes: &Modes) {
        if !std::mem::replace(&mut self.known, true) {
            self.set(modes);
        }
    }

    /// Take over modes.
    pub fn set(&mut self, modes: &Modes) {
        self.unrest = 1.0;
        for i in 0..modes.len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            // Padding of the last group does not move.
            let per_omega = if w > 0.0 { 1.0 / w } else { 0.0 };
            let slack = d * per_omega;
            self.per_omega[i] = per_omega;
            self.slack[i] = slack;
            self.quickness[i] = if w > 0.0 { (1.0 + slack * slack).sqrt() } else { 0.0 };
            self.unrest = self.unrest.max(1.0 + slack * slack);
        }
    }
}
