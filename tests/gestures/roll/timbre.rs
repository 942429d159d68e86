//! The effect of size and speed on the sound.

use ictus::exciter::Recipe;
use ictus::exciter::roll::RollSettings;

use super::body::{Body, heard, rolling, table};
use super::physics::ball;
use crate::sound;

#[test]
fn a_ball_twice_as_big_sounds_darker_and_swells_more_slowly() {
    let fs = 44_100.0;
    let measure = |radius_m: f64| {
        let settings = RollSettings { off_centre: 0.1, ..ball(radius_m, 2500.0, 6e9) };
        let recipe = Recipe { ball_rms_m: 0.0, ..Recipe::default() };
        let mut roll = rolling(&settings, &table(&recipe, &settings), 0.6, fs);
        let mut body = Body::new(50, 80.0, 9000.0, 20.0, 15.0, fs);
        let sound = heard(&mut roll, &mut body, fs, 30.0);
        let turns_hz = settings.turns_hz(0.6);
        let (swell_hz, _) = sound::swell_hz(&sound, fs, 200.0, 0.4 * turns_hz, 1.8 * turns_hz);
        (sound::centroid_hz(&sound, fs), swell_hz)
    };
    let mut before: Option<(f64, f64)> = None;
    for radius_m in [0.01, 0.02, 0.04] {
        let (centroid_hz, swell_hz) = measure(radius_m);
        println!("R {radius_m}: centroid {centroid_hz:.0} Hz, swells at {swell_hz:.3} Hz");
        if let Some((centroid_before, swell_before)) = before {
            assert!(
                centroid_hz < 0.97 * centroid_before,
                "{radius_m}: {centroid_hz} {centroid_before}"
            );
            assert!(
                (swell_before / swell_hz - 2.0).abs() < 0.04,
                "{radius_m}: {swell_hz} {swell_before}"
            );
        }
        before = Some((centroid_hz, swell_hz));
    }
}
