//! The modes' state, in rotation form.
//!
//! Each mode is one complex number that turns and shrinks. Unlike a direct-form resonator it keeps
//! its energy when it is re-tuned in mid-ring.
//!
//! **Two paces.** Left alone the bank rings a whole [frame](super::kernel) at a time, on its own
//! clock, and hands it out in pieces: how they are cut changes nothing. Under a contact it turns
//! sample by sample. A frame that is cut short by a contact or by new modes is taken up from where
//! it began.

use super::drive::StepRows;
use super::kernel::{
    FRAME, FrameStart, Kernel, LanePair, MOMENTS, RotationPowers, Rows, RowsMut, StereoFrame,
};
use super::{Drive, LANES, MAX_MODES, Modes, Row};

/// Most samples processed in one go, and the control period.
pub const CHUNK: usize = FRAME;

/// A mode heard below this (full scale is 1) is stopped: it spares the time, and denormal numbers,
/// which cost a hundred times as much, never arise.
pub const FLOOR: f64 = 1e-7;

/// Square of an amplitude that nothing on the body feels, (m/s)^2: beside 1 mm/s it is far below
/// the last digit, and long before numbers become so small that they are slow to reckon with.
const UNFELT: f64 = 1e-50;

/// RotationPowers of every mode's turn.
#[derive(Clone, Debug)]
pub struct BlockRotations {
    /// Re of the last power.
    pub re: Row,
    /// Im of the last power.
    pub im: Row,
    /// All the powers.
    pub powers: Box<[RotationPowers]>,
}

impl BlockRotations {
    /// Room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        let powers = vec![RotationPowers::ZERO; capacity].into();
        Self { re: Row::new(capacity), im: Row::new(capacity), powers }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.re.fill(0.0);
        self.im.fill(0.0);
        self.powers.fill(RotationPowers::ZERO);
    }

    /// Of modes that turn by `turn` in one sample.
    pub fn set(&mut self, kernel: Kernel, turn: Rows<'_>) {
        let len = turn.re.len();
        let block_rotation = RowsMut { re: &mut self.re[..len], im: &mut self.im[..len] };
        kernel.table(turn, &mut self.powers[..len], block_rotation);
    }
}

/// State of a modal body.
#[derive(Clone, Debug)]
pub struct Bank {
    /// Re y at the end of the frame under way, or now if there is none.
    re: Row,
    /// Im y, likewise.
    im: Row,
    /// Re y where the frame under way began.
    from_re: Row,
    /// Im y where it began.
    from_im: Row,
    starts: Box<[FrameStart]>,
    heard: StereoFrame,
    /// Samples of the frame that have been handed out; all of them if none is under way.
    given: usize,
    /// Modes from here on are at rest; a multiple of [`LANES`].
    live: usize,
    /// How often the state has been changed: whoever has worked something out from it can tell
    /// whether that still holds.
    changes: u64,
}

impl Default for Bank {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl Bank {
    /// At rest, with room for `capacity` modes, a multiple of [`LANES`]. Allocates.
    pub fn new(capacity: usize) -> Self {
        let zero = || Row::new(capacity);
        Self {
            re: zero(),
            im: zero(),
            from_re: zero(),
            from_im: zero(),
            starts: vec![[LanePair::ZERO; 2]; capacity / LANES].into(),
            heard: StereoFrame::SILENCE,
            given: FRAME,
            live: 0,
            changes: 0,
        }
    }

    /// All that is kept for each mode.
    pub(crate) fn rows_in_memory(&mut self) -> [&mut Row; 4] {
        [&mut self.re, &mut self.im, &mut self.from_re, &mut self.from_im]
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.rows_in_memory().into_iter().for_each(|row| row.fill(0.0));
        self.starts.fill([LanePair::ZERO; 2]);
        (self.heard, self.given, self.live) = (StereoFrame::SILENCE, FRAME, 0);
        self.changes += 1;
    }

