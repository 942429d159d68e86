//! What a ball's centre sees of a surface.

/// The ball-radius filter `s_R(x) = max over q of [s(x+q) - q^2/(2R)]`, on a loop.
///
/// A ball of radius R does not reach the ground of a narrow groove, and rolls over a peak in a wide
/// arc: its lowest point follows s_R (Rath 2003, with the circle replaced by its parabola, good for
/// heights far below R). Crests of s_R are never sharper than 1/R, valleys may be kinks, in which
/// the ball knocks.
///
/// The maximum of parabolas of one shape is an upper envelope, found in one pass over the points
/// and one over the result (Felzenszwalb and Huttenlocher, "Distance transforms of sampled
/// functions", 2012). On the loop nothing further than half of it can matter, because a nearer copy
/// lies as high.
pub fn apply(heights: &[f64], step_m: f64, radius_m: f64) -> Vec<f64> {
    let n = heights.len();
    let curve = step_m * step_m / (2.0 * radius_m);
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Further away even the highest point is under the lowest.
    let reach = (((high - low) / curve).sqrt().ceil() + 1.0).min((n / 2) as f64) as usize;
    let height = |i: usize| heights[(i + n - reach) % n];

    // Summits on the envelope, and from where on each of them is the highest.
    let mut summits: Vec<usize> = Vec::with_capacity(n + 2 * reach);
    let mut from: Vec<f64> = Vec::with_capacity(n + 2 * reach);
    for i in 0..n + 2 * reach {
        let mut start = f64::NEG_INFINITY;
        while let Some(&last) = summits.last() {
            let apart = (i - last) as f64;
            start = 0.5 * (i + last) as f64 + (height(last) - height(i)) / (2.0 * curve * apart);
            if start > from[from.len() - 1] {
                break;
            }
            summits.pop();
            from.pop();
            start = f64::NEG_INFINITY;
        }
        summits.push(i);
        from.push(start);
    }
    let mut summit = 0;
    (reach..reach + n)
        .map(|i| {
            while summit + 1 < summits.len() && from[summit + 1] <= i as f64 {
                summit += 1;
            }
            let apart = i as f64 - summits[summit] as f64;
            height(summits[summit]) - curve * apart * apart
        })
        .collect()
}
