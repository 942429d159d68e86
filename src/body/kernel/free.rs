//! Free vibration: frames of thirty-two samples, or single steps.
//!
//! In a frame the lanes are samples, not modes: the next sixteen values of a mode are its state
//! times the first sixteen powers of its rotation, which are tabulated. A value therefore costs two
//! multiplications and each pickup one more, no sample depends on the previous one, and no sum runs
//! across lanes. The state advances by sixteen samples in `f64`. The output is `f32`, each value
//! within 2e-7 of the amplitude of its mode, and its error does not accumulate.

use fearless_simd::{Simd, dispatch, f32x16, prelude::*};

use super::{Kernel, Lanes, Rows, RowsMut, groups, groups_mut, largest, load, sum};
use crate::body::LANES;

/// Samples covered by the tables.
pub const HALF: usize = 16;
/// Samples per frame.
pub const FRAME: usize = 2 * HALF;

/// Powers 1 to `HALF` of one mode's rotation.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct RotationPowers {
    re: [f32; HALF],
    minus_im: [f32; HALF],
}

impl RotationPowers {
    /// Powers of a mode that is absent.
    pub const ZERO: Self = Self { re: [0.0; HALF], minus_im: [0.0; HALF] };
}

/// Two values for each of [`LANES`] modes, in sequence.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct LanePair(pub [f32; 2 * LANES]);

impl LanePair {
    /// All zero.
    pub const ZERO: Self = Self([0.0; 2 * LANES]);
}

/// Pickup gains of a group of modes: left, then right.
#[derive(Clone, Copy, Debug)]
pub struct PickupGroup {
    /// Gains before the first sample of the frame.
    pub gains: LanePair,
    /// Change per sample while the gains move.
    pub steps: LanePair,
}

impl PickupGroup {
    /// All zero.
    pub const ZERO: Self = Self { gains: LanePair::ZERO, steps: LanePair::ZERO };
}

/// State at the start of both halves of a frame for a group of modes: real parts, then imaginary.
pub type FrameStart = [LanePair; 2];

/// Output of the pickups over a frame.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct StereoFrame {
    /// Left.
    pub left: [f32; FRAME],
    /// Right.
    pub right: [f32; FRAME],
}

impl StereoFrame {
    /// Silence.
    pub const SILENCE: Self = Self { left: [0.0; FRAME], right: [0.0; FRAME] };
}

impl Kernel {
    /// Computes the powers of every rotation, and sets `block_rotation` to the last of them.
    pub fn tabulate_powers(
        self,
        rotation: Rows<'_>,
        powers: &mut [RotationPowers],
        block_rotation: RowsMut<'_>,
    ) {
        dispatch!(self.0, simd => tabulate_powers(simd, rotation, powers, block_rotation));
    }

    /// Advances by a frame: `from` becomes the old state, `y` the new one, and `starts` the input
    /// of [`Kernel::render_frame`].
    pub fn advance_frame(
        self,
        y: RowsMut<'_>,
        from: RowsMut<'_>,
        block_rotation: Rows<'_>,
        starts: &mut [FrameStart],
    ) {
        dispatch!(self.0, simd => advance_frame(simd, y, from, block_rotation, starts));
    }

    /// Renders a frame of all modes with constant gains.
    pub fn render_frame(
        self,
        starts: &[FrameStart],
        powers: &[RotationPowers],
        pickups: &[PickupGroup],
        heard: &mut StereoFrame,
    ) {
        dispatch!(self.0, simd => render_frame(simd, starts, powers, pickups, |gain, _, _| gain, heard));
    }

