//! Modes under a force.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::{Kernel, Lanes, Rows, RowsMut, groups, groups_mut, load};
use crate::body::LANES;

/// Groups carried side by side where there are registers enough: a turn waits for the one before it, and other
/// groups fill the time.
const ABREAST: usize = 4;

impl Kernel {
    /// Move every mode on by one step for each of `forces_n`: `y -> turn y + hold gain F`.
    pub fn push(self, y: RowsMut<'_>, turn: Rows<'_>, hold: Rows<'_>, gains: &[f64], forces_n: &[f64]) {
        dispatch!(self.0, simd => pushed(simd, y, turn, hold, gains, forces_n));
    }
}

#[inline(always)]
fn pushed<S: Simd>(simd: S, y: RowsMut<'_>, turn: Rows<'_>, hold: Rows<'_>, gains: &[f64], forces_n: &[f64]) {
    let (re, im) = (groups_mut(y.re), groups_mut(y.im));
    let rows = [groups(turn.re), groups(turn.im), groups(hold.re), groups(hold.im), groups(gains)];
    let count = rows.iter().map(|row| row.len()).fold(re.len().min(im.len()), usize::min);
    let wide = S::f64s::LEN == LANES;
    let mut at = 0;
    while wide && at + ABREAST <= count {
        abreast::<S, ABREAST>(simd, &mut re[at..], &mut im[at..], rows.map(|row| &row[at..]), forces_n);
        at += ABREAST;
    }
    while at < count {
        abreast::<S, 1>(simd, &mut re[at..], &mut im[at..], rows.map(|row| &row[at..]), forces_n);
        at += 1;
    }
}

/// The first N groups.
#[inline(always)]
fn abreast<S: Simd, const N: usize>(
    simd: S,
    re_out: &mut [[f64; LANES]],
    im_out: &mut [[f64; LANES]],
    [turn_re, turn_im, hold_re, hold_im, gains]: [&[[f64; LANES]]; 5],
    forces_n: &[f64],
) {
    let all = |row: &[[f64; LANES]]| -> [Lanes<S>; N] { std::array::from_fn(|i| load(simd, &row[i])) };
    let (mut re, mut im) = (all(re_out), all(im_out));
    let (turn_re, turn_im, gains) = (all(turn_re), all(turn_im), all(gains));
    let (hold_re, hold_im) = (all(hold_re), all(hold_im));
    let pushed_re: [_; N] = std::array::from_fn(|i| hold_re[i] * gains[i]);
    let pushed_im: [_; N] = std::array::from_fn(|i| hold_im[i] * gains[i]);
    for &force_n in forces_n {
        let force_n = Lanes::splat(simd, force_n);
        for i in 0..N {
            let turned = turn_re[i].mul_add(re[i], (-turn_im[i]).mul_add(im[i], pushed_re[i] * force_n));
            im[i] = turn_re[i].mul_add(im[i], turn_im[i].mul_add(re[i], pushed_im[i] * force_n));
            re[i] = turned;
        }
    }
    for i in 0..N {
        re[i].store_array(&mut re_out[i]);
        im[i].store_array(&mut im_out[i]);
    }
}
