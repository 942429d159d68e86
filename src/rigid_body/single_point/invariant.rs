//! Invariant directions: slip along them keeps its direction.
//!
//! A unit vector s is invariant where `-mu B s + d = lambda s`, eq. (33): `s = (mu B + lambda)^-1
//! d` with length 1. In the principal axes of B this is `sum of d_i^2/(mu b_i + lambda)^2 = 1`,
//! which is monotonic on each outer side of the poles. So there is one root above both poles, one
//! below, and none to two between: two to four, as Theorem 5 says. The one with `lambda > 0` exists
//! exactly where friction cannot hold the contact.

use arrayvec::ArrayVec;

use super::hodograph::{Hodograph, Vec2, dot2, norm2};

/// Largest number of invariant directions, unless all are.
pub const MOST: usize = 4;

/// Largest number of iterations of a root search; bisection needs no more.
const MAX_STEPS: u32 = 100;

/// An invariant direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Invariant {
    /// Unit vector.
    pub direction: Vec2,
    /// Growth of the slip per normal impulse, 1/kg: centrifugal if positive, else centripetal.
    pub lambda_per_kg: f64,
}

impl Invariant {
    /// True if slip along it grows.
    pub fn is_centrifugal(&self) -> bool {
        self.lambda_per_kg > 0.0
    }
}

/// B in its principal axes, with d in the same axes.
struct Principal {
    low: f64,
    high: f64,
    /// Unit vector of the lower value; the other stands 90 degrees to the left.
    axis: Vec2,
    d: Vec2,
}

impl Principal {
    fn new(flow: &Hodograph) -> Self {
        let (mean, half) = (0.5 * (flow.b[0] + flow.b[2]), 0.5 * (flow.b[0] - flow.b[2]));
        let radius = half.hypot(flow.b[1]);
        // The form of the axis without cancellation.
        let raw =
            if half > 0.0 { [-flow.b[1], half + radius] } else { [radius - half, -flow.b[1]] };
        let length = norm2(raw);
        let axis = if length > 0.0 { [raw[0] / length, raw[1] / length] } else { [1.0, 0.0] };
        let d = [dot2(axis, flow.d), dot2([-axis[1], axis[0]], flow.d)];
        Self { low: flow.mu * (mean - radius), high: flow.mu * (mean + radius), axis, d }
    }

    fn world(&self, s: Vec2) -> Vec2 {
        let [x, y] = self.axis;
        [x * s[0] - y * s[1], y * s[0] + x * s[1]]
    }

    /// `sqrt(sum d_i^2/(mu b_i + lambda)^2)`.
    fn length(&self, lambda: f64) -> f64 {
        (self.d[0] / (self.low + lambda)).hypot(self.d[1] / (self.high + lambda))
    }

    fn direction(&self, lambda: f64) -> Vec2 {
        let s = [self.d[0] / (self.low + lambda), self.d[1] / (self.high + lambda)];
        let length = norm2(s);
        self.world([s[0] / length, s[1] / length])
    }

    /// Root of `1/length = 1` between two bounds, one with a length above 1.
    fn root(&self, longer: f64, shorter: f64) -> f64 {
        let (mut longer, mut shorter) = (longer, shorter);
        for _ in 0..MAX_STEPS {
            let middle = 0.5 * (longer + shorter);
            if middle == longer || middle == shorter {
                break;
            }
            if self.length(middle) >= 1.0 {
                longer = middle;
            } else {
                shorter = middle;
            }
        }
        0.5 * (longer + shorter)
    }
}

/// All invariant directions; `None` if every direction is one (a central impact with equal
/// tangential inertia).
pub fn directions(flow: &Hodograph) -> Option<ArrayVec<Invariant, MOST>> {
    let mut found = ArrayVec::new();
    if flow.mu <= 0.0 {
        return Some(found);
    }
    let p = Principal::new(flow);
    let size = p.high + norm2(p.d);
    let tiny = 1e-13 * size;
    let spread = p.high - p.low;
    if norm2(p.d) <= tiny && spread <= tiny {
        return None;
    }
    let mut push = |direction: Vec2, lambda_per_kg: f64| {
        let _ = found.try_push(Invariant { direction, lambda_per_kg });
    };
    let reach = p.d[0].abs() + p.d[1].abs();
    if p.d[0].abs() <= tiny || p.d[1].abs() <= tiny || spread <= tiny {
        // One component is zero: its pole is gone, and two roots become directions off the axis.
        if spread <= tiny {
            let length = norm2(p.d);
            let s = p.world([p.d[0] / length, p.d[1] / length]);
            push(s, length - p.low);
            push([-s[0], -s[1]], -length - p.low);
            return Some(found);
        }
        let along_high = p.d[0].abs() <= tiny;
        let (own, other) = if along_high { (p.high, p.low) } else { (p.low, p.high) };
        let d = if along_high { p.d[1] } else { p.d[0] };
        for sign in [1.0, -1.0] {
            let s = if along_high { [0.0, sign] } else { [sign, 0.0] };
            push(p.world(s), sign * d - own);
        }
        let share = d / (own - other);
        if share.abs() < 1.0 {
            let rest = (1.0 - share * share).sqrt();
            for sign in [1.0, -1.0] {
                let s = if along_high { [sign * rest, share] } else { [share, sign * rest] };
                push(p.world(s), -other);
            }
        }
        return Some(found);
    }
    let above = p.root(-p.low, -p.low + 2.0 * reach);
    push(p.direction(above), above);
    let below = p.root(-p.high, -p.high - 2.0 * reach);
    push(p.direction(below), below);
    // Between the poles the sum is convex with its least value where p/q = (d1/d2)^(2/3).
    let (c0, c1) = (p.d[0].abs().cbrt().powi(2), p.d[1].abs().cbrt().powi(2));
    let lowest = -p.low - spread * c0 / (c0 + c1);
    if p.length(lowest) < 1.0 {
        for pole in [-p.low, -p.high] {
            let lambda = p.root(pole, lowest);
            push(p.direction(lambda), lambda);
        }
    }
    Some(found)
}

