//! A body under one force, heard at two pickups: a step of a rehearsed blow in one pass.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::{Kernel, Lanes, Rows, RowsMut, groups, groups_mut, load, sum};

/// What a step of one length does to every mode, made once for many of them.
#[derive(Clone, Copy, Debug)]
pub struct Bout<'a> {
    /// e^(s h).
    pub turn: Rows<'a>,
    /// What one newton, held over the step, leaves in a mode.
    pub push: Rows<'a>,
    /// The surface goes `sum of (sway.re re - sway.im im)` in the step after the next, if nothing pushes it.
    pub sway: Rows<'a>,
    /// What the pickups hear of Re y.
    pub ears: [&'a [f64]; 2],
}

/// What came of a step.
#[derive(Clone, Copy, Debug)]
pub struct Bouted {
    /// How far the surface goes in the step after the next without a force.
    pub later: f64,
    /// What the pickups hear.
    pub heard: [f64; 2],
}

impl Kernel {
    /// Rows of [`Bout`]: `push = hold gain`, and what [`Kernel::sway`] takes of Re y and Im y once they have turned. `point` is shape and
    /// gain. Returns how far a newton takes the surface in the step after its own.
    pub fn bout(
        self,
        point: [&[f64]; 2],
        slack: &[f64],
        turn: Rows<'_>,
        hold: Rows<'_>,
        push: RowsMut<'_>,
        sway: RowsMut<'_>,
    ) -> f64 {
        dispatch!(self.0, simd => bout(simd, point, slack, turn, hold, push, sway))
    }

    /// One step under a force, `y -> turn y + push F`, and what is heard and known after it.
    pub fn play_bout(self, y: RowsMut<'_>, bout: &Bout<'_>, force_n: f64) -> Bouted {
        dispatch!(self.0, simd => play(simd, y, bout, force_n))
    }
}

#[inline(always)]
fn bout<S: Simd>(
    simd: S,
    [shape, gain]: [&[f64]; 2],
    slack: &[f64],
    turn: Rows<'_>,
    hold: Rows<'_>,
    push: RowsMut<'_>,
    sway: RowsMut<'_>,
) -> f64 {
    let point = groups(shape).iter().zip(groups(gain)).zip(groups(slack));
    let turn = groups(turn.re).iter().zip(groups(turn.im));
    let hold = groups(hold.re).iter().zip(groups(hold.im));
    let push = groups_mut(push.re).iter_mut().zip(groups_mut(push.im));
    let sway = groups_mut(sway.re).iter_mut().zip(groups_mut(sway.im));
    let mut echo = Lanes::splat(simd, 0.0);
    for (((((shape, gain), slack), turn), hold), (push, sway)) in point.zip(turn).zip(hold).zip(push.zip(sway)) {
        let (shape, gain, slack) = (load(simd, shape), load(simd, gain), load(simd, slack));
        let [turn, hold] = [turn, hold].map(|(re, im)| (load(simd, re), load(simd, im)));
        let given = (gain * hold.0, gain * hold.1);
        let next = (shape * (hold.0 - slack * hold.1), shape * slack.mul_add(hold.0, hold.1));
        echo = next.0.mul_add(given.0, (-next.1).mul_add(given.1, echo));
        given.0.store_array(push.0);
        given.1.store_array(push.1);
        next.0.mul_sub(turn.0, next.1 * turn.1).store_array(sway.0);
        next.0.mul_add(turn.1, next.1 * turn.0).store_array(sway.1);
    }
    sum(echo)
}