    /// At rest.
    pub fn reset(&mut self) {
        self.re[..self.live].fill(0.0);
        self.im[..self.live].fill(0.0);
        self.given = FRAME;
        self.live = 0;
        self.changes += 1;
    }

    /// How often the state has been changed.
    pub(super) fn changes(&self) -> u64 {
        self.changes
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
            let heard = [&self.heard.left[frame.clone()], &self.heard.right[frame]];
            modes
                .kernel
                .add_heard_both([&mut left[done..done + n], &mut right[done..done + n]], heard);
            self.given += n;
            done += n;
            modes.move_on(n);
        }
    }

    /// Ring freely for up to `max` samples: the frame that they are in, and which of it they are.
    pub fn hand_out(
        &mut self,
        modes: &mut Modes,
        max: usize,
    ) -> (&StereoFrame, std::ops::Range<usize>) {
        if self.given == FRAME {
            self.ring_frame(modes);
        }
        let frame = self.given..(self.given + max).min(FRAME);
        self.given = frame.end;
        modes.move_on(frame.len());
        (&self.heard, frame)
    }

    fn ring_frame(&mut self, modes: &Modes) {
        self.changes += 1;
        let (live, groups) = (self.live, self.live / LANES);
        let y = RowsMut { re: &mut self.re[..live], im: &mut self.im[..live] };
        let from = RowsMut { re: &mut self.from_re[..live], im: &mut self.from_im[..live] };
        let block_rotation =
            Rows { re: &modes.block_rotations.re[..live], im: &modes.block_rotations.im[..live] };
        modes.kernel.block_rotation(y, from, block_rotation, &mut self.starts[..groups]);
        let (starts, powers) = (&self.starts[..groups], &modes.block_rotations.powers[..live]);
        let pickups = &modes.hearing.pickups[..groups];
        match modes.ramp() {
            None => modes.kernel.ring(starts, powers, pickups, &mut self.heard),
            Some(ramp) => modes.kernel.ring_moving(starts, powers, pickups, &ramp, &mut self.heard),
        }
        self.given = 0;
    }

    /// Give up the frame under way, if there is one, and be where it has been handed out to: before
    /// anything but [`Bank::process`] looks at the state, and before `modes` change.
    pub fn catch_up(&mut self, modes: &Modes) {
        if self.given == FRAME {
            return;
        }
        self.changes += 1;
        let live = self.live;
        self.re[..live].copy_from_slice(&self.from_re[..live]);
        self.im[..live].copy_from_slice(&self.from_im[..live]);
        self.turn(modes, self.given);
        self.given = FRAME;
    }

    fn turn(&mut self, modes: &Modes, times: usize) {
        self.changes += 1;
        let live = self.live;
        let y = RowsMut { re: &mut self.re[..live], im: &mut self.im[..live] };
        modes.kernel.rotate(y, modes.turns(live), times);
    }

