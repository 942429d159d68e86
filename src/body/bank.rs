//! The modes' state, in rotation form.
//!
//! Each mode is one complex number that turns and shrinks. Unlike a direct-form resonator it keeps its
//! energy when it is re-tuned in mid-ring.

use super::{Drive, LANES, MAX_MODES, Modes, PerMode};

/// Most samples processed in one go.
pub const CHUNK: usize = 32;

/// A mode heard below this (full scale is 1) is stopped: it spares the time, and denormal numbers, which
/// cost a hundred times as much, never arise.
pub const FLOOR: f64 = 1e-7;

/// State of a modal body.
#[derive(Clone, Debug)]
pub struct Bank {
    re: PerMode,
    im: PerMode,
    /// Modes from here on are at rest; a multiple of [`LANES`].
    live: usize,
}

impl Default for Bank {
    fn default() -> Self {
        Self { re: [0.0; MAX_MODES], im: [0.0; MAX_MODES], live: 0 }
    }
}

impl Bank {
    /// At rest.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Ring freely for `left.len()` samples (at most [`CHUNK`]), adding to what is in `left` and `right`.
    pub fn process(&mut self, modes: &mut Modes, left: &mut [f64], right: &mut [f64]) {
        for start in (0..self.live).step_by(LANES) {
            let group = start..start + LANES;
            let mut re: [f64; LANES] = lanes(&self.re, start);
            let mut im: [f64; LANES] = lanes(&self.im, start);
            let turn_re: [f64; LANES] = lanes(&modes.turn_re, start);
            let turn_im: [f64; LANES] = lanes(&modes.turn_im, start);
            let mut gain_left: [f64; LANES] = lanes(&modes.left.now, start);
            let mut gain_right: [f64; LANES] = lanes(&modes.right.now, start);
            let step_left: [f64; LANES] = lanes(&modes.left.step, start);
            let step_right: [f64; LANES] = lanes(&modes.right.step, start);
            for (l, r) in left.iter_mut().zip(right.iter_mut()) {
                for i in 0..LANES {
                    let turned = turn_re[i] * re[i] - turn_im[i] * im[i];
                    im[i] = turn_im[i] * re[i] + turn_re[i] * im[i];
                    re[i] = turned;
                    gain_left[i] += step_left[i];
                    gain_right[i] += step_right[i];
                }
                *l += dot(&gain_left, &re);
                *r += dot(&gain_right, &re);
            }
            self.re[group.clone()].copy_from_slice(&re);
            self.im[group.clone()].copy_from_slice(&im);
            modes.left.now[group.clone()].copy_from_slice(&gain_left);
            modes.right.now[group].copy_from_slice(&gain_right);
        }
    }

    /// Take up what a drive has left in the modes during the sample just processed, and return what it adds
    /// to the sound at its end.
    pub fn take(&mut self, modes: &Modes, drive: &Drive) -> (f64, f64) {
        self.live = self.live.max(modes.len);
        let (mut left, mut right) = (0.0, 0.0);
        for start in (0..modes.len).step_by(LANES) {
            let re: [f64; LANES] = lanes(&drive.re, start);
            left += dot(&lanes(&modes.left.now, start), &re);
            right += dot(&lanes(&modes.right.now, start), &re);
        }
        for i in 0..modes.len {
            self.re[i] += drive.re[i];
            self.im[i] += drive.im[i];
        }
        (left, right)
    }

    /// Stop the modes that are no longer heard at full-scale gain `gain`. Returns the loudest amplitude left,
    /// 0 when all are at rest; not a number if any mode is not.
    pub fn settle(&mut self, modes: &Modes, gain: f64) -> f64 {
        let mut loudest = 0.0f64;
        let mut live = 0;
        for i in 0..self.live {
            let heard = modes.left.now[i].abs().max(modes.right.now[i].abs()).max(MIN_HEARD * modes.presence[i]);
            let amplitude = self.re[i].hypot(self.im[i]) * heard * gain;
            if amplitude < FLOOR {
                self.re[i] = 0.0;
                self.im[i] = 0.0;
            } else {
                live = i + 1;
                if amplitude.is_nan() {
                    return amplitude;
                }
                loudest = loudest.max(amplitude);
            }
        }
        self.live = live.next_multiple_of(LANES);
        loudest
    }

