//! Step coefficients of any length, and modes under a force given by its Legendre moments.
//!
//! A mode `y' = s y + F` ends a time h with `e^(s h) y + e^(s h/2) integral of F e^(-s t) dt`, t
//! from the middle. With z = s h/2 and `e^(-z x) = sum of (2n+1) (-1)^n i_n(z) P_n(x)` (Abramowitz
//! and Stegun, 10.2.36) the integral is a sum over the moments of F. The modified spherical Bessel
//! functions are `i_n = z^n g_n(z^2)`; g_3 and g_2 are summed as series, and the others, cosh and
//! sinh follow without cancellation.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::{Group, Kernel, Lanes, Rows, RowsMut, groups, groups_mut, largest, load, sum};

/// Largest |z| for the series; larger ones are halved before and doubled after.
const SERIES_REACH: f64 = 0.125;
/// Terms of the series: the remainder at the largest |z| is 2e-17 of the sum.
const TERMS: usize = 11;
/// Largest number of doublings: |z| up to 2^29, while no step turns a mode by more than half a
/// circle.
const MAX_DOUBLINGS: u32 = 32;

impl Kernel {
    /// Computes `rotation = e^(s h)` and `force_response = (e^(s h) - 1)/s` for each mode of `s =
    /// -decay + i omega` (1/s), over `h` = `duration_s`.
    ///
    /// Modes without frequency get `force_response = 0`. `e^z - 1` is summed as a series in z = s
    /// h, so that nothing cancels however short the step, and doubled by `e^2z - 1 = (e^z - 1)(e^z
    /// + 1)`. Both are within 4e-15 for |z| up to 3.
    pub fn exponential(
        self,
        decay: &[f64],
        omega: &[f64],
        duration_s: f64,
        rotation: RowsMut<'_>,
        force_response: RowsMut<'_>,
    ) {
        dispatch!(self.0, simd => exponential(simd, Rows { re: decay, im: omega }, duration_s, rotation, force_response));
    }
}

#[inline(always)]
fn exponential<S: Simd>(
    simd: S,
    s: Rows<'_>,
    duration_s: f64,
    rotation: RowsMut<'_>,
    force_response: RowsMut<'_>,
) {
    let (decay, omega) = (groups(s.re), groups(s.im));
    let mut max = Lanes::splat(simd, 0.0);
    for (d, w) in decay.iter().zip(omega) {
        let (d, w) = (load(simd, d), load(simd, w));
        max = max.max(d.mul_add(d, w * w));
    }
    let max = largest(max).sqrt() * duration_s;
    let mut doublings = 0;
    while max > SERIES_REACH * f64::from(1u32 << doublings.min(31)) && doublings < MAX_DOUBLINGS {
        doublings += 1;
    }
    let h = Lanes::splat(simd, duration_s * 0.5f64.powi(doublings as i32));
    let (one, two, min) =
        (Lanes::splat(simd, 1.0), Lanes::splat(simd, 2.0), Lanes::splat(simd, f64::MIN_POSITIVE));

    let rotation = groups_mut(rotation.re).iter_mut().zip(groups_mut(rotation.im));
    let force_response =
        groups_mut(force_response.re).iter_mut().zip(groups_mut(force_response.im));
    for (((d, w), (rotation_re, rotation_im)), (force_response_re, force_response_im)) in
        decay.iter().zip(omega).zip(rotation).zip(force_response)
    {
        let (minus_d, w) = (-load(simd, d), load(simd, w));
        let (x, y) = (minus_d * h, w * h);
        // z (1 + z/2 (1 + z/3 (1 + ...))), from the inside
        let (mut re, mut im) = (one, Lanes::splat(simd, 0.0));
        for n in (2..=TERMS).rev() {
            let share = Lanes::splat(simd, 1.0 / n as f64);
            let (xn, yn) = (x * share, y * share);
            (re, im) = (xn.mul_add(re, one) - yn * im, xn.mul_add(im, yn * re));
        }
        (re, im) = (x.mul_sub(re, y * im), x.mul_add(im, y * re));
        for _ in 0..doublings {
            let less = im * im;
            im = (two * im).mul_add(re, two * im);
            re = re.mul_add(re, two * re) - less;
        }
        (one + re).store_array(rotation_re);
        im.store_array(rotation_im);
        let size = minus_d.mul_add(minus_d, w * w).max(min);
        (minus_d.mul_add(re, w * im) / size).store_array(force_response_re);
        (minus_d.mul_sub(im, w * re) / size).store_array(force_response_im);
    }
}

/// Number of Legendre moments of a force.
pub const MOMENTS: usize = 4;

/// Largest number of terms: no mode below half the sample rate needs more than ten for a sample.
const MAX_TERMS: u32 = 40;

