//! Displacement, mobility and bounds of a coupled body, and further forces on it.

use fearless_simd::{Simd, dispatch, prelude::*};

use super::{Kernel, Lanes, Rows, RowsMut, groups, groups_mut, load, sum};

impl Kernel {
    /// Sum of `a b/(1 + (omega time)^2)`: inverse of the mass that a push of this duration feels.
    pub fn inverse_mass(self, a: &[f64], b: &[f64], omega: &[f64], time: f64) -> f64 {
        dispatch!(self.0, simd => inverse_mass(simd, a, b, omega, time))
    }

    /// Sum of a b c.
    pub fn dot3(self, a: &[f64], b: &[f64], c: &[f64]) -> f64 {
        dispatch!(self.0, simd => dot3(simd, a, b, c))
    }

    /// Sum of a b c d.
    pub fn dot4(self, a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> f64 {
        dispatch!(self.0, simd => dot4(simd, a, b, c, d))
    }

    /// Sum of `shape Im((i - decay_ratio) force_response y)`: free displacement of the surface in a
    /// step.
    pub fn free_displacement(
        self,
        shape: &[f64],
        decay_ratio: &[f64],
        force_response: Rows<'_>,
        y: Rows<'_>,
    ) -> f64 {
        dispatch!(self.0, simd => free_displacement(simd, [shape, decay_ratio], force_response, y))
    }

    /// Moves a point: `shape += by`, `gain = shape per_mass`.
    pub fn glide(self, shape: &mut [f64], gain: &mut [f64], by: &[f64], per_mass: &[f64]) {
        dispatch!(self.0, simd => glide(simd, shape, gain, by, per_mass));
    }

    /// Sums of `|shape| |y| scale` for two scales: upper bounds on the motion of all modes
    /// together.
    pub fn bounds(self, shape: &[f64], scales: [&[f64]; 2], y: Rows<'_>) -> (f64, f64) {
        dispatch!(self.0, simd => bounds(simd, shape, scales, y))
    }

    /// Bounds for three scales, and the sum of `shape Im y` times the first scale.
    ///
    /// Bit-identical to [`bounds`](Self::bounds) and [`dot3`](Self::dot3), in one pass.
    pub fn motion_bounds(self, shape: &[f64], scales: [&[f64]; 3], y: Rows<'_>) -> [f64; 4] {
        dispatch!(self.0, simd => motion_bounds(simd, shape, scales, y))
    }

    /// Adds the response to one more force: `force_response gain F`.
    pub fn add_force(self, y: RowsMut<'_>, force_response: Rows<'_>, gains: &[f64], force_n: f64) {
        dispatch!(self.0, simd => add_force(simd, y, force_response, gains, force_n));
    }
}

#[inline(always)]
fn inverse_mass<S: Simd>(simd: S, a: &[f64], b: &[f64], omega: &[f64], time: f64) -> f64 {
    let (one, time) = (Lanes::splat(simd, 1.0), Lanes::splat(simd, time));
    let mut total = Lanes::splat(simd, 0.0);
    for ((a, b), omega) in groups(a).iter().zip(groups(b)).zip(groups(omega)) {
        let swing = load(simd, omega) * time;
        total += load(simd, a) * load(simd, b) / swing.mul_add(swing, one);
    }
    sum(total)
}

#[inline(always)]
fn dot3<S: Simd>(simd: S, a: &[f64], b: &[f64], c: &[f64]) -> f64 {
    let mut total = Lanes::splat(simd, 0.0);
    for ((a, b), c) in groups(a).iter().zip(groups(b)).zip(groups(c)) {
        total = (load(simd, a) * load(simd, b)).mul_add(load(simd, c), total);
    }
    sum(total)
}

#[inline(always)]
fn dot4<S: Simd>(simd: S, a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> f64 {
    let mut total = Lanes::splat(simd, 0.0);
    let (left, right) = (groups(a).iter().zip(groups(b)), groups(c).iter().zip(groups(d)));
    for ((a, b), (c, d)) in left.zip(right) {
        total = (load(simd, a) * load(simd, b)).mul_add(load(simd, c) * load(simd, d), total);
    }
    sum(total)
}

/// `Im((i - decay_ratio) force_response y)`: the change of displacement in a step.
#[inline(always)]
pub(super) fn change<S: Simd>(
    decay_ratio: Lanes<S>,
    force_response: (Lanes<S>, Lanes<S>),
    y: (Lanes<S>, Lanes<S>),
) -> Lanes<S> {
    let (lean, loss) = (
        force_response.0 - decay_ratio * force_response.1,
        decay_ratio.mul_add(force_response.0, force_response.1),
    );
    lean.mul_sub(y.0, loss * y.1)
}

#[inline(always)]
fn free_displacement<S: Simd>(
    simd: S,
    [shape, decay_ratio]: [&[f64]; 2],
    force_response: Rows<'_>,
    y: Rows<'_>,
) -> f64 {
    let mut total = Lanes::splat(simd, 0.0);
    let state = groups(y.re).iter().zip(groups(y.im));
    let force_response = groups(force_response.re).iter().zip(groups(force_response.im));
    for (((shape, decay_ratio), (force_response_re, force_response_im)), (re, im)) in
        groups(shape).iter().zip(groups(decay_ratio)).zip(force_response).zip(state)
    {
        let force_response = (load(simd, force_response_re), load(simd, force_response_im));
        let change =
            change(load(simd, decay_ratio), force_response, (load(simd, re), load(simd, im)));
        total = load(simd, shape).mul_add(change, total);
    }
    sum(total)
}

#[inline(always)]
fn glide<S: Simd>(simd: S, shape: &mut [f64], gain: &mut [f64], by: &[f64], per_mass: &[f64]) {
    let rows = groups_mut(shape).iter_mut().zip(groups_mut(gain));
    for ((shape, gain), (by, per_mass)) in rows.zip(groups(by).iter().zip(groups(per_mass))) {
        let moved = load(simd, shape) + load(simd, by);
        moved.store_array(shape);
        (moved * load(simd, per_mass)).store_array(gain);
    }
}

#[inline(always)]
fn bounds<S: Simd>(simd: S, shape: &[f64], scales: [&[f64]; 2], y: Rows<'_>) -> (f64, f64) {
    let zero = Lanes::splat(simd, 0.0);
    let (mut a, mut b) = (zero, zero);
    let state = groups(y.re).iter().zip(groups(y.im));
    let scales = groups(scales[0]).iter().zip(groups(scales[1]));
    for ((shape, (scale_a, scale_b)), (re, im)) in groups(shape).iter().zip(scales).zip(state) {
        let (re, im) = (load(simd, re), load(simd, im));
        let size = load(simd, shape).abs() * re.mul_add(re, im * im).sqrt();
        a = size.mul_add(load(simd, scale_a), a);
        b = size.mul_add(load(simd, scale_b), b);
    }
    (sum(a), sum(b))
}

#[inline(always)]
fn motion_bounds<S: Simd>(simd: S, shape: &[f64], [a, b, c]: [&[f64]; 3], y: Rows<'_>) -> [f64; 4] {
    let zero = Lanes::splat(simd, 0.0);
    let (mut sum_a, mut sum_b, mut sum_c, mut bent) = (zero, zero, zero, zero);
    let state = groups(y.re).iter().zip(groups(y.im));
    let scales = groups(a).iter().zip(groups(b)).zip(groups(c));
    for ((shape, ((a, b), c)), (re, im)) in groups(shape).iter().zip(scales).zip(state) {
        let (re, im, shape, a) = (load(simd, re), load(simd, im), load(simd, shape), load(simd, a));
        let size = shape.abs() * re.mul_add(re, im * im).sqrt();
        sum_a = size.mul_add(a, sum_a);
        sum_b = size.mul_add(load(simd, b), sum_b);
        sum_c = size.mul_add(load(simd, c), sum_c);
        bent = (shape * im).mul_add(a, bent);
    }
    [sum(sum_a), sum(sum_b), sum(sum_c), sum(bent)]
}

#[inline(always)]
fn add_force<S: Simd>(
    simd: S,
    y: RowsMut<'_>,
    force_response: Rows<'_>,
    gains: &[f64],
    force_n: f64,
) {
    let force_n = Lanes::splat(simd, force_n);
    for (row, force_response) in [(y.re, force_response.re), (y.im, force_response.im)] {
        for ((out, force_response), gain) in
            groups_mut(row).iter_mut().zip(groups(force_response)).zip(groups(gains))
        {
            (load(simd, gain) * force_n)
                .mul_add(load(simd, force_response), load(simd, out))
                .store_array(out);
        }
    }
}

impl Kernel {
    /// Advances one step under a force, `y -> rotation y + force_response gain F`, then moves
    /// `point`, the shape and gain of the contact.
    ///
    /// Returns the free displacement there in the next step, and what one newton adds. `rows` are
    /// 1/mass, the change of the shape, decay ratio and 1/omega. One pass instead of four.
    pub fn push_and_glide(
        self,
        y: RowsMut<'_>,
        rotation: Rows<'_>,
        force_response: Rows<'_>,
        point: [&mut [f64]; 2],
        rows: [&[f64]; 4],
        force_n: f64,
    ) -> (f64, f64) {
        dispatch!(self.0, simd => push_and_glide(simd, y, rotation, force_response, point, rows, force_n))
    }
}

#[inline(always)]
fn push_and_glide<S: Simd>(
    simd: S,
    y: RowsMut<'_>,
    rotation: Rows<'_>,
    force_response: Rows<'_>,
    [shape, gain]: [&mut [f64]; 2],
    [per_mass, by, decay_ratio, per_omega]: [&[f64]; 4],
    force_n: f64,
) -> (f64, f64) {
    let force_n = Lanes::splat(simd, force_n);
    let (mut free, mut mobility) = (Lanes::splat(simd, 0.0), Lanes::splat(simd, 0.0));
    let y = groups_mut(y.re).iter_mut().zip(groups_mut(y.im));
    let rotation = groups(rotation.re).iter().zip(groups(rotation.im));
    let force_response = groups(force_response.re).iter().zip(groups(force_response.im));
    let point = groups_mut(shape).iter_mut().zip(groups_mut(gain));
    let rows = groups(per_mass)
        .iter()
        .zip(groups(by))
        .zip(groups(decay_ratio).iter().zip(groups(per_omega)));
    for (
        (((y, rotation), force_response), (shape, gain)),
        ((per_mass, by), (decay_ratio, per_omega)),
    ) in y.zip(rotation).zip(force_response).zip(point).zip(rows)
    {
        let [rotation, force_response] =
            [rotation, force_response].map(|(re, im)| (load(simd, re), load(simd, im)));
        let (re, im, push) = (load(simd, y.0), load(simd, y.1), load(simd, gain) * force_n);
        let now_re = rotation.0.mul_add(re, (-rotation.1).mul_add(im, force_response.0 * push));
        let now_im = rotation.0.mul_add(im, rotation.1.mul_add(re, force_response.1 * push));
        now_re.store_array(y.0);
        now_im.store_array(y.1);
        let moved = load(simd, shape) + load(simd, by);
        let moved_gain = moved * load(simd, per_mass);
        moved.store_array(shape);
        moved_gain.store_array(gain);
        free =
            moved.mul_add(change(load(simd, decay_ratio), force_response, (now_re, now_im)), free);
        mobility = (moved * moved_gain).mul_add(force_response.1 * load(simd, per_omega), mobility);
    }
    (sum(free), sum(mobility))
}
