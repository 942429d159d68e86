//! A body that is moved while it rings.

use ictus::patch::Param;

use crate::common::{RATE_HZ, largest_step, on, patch, play};

/// Sweep `param` up and down over the whole of its range from `begin` on; returns the largest step of the blow, and that
/// of the time after.
fn sweep(settings: &[(&str, &str)], param: Param, key: u8) -> (f64, f64) {
    let (begin, samples) = (4800, 48_000);
    let patch = patch(settings);
    let run = |moves: bool| {
        play(
            &patch,
            &[on(0, key, 1.0)],
            samples,
            RATE_HZ,
            || 32,
            |patch, start| {
                if moves && start >= begin {
                    let phase = (start - begin) as f64 / (samples - begin) as f64;
                    let place = 0.5 - 0.5 * (4.0 * std::f64::consts::PI * phase).cos();
                    patch.set_stored(param, param.spec().position_to_stored(place));
                }
            },
        )
    };
    let moved = run(true);
    assert!(moved.left.iter().all(|x| x.is_finite()));
    let after = |sound: &[f64]| largest_step(&sound[begin..]);
    (largest_step(&moved.left[..begin]), after(&moved.left).max(after(&moved.right)))
}

#[test]
fn moving_what_rings_makes_no_click() {
    let plate = [("body", "Free plate"), ("mater", "Steel"), ("aspect", "1")];
    let disc = [("body", "Free disc"), ("mater", "Steel")];
    let bar = [("body", "Free bar"), ("mater", "Steel")];
    for (name, settings, param) in [
        ("plate", &plate[..], Param::Aspect),
        ("disc", &disc, Param::Split),
        ("plate", &plate, Param::PickupLeft),
        ("plate", &plate, Param::PickupRightY),
        ("disc", &disc, Param::PickupLeft),
        ("plate", &plate, Param::Position),
        ("bar", &bar, Param::Tune),
        ("bar", &bar, Param::Size),
        ("bar", &bar, Param::Modes),
        ("disc", &disc, Param::Thickness),
    ] {
        let (blow, after) = sweep(settings, param, 60);
        println!("{name}, {}: largest step {after:.4}, of the blow {blow:.4}", param.spec().id);
        assert!(after < blow, "{name}, {}: {after} {blow}", param.spec().id);
    }
}

#[test]
fn partials_fade_at_the_top_of_the_band() {
    // High and hard: most partials cross the top of the band on the way up and come back.
    for body in ["Free bar", "Free plate", "Membrane"] {
        let settings = [("body", body), ("hard", "100 %"), ("mater", "Tin")];
        let (blow, after) = sweep(&settings, Param::Tune, 96);
        println!("{body}: largest step {after:.4}, of the blow {blow:.4}");
        assert!(after < blow, "{body}: {after} {blow}");
    }
}
