//! Every body, rigid and two-way, under every gesture.

use ictus::body::BodyKind;
use ictus::exciter::Gesture;
use ictus::params::{Param, Patch};

use super::common::{RATE_HZ, off, on, play};

#[test]
fn every_body_sounds_under_every_gesture_and_none_is_too_loud() {
    let samples = (0.6 * RATE_HZ) as usize;
    for kind in BodyKind::ALL {
        for coupling in 0..2 {
            let mut row = format!("{:>16} {}", kind.name(), ["rigid  ", "two-way"][coupling]);
            for (index, gesture) in Gesture::ALL.into_iter().enumerate() {
                let mut patch = Patch::default();
                patch.set(Param::Body, kind as usize as f64);
                patch.set(Param::Coupling, coupling as f64);
                patch.set(Param::Gesture, index as f64);
                patch.set(Param::Height, 0.02);
                let played = play(
                    &patch,
                    &[on(0, 57, 1.0), off(24_000, 57)],
                    samples,
                    RATE_HZ,
                    || 256,
                    |_, _| {},
                );
                let what = format!("{} {coupling} {gesture:?}", kind.name());
                assert!(played.left.iter().chain(&played.right).all(|x| x.is_finite()), "{what}");
                let peak = played.peak();
                assert!(peak > 1e-3, "{what}: {peak}");
                assert!(peak < 1.0, "{what}: {peak}");
                let limited = if played.limiter_gain < 1.0 { '*' } else { ' ' };
                row += &format!("  {gesture:?} {:6.1} dBFS{limited}", 20.0 * peak.log10());
            }
            println!("{row}");
        }
    }
}