impl Kernel {
    /// Computes `rotation = e^(s h)` and the response to each moment of a force over `h` =
    /// `duration_s` for each mode of `s = -decay + i omega` (1/s). Modes without frequency do not
    /// respond.
    pub fn responses(
        self,
        s: Rows<'_>,
        duration_s: f64,
        rotation: RowsMut<'_>,
        into: [RowsMut<'_>; MOMENTS],
    ) {
        dispatch!(self.0, simd => compute_responses(simd, s, duration_s, rotation, into));
    }

    /// Advances every mode under a force: `y -> rotation y + gain (sum of response times moment)`.
    pub fn push_moments(
        self,
        y: RowsMut<'_>,
        rotation: Rows<'_>,
        responses: [Rows<'_>; MOMENTS],
        gains: &[f64],
        moments: &[f64; MOMENTS],
    ) {
        dispatch!(self.0, simd => push_moments(simd, y, rotation, responses, gains, moments));
    }
}

impl Kernel {
    /// Like [`Self::push_moments`] for several equal steps, one for each of `forces`; adds both
    /// pickups after each step to `out`.
    pub fn push_and_hear(
        self,
        y: RowsMut<'_>,
        rotation: Rows<'_>,
        responses: [Rows<'_>; MOMENTS],
        [gains, left, right]: [&[f64]; 3],
        forces: &[[f64; MOMENTS]],
        out: [&mut [f64]; 2],
    ) {
        dispatch!(self.0, simd => push_and_hear(simd, y, rotation, responses, [gains, left, right], forces, out));
    }
}

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
fn compute_responses<S: Simd>(
    simd: S,
    s: Rows<'_>,
    duration_s: f64,
    rotation: RowsMut<'_>,
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
    let out = pairs_mut(rotation)
        .zip(pairs_mut(zeroth))
        .zip(pairs_mut(first).zip(pairs_mut(second)).zip(pairs_mut(third)));
    for ((d, w), ((rotation, zeroth), ((first, second), third))) in decay.iter().zip(omega).zip(out)
    {
        let (minus_d, w) = (-load(simd, d), load(simd, w));
        let z = (minus_d * half, w * half);
        let z2 = times(z, z);
        let g3 = bessel(simd, 3, z2, terms, 1.0 / 105.0);
        let g2 = bessel(simd, 2, z2, terms, 1.0 / 15.0);
        let g1 = plus(scaled(five, g2), times(z2, g3));
        let g0 = plus(scaled(three, g1), times(z2, g2));
        // cosh z + sinh z
        let exp = plus(plus(g0, times(z2, g1)), times(z, g0));
        store(times(exp, exp), rotation);
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
    rotation: Rows<'_>,
    responses: [Rows<'_>; MOMENTS],
    gains: &[f64],
    moments: &[f64; MOMENTS],
) {
    let [m0, m1, m2, m3] = moments.map(|moment| Lanes::splat(simd, moment));
    let state = pairs_mut(y);
    let [r0, r1, r2, r3] = responses;
    let given = pairs(r0).zip(pairs(r1)).zip(pairs(r2).zip(pairs(r3))).zip(groups(gains));
    for (((re, im), rotation), (((r0, r1), (r2, r3)), gain)) in
        state.zip(pairs(rotation)).zip(given)
    {
        let (a, b, gain) = (load(simd, re), load(simd, im), load(simd, gain));
        let (rotation_re, rotation_im) = (load(simd, rotation.0), load(simd, rotation.1));
        let sum = |r0, r1, r2, r3| {
            let (low, high) = (load(simd, r0) * m0, load(simd, r2) * m2);
            load(simd, r1).mul_add(m1, low) + load(simd, r3).mul_add(m3, high)
        };
        let (given_re, given_im) = (sum(r0.0, r1.0, r2.0, r3.0), sum(r0.1, r1.1, r2.1, r3.1));
        rotation_re.mul_add(a, (-rotation_im).mul_add(b, gain * given_re)).store_array(re);
        rotation_re.mul_add(b, rotation_im.mul_add(a, gain * given_im)).store_array(im);
    }
}

/// Group by group, so that state and coefficients are loaded once.
#[inline(always)]
fn push_and_hear<S: Simd>(
    simd: S,
    y: RowsMut<'_>,
    rotation: Rows<'_>,
    [r0, r1, r2, r3]: [Rows<'_>; MOMENTS],
    [gains, left, right]: [&[f64]; 3],
    forces: &[[f64; MOMENTS]],
    [out_left, out_right]: [&mut [f64]; 2],
) {
    let given = pairs(r0).zip(pairs(r1)).zip(pairs(r2).zip(pairs(r3)));
    let point = groups(gains).iter().zip(groups(left)).zip(groups(right));
    for (((re_out, im_out), rotation), (((r0, r1), (r2, r3)), ((gain, left), right))) in
        pairs_mut(y).zip(pairs(rotation)).zip(given.zip(point))
    {
        let gain = load(simd, gain);
        let of = |(re, im): (&Group, &Group)| (gain * load(simd, re), gain * load(simd, im));
        let (r0, r1, r2, r3) = (of(r0), of(r1), of(r2), of(r3));
        let (rotation_re, rotation_im) = (load(simd, rotation.0), load(simd, rotation.1));
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
