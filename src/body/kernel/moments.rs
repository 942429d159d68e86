//! Modes under a force that is known by its Legendre moments.
//!
//! A mode `y' = s y + F` ends a time h with `e^(s h) y + e^(s h/2) integral of F e^(-s t) dt`, t
//! from the middle. With z = s h/2 and `e^(-z x) = sum of (2n+1) (-1)^n i_n(z) P_n(x)` (Abramowitz
//! and Stegun, 10.2.36) the integral is a sum over the moments of F. The modified spherical Bessel
//! functions are `i_n = z^n g_n(z^2)`; g_3 and g_2 are summed as series, and the others, cosh and
//! sinh follow without cancellation.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::{Kernel, Lanes, Rows, RowsMut, groups, groups_mut, largest, load, sum};
use crate::body::LANES;

/// Moments of a force that act.
pub const MOMENTS: usize = 4;

/// Terms of the series, at most: no mode below half the sample rate needs more than ten for a
/// sample.
const MAX_TERMS: u32 = 40;

impl Kernel {
    /// For each mode of `s = -decay + i omega` (1/s): `turn = e^(s h)`, and what each moment of a
    /// force over `h` = `duration_s` leaves in it. Modes without frequency take nothing.
    pub fn responses(
        self,
        s: Rows<'_>,
        duration_s: f64,
        turn: RowsMut<'_>,
        responses: [RowsMut<'_>; MOMENTS],
    ) {
        dispatch!(self.0, simd => find_responses(simd, s, duration_s, turn, responses));
    }

    /// Move every mode on under a force: `y -> turn y + gain (sum of response times moment)`.
    pub fn push_moments(
        self,
        y: RowsMut<'_>,
        turn: Rows<'_>,
        responses: [Rows<'_>; MOMENTS],
        gains: &[f64],
        moments: &[f64; MOMENTS],
    ) {
        dispatch!(self.0, simd => push_moments(simd, y, turn, responses, gains, moments));
    }
}

impl Kernel {
    /// The same for several equal steps on end, one for each of `forces`. After each step, what is
    /// heard of the modes through both rows of `ears` is added to `out`.
    pub fn push_and_hear(
        self,
        y: RowsMut<'_>,
        turn: Rows<'_>,
        responses: [Rows<'_>; MOMENTS],
        [gains, left, right]: [&[f64]; 3],
        forces: &[[f64; MOMENTS]],
        out: [&mut [f64]; 2],
    ) {
        dispatch!(self.0, simd => push_and_hear(simd, y, turn, responses, [gains, left, right], forces, out));
    }
}

/// Eight modes in memory.
type Group = [f64; LANES];

/// One complex number per lane.
type Complex<S> = (Lanes<S>, Lanes<S>);

#[inline(always)]
fn times<S: Simd>(a: Complex<S>, b: Complex<S>) -> Complex<S> {
    (a.0.mul_sub(b.0, a.1 * b.1), a.0.mul_add(b.1, a.1 * b.0))
}

#[inline(always)]
fn plus<S: Simd>(a: Complex<S>, b: Complex<S>) -> Complex<S> {
    (a.0 + b.0, a.1 + b.1)
}

#[inline(always)]
fn scaled<S: Simd>(by: Lanes<S>, a: Complex<S>) -> Complex<S> {
    (by * a.0, by * a.1)
}

#[inline(always)]
fn pairs<'a>(rows: Rows<'a>) -> impl Iterator<Item = (&'a Group, &'a Group)> {
    groups(rows.re).iter().zip(groups(rows.im))
}

#[inline(always)]
fn pairs_mut<'a>(rows: RowsMut<'a>) -> impl Iterator<Item = (&'a mut Group, &'a mut Group)> {
    groups_mut(rows.re).iter_mut().zip(groups_mut(rows.im))
}

/// `z^-n i_n(z)` by its series in `z2 = z^2`.
#[inline(always)]
fn bessel<S: Simd>(simd: S, n: u32, z2: Complex<S>, terms: u32, first: f64) -> Complex<S> {
    let one = Lanes::splat(simd, 1.0);
    let mut sum = (one, Lanes::splat(simd, 0.0));
    for k in (1..=terms).rev() {
        let share = Lanes::splat(simd, 1.0 / f64::from(2 * k * (2 * k + 2 * n + 1)));
        let term = times(z2, sum);
        sum = (share.mul_add(term.0, one), share * term.1);
    }
    scaled(Lanes::splat(simd, first), sum)
}

#[inline(always)]
fn find_responses<S: Simd>(
    simd: S,
    s: Rows<'_>,
    duration_s: f64,
    turn: RowsMut<'_>,
    [zeroth, first, second, third]: [RowsMut<'_>; MOMENTS],
) {
    let (decay, omega) = (groups(s.re), groups(s.im));
    let mut max = Lanes::splat(simd, 0.0);
    for (d, w) in decay.iter().zip(omega) {
        let (d, w) = (load(simd, d), load(simd, w));
        max = max.max(d.mul_add(d, w * w));
    }
    let max = 0.25 * largest(max) * duration_s * duration_s;
    let (mut terms, mut size) = (0, 1.0);
    while size > 1e-17 && terms < MAX_TERMS {
        terms += 1;
        size *= max / f64::from(2 * terms * (2 * terms + 5));
    }
    let half = Lanes::splat(simd, 0.5 * duration_s);
    let splat = |x: f64| Lanes::splat(simd, x);
    let (three, five, seven, huge) = (splat(3.0), splat(5.0), splat(7.0), splat(1e300));

    let store = |(re, im): Complex<S>, to: (&mut Group, &mut Group)| {
        re.store_array(to.0);
        im.store_array(to.1);
    };
    let out = pairs_mut(turn)
        .zip(pairs_mut(zeroth))
        .zip(pairs_mut(first).zip(pairs_mut(second)).zip(pairs_mut(third)));
    for ((d, w), ((turn, zeroth), ((first, second), third))) in decay.iter().zip(omega).zip(out) {
        let (minus_d, w) = (-load(simd, d), load(simd, w));
        let z = (minus_d * half, w * half);
        let z2 = times(z, z);
        let g3 = bessel(simd, 3, z2, terms, 1.0 / 105.0);
        let g2 = bessel(simd, 2, z2, terms, 1.0 / 15.0);
        let g1 = plus(scaled(five, g2), times(z2, g3));
        let g0 = plus(scaled(three, g1), times(z2, g2));
        // cosh z + sinh z
        let exp = plus(plus(g0, times(z2, g1)), times(z, g0));
        store(times(exp, exp), turn);
        let here = (minus_d.mul_add(minus_d, w * w) * huge).min(splat(1.0));
        let exp = scaled(here, exp);
        store(times(exp, g0), zeroth);
        let exp = times(exp, (-z.0, -z.1));
        store(scaled(three, times(exp, g1)), first);
        let exp = times(exp, (-z.0, -z.1));
        store(scaled(five, times(exp, g2)), second);
        let exp = times(exp, (-z.0, -z.1));
        store(scaled(seven, times(exp, g3)), third);
    }
}

#[inline(always)]
fn push_moments<S: Simd>(
    simd: S,
    y: RowsMut<'_>,
    turn: Rows<'_>,
    responses: [Rows<'_>; MOMENTS],
    gains: &[f64],
    moments: &[f64; MOMENTS],
) {
    let [m0, m1, m2, m3] = moments.map(|moment| Lanes::splat(simd, moment));
    let state = pairs_mut(y);
    let [r0, r1, r2, r3] = responses;
    let given = pairs(r0).zip(pairs(r1)).zip(pairs(r2).zip(pairs(r3))).zip(groups(gains));
    for (((re, im), turn), (((r0, r1), (r2, r3)), gain)) in state.zip(pairs(turn)).zip(given) {
        let (a, b, gain) = (load(simd, re), load(simd, im), load(simd, gain));
        let (rotation_re, rotation_im) = (load(simd, turn.0), load(simd, turn.1));
        let sum = |r0, r1, r2, r3| {
            let (low, high) = (load(simd, r0) * m0, load(simd, r2) * m2);
            load(simd, r1).mul_add(m1, low) + load(simd, r3).mul_add(m3, high)
        };
        let (given_re, given_im) = (sum(r0.0, r1.0, r2.0, r3.0), sum(r0.1, r1.1, r2.1, r3.1));
        rotation_re.mul_add(a, (-rotation_im).mul_add(b, gain * given_re)).store_array(re);
        rotation_re.mul_add(b, rotation_im.mul_add(a, gain * given_im)).store_array(im);
    }
}

/// Group by group, so that state and coefficients are fetched once.
#[inline(always)]
fn push_and_hear<S: Simd>(
    simd: S,
    y: RowsMut<'_>,
    turn: Rows<'_>,
    [r0, r1, r2, r3]: [Rows<'_>; MOMENTS],
    [gains, left, right]: [&[f64]; 3],
    forces: &[[f64; MOMENTS]],
    [out_left, out_right]: [&mut [f64]; 2],
) {
    let given = pairs(r0).zip(pairs(r1)).zip(pairs(r2).zip(pairs(r3)));
    let point = groups(gains).iter().zip(groups(left)).zip(groups(right));
    for (((re_out, im_out), turn), (((r0, r1), (r2, r3)), ((gain, left), right))) in
        pairs_mut(y).zip(pairs(turn)).zip(given.zip(point))
    {
        let gain = load(simd, gain);
        let of = |(re, im): (&Group, &Group)| (gain * load(simd, re), gain * load(simd, im));
        let (r0, r1, r2, r3) = (of(r0), of(r1), of(r2), of(r3));
        let (rotation_re, rotation_im) = (load(simd, turn.0), load(simd, turn.1));
        let (left, right) = (load(simd, left), load(simd, right));
        let (mut re, mut im) = (load(simd, re_out), load(simd, im_out));
        for ((moments, out_left), out_right) in
            forces.iter().zip(&mut *out_left).zip(&mut *out_right)
        {
            let [m0, m1, m2, m3] = moments.map(|moment| Lanes::splat(simd, moment));
            let given_re = r1.0.mul_add(m1, r0.0 * m0) + r3.0.mul_add(m3, r2.0 * m2);
            let given_im = r1.1.mul_add(m1, r0.1 * m0) + r3.1.mul_add(m3, r2.1 * m2);
            let turned = rotation_re.mul_add(re, (-rotation_im).mul_add(im, given_re));
            im = rotation_re.mul_add(im, rotation_im.mul_add(re, given_im));
            re = turned;
            *out_left += sum(left * re);
            *out_right += sum(right * re);
        }
        re.store_array(re_out);
        im.store_array(im_out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A force `P_n` over the step, by the midpoint rule on a fine grid.
    fn directly(d: f64, w: f64, h: f64, n: usize) -> (f64, f64) {
        const PARTS: usize = 20_000;
        let p = |x: f64| [1.0, x, 1.5 * x * x - 0.5, 2.5 * x * x * x - 1.5 * x][n];
        (0..PARTS).fold((0.0, 0.0), |sum, i| {
            let x = (2.0 * i as f64 + 1.0) / PARTS as f64 - 1.0;
            let left = 0.5 * h * (1.0 - x);
            let size = p(x) * (2 * n + 1) as f64 * (-d * left).exp() / PARTS as f64;
            (sum.0 + size * (w * left).cos(), sum.1 + size * (w * left).sin())
        })
    }

    #[test]
    fn every_level_gives_the_response_to_each_moment() {
        let omega: Vec<f64> =
            (0..4 * LANES).map(|i| 3.0 * 10f64.powf(5.0 * i as f64 / 31.0)).collect();
        for kernel in Kernel::all() {
            for damping in [0.0, 1e-4, 0.5] {
                let decay: Vec<f64> = omega.iter().map(|w| damping * w).collect();
                for duration_s in [1e-5, 3.7e-6, 1e-9] {
                    let mut out = [const { [0.0; 4 * LANES] }; 10];
                    let [rotation_re, rotation_im, r @ ..] = &mut out;
                    let turn = RowsMut { re: rotation_re, im: rotation_im };
                    let [a, b, c, d, e, f, g, h] = r;
                    let rows = [(a, b), (c, d), (e, f), (g, h)].map(|(re, im)| RowsMut { re, im });
                    kernel.responses(Rows { re: &decay, im: &omega }, duration_s, turn, rows);
                    for i in (0..omega.len()).step_by(3) {
                        let (d, w) = (decay[i], omega[i]);
                        let shrink = (-d * duration_s).exp();
                        let (sin, cos) = (w * duration_s).sin_cos();
                        let turned = (out[0][i] - shrink * cos).hypot(out[1][i] - shrink * sin);
                        assert!(turned < 4e-15, "{kernel:?} {w} {d} {duration_s}: turn {turned:e}");
                        for n in 0..MOMENTS {
                            // The response to P_n, whose own moment is 1/(2n+1).
                            let (re, im) = directly(d, w, duration_s, n);
                            let off = (out[2 + 2 * n][i] - re).hypot(out[3 + 2 * n][i] - im);
                            assert!(
                                off < 2e-8,
                                "{kernel:?} {w} {d} {duration_s}, moment {n}: {off:e}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_level_pushes_and_hears_as_one_after_the_other() {
        let row = |seed: u64| -> Vec<f64> {
            (0..2 * LANES as u64)
                .map(|i| ((seed * 7919 + i * 104_729) % 2003) as f64 / 1001.5 - 1.0)
                .collect()
        };
        let rows: Vec<_> = (0..15).map(row).collect();
        let pair = |n: usize| Rows { re: &rows[n], im: &rows[n + 1] };
        let responses = [pair(4), pair(6), pair(8), pair(10)];
        let forces = [[1.0, 0.3, -0.2, 0.1], [0.5, -0.3, 0.2, 0.0], [2.0, 0.1, 0.1, -0.4]];
        for kernel in Kernel::all() {
            let (mut apart, mut at_once) = ((row(0), row(1)), (row(0), row(1)));
            let (mut left, mut right) = ([0.0; 3], [0.0; 3]);
            let y = RowsMut { re: &mut at_once.0, im: &mut at_once.1 };
            let point = [&rows[12][..], &rows[13], &rows[14]];
            kernel.push_and_hear(y, pair(2), responses, point, &forces, [&mut left, &mut right]);
            for (n, moments) in forces.iter().enumerate() {
                let y = RowsMut { re: &mut apart.0, im: &mut apart.1 };
                kernel.push_moments(y, pair(2), responses, &rows[12], moments);
                let heard = kernel.hear(&rows[13], &rows[14], &apart.0);
                assert!(
                    (left[n] - heard.0).abs() < 1e-12 && (right[n] - heard.1).abs() < 1e-12,
                    "{kernel:?}"
                );
            }
            let off = at_once.0.iter().zip(&apart.0).chain(at_once.1.iter().zip(&apart.1));
            assert!(off.into_iter().all(|(a, b)| (a - b).abs() < 1e-12), "{kernel:?}");
        }
    }

    #[test]
    fn a_constant_force_is_its_first_moment() {
        let omega: Vec<f64> = (1..=LANES).map(|i| 1e4 * i as f64).collect();
        let decay = [30.0; LANES];
        let kernel = Kernel::best();
        let mut out = [const { [0.0; LANES] }; 10];
        let [rotation_re, rotation_im, a, b, c, d, e, f, g, h] = &mut out;
        let rows = [(a, b), (c, d), (e, f), (g, h)].map(|(re, im)| RowsMut { re, im });
        kernel.responses(
            Rows { re: &decay, im: &omega },
            1e-5,
            RowsMut { re: rotation_re, im: rotation_im },
            rows,
        );
        let mut exact = [const { [0.0; LANES] }; 4];
        let [rotation_re, rotation_im, force_response_re, force_response_im] = &mut exact;
        let (turn, force_response) = (
            RowsMut { re: rotation_re, im: rotation_im },
            RowsMut { re: force_response_re, im: force_response_im },
        );
        kernel.exponential(&decay, &omega, 1e-5, turn, force_response);
        for i in 0..LANES {
            for row in 0..4 {
                let scale = if row < 2 { 1.0 } else { 1e-5 };
                assert!((scale * out[row][i] - exact[row][i]).abs() < 1e-14 * scale, "{row} {i}");
            }
        }
    }
}