    /// Renders a frame while the gains move: gain of sample n = gain + `ramp[n]` steps.
    pub fn render_moving_frame(
        self,
        starts: &[FrameStart],
        powers: &[RotationPowers],
        pickups: &[PickupGroup],
        ramp: &[f32; FRAME],
        heard: &mut StereoFrame,
    ) {
        dispatch!(self.0, simd => {
            let (halves, _) = ramp.as_chunks::<HALF>();
            let ramp = [f32x16::load_array_ref(simd, &halves[0]), f32x16::load_array_ref(simd, &halves[1])];
            render_frame(simd, starts, powers, pickups, #[inline(always)] |gain, step, half| ramp[half].mul_add(step, gain), heard)
        });
    }
}

#[inline(always)]
fn tabulate_powers<S: Simd>(
    simd: S,
    rotation: Rows<'_>,
    powers: &mut [RotationPowers],
    block_rotation: RowsMut<'_>,
) {
    let block_rotation =
        groups_mut(block_rotation.re).iter_mut().zip(groups_mut(block_rotation.im));
    let rotation = groups(rotation.re).iter().zip(groups(rotation.im));
    for ((rotation, block_rotation), powers) in
        rotation.zip(block_rotation).zip(powers.as_chunks_mut::<LANES>().0)
    {
        let (rotation_re, rotation_im) = (load(simd, rotation.0), load(simd, rotation.1));
        let (mut re, mut im) = (rotation_re, rotation_im);
        for n in 0..HALF {
            if n > 0 {
                (re, im) = (
                    rotation_re.mul_sub(re, rotation_im * im),
                    rotation_re.mul_add(im, rotation_im * re),
                );
            }
            let both = re.narrow(-im).to_array();
            for (i, power) in powers.iter_mut().enumerate() {
                power.re[n] = both[i];
                power.minus_im[n] = both[LANES + i];
            }
        }
        re.store_array(block_rotation.0);
        im.store_array(block_rotation.1);
    }
}

#[inline(always)]
fn advance_frame<S: Simd>(
    simd: S,
    y: RowsMut<'_>,
    from: RowsMut<'_>,
    block_rotation: Rows<'_>,
    starts: &mut [FrameStart],
) {
    let y = groups_mut(y.re).iter_mut().zip(groups_mut(y.im));
    let from = groups_mut(from.re).iter_mut().zip(groups_mut(from.im));
    let block_rotation = groups(block_rotation.re).iter().zip(groups(block_rotation.im));
    for (((y, from), block_rotation), starts) in y.zip(from).zip(block_rotation).zip(starts) {
        let (block_rotation_re, block_rotation_im) =
            (load(simd, block_rotation.0), load(simd, block_rotation.1));
        let (mut re, mut im) = (load(simd, y.0), load(simd, y.1));
        re.store_array(from.0);
        im.store_array(from.1);
        for start in starts {
            re.narrow(im).store_array(&mut start.0);
            (re, im) = (
                block_rotation_re.mul_sub(re, block_rotation_im * im),
                block_rotation_re.mul_add(im, block_rotation_im * re),
            );
        }
        re.store_array(y.0);
        im.store_array(y.1);
    }
}

#[inline(always)]
fn render_frame<S: Simd>(
    simd: S,
    starts: &[FrameStart],
    powers: &[RotationPowers],
    pickups: &[PickupGroup],
    gain_at: impl Fn(f32x16<S>, f32x16<S>, usize) -> f32x16<S>,
    heard: &mut StereoFrame,
) {
    let all = |x: f32| f32x16::splat(simd, x);
    let (mut left, mut right) = ([all(0.0); 2], [all(0.0); 2]);
    for ((starts, powers), pickups) in starts.iter().zip(powers.as_chunks::<LANES>().0).zip(pickups)
    {
        for i in 0..LANES {
            let re = f32x16::load_array_ref(simd, &powers[i].re);
            let minus_im = f32x16::load_array_ref(simd, &powers[i].minus_im);
            let (gain_left, gain_right) =
                (all(pickups.gains.0[i]), all(pickups.gains.0[LANES + i]));
            let (step_left, step_right) =
                (all(pickups.steps.0[i]), all(pickups.steps.0[LANES + i]));
            for half in 0..2 {
                let start = &starts[half].0;
                let x = re.mul_add(all(start[i]), minus_im * all(start[LANES + i]));
                left[half] = gain_at(gain_left, step_left, half).mul_add(x, left[half]);
                right[half] = gain_at(gain_right, step_right, half).mul_add(x, right[half]);
            }
        }
    }
    for (out, halves) in [(&mut heard.left, left), (&mut heard.right, right)] {
        for (out, half) in out.as_chunks_mut::<HALF>().0.iter_mut().zip(halves) {
            half.store_array(out);
        }
    }
}

impl Kernel {
    /// Rotates every mode `times` times: `y -> rotation^times y`.
    pub fn rotate(self, y: RowsMut<'_>, rotation: Rows<'_>, times: usize) {
        dispatch!(self.0, simd => rotate(simd, y, rotation, times));
    }

