//! What one step of any length does to a mode.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::{Kernel, Lanes, Rows, RowsMut, groups, groups_mut, largest, load};

/// Largest |z| of which the series is taken; what is larger is halved before and doubled after.
const SERIES_REACH: f64 = 0.125;
/// Terms of the series: at its reach what is left out is 2e-17 of the sum.
const TERMS: usize = 11;
/// Doublings at most: |z| up to 2^29, and no step turns a mode by more than half a circle.
const MAX_DOUBLINGS: u32 = 32;

impl Kernel {
    /// For each mode of `s = -decay + i omega` (1/s): `turn = e^(s h)` and `force_response = (e^(s
    /// h) - 1)/s`, over `h` = `duration_s`. Modes without frequency get `force_response = 0`.
    ///
    /// `e^z - 1` is summed as a series in z = s h, so that nothing cancels however short the step,
    /// and doubled by `e^2z - 1 = (e^z - 1)(e^z + 1)`. Within 4e-15 of turn and hold for |z| up to
    /// 3.
    pub fn exponential(
        self,
        decay: &[f64],
        omega: &[f64],
        duration_s: f64,
        turn: RowsMut<'_>,
        force_response: RowsMut<'_>,
    ) {
        dispatch!(self.0, simd => exponential(simd, Rows { re: decay, im: omega }, duration_s, turn, force_response));
    }
}

#[inline(always)]
fn exponential<S: Simd>(
    simd: S,
    s: Rows<'_>,
    duration_s: f64,
    turn: RowsMut<'_>,
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

    let turn = groups_mut(turn.re).iter_mut().zip(groups_mut(turn.im));
    let force_response =
        groups_mut(force_response.re).iter_mut().zip(groups_mut(force_response.im));
    for (((d, w), (rotation_re, rotation_im)), (force_response_re, force_response_im)) in
        decay.iter().zip(omega).zip(turn).zip(force_response)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::LANES;

    #[test]
    fn every_level_gives_the_exponential_of_any_step() {
        let omega: Vec<f64> =
            (0..4 * LANES).map(|i| 3.0 * 10f64.powf(5.0 * i as f64 / 31.0)).collect();
        for kernel in Kernel::all() {
            for damping in [0.0, 1e-4, 0.3] {
                let decay: Vec<f64> = omega.iter().map(|w| damping * w).collect();
                for duration_s in [1e-5, 3.7e-6, 1e-9, 1e-14] {
                    let mut out = [const { [0.0; 4 * LANES] }; 4];
                    let [rotation_re, rotation_im, force_response_re, force_response_im] = &mut out;
                    let turn = RowsMut { re: rotation_re, im: rotation_im };
                    let force_response = RowsMut { re: force_response_re, im: force_response_im };
                    kernel.exponential(&decay, &omega, duration_s, turn, force_response);
                    for i in 0..omega.len() {
                        let (d, w) = (decay[i], omega[i]);
                        let (sin, cos) = (w * duration_s).sin_cos();
                        let shrink_less_1 = (-d * duration_s).exp_m1();
                        let half = (0.5 * w * duration_s).sin();
                        let re = shrink_less_1 * cos - 2.0 * half * half;
                        let im = (1.0 + shrink_less_1) * sin;
                        let turned = (rotation_re[i] - (1.0 + re)).hypot(rotation_im[i] - im);
                        assert!(turned < 4e-15, "{kernel:?} {w} {d} {duration_s}: turn {turned:e}");
                        let size = d * d + w * w;
                        let wanted = ((-d * re + w * im) / size, (-d * im - w * re) / size);
                        let held = (force_response_re[i] - wanted.0)
                            .hypot(force_response_im[i] - wanted.1)
                            / wanted.0.hypot(wanted.1);
                        assert!(held < 4e-15, "{kernel:?} {w} {d} {duration_s}: hold {held:e}");
                    }
                }
            }
        }
    }
}
