//! Long rolls and scrapes.

use std::sync::Arc;
use std::time::Instant;

use assert_no_alloc::assert_no_alloc;
use ictus::contact::Law;
use ictus::exciter::Recipe;
use ictus::exciter::roll::{Pull, Roll, RollSettings, Wander};
use ictus::exciter::surface::SwapSlot;

use super::body::{Body, table};
use super::physics::ball;

const FS: f64 = 48_000.0;
const BLOCK: usize = 512;

/// Rolls for `seconds` at a varying speed; prints the slowest block against the mean, and returns
/// the level of each tenth.
fn endure(seconds: f64, recipe: &Recipe) -> Vec<f64> {
    // Off centre, but slower than it takes to hop (1.4 m/s): a hopping ball may lock to its
    // rotation and bounce high for minutes, which makes the tenths incomparable.
    let settings = RollSettings { off_centre: 0.05, ..ball(0.01, 2500.0, 9e9) };
    let table = table(recipe, &settings);
    let mut body = Body::new(12, 80.0, 9000.0, 20.0, 2.0, FS);
    let mut roll = Roll::new();
    roll.prepare(FS);
    roll.begin(&settings, &table, 0.3, Pull::Follow { speed_m_per_s: 0.5, time_s: 0.5 });
    roll.set_wander(Wander { span_m: 0.7, ..Wander::default() });
    let blocks = (seconds * FS) as usize / BLOCK;
    let mut levels = [0.0; 10];
    let (mut worst, mut total) = (0.0f64, 0.0);
    let (mut max_steps, mut all_steps) = (0u32, 0u64);
    let mut highest = 0.0f64;
    for i in 0..blocks {
        // The same speeds in each tenth, so that the tenths can be compared.
        let phase = (i * 10) as f64 / blocks as f64 * 2.0 * std::f64::consts::PI;
        roll.set_pull(Pull::Follow { speed_m_per_s: 0.6 + 0.5 * phase.sin(), time_s: 0.5 });
        let began = Instant::now();
        let (power, steps) = assert_no_alloc(|| {
            let (mut power, mut steps) = (0.0, 0);
            for _ in 0..BLOCK {
                steps += roll.advance(&mut body);
                let v = body.velocity_m_per_s();
                power += v * v;
            }
            (power, steps)
        });
        let took = began.elapsed().as_secs_f64();
        if i > 10 {
            worst = worst.max(took);
            total += took;
        }
        max_steps = max_steps.max(steps);
        all_steps += u64::from(steps);
        assert!(power.is_finite(), "block {i}");
        let m = roll.motion();
        highest = highest.max(-m.compression_m);
        assert!((0.0..=1.0).contains(&roll.point()));
        levels[(i * 10 / blocks).min(9)] += power;
    }
    let mean = total / (blocks - 11) as f64;
    println!(
        "{seconds} s: mean block {:.1} % of its time, worst {:.1} times the mean, in steps {:.2} times; way {:.0} m, {} landings, gap up to {highest:e} m",
        100.0 * mean * FS / BLOCK as f64,
        worst / mean,
        f64::from(max_steps) * blocks as f64 / all_steps as f64,
        roll.motion().x_m,
        roll.motion().landings
    );
    levels.iter().map(|l| 10.0 * l.log10()).collect()
}

/// How the tenths of a run differ, dB. The first, which begins from rest, does not count.
#[derive(Clone, Copy, Debug)]
struct Spread {
    /// Second half minus first half.
    drift_db: f64,
    /// Largest distance from the mean.
    farthest_db: f64,
    rms_db: f64,
}

impl Spread {
    fn of(levels: &[f64]) -> Self {
        let mean = |levels: &[f64]| levels.iter().sum::<f64>() / levels.len() as f64;
        let all = mean(&levels[1..]);
        let off = || levels[1..].iter().map(|level| level - all);
        let spread = Self {
            drift_db: mean(&levels[6..]) - mean(&levels[1..5]),
            farthest_db: off().fold(0.0, |farthest, off| farthest.max(off.abs())),
            rms_db: mean(&off().map(|off| off * off).collect::<Vec<_>>()).sqrt(),
        };
        println!("{levels:.2?}\n{spread:.3?}");
        spread
    }

    /// Every tenth within half a decibel of the mean, and the halves within less.
    fn is_steady(&self) -> bool {
        self.farthest_db < 0.5 && self.drift_db.abs() < 0.3
    }
}

/// A roll rattles at random, so short tenths differ by chance: in 40 s by up to 0.7 dB, in 160 s by
/// half of that.
#[test]
fn minutes_of_rolling_stay_constant() {
    let levels = endure(160.0, &Recipe::default());
    assert!(Spread::of(&levels).is_steady(), "{levels:?}");
    // A roll that swelled or faded by a decibel would fail.
    for db in [-1.0, 1.0] {
        let drifting: Vec<f64> =
            levels.iter().enumerate().map(|(i, level)| level + db * i as f64 / 9.0).collect();
        assert!(!Spread::of(&drifting).is_steady(), "a drift of {db} dB is not noticed");
    }
}

