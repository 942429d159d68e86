//! A body under one force at a place that moves.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::coupled::change;
use super::{Kernel, Lanes, Rows, RowsMut, groups, groups_mut, load, sum};

impl Kernel {
    /// One step under a force, `y -> turn y + force_response gain F`; then `point`, which is shape
    /// and gain of the place, moves on. Returns how far the surface there goes in the next step
    /// without a force, and what one newton adds to that. `rows` are 1/mass, the way of the shape,
    /// slack (decay/omega) and 1/omega. One pass instead of four.
    pub fn push_and_glide(
        self,
        y: RowsMut<'_>,
        turn: Rows<'_>,
        force_response: Rows<'_>,
        point: [&mut [f64]; 2],
        rows: [&[f64]; 4],
        force_n: f64,
    ) -> (f64, f64) {
        dispatch!(self.0, simd => push_and_glide(simd, y, turn, force_response, point, rows, force_n))
    }
}

#[inline(always)]
fn push_and_glide<S: Simd>(
    simd: S,
    y: RowsMut<'_>,
    turn: Rows<'_>,
    force_response: Rows<'_>,
    [shape, gain]: [&mut [f64]; 2],
    [per_mass, by, slack, per_omega]: [&[f64]; 4],
    force_n: f64,
) -> (f64, f64) {
    let force_n = Lanes::splat(simd, force_n);
    let (mut free, mut mobility) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 0.0));
    let y = groups_mut(y.re).iter_mut().zip(groups_mut(y.im));
    let turn = groups(turn.re).iter().zip(groups(turn.im));
    let force_response = groups(force_response.re).iter().zip(groups(force_response.im));
    let point = groups_mut(shape).iter_mut().zip(groups_mut(gain));
    let rows =
        groups(per_mass).iter().zip(groups(by)).zip(groups(slack).iter().zip(groups(per_omega)));
    for ((((y, turn), force_response), (shape, gain)), ((per_mass, by), (slack, per_omega))) in
        y.zip(turn).zip(force_response).zip(point).zip(rows)
    {
        let [turn, force_response] =
            [turn, force_response].map(|(re, im)| (load(simd, re), load(simd, im)));
        let (re, im, push) = (load(simd, y.0), load(simd, y.1), load(simd, gain) * force_n);
        let now_re = turn.0.mul_add(re, (-turn.1).mul_add(im, force_response.0 * push));
        let now_im = turn.0.mul_add(im, turn.1.mul_add(re, force_response.1 * push));
        now_re.store_array(y.0);
        now_im.store_array(y.1);
        let moved = load(simd, shape) + load(simd, by);
        let moved_gain = moved * load(simd, per_mass);
        moved.store_array(shape);
        moved_gain.store_array(gain);
        free = moved.mul_add(change(load(simd, slack), force_response, (now_re, now_im)), free);
        mobility = (moved * moved_gain).mul_add(force_response.1 * load(simd, per_omega), mobility);
    }
    (sum(free), sum(mobility))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::LANES;

    /// Rows of numbers of either sign.
    fn row(seed: u64) -> Vec<f64> {
        (0..4 * LANES as u64)
            .map(|i| ((seed * 7919 + i * 104_729) % 2003) as f64 / 1001.5 - 1.0)
            .collect()
    }

    #[test]
    fn every_level_does_as_one_pass_after_the_other_would() {
        let [
            re,
            im,
            rotation_re,
            rotation_im,
            force_response_re,
            force_response_im,
            shape,
            gain,
            slack,
            per_omega,
            by,
            per_mass,
        ] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(row);
        let (turn, force_response) = (
            Rows { re: &rotation_re, im: &rotation_im },
            Rows { re: &force_response_re, im: &force_response_im },
        );
        let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-13);
        for kernel in Kernel::all() {
            let (mut a_re, mut a_im, mut a_shape, mut a_gain) =
                (re.clone(), im.clone(), shape.clone(), gain.clone());
            let y = RowsMut { re: &mut a_re, im: &mut a_im };
            let rows = [&per_mass[..], &by, &slack, &per_omega];
            let (free, mobility) = kernel.push_and_glide(
                y,
                turn,
                force_response,
                [&mut a_shape, &mut a_gain],
                rows,
                0.7,
            );
            let (mut b_re, mut b_im, mut b_shape, mut b_gain) =
                (re.clone(), im.clone(), shape.clone(), gain.clone());
            kernel.push(
                RowsMut { re: &mut b_re, im: &mut b_im },
                turn,
                force_response,
                &gain,
                &[0.7],
            );
            kernel.glide(&mut b_shape, &mut b_gain, &by, &per_mass);
            let wanted = kernel.free_displacement(
                &b_shape,
                &slack,
                force_response,
                Rows { re: &b_re, im: &b_im },
            );
            assert!((free - wanted).abs() < 1e-13, "{free} {wanted}");
            let wanted = kernel.dot4(&b_shape, &b_gain, &force_response_im, &per_omega);
            assert!((mobility - wanted).abs() < 1e-13, "{mobility} {wanted}");
            assert!(same(&a_re, &b_re) && same(&a_im, &b_im), "{kernel:?}");
            assert!(same(&a_shape, &b_shape) && same(&a_gain, &b_gain), "{kernel:?}");
        }
    }
}
