//! Free ringing, sample by sample.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::{Kernel, Rows, RowsMut, groups, groups_mut, load};

impl Kernel {
    /// Turn every mode `times` times: `y -> turn^times y`.
    pub fn rotate(self, y: RowsMut<'_>, turn: Rows<'_>, times: usize) {
        dispatch!(self.0, simd => rotated(simd, y, turn, times));
    }

    /// Add to every mode.
    pub fn add(self, y: RowsMut<'_>, more: Rows<'_>) {
        dispatch!(self.0, simd => added(simd, y, more));
    }
}

#[inline(always)]
fn rotated<S: Simd>(simd: S, y: RowsMut<'_>, turn: Rows<'_>, times: usize) {
    let state = groups_mut(y.re).iter_mut().zip(groups_mut(y.im));
    for ((re_out, im_out), (rotation_re, rotation_im)) in
        state.zip(groups(turn.re).iter().zip(groups(turn.im)))
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
fn added<S: Simd>(simd: S, y: RowsMut<'_>, more: Rows<'_>) {
    for (row, more) in [(y.re, more.re), (y.im, more.im)] {
        for (out, more) in groups_mut(row).iter_mut().zip(groups(more)) {
            (load(simd, out) + load(simd, more)).store_array(out);
        }
    }
}
