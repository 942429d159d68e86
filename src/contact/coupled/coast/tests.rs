use super::*;
use crate::contact::ContactSettings;

#[test]
fn a_fall_takes_the_time_of_a_parabola() {
    for (height_m, down, gravity) in
        [(2.0, 0.0, 10.0), (0.5, 3.0, 9.81), (0.5, -3.0, 9.81), (0.2, 1.0, 300.0)]
    {
        let t = fall_s(height_m, down, gravity);
        assert!(
            t > 0.0 && (down * t + 0.5 * gravity * t * t - height_m).abs() < 1e-12,
            "{height_m} {down}: {t}"
        );
    }
    assert_eq!(fall_s(3.0, 2.0, 0.0), 1.5);
    assert_eq!((fall_s(3.0, 0.0, 0.0), fall_s(3.0, -1.0, 0.0)), (f64::INFINITY, f64::INFINITY));
    assert_eq!((fall_s(0.0, 1.0, 9.81), fall_s(-1.0, 1.0, 9.81)), (0.0, 0.0));
}

/// The longer of both bounds counts, less two samples.
#[test]
fn samples_are_clear_by_reach_or_by_speed() {
    let free_mass = FreeMass::thrown(&ContactSettings::default(), 1.0, 0.5);
    let clear = |displacement_m, reach_m, speed_m_per_s| {
        clear_samples(&free_mass, &MotionBounds { displacement_m, reach_m, speed_m_per_s }, 0.01)
    };
    assert_eq!(clear(0.0, 0.203, 9.5), 157, "0.797 m at 0.5 m/s");
    assert_eq!(clear(0.0, 5.0, 0.31), 121, "1 m at 0.81 m/s");
    assert_eq!(clear(0.303, 0.2, 9.5), 97, "the surface is 0.303 m beyond its rest");
    assert_eq!(clear(0.0, 5.0, 1e9), 0);
    let touching = FreeMass::thrown(&ContactSettings::default(), 0.0, 0.5);
    assert_eq!(clear_samples(&touching, &MotionBounds::default(), 0.01), 0);
}
