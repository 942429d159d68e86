//! A plain implementation of the bank for comparison: structure of arrays with modes in lanes, one
//! sample after the other, sums in registers, with the vectors and instruction set of the bank.

use std::hint::black_box;

use fearless_simd::{Level, Simd, dispatch, f32x16, f64x8, prelude::*};

use crate::BLOCK;

/// Rows of state, turns and gains.
struct Bank<T> {
    rows: [Vec<T>; 6],
}

impl<T> Bank<T> {
    fn new(modes: usize, of: impl Fn(f64) -> T) -> Self {
        let row = |f: &dyn Fn(f64) -> f64| (0..modes).map(|i| of(f(i as f64))).collect::<Vec<T>>();
        let turn = |i: f64| (0.01 * (i + 1.0), 0.999_999);
        Self {
            rows: [
                row(&|_| 1.0),
                row(&|_| 0.0),
                row(&|i| turn(i).1 * turn(i).0.cos()),
                row(&|i| turn(i).1 * turn(i).0.sin()),
                row(&|_| 0.3),
                row(&|_| -0.2),
            ],
        }
    }
}

/// Both loops are the same but for the vector.
macro_rules! plain {
    ($name:ident, $ring:ident, $float:ty, $vector:ident, $lanes:literal) => {
        /// Time of one mode and sample, ns.
        pub fn $name(level: Level, modes: usize) -> f64 {
            let mut bank = Bank::new(modes, |x| x as $float);
            let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
            let blocks = 64 * 64 / modes;
            let ns = crate::shortest(|| {
                for _ in 0..blocks {
                    dispatch!(level, simd => $ring(simd, &mut bank, &mut left, &mut right));
                    black_box((&mut left, &mut right));
                }
            });
            ns / (blocks * BLOCK * modes) as f64
        }

        #[inline(always)]
        fn $ring<S: Simd>(
            simd: S,
            bank: &mut Bank<$float>,
            left: &mut [$float; BLOCK],
            right: &mut [$float; BLOCK],
        ) {
            let [re, im, rotation_re, rotation_im, gain_left, gain_right] = &mut bank.rows;
            let (re, im) = (re.as_chunks_mut::<$lanes>().0, im.as_chunks_mut::<$lanes>().0);
            let (rotation_re, rotation_im) = (rotation_re.as_chunks::<$lanes>().0, rotation_im.as_chunks::<$lanes>().0);
            let (gain_left, gain_right) = (gain_left.as_chunks::<$lanes>().0, gain_right.as_chunks::<$lanes>().0);
            let load = |x: &[$float; $lanes]| $vector::load_array_ref(simd, x);
            for (left, right) in left.iter_mut().zip(right) {
                let (mut sum_left, mut sum_right) = ($vector::splat(simd, 0.0), $vector::splat(simd, 0.0));
                let gains = gain_left.iter().zip(gain_right);
                let turns = rotation_re.iter().zip(rotation_im);
                for (((re, im), (rotation_re, rotation_im)), gain) in re.iter_mut().zip(&mut *im).zip(turns).zip(gains) {
                    let (rotation_re, rotation_im, x, y) = (load(rotation_re), load(rotation_im), load(re), load(im));
                    let turned = rotation_re.mul_sub(x, rotation_im * y);
                    rotation_re.mul_add(y, rotation_im * x).store_array(im);
                    turned.store_array(re);
                    sum_left = load(gain.0).mul_add(turned, sum_left);
                    sum_right = load(gain.1).mul_add(turned, sum_right);
                }
                *left = sum_left.reduce_sum();
                *right = sum_right.reduce_sum();
            }
        }
    };
}

plain!(ns_f32, ring_f32, f32, f32x16, 16);
plain!(ns_f64, ring_f64, f64, f64x8, 8);
