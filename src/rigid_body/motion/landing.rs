//! When the first point of a flying body reaches the plane z = 0.

use super::RigidMotion;
use crate::rigid_body::inertia::Inertia;
use crate::rigid_body::vector::{Vec3, dot, norm};

/// Most that a body turns between two looks, rad. A point may dip below the plane and out again
/// between looks by 1e-3 of its arm; such a graze is missed.
const LOOK_RAD: f64 = 0.1;

/// Most looks in one search.
pub const MAX_LOOKS: u32 = 64;

/// How close a landing is found, s.
const CLOSE_S: f64 = 0.06e-9;

/// Most turns of the search between two looks; each at least halves the time, and 1 ms needs 24
/// halvings.
const MAX_TURNS: u32 = 24;

/// Time (s) within `time_s` at which the first point of `points_m` (body axes) that `may_land`
/// reaches the plane.
pub fn first_s(
    motion: &RigidMotion,
    inertia: &Inertia,
    gravity_m_per_s2: f64,
    time_s: f64,
    points_m: &[Vec3],
    may_land: impl Fn(usize) -> bool,
) -> Option<f64> {
    let spin = norm(motion.spin_rad_per_s(inertia));
    let looks = ((spin * time_s / LOOK_RAD).ceil().max(1.0) as u32).min(MAX_LOOKS);
    let lowest = |at_s: f64| {
        let there = motion.flown(inertia, gravity_m_per_s2, at_s);
        let axes = there.axes();
        let heights = points_m.iter().enumerate().filter(|&(i, _)| may_land(i));
        heights.map(|(_, &point)| there.height_m(&axes, point)).fold(f64::INFINITY, f64::min)
    };
    let reach = points_m.iter().fold(0.0f64, |max, &point| max.max(dot(point, point))).sqrt();
    let sink = time_s * ((-motion.velocity_m_per_s[2]).max(0.0) + gravity_m_per_s2 * time_s);
    if motion.centre_m[2] - reach - sink > 0.0 {
        return None;
    }
    for look in 1..=looks {
        let from_s = time_s * f64::from(look - 1) / f64::from(looks);
        let to_s = time_s * f64::from(look) / f64::from(looks);
        let end_m = lowest(to_s);
        if end_m < 0.0 {
            return Some(crossing_s(lowest, from_s, to_s, end_m));
        }
    }
    None
}

/// The last time found at which `height_m` is not below 0, within [`CLOSE_S`] of where it crosses.
///
/// The chord's guess is taken [`CLOSE_S`]/4 to both sides: once it is good the two lie about the
/// crossing. Where that does not halve the time the middle does.
fn crossing_s(height_m: impl Fn(f64) -> f64, from_s: f64, to_s: f64, to_m: f64) -> f64 {
    let (mut above_s, mut below_s, mut below_m) = (from_s, to_s, to_m);
    // Whatever it begins with, a landing before the first look counts as one there.
    let mut above_m = height_m(from_s).max(0.0);
    for _ in 0..MAX_TURNS {
        let before_s = below_s - above_s;
        if before_s <= CLOSE_S {
            break;
        }
        let guess_s = above_s + before_s * above_m / (above_m - below_m);
        for at_s in [guess_s - 0.25 * CLOSE_S, guess_s + 0.25 * CLOSE_S, 0.5 * (above_s + below_s)]
        {
            let halved = below_s - above_s <= 0.5 * before_s;
            if at_s <= above_s || at_s >= below_s || (halved && at_s != guess_s + 0.25 * CLOSE_S) {
                continue;
            }
            let at_m = height_m(at_s);
            if at_m < 0.0 {
                (below_s, below_m) = (at_s, at_m);
            } else {
                (above_s, above_m) = (at_s, at_m);
            }
        }
    }
    above_s
}
