//! When the first point of a flying body reaches the plane z = 0.

use super::Motion;
use crate::rigid::inertia::Inertia;
use crate::rigid::vector::{Vec3, norm};

/// Most that a body turns between two looks, rad. A point may dip below the plane and out again between looks by
/// 1e-3 of its arm; such a graze is missed.
const LOOK_RAD: f64 = 0.1;

/// Most looks in one search.
pub const MOST_LOOKS: u32 = 64;

/// Halvings of the time between two looks: 1 ms becomes 0.06 ns.
const HALVINGS: u32 = 24;

/// Time (s) within `time_s` at which the first point of `points_m` (body axes) that `may_land` reaches the plane.
pub fn first_s(
    motion: &Motion,
    inertia: &Inertia,
    gravity_m_per_s2: f64,
    time_s: f64,
    points_m: &[Vec3],
    may_land: impl Fn(usize) -> bool,
) -> Option<f64> {
    let spin = norm(motion.spin_rad_per_s(inertia));
    let looks = ((spin * time_s / LOOK_RAD).ceil().max(1.0) as u32).min(MOST_LOOKS);
    let below = |at_s: f64| {
        let there = motion.flown(inertia, gravity_m_per_s2, at_s);
        let axes = there.axes();
        points_m.iter().enumerate().any(|(i, &point)| may_land(i) && there.height_m(&axes, point) < 0.0)
    };
    let reach = points_m.iter().fold(0.0f64, |most, &point| most.max(norm(point)));
    let sink = time_s * ((-motion.velocity_m_per_s[2]).max(0.0) + gravity_m_per_s2 * time_s);
    if motion.centre_m[2] - reach - sink > 0.0 {
        return None;
    }
    for look in 1..=looks {
        let (mut above_s, mut below_s) =
            (time_s * f64::from(look - 1) / f64::from(looks), time_s * f64::from(look) / f64::from(looks));
        if !below(below_s) {
            continue;
        }
        for _ in 0..HALVINGS {
            let middle_s = 0.5 * (above_s + below_s);
            if below(middle_s) {
                below_s = middle_s;
            } else {
                above_s = middle_s;
            }
        }
        return Some(above_s);
    }
    None
}
