//! The rotation rate of an off-centre ball that is moved along.

use ictus::exciter::Recipe;
use ictus::exciter::roll::{Pull, RollSettings, Travel};

use super::body::{force, rolling, table};
use super::physics::ball;

/// Durations of `count` successive turns, s, after settling.
fn turn_times_s(
    settings: &RollSettings,
    speed: f64,
    time_s: f64,
    count: usize,
    rate_hz: f64,
) -> Vec<f64> {
    let pull = Pull::Follow { speed_m_per_s: speed, time_s };
    let (mut travel, dt_s) = (Travel::default(), 1.0 / rate_hz);
    let (mut v, mut turns, mut t_s) = (speed, 0.0f64, 0.0);
    let settled_s = 20.0 * time_s + 3.0 / settings.turns_hz(speed);
    let mut crossed_s: Vec<f64> = Vec::new();
    while crossed_s.len() <= count {
        let after = travel.speed_after(&pull, settings, v, turns.fract(), dt_s);
        assert!(after > 0.0, "it gets over the top");
        let gone = settings.turns_hz(0.5 * (v + after) * dt_s);
        if (turns + gone).floor() > turns.floor() && t_s > settled_s {
            crossed_s.push(t_s + dt_s * ((turns + gone).floor() - turns) / gone);
        }
        (v, turns, t_s) = (after, turns + gone, t_s + dt_s);
    }
    crossed_s.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

#[test]
fn every_turn_takes_as_long_as_the_speed_asks() {
    let mut worst = (0.0f64, String::new());
    let mut cases = 0;
    for radius_m in [0.004, 0.008, 0.02, 0.05, 0.15] {
        for off_centre in [0.03, 0.1, 0.2, 0.5, 0.9] {
            for speed in [0.05, 0.15, 0.3, 0.6, 1.2, 2.5] {
                let settings = RollSettings { off_centre, ..ball(radius_m, 2500.0, 6e9) };
                if speed >= settings.hop_speed_m_per_s() {
                    continue;
                }
                for time_s in [0.02, 0.15, 1.0] {
                    cases += 1;
                    for turn_s in turn_times_s(&settings, speed, time_s, 3, 8000.0) {
                        let off = (turn_s * settings.turns_hz(speed) - 1.0).abs();
                        if off > worst.0 {
                            worst = (
                                off,
                                format!(
                                    "R {radius_m} d/R {off_centre} {speed} m/s, follows in {time_s} s"
                                ),
                            );
                        }
                    }
                }
            }
        }
    }
    println!("{cases} cases: a turn is off by {:.4} % at most ({})", 100.0 * worst.0, worst.1);
    assert!(worst.0 < 0.01, "{worst:?}");
}

#[test]
fn it_still_moves() {
    // Slow while its heavy side rises: v^2 oscillates by (10/7) g d to both sides for a free ball,
    // and for one held loosely.
    let settings = RollSettings { off_centre: 0.1, ..ball(0.02, 2500.0, 6e9) };
    let (speed, rate_hz) = (0.5, 44_100.0);
    let pull = Pull::Follow { speed_m_per_s: speed, time_s: 5.0 };
    let (mut travel, mut v, mut turns) = (Travel::default(), speed, 0.0f64);
    let (mut least, mut most) = (f64::MAX, 0.0f64);
    for i in 0..(40.0 * rate_hz) as usize {
        let after = travel.speed_after(&pull, &settings, v, turns.fract(), 1.0 / rate_hz);
        turns += settings.turns_hz(0.5 * (v + after) / rate_hz);
        v = after;
        if i > (30.0 * rate_hz) as usize {
            (least, most) = (least.min(v), most.max(v));
        }
    }
    let (swing, wanted) = (most * most - least * least, 20.0 / 7.0 * 9.81 * 0.1 * 0.02);
    println!(
        "v^2 swings by {swing:.4}, free {wanted:.4}; {} turns a second",
        settings.turns_hz(speed)
    );
    assert!((swing / wanted - 1.0).abs() < 0.05, "{swing} instead of {wanted}");
}

/// On level ground a ball senses only its own roughness, the same in every turn; a larger one has
/// longer turns.
#[test]
fn the_balls_own_roughness_comes_back_every_turn() {
    let (rate_hz, speed) = (48_000.0, 0.4);
    for per_turn in [4800usize, 7200] {
        // A turn is a whole number of samples.
        let radius_m = speed * per_turn as f64 / rate_hz / (2.0 * std::f64::consts::PI);
        let settings = RollSettings { damping_ratio: 0.2, ..ball(radius_m, 2500.0, 6e9) };
        let mut recipe =
            Recipe { ball_rms_m: 0.05 * settings.rest_compression_m(), ..Recipe::default() };
        recipe.roughness.rms_m = 0.0;
        let mut roll = rolling(&settings, &table(&recipe, &settings), speed, rate_hz);
        let force = force(&mut roll, rate_hz, 1.0);
        let mean = force.iter().sum::<f64>() / force.len() as f64;
        let rms = |differences: &mut dyn Iterator<Item = f64>| {
            let squares: Vec<f64> = differences.map(|d| d * d).collect();
            (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
        };
        let varies = rms(&mut force.iter().map(|f| f - mean));
        let after = |samples: usize| {
            rms(&mut force.iter().zip(&force[samples..]).map(|(a, b)| a - b)) / varies
        };
        let others: Vec<f64> =
            [0.37, 0.5, 0.81].map(|part| after((part * per_turn as f64) as usize)).to_vec();
        println!(
            "R {radius_m:.4} m: {:.1e} of it differs after a turn, {others:.2?} within one",
            after(per_turn)
        );
        assert!(varies > 0.01 * mean, "nothing is heard of it: {varies} of {mean} N");
        assert!(
            after(per_turn) < 0.01 && others.iter().all(|other| *other > 0.3),
            "{} {others:?}",
            after(per_turn)
        );
        assert!((mean / settings.weight_n() - 1.0).abs() < 1e-2);
    }
}
