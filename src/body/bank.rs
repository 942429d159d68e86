//! The modes' state, in rotation form.
//!
//! Each mode is one complex number that turns and shrinks. Unlike a direct-form resonator it keeps its
//! energy when it is re-tuned in mid-ring.
//!
//! **Two paces.** Left alone the bank rings a whole [frame](super::kernel) at a time, on its own clock, and hands it
//! out in pieces: how they are cut changes nothing. Under a contact it turns sample by sample. A frame that is cut
//! short by a contact or by new modes is taken up from where it began.

mod hearing;
mod leaps;

pub use hearing::Hearing;
pub use leaps::Leaps;

use super::kernel::{FRAME, Group, Heard, Rows, RowsMut, Starts};
use super::{Drive, LANES, MAX_MODES, Modes, PerMode};

/// Most samples processed in one go, and the control period.
pub const CHUNK: usize = FRAME;

/// A mode heard below this (full scale is 1) is stopped: it spares the time, and denormal numbers, which
/// cost a hundred times as much, never arise.
pub const FLOOR: f64 = 1e-7;

/// State of a modal body.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Bank {
    /// Re y at the end of the frame under way, or now if there is none.
    re: PerMode,
    /// Im y, likewise.
    im: PerMode,
    /// Re y where the frame under way began.
    from_re: PerMode,
    /// Im y where it began.
    from_im: PerMode,
    starts: [Starts; MAX_MODES / LANES],
    heard: Heard,
    /// Samples of the frame that have been handed out; all of them if none is under way.
    given: usize,
    /// Modes from here on are at rest; a multiple of [`LANES`].
    live: usize,
}

impl Default for Bank {
    fn default() -> Self {
        let zero = [0.0; MAX_MODES];
        Self {
            re: zero,
            im: zero,
            from_re: zero,
            from_im: zero,
            starts: [[Group::ZERO; 2]; MAX_MODES / LANES],
            heard: Heard::SILENCE,
            given: FRAME,
            live: 0,
        }
    }
}

impl Bank {
    /// At rest.
    pub fn reset(&mut self) {
        self.re[..self.live].fill(0.0);
        self.im[..self.live].fill(0.0);
        self.given = FRAME;
        self.live = 0;
    }

    /// Ring freely for `left.len()` samples, adding to what is in `left` and `right`.
    pub fn process(&mut self, modes: &mut Modes, left: &mut [f64], right: &mut [f64]) {
        let mut done = 0;
        while done < left.len() {
            if self.given == FRAME {
                if self.live == 0 {
                    modes.move_on(left.len() - done);
                    return;
                }
                self.ring_frame(modes);
            }
            let n = (left.len() - done).min(FRAME - self.given);
            let frame = self.given..self.given + n;
            modes.kernel.add_heard(&mut left[done..done + n], &self.heard.left[frame.clone()]);
            modes.kernel.add_heard(&mut right[done..done + n], &self.heard.right[frame]);
            self.given += n;
            done += n;
            modes.move_on(n);
        }
    }

    fn ring_frame(&mut self, modes: &Modes) {
        let (live, groups) = (self.live, self.live / LANES);
        let y = RowsMut { re: &mut self.re[..live], im: &mut self.im[..live] };
        let from = RowsMut { re: &mut self.from_re[..live], im: &mut self.from_im[..live] };
        let leap = Rows { re: &modes.leaps.re[..live], im: &modes.leaps.im[..live] };
        modes.kernel.leap(y, from, leap, &mut self.starts[..groups]);
        let (starts, powers) = (&self.starts[..groups], &modes.leaps.powers[..live]);
        let ears = &modes.hearing.ears[..groups];
        match modes.ramp() {
            None => modes.kernel.ring(starts, powers, ears, &mut self.heard),
            Some(ramp) => modes.kernel.ring_moving(starts, powers, ears, &ramp, &mut self.heard),
        }
        self.given = 0;
    }

    /// Give up the frame under way, if there is one, and be where it has been handed out to: before anything but
    /// [`Bank::process`] looks at the state, and before `modes` change.
    pub fn catch_up(&mut self, modes: &Modes) {
        if self.given == FRAME {
            return;
        }
        let live = self.live;
        self.re[..live].copy_from_slice(&self.from_re[..live]);
        self.im[..live].copy_from_slice(&self.from_im[..live]);
        self.turn(modes, self.given);
        self.given = FRAME;
    }

    fn turn(&mut self, modes: &Modes, times: usize) {
        let live = self.live;
        let y = RowsMut { re: &mut self.re[..live], im: &mut self.im[..live] };
        modes.kernel.turn(y, modes.turns(live), times);
    }

    /// Ring freely for one sample, unheard: [`Bank::take`] what the strikers leave, then [`Bank::hear`] it.
    pub fn advance(&mut self, modes: &mut Modes) {
        self.catch_up(modes);
        self.turn(modes, 1);
        modes.move_on(1);
    }

    /// Take up what a drive has left in the modes during the sample just passed.
    pub fn take(&mut self, modes: &Modes, drive: &Drive) {
        if drive.is_at_rest() {
            return;
        }
        let len = modes.len;
        self.live = self.live.max(len);
        let y = RowsMut { re: &mut self.re[..len], im: &mut self.im[..len] };
        modes.kernel.add(y, drive.rows(len));
    }

    /// What the pickups hear now, left and right.
    pub fn hear(&self, modes: &Modes) -> (f64, f64) {
        modes.hear(&self.re[..self.live])
    }

    /// Stop the modes that are no longer heard at full-scale gain `gain`. Returns the loudest amplitude left,
    /// 0 when all are at rest; not a number if any mode is not.
    pub fn settle(&mut self, modes: &Modes, gain: f64) -> f64 {
        self.catch_up(modes);
        let live = self.live;
        let y = RowsMut { re: &mut self.re[..live], im: &mut self.im[..live] };
        let settled = modes.kernel.settle(y, &modes.hearing.audible[..live], (FLOOR / gain).powi(2));
        self.live = settled.live;
        settled.loudest.sqrt() * gain
    }

    /// Energy per unit of modal mass, J/kg: half the sum of |y|^2. Of the end of the frame under way, if there is one.
    pub fn energy_per_mass(&self) -> f64 {
        let live = ..self.live;
        0.5 * self.re[live].iter().zip(&self.im[live]).map(|(re, im)| re * re + im * im).sum::<f64>()
    }

    /// State of one mode, likewise.
    pub fn amplitude(&self, mode: usize) -> (f64, f64) {
        (self.re[mode], self.im[mode])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Steps;
    use crate::body::material::Damping;
    use crate::body::modes::Listening;
    use crate::contact::Surface;

    const DAMPING: Damping = Damping { support_per_s: 2.0, loss_factor: 1e-3, viscous_s: 1e-8 };
    const LISTENING: Listening = Listening { left: 0.0, right: 1.0 };

    fn struck(pitch_hz: f64, fs: f64) -> (Modes, Bank) {
        let mut modes = Modes::default();
        modes.set(pitch_hz, &DAMPING, LISTENING, fs);
        modes.arrive();
        let mut drive = Drive::default();
        drive.set_gains(&modes.drive_gains(0.1, 1.0));
        drive.begin_sample();
        drive.on(&modes, &mut Steps::default()).push(1000.0, 1.0 / fs);
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
