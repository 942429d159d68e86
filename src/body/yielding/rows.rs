//! Coefficients of one step length.

use super::super::{MAX_MODES, Modes, PerMode};

/// How every mode moves over one step of length h: `y -> turn y + hold (phi/m) F`, and what that does to its
/// displacement `q = Im y/w`.
#[derive(Clone, Debug)]
pub(in crate::body) struct StepRows {
    step_s: f64,
    /// e^(s h).
    pub turn_re: PerMode,
    pub turn_im: PerMode,
    /// (e^(s h) - 1)/s, s.
    pub hold_re: PerMode,
    pub hold_im: PerMode,
    /// (e^(s h) - 1)/w, s: the displacement's change is `lean_im Re y + lean_re Im y`.
    pub lean_re: PerMode,
    pub lean_im: PerMode,
    /// Displacement after a step per unit of phi F/m, s^2. Never negative.
    pub give: PerMode,
}

impl Default for StepRows {
    fn default() -> Self {
        let zero = [0.0; MAX_MODES];
        Self {
            step_s: f64::NAN,
            turn_re: zero,
            turn_im: zero,
            hold_re: zero,
            hold_im: zero,
            lean_re: zero,
            lean_im: zero,
            give: zero,
        }
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
    pub fn is_for(&self, step_s: f64) -> bool {
        self.step_s == step_s
    }

    /// Make ready for steps of `step_s`.
    pub fn set(&mut self, modes: &Modes, step_s: f64) {
        self.step_s = step_s;
        for i in 0..modes.len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            if w == 0.0 {
                self.clear(i); // padding of the last group
                continue;
            }
            let (sin, cos) = (w * step_s).sin_cos();
            let shrink_less_1 = (-d * step_s).exp_m1();
            let shrink = 1.0 + shrink_less_1;
            let half = (0.5 * w * step_s).sin();
            // e^(sh) - 1 without cancellation: a step may be far shorter than a period.
            let re = shrink_less_1 * cos - 2.0 * half * half;
            let im = shrink * sin;
            let size = d * d + w * w;
            self.turn_re[i] = shrink * cos;
            self.turn_im[i] = im;
            // divided by s = -d + i w
            self.hold_re[i] = (-d * re + w * im) / size;
            self.hold_im[i] = (-d * im - w * re) / size;
            self.lean_re[i] = re / w;
            self.lean_im[i] = im / w;
            self.give[i] = self.hold_im[i] / w;
        }
    }

    fn clear(&mut self, mode: usize) {
        for row in [
            &mut self.turn_re,
            &mut self.turn_im,
            &mut self.hold_re,
            &mut self.hold_im,
            &mut self.lean_re,
            &mut self.lean_im,
            &mut self.give,
        ] {
            row[mode] = 0.0;
        }
    }
}

/// Most that there can be of each mode's motion per unit of |y|, whatever the step.
#[derive(Clone, Debug)]
pub(in crate::body) struct Bounds {
    known: bool,
    /// Of q: 1/w, s.
    pub per_omega: PerMode,
    /// Of q': `sqrt(1 + (d/w)^2)`.
    pub quickness: PerMode,
    /// Of q'': `w (1 + (d/w)^2)`, 1/s.
    pub unrest_per_s: PerMode,
}

impl Default for Bounds {
    fn default() -> Self {
        let zero = [0.0; MAX_MODES];
        Self { known: false, per_omega: zero, quickness: zero, unrest_per_s: zero }
    }
}

impl Bounds {
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
        for i in 0..modes.len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            let size = d * d + w * w;
            // padding of the last group does not move
            let there = w > 0.0;
            self.per_omega[i] = if there { 1.0 / w } else { 0.0 };
            self.quickness[i] = if there { (size / (w * w)).sqrt() } else { 0.0 };
            self.unrest_per_s[i] = if there { size / w } else { 0.0 };
        }
    }
}
