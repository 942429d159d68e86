//! Loops over the modes, in whole groups, so that the compiler sees vectors. Sums run in a fixed order.

use super::super::LANES;

/// A row in groups.
fn groups(row: &[f64]) -> &[[f64; LANES]] {
    row.as_chunks::<LANES>().0
}

fn sum(lanes: [f64; LANES]) -> f64 {
    let mut lanes = lanes;
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for i in 0..width {
            lanes[i] += lanes[i + width];
        }
    }
    lanes[0]
}

/// Sum of `a b/(1 + (omega time)^2)`.
pub(super) fn lightness(a: &[f64], b: &[f64], omega: &[f64], time: f64) -> f64 {
    let mut total = [0.0; LANES];
    for ((a, b), omega) in groups(a).iter().zip(groups(b)).zip(groups(omega)) {
        for i in 0..LANES {
            let swing = omega[i] * time;
            total[i] += a[i] * b[i] / (1.0 + swing * swing);
        }
    }
    sum(total)
}

/// Sum of a b c.
pub(super) fn dot3(a: &[f64], b: &[f64], c: &[f64]) -> f64 {
    let mut total = [0.0; LANES];
    for ((a, b), c) in groups(a).iter().zip(groups(b)).zip(groups(c)) {
        for i in 0..LANES {
            total[i] += a[i] * b[i] * c[i];
        }
    }
    sum(total)
}

/// Sum of `shape (lean_im re + lean_re im)`: how far the surface goes in a step.
pub(super) fn lean(shape: &[f64], lean_re: &[f64], lean_im: &[f64], re: &[f64], im: &[f64]) -> f64 {
    let mut total = [0.0; LANES];
    let state = groups(re).iter().zip(groups(im));
    let steps = groups(lean_re).iter().zip(groups(lean_im));
    for ((shape, (lean_re, lean_im)), (re, im)) in groups(shape).iter().zip(steps).zip(state) {
        for i in 0..LANES {
            total[i] += shape[i] * (lean_im[i] * re[i] + lean_re[i] * im[i]);
        }
    }
    sum(total)
}

/// `y <- turn y`.
pub(super) fn turn(re: &mut [f64], im: &mut [f64], turn_re: &[f64], turn_im: &[f64]) {
    let state = re.as_chunks_mut::<LANES>().0.iter_mut().zip(im.as_chunks_mut::<LANES>().0);
    for ((re, im), (turn_re, turn_im)) in state.zip(groups(turn_re).iter().zip(groups(turn_im))) {
        for i in 0..LANES {
            let turned = turn_re[i] * re[i] - turn_im[i] * im[i];
            im[i] = turn_im[i] * re[i] + turn_re[i] * im[i];
            re[i] = turned;
        }
    }
}

/// `y <- turn y + gain hold force`.
#[allow(clippy::too_many_arguments, reason = "these are the rows there are")]
pub(super) fn push(
    re: &mut [f64],
    im: &mut [f64],
    turn_re: &[f64],
    turn_im: &[f64],
    gain: &[f64],
    hold_re: &[f64],
    hold_im: &[f64],
    force: f64,
) {
    let state = re.as_chunks_mut::<LANES>().0.iter_mut().zip(im.as_chunks_mut::<LANES>().0);
    let turns = groups(turn_re).iter().zip(groups(turn_im));
    let holds = groups(hold_re).iter().zip(groups(hold_im));
    for ((((re, im), (turn_re, turn_im)), (hold_re, hold_im)), gain) in state.zip(turns).zip(holds).zip(groups(gain)) {
        for i in 0..LANES {
            let pushed = gain[i] * force;
            let turned = turn_re[i] * re[i] - turn_im[i] * im[i] + hold_re[i] * pushed;
            im[i] = turn_im[i] * re[i] + turn_re[i] * im[i] + hold_im[i] * pushed;
            re[i] = turned;
        }
    }
}

/// `row <- row + gain hold force`.
pub(super) fn add(row: &mut [f64], gain: &[f64], hold: &[f64], force: f64) {
    let rows = row.as_chunks_mut::<LANES>().0.iter_mut();
    for (row, (gain, hold)) in rows.zip(groups(gain).iter().zip(groups(hold))) {
        for i in 0..LANES {
            row[i] += gain[i] * force * hold[i];
        }
    }
}

/// Sums of `|shape| |y| scale` for two scales: what all modes together can reach.
pub(super) fn bounds(shape: &[f64], scale_a: &[f64], scale_b: &[f64], re: &[f64], im: &[f64]) -> (f64, f64) {
    let (mut a, mut b) = ([0.0; LANES], [0.0; LANES]);
    let state = groups(re).iter().zip(groups(im));
    let scales = groups(scale_a).iter().zip(groups(scale_b));
    for ((shape, (scale_a, scale_b)), (re, im)) in groups(shape).iter().zip(scales).zip(state) {
        for i in 0..LANES {
            let size = shape[i].abs() * (re[i] * re[i] + im[i] * im[i]).sqrt();
            a[i] += size * scale_a[i];
            b[i] += size * scale_b[i];
        }
    }
    (sum(a), sum(b))
}
