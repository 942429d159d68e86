//! A body under one force: what a step of it needs to know, two steps ahead.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::{Kernel, Lanes, Rows, RowsMut, groups, groups_mut, load, sum};

impl Kernel {
    /// How far the surface goes in the next step and in the one after it, without force, and what one newton in a step adds to
    /// either. `rows` are shape, gain, slack (decay/omega) and 1/omega. Leaves behind what [`push_and_look`](Kernel::push_and_look)
    /// needs: what a newton gives to each mode, and how far each goes in the step after the next, per unit of Re and Im.
    pub fn stance(
        self,
        y: Rows<'_>,
        turn: Rows<'_>,
        hold: Rows<'_>,
        rows: [&[f64]; 4],
        push: RowsMut<'_>,
        look: RowsMut<'_>,
    ) -> [f64; 4] {
        dispatch!(self.0, simd => stance(simd, y, turn, hold, rows, push, look))
    }

    /// One step under a force, `y -> turn y + push F`. Returns how far the surface then goes in the step after the next,
    /// without force.
    pub fn push_and_look(self, y: RowsMut<'_>, turn: Rows<'_>, push: Rows<'_>, look: Rows<'_>, force_n: f64) -> f64 {
        dispatch!(self.0, simd => push_and_look(simd, y, turn, push, look, force_n))
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
    push: RowsMut<'_>,
    look: RowsMut<'_>,
) -> [f64; 4] {
    let mut sums = [Lanes::splat(simd, 0.0); 4];
    let y = groups(y.re).iter().zip(groups(y.im));
    let turn = groups(turn.re).iter().zip(groups(turn.im));
    let hold = groups(hold.re).iter().zip(groups(hold.im));
    let point = groups(shape).iter().zip(groups(gain));
    let ratios = groups(slack).iter().zip(groups(per_omega));
    let push = groups_mut(push.re).iter_mut().zip(groups_mut(push.im));
    let look = groups_mut(look.re).iter_mut().zip(groups_mut(look.im));
    let left = y.zip(turn).zip(hold).zip(point).zip(ratios);
    for (((((y, turn), hold), (shape, gain)), (slack, per_omega)), (push, look)) in left.zip(push.zip(look)) {
        let [y, turn, hold] = [y, turn, hold].map(|(re, im)| (load(simd, re), load(simd, im)));
        let (shape, gain, slack) = (load(simd, shape), load(simd, gain), load(simd, slack));
        // The change of displacement in a step is Im(lean y), with lean = (i - slack) hold.
        let lean = (-slack.mul_add(hold.0, hold.1), hold.0 - slack * hold.1);
        let (next, later) = ((shape * lean.0, shape * lean.1), times(lean, turn));
        let later = (shape * later.0, shape * later.1);
        let pushed = (hold.0 * gain, hold.1 * gain);
        sums[0] = next.1.mul_add(y.0, next.0.mul_add(y.1, sums[0]));
        sums[1] = later.1.mul_add(y.0, later.0.mul_add(y.1, sums[1]));
        sums[2] = (shape * load(simd, per_omega)).mul_add(pushed.1, sums[2]);
        sums[3] = next.1.mul_add(pushed.0, next.0.mul_add(pushed.1, sums[3]));
        pushed.0.store_array(push.0);
        pushed.1.store_array(push.1);
        later.1.store_array(look.0);
        later.0.store_array(look.1);
    }
    sums.map(sum)
}

#[inline(always)]
fn push_and_look<S: Simd>(
    simd: S,
    y: RowsMut<'_>,
    turn: Rows<'_>,
    push: Rows<'_>,
    look: Rows<'_>,
    force_n: f64,
) -> f64 {
    let force_n = Lanes::splat(simd, force_n);
    let mut sums = [Lanes::splat(simd, 0.0); 2];
    let y = groups_mut(y.re).iter_mut().zip(groups_mut(y.im));
    let [turn, push, look] = [turn, push, look].map(|rows| groups(rows.re).iter().zip(groups(rows.im)));
    for ((((re, im), turn), push), look) in y.zip(turn).zip(push).zip(look) {
        let [turn, push, look] = [turn, push, look].map(|(re, im)| (load(simd, re), load(simd, im)));
        let turned = times(turn, (load(simd, re), load(simd, im)));
        let now = (push.0.mul_add(force_n, turned.0), push.1.mul_add(force_n, turned.1));
        now.0.store_array(re);
        now.1.store_array(im);
        sums = [look.0.mul_add(now.0, sums[0]), look.1.mul_add(now.1, sums[1])];
    }
    sum(sums[0] + sums[1])
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
            let mut scratch = [(); 4].map(|()| vec![0.0; re.len()]);
            let [push_re, push_im, look_re, look_im] = &mut scratch;
            let push = RowsMut { re: push_re, im: push_im };
            let look = RowsMut { re: look_re, im: look_im };
            let [free, later, mobility, echo] = kernel.stance(Rows { re: &re, im: &im }, turn, hold, rows, push, look);
            let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-13, "{a} {b}");
            close(free, sway(&start));
            close(later, sway(&pushed(&start, 0.0)));
            close(mobility, kernel.dot4(&shape, &gain, &hold_im, &per_omega));
            close(later + 0.7 * echo, sway(&pushed(&start, 0.7)));
            let (mut re, mut im) = start.clone();
            let y = RowsMut { re: &mut re, im: &mut im };
            let [push_re, push_im, look_re, look_im] = &scratch;
            let (push, look) = (Rows { re: push_re, im: push_im }, Rows { re: look_re, im: look_im });
            let looked = kernel.push_and_look(y, turn, push, look, 0.7);
            let wanted = pushed(&start, 0.7);
            close(looked, sway(&pushed(&wanted, 0.0)));
            for i in 0..re.len() {
                close(re[i], wanted.0[i]);
                close(im[i], wanted.1[i]);
            }
        }
    }
}