    /// Adds `more` to the state.
    pub fn add(self, y: RowsMut<'_>, more: Rows<'_>) {
        dispatch!(self.0, simd => add(simd, y, more));
    }
}

#[inline(always)]
fn rotate<S: Simd>(simd: S, y: RowsMut<'_>, rotation: Rows<'_>, times: usize) {
    let state = groups_mut(y.re).iter_mut().zip(groups_mut(y.im));
    for ((re_out, im_out), (rotation_re, rotation_im)) in
        state.zip(groups(rotation.re).iter().zip(groups(rotation.im)))
    {
        let (rotation_re, rotation_im) = (load(simd, rotation_re), load(simd, rotation_im));
        let (mut re, mut im) = (load(simd, re_out), load(simd, im_out));
        for _ in 0..times {
            (re, im) = (
                rotation_re.mul_sub(re, rotation_im * im),
                rotation_re.mul_add(im, rotation_im * re),
            );
        }
        re.store_array(re_out);
        im.store_array(im_out);
    }
}

#[inline(always)]
fn add<S: Simd>(simd: S, y: RowsMut<'_>, more: Rows<'_>) {
    for (row, more) in [(y.re, more.re), (y.im, more.im)] {
        for (out, more) in groups_mut(row).iter_mut().zip(groups(more)) {
            (load(simd, out) + load(simd, more)).store_array(out);
        }
    }
}

/// Result of [`Kernel::settle`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settled {
    /// Largest `|y|^2 audible`; NaN if any mode is not finite.
    pub loudest: f64,
    /// Modes from here on are at rest; whole groups.
    pub live: usize,
}

impl Kernel {
    /// Stops the modes with `|y|^2 audible` below `floor`, and those with `|y|^2` below `min`.
    pub fn settle(self, y: RowsMut<'_>, audible: &[f64], floor: f64, min: f64) -> Settled {
        dispatch!(self.0, simd => settle(simd, y, audible, floor, min))
    }
}

#[inline(always)]
fn settle<S: Simd>(simd: S, y: RowsMut<'_>, audible: &[f64], floor: f64, min: f64) -> Settled {
    let zero = Lanes::splat(simd, 0.0);
    let (floor, min) = (Lanes::splat(simd, floor), Lanes::splat(simd, min));
    let (mut loudest, mut total, mut live) = (zero, zero, 0);
    let state = groups_mut(y.re).iter_mut().zip(groups_mut(y.im));
    for (group, ((re_out, im_out), audible)) in state.zip(groups(audible)).enumerate() {
        let (re, im) = (load(simd, re_out), load(simd, im_out));
        let square = re.mul_add(re, im * im);
        let power = square * load(simd, audible);
        let stops = power.simd_lt(floor) | square.simd_lt(min);
        // Mostly no mode stops, and no store is needed.
        if stops.any_true() {
            stops.select(zero, re).store_array(re_out);
            stops.select(zero, im).store_array(im_out);
        }
        loudest = loudest.max(power);
        // A maximum may lose a NaN; a sum does not.
        total += power;
        if !stops.all_true() {
            live = (group + 1) * LANES;
        }
    }
    let total = sum(total);
    let loudest = match live {
        _ if total.is_nan() => total,
        0 => 0.0,
        _ => largest(loudest),
    };
    Settled { loudest, live }
}
