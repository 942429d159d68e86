//! Coefficients of one step length.

use super::super::kernel::RowsMut;
use super::super::{Modes, Row};

/// How every mode moves over one step of length h: `y -> turn y + force_response (phi/m) F`. Its
/// displacement `q = Im y/w` changes by `Im(s force_response y)/w`, and by `Im(force_response)/w`
/// per unit of (phi/m) F, which is never negative.
#[derive(Clone, Debug)]
pub(in crate::body) struct StepRows {
    /// e^(s h).
    pub rotation_re: Row,
    pub rotation_im: Row,
    /// (e^(s h) - 1)/s, s.
    pub force_response_re: Row,
    pub force_response_im: Row,
    step_s: f64,
}

impl StepRows {
    pub fn new(capacity: usize) -> Self {
        let zero = || Row::new(capacity);
        Self {
            step_s: f64::NAN,
            rotation_re: zero(),
            rotation_im: zero(),
            force_response_re: zero(),
            force_response_im: zero(),
        }
    }

    /// All that is kept for each mode.
    pub fn rows_in_memory(&mut self) -> [&mut Row; 4] {
        [
            &mut self.rotation_re,
            &mut self.rotation_im,
            &mut self.force_response_re,
            &mut self.force_response_im,
        ]
    }

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
        self.set_first(modes, modes.len, step_s);
    }

    /// The same for the first `len` modes alone.
    pub fn set_first(&mut self, modes: &Modes, len: usize, step_s: f64) {
        self.step_s = step_s;
        let turn = RowsMut { re: &mut self.rotation_re[..len], im: &mut self.rotation_im[..len] };
        let force_response = RowsMut {
            re: &mut self.force_response_re[..len],
            im: &mut self.force_response_im[..len],
        };
        modes.kernel.exponential(
            &modes.decay_per_s[..len],
            &modes.omega[..len],
            step_s,
            turn,
            force_response,
        );
        // Padding of the last group stays where it is.
        for i in (0..len).filter(|&i| modes.omega[i] == 0.0) {
            self.clear(i);
        }
    }

    fn clear(&mut self, mode: usize) {
        for row in [
            &mut self.rotation_re,
            &mut self.rotation_im,
            &mut self.force_response_re,
            &mut self.force_response_im,
        ] {
            row[mode] = 0.0;
        }
    }
}

/// What is known of every mode whatever the step: with |y| its amplitude, most that there can be of
/// its motion.
#[derive(Clone, Debug)]
pub(in crate::body) struct Ratios {
    /// Most of q per unit of |y|: 1/w, s.
    pub per_omega: Row,
    /// d/w.
    pub slack: Row,
    /// Most of q' per unit of |y|: `sqrt(1 + (d/w)^2)`.
    pub quickness: Row,
    /// Most of q'' per unit of w |y|: the largest `1 + (d/w)^2` of all modes.
    pub max_acceleration: f64,
    known: bool,
}

impl Ratios {
    pub fn new(capacity: usize) -> Self {
        let zero = || Row::new(capacity);
        Self {
            known: false,
            per_omega: zero(),
            slack: zero(),
            quickness: zero(),
            max_acceleration: 1.0,
        }
    }

    /// All that is kept for each mode.
    pub fn rows_in_memory(&mut self) -> [&mut Row; 3] {
        [&mut self.per_omega, &mut self.slack, &mut self.quickness]
    }

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
        self.max_acceleration = 1.0;
        for i in 0..modes.len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            // Padding of the last group does not move.
            let per_omega = if w > 0.0 { 1.0 / w } else { 0.0 };
            let slack = d * per_omega;
            self.per_omega[i] = per_omega;
            self.slack[i] = slack;
            self.quickness[i] = if w > 0.0 { (1.0 + slack * slack).sqrt() } else { 0.0 };
            self.max_acceleration = self.max_acceleration.max(1.0 + slack * slack);
        }
    }
}
