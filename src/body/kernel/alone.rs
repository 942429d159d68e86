//! A body under one force: what a step of it needs to know, two steps ahead.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::give::change;
use super::{Kernel, Lanes, Rows, RowsMut, groups, groups_mut, load, sum};

impl Kernel {
    /// How far the surface goes in the next step and in the one after it, without force, and what one newton in a step adds to
    /// either. `rows` are shape, gain, slack (decay/omega) and 1/omega.
    pub fn stance(self, y: Rows<'_>, turn: Rows<'_>, hold: Rows<'_>, rows: [&[f64]; 4]) -> [f64; 4] {
        dispatch!(self.0, simd => stance(simd, y, turn, hold, rows))
    }

    /// One step under a force, `y -> turn y + hold gain F`. Returns how far the surface then goes in the step after the next,
    /// without force. `rows` are shape, gain and slack.
    pub fn push_and_look(self, y: RowsMut<'_>, turn: Rows<'_>, hold: Rows<'_>, rows: [&[f64]; 3], force_n: f64) -> f64 {
        dispatch!(self.0, simd => push_and_look(simd, y, turn, hold, rows, force_n))
    }
}

/// Complex numbers side by side.
type Pair<S> = (Lanes<S>, Lanes<S>);

#[inline(always)]
fn times<S: Simd>(a: Pair<S>, b: Pair<S>) -> Pair<S> {
    (a.0.mul_sub(b.0, a.1 * b.1), a.0.mul_add(b.1, a.1 * b.0))
}

#[inline(always)]
fn stance<S: Simd>(
    simd: S,
    y: Rows<'_>,
    turn: Rows<'_>,
    hold: Rows<'_>,
    [shape, gain, slack, per_omega]: [&[f64]; 4],
) -> [f64; 4] {
    let mut sums = [Lanes::splat(simd, 0.0); 4];
    let y = groups(y.re).iter().zip(groups(y.im));
    let turn = groups(turn.re).iter().zip(groups(turn.im));
    let hold = groups(hold.re).iter().zip(groups(hold.im));
    let point = groups(shape).iter().zip(groups(gain));
    let ratios = groups(slack).iter().zip(groups(per_omega));
    for ((((y, turn), hold), (shape, gain)), (slack, per_omega)) in y.zip(turn).zip(hold).zip(point).zip(ratios) {
        let [y, turn, hold] = [y, turn, hold].map(|(re, im)| (load(simd, re), load(simd, im)));
        let (shape, gain, slack) = (load(simd, shape), load(simd, gain), load(simd, slack));
        let pushed = (hold.0 * gain, hold.1 * gain);
        sums[0] = shape.mul_add(change(slack, hold, y), sums[0]);
        sums[1] = shape.mul_add(change(slack, hold, times(turn, y)), sums[1]);
        sums[2] = (shape * load(simd, per_omega)).mul_add(pushed.1, sums[2]);
        sums[3] = shape.mul_add(change(slack, hold, pushed), sums[3]);
    }
    sums.map(sum)
}

#[inline(always)]
fn push_and_look<S: Simd>(
    simd: S,
    y: RowsMut<'_>,
    turn: Rows<'_>,
    hold: Rows<'_>,
    [shape, gain, slack]: [&[f64]; 3],
    force_n: f64,
) -> f64 {
    let force_n = Lanes::splat(simd, force_n);
    let mut total = Lanes::splat(simd, 0.0);
    let y = groups_mut(y.re).iter_mut().zip(groups_mut(y.im));
    let turn = groups(turn.re).iter().zip(groups(turn.im));
    let hold = groups(hold.re).iter().zip(groups(hold.im));
    let rows = groups(shape).iter().zip(groups(gain)).zip(groups(slack));
    for ((((re, im), turn), hold), ((shape, gain), slack)) in y.zip(turn).zip(hold).zip(rows) {
        let [turn, hold] = [turn, hold].map(|(re, im)| (load(simd, re), load(simd, im)));
        let push = load(simd, gain) * force_n;
        let turned = times(turn, (load(simd, re), load(simd, im)));
        let now = (hold.0.mul_add(push, turned.0), hold.1.mul_add(push, turned.1));
        now.0.store_array(re);
        now.1.store_array(im);
        total = load(simd, shape).mul_add(change(load(simd, slack), hold, times(turn, now)), total);
    }
    sum(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::LANES;

    /// Rows of numbers of either sign.
    fn row(seed: u64) -> Vec<f64> {
        (0..4 * LANES as u64).map(|i| ((seed * 7919 + i * 104_729) % 2003) as f64 / 1001.5 - 1.0).collect()
    }

    #[test]
    fn every_level_steps_and_looks_as_one_pass_after_the_other_would() {
        let [re, im, turn_re, turn_im, hold_re, hold_im, shape, gain, slack, per_omega] =
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(row);
        let (turn, hold) = (Rows { re: &turn_re, im: &turn_im }, Rows { re: &hold_re, im: &hold_im });
        for kernel in Kernel::all() {
            let sway = |(re, im): &(Vec<f64>, Vec<f64>)| kernel.sway(&shape, &slack, hold, Rows { re, im });
            let pushed = |(re, im): &(Vec<f64>, Vec<f64>), force_n: f64| {
                let (mut re, mut im) = (re.clone(), im.clone());
                kernel.push(RowsMut { re: &mut re, im: &mut im }, turn, hold, &gain, &[force_n]);
                (re, im)
            };
            let start = (re.clone(), im.clone());
            let rows = [&shape[..], &gain, &slack, &per_omega];
            let [free, later, mobility, echo] = kernel.stance(Rows { re: &re, im: &im }, turn, hold, rows);
            let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-13, "{a} {b}");
            close(free, sway(&start));
            close(later, sway(&pushed(&start, 0.0)));
            close(mobility, kernel.dot4(&shape, &gain, &hold_im, &per_omega));
            close(later + 0.7 * echo, sway(&pushed(&start, 0.7)));
            let (mut re, mut im) = start.clone();
            let y = RowsMut { re: &mut re, im: &mut im };
            let looked = kernel.push_and_look(y, turn, hold, [&shape, &gain, &slack], 0.7);
            let wanted = pushed(&start, 0.7);
            close(looked, sway(&pushed(&wanted, 0.0)));
            for i in 0..re.len() {
                close(re[i], wanted.0[i]);
                close(im[i], wanted.1[i]);
            }
        }
    }
}