/// The centrifugal direction along which slip resumes if friction cannot hold it (Corollary 6).
///
/// Newton's method on `1/length - 1`, which is concave in lambda and nearly straight.
pub fn resumed(flow: &Hodograph) -> Option<Invariant> {
    if flow.sticks() {
        return None;
    }
    let p = Principal::new(flow);
    if flow.mu <= 0.0 {
        let length = norm2(flow.d);
        return Some(Invariant {
            direction: [flow.d[0] / length, flow.d[1] / length],
            lambda_per_kg: length,
        });
    }
    // Starts on the side where Newton's method cannot overshoot.
    let mut lambda = 0.0f64;
    for _ in 0..MAX_STEPS {
        let (p0, p1) = (p.low + lambda, p.high + lambda);
        let (s0, s1) = (p.d[0] / p0, p.d[1] / p1);
        let length = s0.hypot(s1);
        let slope = (s0 * s0 / p0 + s1 * s1 / p1) / (length * length * length);
        let step = (1.0 - 1.0 / length) / slope;
        lambda = (lambda + step).max(0.0);
        if step.abs() <= 1e-15 * (p.high + lambda) {
            break;
        }
    }
    Some(Invariant { direction: p.direction(lambda), lambda_per_kg: lambda })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(b: [f64; 3], d: Vec2, mu: f64) -> Hodograph {
        Hodograph::new(&[[b[0], b[1], d[0]], [b[1], b[2], d[1]], [d[0], d[1], 4.0]], mu)
    }

    /// A slip along each invariant direction keeps its direction, also if a component of d is zero.
    #[test]
    fn a_slip_along_each_goes_straight_on() {
        let (equal, along, turned) = ([2.0, 0.0, 2.0], [1.0, 0.0, 3.0], [2.0, 0.8, 2.5]);
        let cases = [
            (equal, [0.7, -0.4], 2),
            (along, [0.5, 0.0], 4),
            (along, [0.0, 0.5], 4),
            (along, [0.0, 2.5], 2),
            (along, [1.9, 0.0], 2),
            (turned, [0.3, 0.2], 4),
            (turned, [1.5, -0.9], 2),
        ];
        for (b, d, count) in cases {
            let flow = flow(b, d, 0.6);
            let found = directions(&flow).expect("not all");
            assert_eq!(found.len(), count, "{b:?} {d:?}");
            for Invariant { direction: s, lambda_per_kg } in &found {
                let rate = flow.rate(*s);
                let off = [rate[0] - lambda_per_kg * s[0], rate[1] - lambda_per_kg * s[1]];
                assert!(
                    (norm2(*s) - 1.0).abs() < 1e-12 && norm2(off) < 1e-10,
                    "{b:?} {d:?}: {s:?} off by {off:?}"
                );
            }
            for (i, one) in found.iter().enumerate() {
                let same = |other: &Invariant| dot2(one.direction, other.direction) > 1.0 - 1e-9;
                assert!(!found[..i].iter().any(same), "{b:?} {d:?}: the same twice");
            }
            // Corollary 6: one direction is centrifugal exactly if friction cannot hold the
            // contact.
            assert_eq!(
                found.iter().filter(|one| one.is_centrifugal()).count(),
                usize::from(!flow.sticks())
            );
        }
    }

    #[test]
    fn without_friction_there_is_none_and_in_a_central_impact_all_are() {
        assert!(
            directions(&flow([1.0, 0.0, 3.0], [0.5, 0.2], 0.0))
                .is_some_and(|found| found.is_empty())
        );
        assert_eq!(directions(&flow([2.0, 0.0, 2.0], [0.0, 0.0], 0.6)), None);
    }
}