/// Random falls with the square root of the time; drift does not.
#[test]
#[ignore = "long rolls, level over time and rate, and block costs: cargo xtask measure roll"]
fn tenths_come_closer_the_longer_they_are() {
    let rms_db =
        [40.0, 160.0, 640.0].map(|seconds| Spread::of(&endure(seconds, &Recipe::default())).rms_db);
    println!("{rms_db:.3?}");
    // 1/4 if it were chance alone; nine tenths determine their own spread to a quarter.
    assert!(rms_db[2] < 0.4 * rms_db[0], "{rms_db:?}");
}

#[test]
#[ignore = "long rolls, level over time and rate, and block costs: cargo xtask measure roll"]
fn an_hour_of_rolling_has_a_constant_level() {
    let levels = endure(3600.0, &Recipe::default());
    assert!(Spread::of(&levels).is_steady(), "{levels:?}");
}

#[test]
fn a_surface_change_makes_no_click_and_no_allocation() {
    let settings = ball(0.01, 2500.0, 9e9);
    let recipe = |seed| Recipe { seed, ..Recipe::default() };
    let mut shelf = SwapSlot::new(table(&recipe(1), &settings));
    let mut next = Some(table(&recipe(2), &settings));
    let mut third = Some(table(&recipe(3), &settings));
    let mut body = Body::new(32, 80.0, 9000.0, 20.0, 2.0, FS);
    let mut roll = Roll::new();
    roll.prepare(FS);
    roll.begin(&settings, shelf.current(), 0.5, Pull::Follow { speed_m_per_s: 0.5, time_s: 1.0 });
    let mut loudest = [0.0f64; 2];
    let mut returned: Vec<Arc<_>> = Vec::with_capacity(2);
    for i in 0..(4.0 * FS) as usize {
        assert_no_alloc(|| {
            let offered = if i == (2.0 * FS) as usize { next.take() } else { None };
            // While the first change is in progress the second has to wait.
            let offered = if i == (2.02 * FS) as usize { third.take() } else { offered };
            if let Some(table) = offered {
                assert!(shelf.offer(table).is_ok());
                roll.set_table(shelf.current());
            }
            roll.advance(&mut body);
            if let Some(table) = shelf.take_retired() {
                returned.push(table);
            }
        });
        let t = i as f64 / FS;
        let v = body.velocity_m_per_s().abs();
        if (0.5..2.0).contains(&t) || t > 2.5 {
            loudest[0] = loudest[0].max(v);
        } else if t >= 2.0 {
            loudest[1] = loudest[1].max(v);
        }
    }
    println!("loudest rolling {:e}, while changing {:e}", loudest[0], loudest[1]);
    assert_eq!(returned.len(), 2, "both old tables come back");
    assert!(loudest[1] < 1.2 * loudest[0], "{loudest:?}");
}

#[test]
fn extreme_settings_stay_finite_and_bounded() {
    let recipe = Recipe::default();
    let plain = table(&recipe, &RollSettings::default());
    for wild in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e300, 1e-300] {
        let mut settings = RollSettings {
            radius_m: wild,
            mass_kg: wild,
            damping_ratio: wild,
            ..RollSettings::default()
        };
        (settings.law.stiffness, settings.law.alpha, settings.law.mu_s_per_m) = (wild, wild, wild);
        (settings.gravity_m_per_s2, settings.press_n, settings.off_centre) = (wild, wild, wild);
        (settings.rolling_friction, settings.slope_rad, settings.inertia) = (wild, wild, wild);
        settings.damper_n_s_per_m = wild;
        let laws = [Law::HuntCrossley, Law::HertzDamper];
        let all = laws
            .into_iter()
            .flat_map(|kind| [None, Some(wild)].map(|restitution| (kind, restitution)));
        for ((kind, restitution), fs) in
            all.flat_map(|law| [8000.0, 48_000.0, 768_000.0].map(|fs| (law, fs)))
        {
            let settings = RollSettings { kind, restitution, ..settings };
            let mut body = Body::new(8, 80.0, 3000.0, 20.0, 0.01, fs);
            let mut roll = Roll::new();
            roll.prepare(fs);
            roll.begin(&settings, &plain, wild, Pull::Follow { speed_m_per_s: wild, time_s: wild });
            for _ in 0..4000 {
                assert!(roll.advance(&mut body) <= 64);
                let m = roll.motion();
                assert!(
                    m.force_n.is_finite() && m.z_m.is_finite() && m.x_m.is_finite(),
                    "{wild} {fs} {m:?}"
                );
                assert!(body.velocity_m_per_s().is_finite());
            }
        }
    }
}
