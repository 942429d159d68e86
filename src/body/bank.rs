//! State of the modes, in rotation form.
//!
//! Each mode is one complex number that rotates and decays. Unlike a direct-form resonator it keeps
//! its energy when its frequency changes while it rings.
//!
//! **Two rates.** Without a force the bank computes whole [frames](super::kernel) on its own clock
//! and hands them out in pieces; the lengths of the pieces do not affect the output. Under a force
//! it advances sample by sample. A frame interrupted by a force or by new modes is recomputed from
//! its start.

use super::drive::StepRows;
use super::kernel::{
    FRAME, FrameStart, Kernel, LanePair, MOMENTS, RotationPowers, Rows, RowsMut, StereoFrame,
};
use super::{Drive, LANES, MAX_MODES, Modes, Row};

/// Samples per frame, which is also the control period.
pub const CHUNK: usize = FRAME;

/// A mode whose output falls below this (full scale is 1) is stopped.
///
/// It saves time, and denormal numbers, which are a hundred times slower, never arise.
pub const FLOOR: f64 = 1e-7;

/// Squared amplitude below which a mode has no effect on contacts, (m/s)^2.
///
/// Relative to 1 mm/s it is far below rounding, yet far above denormal numbers.
const UNFELT: f64 = 1e-50;

/// Powers of every mode's rotation over one sample.
#[derive(Clone, Debug)]
pub struct BlockRotations {
    /// Re of the last power.
    pub re: Row,
    /// Im of the last power.
    pub im: Row,
    /// Powers for the samples of half a frame.
    pub powers: Box<[RotationPowers]>,
}

impl BlockRotations {
    /// All zero, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        let powers = vec![RotationPowers::ZERO; capacity].into();
        Self { re: Row::new(capacity), im: Row::new(capacity), powers }
    }

    /// Restores the state of [`Self::new`].
    pub fn renew(&mut self) {
        self.re.fill(0.0);
        self.im.fill(0.0);
        self.powers.fill(RotationPowers::ZERO);
    }

    /// Sets the powers of these rotations.
    pub fn set(&mut self, kernel: Kernel, rotation: Rows<'_>) {
        let len = rotation.re.len();
        let block_rotation = RowsMut { re: &mut self.re[..len], im: &mut self.im[..len] };
        kernel.tabulate_powers(rotation, &mut self.powers[..len], block_rotation);
    }
}

/// State of a modal body.
#[derive(Clone, Debug)]
pub struct Bank {
    /// Re y at the end of the current frame, or now if there is none.
    re: Row,
    /// Im y, likewise.
    im: Row,
    /// Re y at the start of the current frame.
    from_re: Row,
    /// Im y at the start of the current frame.
    from_im: Row,
    starts: Box<[FrameStart]>,
    heard: StereoFrame,
    /// Samples of the frame that have been handed out; all of them if there is no current frame.
    given: usize,
    /// Modes from here on are at rest; a multiple of [`LANES`].
    live: usize,
    /// Counts changes of the state, so that a [cache](super::CoupledModes) can tell whether it is
    /// still valid.
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

    /// Every per-mode row, for fault-injection tests.
    pub(crate) fn rows_in_memory(&mut self) -> [&mut Row; 4] {
        [&mut self.re, &mut self.im, &mut self.from_re, &mut self.from_im]
    }

    /// Restores the state of [`Self::new`].
    pub fn renew(&mut self) {
        self.rows_in_memory().into_iter().for_each(|row| row.fill(0.0));
        self.starts.fill([LanePair::ZERO; 2]);
        (self.heard, self.given, self.live) = (StereoFrame::SILENCE, FRAME, 0);
        self.changes += 1;
    }

    /// Stops all modes.
    pub fn reset(&mut self) {
        self.re[..self.live].fill(0.0);
        self.im[..self.live].fill(0.0);
        self.given = FRAME;
        self.live = 0;
        self.changes += 1;
    }

