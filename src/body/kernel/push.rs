//! Modes under constant forces.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::coupled::change;
use super::{Group, Kernel, Lanes, Rows, RowsMut, groups, groups_mut, load, sum};
use crate::body::LANES;

/// Groups processed in parallel if there are enough registers. Each rotation depends on the
/// previous one; other groups hide that latency.
const ABREAST: usize = 4;

impl Kernel {
    /// Advances every mode by one step for each of `forces_n`: `y -> rotation y + force_response
    /// gain F`.
    pub fn push(
        self,
        y: RowsMut<'_>,
        rotation: Rows<'_>,
        force_response: Rows<'_>,
        gains: &[f64],
        forces_n: &[f64],
    ) {
        dispatch!(self.0, simd => push(simd, y, rotation, force_response, gains, forces_n));
    }
}

impl Kernel {
    /// Advances every mode by one step and returns [`free_displacement`](Self::free_displacement)
    /// after it, without reading the state again.
    ///
    /// `rows` are gain, shape and decay ratio. Bit-identical to both calls in sequence.
    pub fn push_and_free_displacement(
        self,
        y: RowsMut<'_>,
        rotation: Rows<'_>,
        force_response: Rows<'_>,
        rows: [&[f64]; 3],
        force_n: f64,
    ) -> f64 {
        dispatch!(self.0, simd => push_and_free_displacement(simd, y, rotation, force_response, rows, force_n))
    }
}

/// The rows are zipped: arrays of slices would have to be cut to one length by a call.
#[inline(always)]
fn push_and_free_displacement<S: Simd>(
    simd: S,
    y: RowsMut<'_>,
    rotation: Rows<'_>,
    force_response: Rows<'_>,
    [gain, shape, decay_ratio]: [&[f64]; 3],
    force_n: f64,
) -> f64 {
    let force_n = Lanes::splat(simd, force_n);
    let mut total = Lanes::splat(simd, 0.0);
    let state = groups_mut(y.re).iter_mut().zip(groups_mut(y.im));
    let rotation = groups(rotation.re).iter().zip(groups(rotation.im));
    let force_response = groups(force_response.re).iter().zip(groups(force_response.im));
    let point = groups(gain).iter().zip(groups(shape)).zip(groups(decay_ratio));
    for ((((re, im), rotation), force_response), ((gain, shape), decay_ratio)) in
        state.zip(rotation).zip(force_response).zip(point)
    {
        let (a, b, gain) = (load(simd, re), load(simd, im), load(simd, gain));
        let (rotation_re, rotation_im) = (load(simd, rotation.0), load(simd, rotation.1));
        let force_response = (load(simd, force_response.0), load(simd, force_response.1));
        let pushed = (force_response.0 * gain * force_n, force_response.1 * gain * force_n);
        let now_re = rotation_re.mul_add(a, (-rotation_im).mul_add(b, pushed.0));
        let now_im = rotation_re.mul_add(b, rotation_im.mul_add(a, pushed.1));
        now_re.store_array(re);
        now_im.store_array(im);
        total = load(simd, shape)
            .mul_add(change(load(simd, decay_ratio), force_response, (now_re, now_im)), total);
    }
    sum(total)
}

#[inline(always)]
fn push<S: Simd>(
    simd: S,
    y: RowsMut<'_>,
    rotation: Rows<'_>,
    force_response: Rows<'_>,
    gains: &[f64],
    forces_n: &[f64],
) {
    let (re, im) = (groups_mut(y.re), groups_mut(y.im));
    let rows = [
        groups(rotation.re),
        groups(rotation.im),
        groups(force_response.re),
        groups(force_response.im),
        groups(gains),
    ];
    let count = rows.iter().map(|row| row.len()).fold(re.len().min(im.len()), usize::min);
    let wide = if S::f64s::LEN == LANES { count / ABREAST * ABREAST } else { 0 };
    let ((re_wide, re), (im_wide, im)) =
        (re[..count].split_at_mut(wide), im[..count].split_at_mut(wide));
    several::<S, ABREAST>(simd, re_wide, im_wide, rows.map(|row| &row[..wide]), forces_n);
    several::<S, 1>(simd, re, im, rows.map(|row| &row[wide..count]), forces_n);
}

/// Processes sets of N groups; a remainder stays unchanged.
#[inline(always)]
fn several<S: Simd, const N: usize>(
    simd: S,
    re: &mut [Group],
    im: &mut [Group],
    rows: [&[Group]; 5],
    forces_n: &[f64],
) {
    let state = re.as_chunks_mut().0.iter_mut().zip(im.as_chunks_mut().0);
    let [rotation_re, rotation_im, force_response_re, force_response_im, gains] =
        rows.map(|row| row.as_chunks().0);
    let step = rotation_re
        .iter()
        .zip(rotation_im)
        .zip(force_response_re.iter().zip(force_response_im))
        .zip(gains);
    for ((re, im), (((rotation_re, rotation_im), (force_response_re, force_response_im)), gains)) in
        state.zip(step)
    {
        abreast::<S, N>(
            simd,
            re,
            im,
            [rotation_re, rotation_im, force_response_re, force_response_im, gains],
            forces_n,
        );
    }
}

/// Processes N groups in parallel.
#[inline(always)]
fn abreast<S: Simd, const N: usize>(
    simd: S,
    re_out: &mut [Group; N],
    im_out: &mut [Group; N],
    [rotation_re, rotation_im, force_response_re, force_response_im, gains]: [&[Group; N]; 5],
    forces_n: &[f64],
) {
    let all = |row: &[Group; N]| -> [Lanes<S>; N] { std::array::from_fn(|i| load(simd, &row[i])) };
    let (mut re, mut im) = (all(re_out), all(im_out));
    let (rotation_re, rotation_im, gains) = (all(rotation_re), all(rotation_im), all(gains));
    let (force_response_re, force_response_im) = (all(force_response_re), all(force_response_im));
    let pushed_re: [_; N] = std::array::from_fn(|i| force_response_re[i] * gains[i]);
    let pushed_im: [_; N] = std::array::from_fn(|i| force_response_im[i] * gains[i]);
    for &force_n in forces_n {
        let force_n = Lanes::splat(simd, force_n);
        for i in 0..N {
            let turned = rotation_re[i]
                .mul_add(re[i], (-rotation_im[i]).mul_add(im[i], pushed_re[i] * force_n));
            im[i] = rotation_re[i]
                .mul_add(im[i], rotation_im[i].mul_add(re[i], pushed_im[i] * force_n));
            re[i] = turned;
        }
    }
    for i in 0..N {
        re[i].store_array(&mut re_out[i]);
        im[i].store_array(&mut im_out[i]);
    }
}
