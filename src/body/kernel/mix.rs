//! Sums over modes, and mixing of samples.
//!
//! Mixing has no sum across lanes, so pieces of any length give the same bits.

use fearless_simd::{Simd, dispatch, f32x16, prelude::*};

use super::{Kernel, Lanes, Rows, StereoFrame, groups, groups_mut, load, sum};
use crate::body::LANES;

impl Kernel {
    /// `(sum a re, sum a im)`: the state weighted with a row of gains.
    pub fn dot(self, a: &[f64], y: Rows<'_>) -> (f64, f64) {
        dispatch!(self.0, simd => {
            let mut sums = [Lanes::splat(simd, 0.0); 2];
            for ((a, re), im) in groups(a).iter().zip(groups(y.re)).zip(groups(y.im)) {
                let a = load(simd, a);
                sums = [a.mul_add(load(simd, re), sums[0]), a.mul_add(load(simd, im), sums[1])];
            }
            (sum(sums[0]), sum(sums[1]))
        })
    }

    /// `(sum left x, sum right x)`: one row weighted with two rows of gains.
    pub fn hear(self, left: &[f64], right: &[f64], x: &[f64]) -> (f64, f64) {
        dispatch!(self.0, simd => heard(simd, left, right, x))
    }
}

#[inline(always)]
fn heard<S: Simd>(simd: S, left: &[f64], right: &[f64], x: &[f64]) -> (f64, f64) {
    let zero = Lanes::splat(simd, 0.0);
    let (mut sum_left, mut sum_right) = (zero, zero);
    for ((left, right), x) in groups(left).iter().zip(groups(right)).zip(groups(x)) {
        let x = load(simd, x);
        sum_left = x.mul_add(load(simd, left), sum_left);
        sum_right = x.mul_add(load(simd, right), sum_right);
    }
    (sum(sum_left), sum(sum_right))
}

impl Kernel {
    /// Adds `x` times `gain`.
    pub fn mix(self, out: &mut [f64], x: &[f64], gain: f64) {
        dispatch!(self.0, simd => mix(simd, out, x, gain));
    }

    /// Adds `x` and `y` times `gain` to left and right.
    pub fn mix_both(self, [left, right]: [&mut [f64]; 2], [x, y]: [&[f64]; 2], gain: f64) {
        dispatch!(self.0, simd => {
            mix(simd, left, x, gain);
            mix(simd, right, y, gain);
        });
    }

    /// Adds a piece of a frame.
    pub fn add_heard_both(self, [left, right]: [&mut [f64]; 2], [x, y]: [&[f32]; 2]) {
        dispatch!(self.0, simd => {
            add_widened(simd, left, x);
            add_widened(simd, right, y);
        });
    }

    /// Adds a frame from sample `from` on, each side times its factor of `sides` and then times
    /// `gain`. Returns false and adds nothing if any sample of the frame is not finite.
    pub fn mix_heard(
        self,
        [left, right]: [&mut [f64]; 2],
        heard: &StereoFrame,
        from: usize,
        sides: [f64; 2],
        gain: f64,
    ) -> bool {
        dispatch!(self.0, simd => {
            // The whole frame: testing whole vectors is faster than testing a part.
            let fine = heard_is_finite(simd, heard);
            if fine {
                mix_frame(simd, left, &heard.left[from..], sides[0], gain);
                mix_frame(simd, right, &heard.right[from..], sides[1], gain);
            }
            fine
        })
    }

    /// True if every sample of both sides is finite.
    pub fn are_finite(self, left: &[f64], right: &[f64]) -> bool {
        dispatch!(self.0, simd => finite(simd, left) & finite(simd, right))
    }
}

