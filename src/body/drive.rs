//! What a force leaves in the modes within one sample.
//!
//! Modes do not need samples of the force, they need what it leaves in them. A [`Drive`] follows the exact
//! response of every mode to a force that is constant over each (sub-)step, from rest at the start of the
//! sample; at its end the bank, which has rung freely meanwhile, takes it up. Superposition makes the sum
//! exact, so amplitude and phase are those of continuous time, wherever in the sample the contact lies.

use super::{MAX_MODES, Modes, PerMode};
use crate::contact::Surface;

/// Response of every mode over one step of length h: `y -> turn y + gain F`.
#[derive(Clone, Debug)]
struct Step {
    duration_s: f64,
    turn_re: PerMode,
    turn_im: PerMode,
    /// (e^(s h) - 1)/s, to be multiplied by phi/m and the force.
    hold_re: PerMode,
    hold_im: PerMode,
}

impl Step {
    const EMPTY: Step = Step {
        duration_s: f64::NAN,
        turn_re: [0.0; MAX_MODES],
        turn_im: [0.0; MAX_MODES],
        hold_re: [0.0; MAX_MODES],
        hold_im: [0.0; MAX_MODES],
    };

    fn set(&mut self, modes: &Modes, duration_s: f64) {
        self.duration_s = duration_s;
        for i in 0..modes.len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            let size = d * d + w * w;
            if size == 0.0 {
                continue; // padding of the last group
            }
            let (sin, cos) = (w * duration_s).sin_cos();
            let shrink_less_1 = (-d * duration_s).exp_m1();
            let shrink = 1.0 + shrink_less_1;
            let half = (0.5 * w * duration_s).sin();
            self.turn_re[i] = shrink * cos;
            self.turn_im[i] = shrink * sin;
            // e^(sh) - 1 without cancellation: contacts may be far shorter than a period.
            let re = shrink_less_1 * cos - 2.0 * half * half;
            let im = shrink * sin;
            // divided by s = -d + i w
            self.hold_re[i] = (-d * re + w * im) / size;
            self.hold_im[i] = (-d * im - w * re) / size;
        }
    }
}

/// Gathers the response of the modes to one striker.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Re of what each mode has received.
    pub(super) re: PerMode,
    /// Im of what each mode has received.
    pub(super) im: PerMode,
    gains: PerMode,
    /// How far the striker is from having lifted off, 1 to 0.
    hold: f64,
    /// Two step lengths are remembered: the regular one, and the odd one at either end of a contact.
    steps: [Step; 2],
    latest: usize,
    at_rest: bool,
}

impl Default for Drive {
    fn default() -> Self {
        Self {
            re: [0.0; MAX_MODES],
            im: [0.0; MAX_MODES],
            gains: [0.0; MAX_MODES],
            hold: 1.0,
            steps: [Step::EMPTY, Step::EMPTY],
            latest: 0,
            at_rest: true,
        }
    }
}

impl Drive {
    /// Take the place of the contact: phi/m of each mode, 1/kg.
    pub fn set_gains(&mut self, gains: PerMode) {
        self.gains = gains;
        self.hold = 1.0;
    }

    /// Lift off by a further share `by` of the way. Returns whether any force still reaches the modes.
    pub fn ease(&mut self, by: f64) -> bool {
        self.hold = (self.hold - by).max(0.0);
        self.hold > 0.0
    }

    /// The modes have changed: forget the prepared steps.
    pub fn forget_steps(&mut self) {
        for step in &mut self.steps {
            step.duration_s = f64::NAN;
        }
    }

    /// Start a new sample from rest.
    pub fn begin_sample(&mut self) {
        self.re = [0.0; MAX_MODES];
        self.im = [0.0; MAX_MODES];
        self.at_rest = true;
    }

    /// The drive as a surface to be touched.
    pub fn on<'a>(&'a mut self, modes: &'a Modes) -> DrivenModes<'a> {
        DrivenModes { drive: self, modes }
    }

    fn prepare_step(&mut self, modes: &Modes, duration_s: f64) -> usize {
        // Exact equality is meant: the same number again is the same step.
        let known = self.steps.iter().position(|step| step.duration_s == duration_s);
        self.latest = known.unwrap_or_else(|| {
            let slot = 1 - self.latest;
            self.steps[slot].set(modes, duration_s);
            slot
        });
        self.latest
    }
}

/// A [`Drive`] together with the modes it drives.
#[derive(Debug)]
pub struct DrivenModes<'a> {
    drive: &'a mut Drive,
    modes: &'a Modes,
}

impl Surface for DrivenModes<'_> {
    fn push(&mut self, force_n: f64, duration_s: f64) {
        if duration_s <= 0.0 || (self.drive.at_rest && force_n == 0.0) {
            return;
        }
        let slot = self.drive.prepare_step(self.modes, duration_s);
        let Drive { re, im, gains, hold, steps, at_rest, .. } = &mut *self.drive;
        let step = &steps[slot];
        *at_rest = false;
        // Without a corner at either end, which would be heard.
        let force_n = force_n * (*hold * *hold * (3.0 - 2.0 * *hold));
        for i in 0..self.modes.len {
            let pushed = gains[i] * force_n;
            let turned = step.turn_re[i] * re[i] - step.turn_im[i] * im[i] + step.hold_re[i] * pushed;
            im[i] = step.turn_im[i] * re[i] + step.turn_re[i] * im[i] + step.hold_im[i] * pushed;
            re[i] = turned;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Point;
    use crate::body::material::Damping;
    use crate::body::modes::Listening;

    fn modes() -> Modes {
        let mut modes = Modes::default();
        let damping = Damping { support_per_s: 5.0, loss_factor: 1e-3, viscous_s: 1e-8 };
        modes.set(500.0, &damping, Listening { left: Point::along(0.0), right: Point::along(1.0) }, 48000.0);
        modes
    }

    fn pushed(pieces: &[(f64, f64)]) -> Drive {
        let modes = modes();
        let mut drive = Drive::default();
        drive.set_gains(modes.drive_gains(0.3, 0.5));
        drive.begin_sample();
        for &(force_n, duration_s) in pieces {
            drive.on(&modes).push(force_n, duration_s);
        }
        drive
    }

    #[test]
    fn one_long_push_equals_many_short_ones() {
        let dt = 1.0 / 48000.0;
        let whole = pushed(&[(7.0, dt)]);
        let parts = pushed(&vec![(7.0, dt / 64.0); 64]);
        let uneven = pushed(&[(7.0, 0.3 * dt), (7.0, 0.45 * dt), (7.0, 0.25 * dt)]);
        for i in 0..modes().len {
            for other in [&parts, &uneven] {
                let error = (whole.re[i] - other.re[i]).hypot(whole.im[i] - other.im[i]);
                assert!(error <= 1e-12 * whole.re[i].hypot(whole.im[i]), "mode {i}: {error}");
            }
        }
    }

    #[test]
    fn a_short_push_is_an_impulse() {
        let (force_n, duration_s) = (1e6, 1e-12);
        let drive = pushed(&[(force_n, duration_s)]);
        let gains = modes().drive_gains(0.3, 0.5);
        for (i, gain) in gains.iter().enumerate() {
            assert!((drive.re[i] - gain * force_n * duration_s).abs() <= 1e-9 * gain.abs() * force_n * duration_s);
        }
    }
}
