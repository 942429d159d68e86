//! Sums over modes.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::{Kernel, Lanes, Rows, groups, load, sum};

impl Kernel {
    /// `(sum a re, sum a im)`: what is felt or heard of the modes through a row of gains.
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

    /// `(sum left x, sum right x)`: one row through two rows of gains.
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