    /// Counter of changes of the state.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Adds `left.len()` samples of free vibration to `left` and `right`.
    pub fn process(&mut self, modes: &mut Modes, left: &mut [f64], right: &mut [f64]) {
        let mut done = 0;
        while done < left.len() {
            if self.given == FRAME {
                if self.live == 0 {
                    modes.move_on(left.len() - done);
                    return;
                }
                self.compute_frame(modes);
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

    /// Advances by up to `max` samples without a force. Returns the frame and which samples of it
    /// they are.
    pub fn hand_out(
        &mut self,
        modes: &mut Modes,
        max: usize,
    ) -> (&StereoFrame, std::ops::Range<usize>) {
        if self.given == FRAME {
            self.compute_frame(modes);
        }
        let frame = self.given..(self.given + max).min(FRAME);
        self.given = frame.end;
        modes.move_on(frame.len());
        (&self.heard, frame)
    }

    fn compute_frame(&mut self, modes: &Modes) {
        self.changes += 1;
        let (live, groups) = (self.live, self.live / LANES);
        let y = RowsMut { re: &mut self.re[..live], im: &mut self.im[..live] };
        let from = RowsMut { re: &mut self.from_re[..live], im: &mut self.from_im[..live] };
        let block_rotation =
            Rows { re: &modes.block_rotations.re[..live], im: &modes.block_rotations.im[..live] };
        modes.kernel.advance_frame(y, from, block_rotation, &mut self.starts[..groups]);
        let (starts, powers) = (&self.starts[..groups], &modes.block_rotations.powers[..live]);
        let pickups = &modes.hearing.pickups[..groups];
        match modes.ramp() {
            None => modes.kernel.render_frame(starts, powers, pickups, &mut self.heard),
            Some(ramp) => {
                modes.kernel.render_moving_frame(starts, powers, pickups, &ramp, &mut self.heard)
            }
        }
        self.given = 0;
    }

    /// Ends the current frame at the samples handed out so far.
    ///
    /// Required before anything but [`Bank::process`] reads the state, and before `modes` change.
    pub fn catch_up(&mut self, modes: &Modes) {
        if self.given == FRAME {
            return;
        }
        self.changes += 1;
        let live = self.live;
        self.re[..live].copy_from_slice(&self.from_re[..live]);
        self.im[..live].copy_from_slice(&self.from_im[..live]);
        self.rotate(modes, self.given);
        self.given = FRAME;
    }

    fn rotate(&mut self, modes: &Modes, times: usize) {
        self.changes += 1;
        let live = self.live;
        let y = RowsMut { re: &mut self.re[..live], im: &mut self.im[..live] };
        modes.kernel.rotate(y, modes.turns(live), times);
    }

    /// Advances by one sample without a force and without output.
    ///
    /// [`Bank::take`] then adds the response to the strikers, and [`Bank::hear`] reads the pickups.
    pub fn advance(&mut self, modes: &mut Modes) {
        self.catch_up(modes);
        self.rotate(modes, 1);
        modes.move_on(1);
    }

    /// Adds the response that a drive gathered during the past sample.
    pub fn take(&mut self, modes: &Modes, drive: &Drive) {
        if drive.is_at_rest() {
            return;
        }
        let (span, received) = drive.received();
        let RowsMut { re, im } = self.state(modes);
        // The body may have fewer modes than at the time of the drive.
        if span.end <= re.len() {
            modes.kernel.add(RowsMut { re: &mut re[span.clone()], im: &mut im[span] }, received);
        }
    }

    /// Advances one sample for each of `forces`, applied with `step` and `gains`, and adds the
    /// pickups after each to `out`.
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
        kernel.push_and_hear(self.state(modes), step.rotation, step.responses, rows, forces, out);
        modes.move_on(forces.len());
    }

    /// State of all modes, to be driven.
    pub fn state(&mut self, modes: &Modes) -> RowsMut<'_> {
        self.catch_up(modes);
        self.changes += 1;
        let len = modes.len;
        self.live = self.live.max(len);
        RowsMut { re: &mut self.re[..len], im: &mut self.im[..len] }
    }

    /// Current pickup signals, left and right.
    pub fn hear(&self, modes: &Modes) -> (f64, f64) {
        modes.hear(&self.re[..self.live])
    }

    /// Stops the modes that are inaudible at the full-scale gain `gain`. Returns the loudest
    /// amplitude left: 0 if all are at rest, NaN if any mode is not finite.
    pub fn settle(&mut self, modes: &Modes, gain: f64) -> f64 {
        self.changes += 1;
        self.stop_below(modes, (FLOOR / gain).powi(2), 0.0) * gain
    }

    /// Like [`Bank::settle`], but keeps inaudible modes, because they still act on a striker.
    pub fn loudest(&mut self, modes: &Modes, gain: f64) -> f64 {
        // Modes stopped here have no effect on any contact, so caches stay valid.
        self.stop_below(modes, 0.0, UNFELT) * gain
    }

    /// Stops modes whose power at the pickups is below `floor`, or whose squared amplitude is below
    /// `min`. Returns the loudest amplitude left.
    fn stop_below(&mut self, modes: &Modes, floor: f64, min: f64) -> f64 {
        self.catch_up(modes);
        let live = self.live;
        let y = RowsMut { re: &mut self.re[..live], im: &mut self.im[..live] };
        let settled = modes.kernel.settle(y, &modes.hearing.audible[..live], floor, min);
        self.live = settled.live;
        settled.loudest.sqrt()
    }

    /// Energy per unit of modal mass, half the sum of |y|^2, J/kg; at the end of the current frame,
    /// if there is one.
    pub fn energy_per_mass(&self) -> f64 {
        let live = ..self.live;
        0.5 * self.re[live]
            .iter()
            .zip(&self.im[live])
            .map(|(re, im)| re * re + im * im)
            .sum::<f64>()
    }

    /// Removes the displacement of all modes and keeps their velocity.
    ///
    /// A body under a static load would otherwise spring back audibly when its preset changes.
    pub fn unbend(&mut self, modes: &Modes) {
        self.catch_up(modes);
        self.changes += 1;
        self.im[..self.live].fill(0.0);
    }

    /// True if there is no current frame.
    pub fn is_between_frames(&self) -> bool {
        self.given == FRAME
    }

    /// True if no mode moves.
    pub fn is_at_rest(&self) -> bool {
        self.live == 0
    }

    /// Modes from here on are at rest.
    pub fn live(&self) -> usize {
        self.live
    }

    /// Multiplies every amplitude.
    pub fn scale(&mut self, modes: &Modes, by: f64) {
        self.catch_up(modes);
        self.changes += 1;
        let live = self.live;
        self.re[..live].iter_mut().chain(&mut self.im[..live]).for_each(|x| *x *= by);
    }

    /// Re and Im of all modes, after [`Bank::catch_up`].
    pub(super) fn rows(&self) -> (&[f64], &[f64]) {
        (&self.re, &self.im)
    }

    /// Re and Im of all modes, to be advanced by the caller; clears the modes from `len` (whole
    /// groups) on.
    pub(super) fn rows_mut(&mut self, len: usize) -> (&mut [f64], &mut [f64]) {
        self.changes += 1;
        for i in len..self.live {
            self.re[i] = 0.0;
            self.im[i] = 0.0;
        }
        self.live = len;
        (&mut self.re, &mut self.im)
    }

    /// State of one mode, after [`Bank::catch_up`].
    pub fn amplitude(&self, mode: usize) -> (f64, f64) {
        (self.re[mode], self.im[mode])
    }
}

#[cfg(test)]
mod tests;