#[inline(always)]
fn add_widened<S: Simd>(simd: S, out: &mut [f64], heard: &[f32]) {
    let n = out.len().min(heard.len());
    let (heards, heard_rest) = heard[..n].as_chunks::<{ 2 * LANES }>();
    let (outs, out_rest) = out[..n].as_chunks_mut::<{ 2 * LANES }>();
    for (out, heard) in outs.iter_mut().zip(heards) {
        let (low, high) = f32x16::load_array_ref(simd, heard).widen();
        let out = groups_mut(out);
        (load(simd, &out[0]) + low).store_array(&mut out[0]);
        (load(simd, &out[1]) + high).store_array(&mut out[1]);
    }
    for (out, heard) in out_rest.iter_mut().zip(heard_rest) {
        *out += f64::from(*heard);
    }
}

#[inline(always)]
fn mix<S: Simd>(simd: S, out: &mut [f64], x: &[f64], gain: f64) {
    let n = out.len().min(x.len());
    let (xs, x_rest) = x[..n].as_chunks::<LANES>();
    let (outs, out_rest) = out[..n].as_chunks_mut::<LANES>();
    for (out, x) in outs.iter_mut().zip(xs) {
        // Not fused, because the remainder below is not: a sample may fall into either.
        (load(simd, out) + load(simd, x) * Lanes::splat(simd, gain)).store_array(out);
    }
    for (out, x) in out_rest.iter_mut().zip(x_rest) {
        *out += x * gain;
    }
}

#[inline(always)]
fn mix_frame<S: Simd>(simd: S, out: &mut [f64], heard: &[f32], side: f64, gain: f64) {
    let n = out.len().min(heard.len());
    let (heards, heard_rest) = heard[..n].as_chunks::<{ 2 * LANES }>();
    let (outs, out_rest) = out[..n].as_chunks_mut::<{ 2 * LANES }>();
    let (sides, gains) = (Lanes::splat(simd, side), Lanes::splat(simd, gain));
    for (out, heard) in outs.iter_mut().zip(heards) {
        let (low, high) = f32x16::load_array_ref(simd, heard).widen();
        // Not fused, as above.
        for (out, x) in groups_mut(out).iter_mut().zip([low, high]) {
            (load(simd, out) + x * sides * gains).store_array(out);
        }
    }
    // The host's blocks cut frames anywhere; a scalar remainder would take as long as the frame.
    let (outs, out_rest) = out_rest.as_chunks_mut::<LANES>();
    let (heards, heard_rest) = heard_rest.as_chunks::<LANES>();
    for (out, heard) in outs.iter_mut().zip(heards) {
        mix_few(out, heard, side, gain);
    }
    let (outs, out_rest) = out_rest.as_chunks_mut::<{ LANES / 2 }>();
    let (heards, heard_rest) = heard_rest.as_chunks::<{ LANES / 2 }>();
    for (out, heard) in outs.iter_mut().zip(heards) {
        mix_few(out, heard, side, gain);
    }
    for (out, heard) in out_rest.iter_mut().zip(heard_rest) {
        *out += f64::from(*heard) * side * gain;
    }
}

#[inline(always)]
fn mix_few<const N: usize>(out: &mut [f64; N], heard: &[f32; N], side: f64, gain: f64) {
    for (out, heard) in out.iter_mut().zip(heard) {
        *out += f64::from(*heard) * side * gain;
    }
}

#[inline(always)]
fn heard_is_finite<S: Simd>(simd: S, heard: &StereoFrame) -> bool {
    let zero = f32x16::splat(simd, 0.0);
    let mut sum = zero;
    // Plain loops: a closure in an iterator chain is compiled without the instruction set.
    for side in [&heard.left, &heard.right] {
        for x in side.as_chunks::<{ 2 * LANES }>().0 {
            sum = f32x16::load_array_ref(simd, x).mul_add(zero, sum);
        }
    }
    sum.simd_eq(zero).all_true()
}

#[inline(always)]
fn finite<S: Simd>(simd: S, x: &[f64]) -> bool {
    let zero = Lanes::splat(simd, 0.0);
    // 0 x is 0 for every finite x and NaN otherwise.
    let sum = groups(x).iter().fold(zero, |sum, x| load(simd, x).mul_add(zero, sum));
    sum.simd_eq(zero).all_true() && x.as_chunks::<LANES>().1.iter().all(|x| x.is_finite())
}