    /// Energy per unit of modal mass, J/kg: half the sum of |y|^2.
    pub fn energy_per_mass(&self) -> f64 {
        0.5 * self.re.iter().zip(&self.im).map(|(re, im)| re * re + im * im).sum::<f64>()
    }

    /// State of one mode.
    pub fn amplitude(&self, mode: usize) -> (f64, f64) {
        (self.re[mode], self.im[mode])
    }
}

/// A pickup on a node hears nothing of a mode, yet may move: such a mode is kept while it would be heard
/// from a place this much off.
const MIN_HEARD: f64 = 0.1;

fn lanes(row: &PerMode, start: usize) -> [f64; LANES] {
    std::array::from_fn(|i| row[start + i])
}

fn dot(a: &[f64; LANES], b: &[f64; LANES]) -> f64 {
    // Pairwise, in a fixed order: the same on every machine and for every block size.
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Point;
    use crate::body::material::Damping;
    use crate::body::modes::Listening;
    use crate::contact::Surface;

    const DAMPING: Damping = Damping { support_per_s: 2.0, loss_factor: 1e-3, viscous_s: 1e-8 };
    const LISTENING: Listening = Listening { left: Point::along(0.0), right: Point::along(1.0) };

    fn struck(pitch_hz: f64, fs: f64) -> (Modes, Bank) {
        let mut modes = Modes::default();
        modes.set(pitch_hz, &DAMPING, LISTENING, fs);
        modes.arrive();
        let mut drive = Drive::default();
        drive.set_gains(modes.drive_gains(0.1, 1.0));
        drive.begin_sample();
        drive.on(&modes).push(1000.0, 1.0 / fs);
        let mut bank = Bank::default();
        bank.take(&modes, &drive);
        (modes, bank)
    }

    #[test]
    fn re_tuning_a_ringing_body_adds_no_energy() {
        let (mut modes, mut bank) = struck(200.0, 48000.0);
        let mut before = bank.energy_per_mass();
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        for step in 0..2000 {
            let pitch_hz = 200.0 * (1.0 + 0.9 * f64::from(step).sin());
            modes.set(pitch_hz, &DAMPING, LISTENING, 48000.0);
            modes.arrive();
            bank.process(&mut modes, &mut l, &mut r);
            let after = bank.energy_per_mass();
            assert!(after <= before, "step {step}: {before} -> {after}");
            before = after;
        }
    }

    #[test]
    fn ringing_decays_at_the_rate_of_the_law_at_every_sample_rate() {
        for fs in [44100.0, 48000.0, 96000.0, 192000.0] {
            let (mut modes, mut bank) = struck(440.0, fs);
            let (re, im) = bank.amplitude(0);
            let start = re.hypot(im);
            let samples = fs as usize / 2 / CHUNK * CHUNK;
            let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
            for _ in 0..samples / CHUNK {
                bank.process(&mut modes, &mut l, &mut r);
            }
            let (re, im) = bank.amplitude(0);
            let measured = (start / re.hypot(im)).ln() / (samples as f64 / fs);
            let wanted = DAMPING.rate_per_s(440.0);
            assert!((measured / wanted - 1.0).abs() < 1e-9, "{fs}: {measured} instead of {wanted}");
        }
    }

    #[test]
    fn a_body_left_alone_comes_to_rest_and_never_meets_denormals() {
        let (mut modes, mut bank) = struck(440.0, 48000.0);
        for _ in 0..48000 * 60 / CHUNK {
            let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
            bank.process(&mut modes, &mut l, &mut r);
            bank.settle(&modes, 1.0);
            for i in 0..MAX_MODES {
                let (re, im) = bank.amplitude(i);
                assert!(re == 0.0 || re.is_normal());
                assert!(im == 0.0 || im.is_normal());
            }
        }
        assert_eq!(bank.energy_per_mass(), 0.0);
        assert_eq!(bank.live, 0);
    }
}