#[inline(always)]
fn play<S: Simd>(simd: S, y: RowsMut<'_>, bout: &Bout<'_>, force_n: f64) -> Bouted {
    let (re, im) = (groups_mut(y.re), groups_mut(y.im));
    let Bout { turn, push, sway, ears: [left, right] } = bout;
    let rows = [turn.re, turn.im, push.re, push.im, sway.re, sway.im, left, right].map(groups);
    // Equal lengths, once and for all: no look at a bound inside the loop.
    let count = rows.iter().map(|row| row.len()).fold(re.len().min(im.len()), usize::min);
    let [turn_re, turn_im, push_re, push_im, sway_re, sway_im, left, right] = rows.map(|row| &row[..count]);
    let (re, im) = (&mut re[..count], &mut im[..count]);
    let force_n = Lanes::splat(simd, force_n);
    let zero = Lanes::splat(simd, 0.0);
    let (mut later, mut heard_left, mut heard_right) = (zero, zero, zero);
    for i in 0..count {
        let (a, b) = (load(simd, &re[i]), load(simd, &im[i]));
        let (turn_re, turn_im) = (load(simd, &turn_re[i]), load(simd, &turn_im[i]));
        let now_re = turn_re.mul_add(a, (-turn_im).mul_add(b, load(simd, &push_re[i]) * force_n));
        let now_im = turn_re.mul_add(b, turn_im.mul_add(a, load(simd, &push_im[i]) * force_n));
        now_re.store_array(&mut re[i]);
        now_im.store_array(&mut im[i]);
        later = load(simd, &sway_re[i]).mul_add(now_re, (-load(simd, &sway_im[i])).mul_add(now_im, later));
        heard_left = load(simd, &left[i]).mul_add(now_re, heard_left);
        heard_right = load(simd, &right[i]).mul_add(now_re, heard_right);
    }
    Bouted { later: sum(later), heard: [sum(heard_left), sum(heard_right)] }
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
    fn every_level_plays_a_step_as_one_pass_after_the_other_would() {
        let [re, im, turn_re, turn_im, hold_re, hold_im, shape, gain, slack, left, right] =
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(row);
        let (turn, hold) = (Rows { re: &turn_re, im: &turn_im }, Rows { re: &hold_re, im: &hold_im });
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-13, "{a} {b}");
        for kernel in Kernel::all() {
            let [mut push_re, mut push_im, mut sway_re, mut sway_im] = [0, 0, 0, 0].map(row);
            let push = RowsMut { re: &mut push_re, im: &mut push_im };
            let sway = RowsMut { re: &mut sway_re, im: &mut sway_im };
            let echo = kernel.bout([&shape, &gain], &slack, turn, hold, push, sway);
            let push = Rows { re: &push_re, im: &push_im };
            let bout = Bout { turn, push, sway: Rows { re: &sway_re, im: &sway_im }, ears: [&left, &right] };
            let [mut wanted_re, mut a] = [0, 0].map(|_| re.clone());
            let [mut wanted_im, mut b] = [0, 0].map(|_| im.clone());
            let bouted = kernel.play_bout(RowsMut { re: &mut a, im: &mut b }, &bout, 0.7);
            let wanted = RowsMut { re: &mut wanted_re, im: &mut wanted_im };
            kernel.push(wanted, turn, hold, &gain, &[0.7]);
            (0..a.len()).for_each(|i| close(a[i], wanted_re[i]));
            (0..a.len()).for_each(|i| close(b[i], wanted_im[i]));
            let next = |re: &[f64], im: &[f64]| kernel.sway(&shape, &slack, hold, Rows { re, im });
            let [mut late_re, mut late_im] = [&a, &b].map(Clone::clone);
            kernel.push(RowsMut { re: &mut late_re, im: &mut late_im }, turn, hold, &gain, &[0.0]);
            close(bouted.later, next(&late_re, &late_im));
            close(
                0.7 * echo,
                next(&a, &b) - {
                    let [mut left_re, mut left_im] = [&re, &im].map(Clone::clone);
                    kernel.push(RowsMut { re: &mut left_re, im: &mut left_im }, turn, hold, &gain, &[0.0]);
                    next(&left_re, &left_im)
                },
            );
            let (heard_left, heard_right) = kernel.hear(&left, &right, &a);
            close(bouted.heard[0], heard_left);
            close(bouted.heard[1], heard_right);
        }
    }
}
