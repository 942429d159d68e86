//! The peak rate of multiply-adds of the machine.

use std::hint::black_box;

use fearless_simd::{Level, Simd, dispatch, f32x16, prelude::*};

const STEPS: usize = 20_000;

/// Time of one multiply-add of one `f32` lane in independent chains, ns.
pub fn ns_per_lane_f32(level: Level) -> f64 {
    // As many chains as fit into the registers: 32 of 16 lanes, else 16 of 8 or 4.
    let chains = dispatch!(level, simd => chains(simd));
    let ns = crate::shortest(|| {
        black_box(dispatch!(level, simd => run(simd)));
    });
    ns / (STEPS * chains * 16) as f64
}

#[inline(always)]
fn chains<S: Simd>(_: S) -> usize {
    match S::f32s::LEN {
        16 => 12,
        8 => 6,
        _ => 3,
    }
}

#[inline(always)]
fn run<S: Simd>(simd: S) -> f32 {
    match S::f32s::LEN {
        16 => chained::<S, 12>(simd),
        8 => chained::<S, 6>(simd),
        _ => chained::<S, 3>(simd),
    }
}

#[inline(always)]
fn chained<S: Simd, const N: usize>(simd: S) -> f32 {
    let (a, b) = (f32x16::splat(simd, black_box(0.999)), f32x16::splat(simd, black_box(0.001)));
    // All different, so that the compiler does not merge them.
    let mut x: [f32x16<S>; N] =
        std::array::from_fn(|i| f32x16::from_fn(simd, |j| black_box((16 * i + j) as f32)));
    for _ in 0..STEPS {
        for x in &mut x {
            *x = x.mul_add(a, b);
        }
    }
    x.into_iter().fold(f32x16::splat(simd, 0.0), |sum, x| sum + x).to_array().into_iter().sum()
}
