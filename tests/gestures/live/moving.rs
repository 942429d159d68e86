//! A body whose parameters change while it rings.

use ictus::params::Param;

use super::common::{RATE_HZ, largest_step, on, patch, play};

/// Sweeps `param` up and down over part of its range after a tenth of a second; returns the largest
/// step of the strike and that of the time after.
fn sweep(settings: &[(&str, &str)], param: Param, (low, high): (f64, f64), key: u8) -> (f64, f64) {
    let (begin, samples) = (4800, 48_000);
    let moved = play(
        &patch(settings),
        &[on(0, key, 1.0)],
        samples,
        RATE_HZ,
        || 32,
        |patch, start| {
            if start >= begin {
                let phase = (start - begin) as f64 / (samples - begin) as f64;
                let place = 0.5 - 0.5 * (4.0 * std::f64::consts::PI * phase).cos();
                patch
                    .set_stored(param, param.spec().position_to_stored(low + (high - low) * place));
            }
        },
    );
    assert!(moved.left.iter().all(|x| x.is_finite()));
    let after = |sound: &[f64]| largest_step(&sound[begin..]);
    (largest_step(&moved.left[..begin]), after(&moved.left).max(after(&moved.right)))
}

#[test]
fn moving_what_rings_makes_no_click() {
    let plate = [("body", "Free plate"), ("mater", "Steel"), ("aspect", "1")];
    let disc = [("body", "Free disc"), ("mater", "Steel")];
    let bar = [("body", "Free bar"), ("mater", "Steel")];
    // Only upwards in size: the same velocity at a higher pitch has larger steps by itself.
    for (name, settings, param, range) in [
        ("plate", &plate[..], Param::Aspect, (0.0, 1.0)),
        ("disc", &disc, Param::Split, (0.0, 1.0)),
        ("plate", &plate, Param::PickupLeft, (0.0, 1.0)),
        ("plate", &plate, Param::PickupRightY, (0.0, 1.0)),
        ("disc", &disc, Param::PickupLeft, (0.0, 1.0)),
        ("plate", &plate, Param::Position, (0.0, 1.0)),
        ("bar", &bar, Param::Tune, (0.0, 1.0)),
        ("bar", &bar, Param::Size, (0.5, 1.0)),
        ("bar", &bar, Param::Modes, (0.0, 1.0)),
        ("disc", &disc, Param::Thickness, (0.0, 1.0)),
    ] {
        let (blow, after) = sweep(settings, param, range, 60);
        println!("{name}, {}: largest step {after:.4}, of the blow {blow:.4}", param.spec().id);
        assert!(after < blow, "{name}, {}: {after} {blow}", param.spec().id);
    }
}

#[test]
fn partials_fade_at_the_top_of_the_band() {
    // High and hard: most partials cross the top of the band on the way up and return.
    for body in ["Free bar", "Free plate", "Membrane"] {
        let settings = [("body", body), ("hard", "100 %"), ("mater", "Tin")];
        let (blow, after) = sweep(&settings, Param::Tune, (0.0, 1.0), 96);
        println!("{body}: largest step {after:.4}, of the blow {blow:.4}");
        assert!(after < blow, "{body}: {after} {blow}");
    }
}