    /// Ring freely for one sample, unheard: [`Bank::take`] what the strikers leave, then
    /// [`Bank::hear`] it.
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
        let (span, received) = drive.received();
        let RowsMut { re, im } = self.state(modes);
        // A body that has just lost modes has no use for what they were given.
        if span.end <= re.len() {
            modes.kernel.add(RowsMut { re: &mut re[span.clone()], im: &mut im[span] }, received);
        }
    }

    /// Ring for one sample under each of `forces`, of which `step` and `gains` say how they move
    /// the modes; what the pickups hear after each is added to `out`.
    pub fn push_and_hear(
        &mut self,
        modes: &mut Modes,
        step: StepRows<'_>,
        gains: &[f64],
        forces: &[[f64; MOMENTS]],
        out: [&mut [f64]; 2],
    ) {
        let (kernel, len) = (modes.kernel, modes.len);
        let rows = [gains, &modes.left.now[..len], &modes.right.now[..len]];
        kernel.push_and_hear(self.state(modes), step.turn, step.responses, rows, forces, out);
        modes.move_on(forces.len());
    }

    /// All modes as they are now, to be pushed.
    pub fn state(&mut self, modes: &Modes) -> RowsMut<'_> {
        self.catch_up(modes);
        self.changes += 1;
        let len = modes.len;
        self.live = self.live.max(len);
        RowsMut { re: &mut self.re[..len], im: &mut self.im[..len] }
    }

    /// What the pickups hear now, left and right.
    pub fn hear(&self, modes: &Modes) -> (f64, f64) {
        modes.hear(&self.re[..self.live])
    }

    /// Stop the modes that are no longer heard at full-scale gain `gain`. Returns the loudest
    /// amplitude left, 0 when all are at rest; not a number if any mode is not.
    pub fn settle(&mut self, modes: &Modes, gain: f64) -> f64 {
        self.changes += 1;
        self.stop_below(modes, (FLOOR / gain).powi(2), 0.0) * gain
    }

    /// The same, and nothing stops: what the pickups do not hear is still felt by what lies on the
    /// body, or comes back to it.
    pub fn loudest(&mut self, modes: &Modes, gain: f64) -> f64 {
        // Nor does it have to be told: what stops is less than the last digit of all that is felt.
        self.stop_below(modes, 0.0, UNFELT) * gain
    }

    /// Stop the modes whose power at the pickups is below `floor`, and those with less than `min`
    /// anywhere. Returns the loudest amplitude left.
    fn stop_below(&mut self, modes: &Modes, floor: f64, min: f64) -> f64 {
        self.catch_up(modes);
        let live = self.live;
        let y = RowsMut { re: &mut self.re[..live], im: &mut self.im[..live] };
        let settled = modes.kernel.settle(y, &modes.hearing.audible[..live], floor, min);
        self.live = settled.live;
        settled.loudest.sqrt()
    }

    /// Energy per unit of modal mass, J/kg: half the sum of |y|^2. Of the end of the frame under
    /// way, if there is one.
    pub fn energy_per_mass(&self) -> f64 {
        let live = ..self.live;
        0.5 * self.re[live]
            .iter()
            .zip(&self.im[live])
            .map(|(re, im)| re * re + im * im)
            .sum::<f64>()
    }

    /// What is bent stays where it is, unheard; what moves rings on. For a body that something was
    /// pressed on, which would spring back.
    pub fn unbend(&mut self, modes: &Modes) {
        self.catch_up(modes);
        self.changes += 1;
        self.im[..self.live].fill(0.0);
    }

    /// Whether no frame is under way.
    pub fn is_between_frames(&self) -> bool {
        self.given == FRAME
    }

    /// Whether no mode rings.
    pub fn is_at_rest(&self) -> bool {
        self.live == 0
    }

    /// Modes from here on are at rest.
    pub fn live(&self) -> usize {
        self.live
    }

    /// Every mode is so many times as strong.
    pub fn scale(&mut self, modes: &Modes, by: f64) {
        self.catch_up(modes);
        self.changes += 1;
        let live = self.live;
        self.re[..live].iter_mut().chain(&mut self.im[..live]).for_each(|x| *x *= by);
    }

    /// Both rows, Re and Im, once the bank has [caught up](Bank::catch_up).
    pub(super) fn rows(&self) -> (&[f64], &[f64]) {
        (&self.re, &self.im)
    }

    /// Both rows, to be moved by whoever steps the modes in its own way. Of modes beyond the first
    /// `len` (whole groups) nothing is left.
    pub(super) fn rows_mut(&mut self, len: usize) -> (&mut [f64], &mut [f64]) {
        self.changes += 1;
        for i in len..self.live {
            self.re[i] = 0.0;
            self.im[i] = 0.0;
        }
        self.live = len;
        (&mut self.re, &mut self.im)
    }

    /// State of one mode, likewise.
    pub fn amplitude(&self, mode: usize) -> (f64, f64) {
        (self.re[mode], self.im[mode])
    }
}

#[cfg(test)]
mod tests;
