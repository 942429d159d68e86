//! The surface table and its reading.

use ictus::contact::HuntCrossley;
use ictus::exciter::roll::RollSettings;
use ictus::exciter::surface::profile::{DETAIL_S, Profile};
use ictus::exciter::surface::{Feeler, Recipe, SurfaceTable, UserSurface, rolling_filter};
use ictus::random::Random;

#[test]
fn the_ball_filter_is_the_maximum_it_says() {
    let n = 2048;
    let step_m = 1e-4;
    for (seed, size, radius_m) in
        [(1, 1e-5, 0.01), (2, 1e-3, 0.002), (3, 1e-6, 0.5), (4, 1e-2, 0.3), (5, 1e-4, 5e-5)]
    {
        let mut random = Random::of_stream(seed, 9);
        let heights: Vec<f64> = (0..n).map(|_| size * random.signed()).collect();
        let got = rolling_filter(&heights, step_m, radius_m);
        for (i, felt) in got.iter().enumerate() {
            let mut most = f64::NEG_INFINITY;
            for q in -(n as isize)..=n as isize {
                let at = (i as isize + q).rem_euclid(n as isize) as usize;
                most = most.max(heights[at] - (q as f64 * step_m).powi(2) / (2.0 * radius_m));
            }
            assert!(
                (felt - most).abs() <= 1e-12 * size,
                "radius {radius_m}, point {i}: {felt} {most}"
            );
        }
    }
}

#[test]
fn the_loop_has_no_seam() {
    let recipe = Recipe::default();
    let table = SurfaceTable::build(&recipe, &Feeler { radius_m: 0.01, patch_m: 5e-5 });
    for profile in [table.ground(), table.ball()] {
        let zoom = profile.zoom(0.5);
        let length = profile.length_m();
        let tiny = 1e-9;
        let (before, after) = (profile.height_m(length - tiny, zoom), profile.height_m(tiny, zoom));
        let slope = profile.slope(0.0, zoom);
        assert!((after - before - 2.0 * tiny * slope).abs() < 1e-13, "{}", after - before);
        assert!(
            (profile.slope(length - 1e-12, zoom) - slope).abs() < 1e-6 * slope.abs(),
            "{slope}"
        );
        for x in [-3.3, 0.1, 7.7] {
            let round = profile.height_m(x + 5.0 * length, zoom) - profile.height_m(x, zoom);
            assert!(round.abs() < 1e-13, "{round}");
        }
    }
}

#[test]
fn the_slope_is_that_of_the_height() {
    let table = SurfaceTable::build(&Recipe::default(), &Feeler { radius_m: 0.005, patch_m: 2e-5 });
    let ground = table.ground();
    for speed in [0.01, 0.3, 7.0] {
        let zoom = ground.zoom(speed);
        for i in 0..1000 {
            let (x, d) = (1.234e-3 * f64::from(i), 1e-8);
            let measured =
                (ground.height_m(x + d, zoom) - ground.height_m(x - d, zoom)) / (2.0 * d);
            assert!(
                (measured - ground.slope(x, zoom)).abs() < 1e-7,
                "{measured} {}",
                ground.slope(x, zoom)
            );
        }
    }
}

/// The remaining share of a wave on the ground, read at a speed.
fn left_of_wave(profile: &Profile, waves: f64, amplitude: f64, hz: f64) -> f64 {
    let waves_per_m = waves / profile.length_m();
    let zoom = profile.zoom(hz / waves_per_m);
    let n = 4096;
    let (mut re, mut im) = (0.0, 0.0);
    for i in 0..n {
        let x = f64::from(i) / f64::from(n) * 64.0 / waves_per_m;
        let (sin, cos) = (2.0 * std::f64::consts::PI * waves_per_m * x).sin_cos();
        let height = profile.height_m(x, zoom);
        re += height * cos;
        im += height * sin;
    }
    re.hypot(im) * 2.0 / f64::from(n) / amplitude
}

#[test]
fn audible_waves_are_read_in_full_and_nothing_finer_than_the_steps() {
    let n = 1 << 15;
    let mut worst_db: f64 = 0.0;
    for waves in [100.0, 333.0, 1000.0, 4001.0] {
        let heights: Vec<f64> = (0..n)
            .map(|i| {
                1e-6 * (2.0 * std::f64::consts::PI * waves * f64::from(i) / f64::from(n)).cos()
            })
            .collect();
        let profile = Profile::new(&heights, 1.0, 0.0);
        // For every speed: each puts the wave at another place between two levels.
        for i in 0..100 {
            let hz = 200.0 * 1.041f64.powi(i);
            let db = 20.0 * left_of_wave(&profile, waves, 1e-6, hz).log10();
            if hz <= 8000.0 {
                worst_db = worst_db.max(db.abs());
                assert!(db.abs() < 0.01, "{waves} waves/m at {hz} Hz: {db} dB");
            }
            assert!(hz > 16_000.0 || db.abs() < 1.0, "{waves} waves/m at {hz} Hz: {db} dB");
        }
        let beyond = left_of_wave(&profile, waves, 1e-6, 0.5 / DETAIL_S);
        assert!(beyond < 1e-3, "{waves} waves/m at half of the steps' rate: {beyond}");
    }
    println!("worst up to 8 kHz: {worst_db:.5} dB");
}

/// The contact patch averages over its width, weighted by `1 - (x/a)^2`: the load of Hertz's
/// pressure on each line across it.
#[test]
fn the_contact_patch_takes_what_is_finer_than_itself() {
    let n = 1 << 15;
    for patch_m in [2e-4, 1e-3] {
        for waves in [20.0, 100.0, 400.0, 1000.0, 2500.0] {
            let turns = |i: i32| 2.0 * std::f64::consts::PI * waves * f64::from(i) / f64::from(n);
            let heights: Vec<f64> = (0..n).map(|i| 1e-6 * turns(i).cos()).collect();
            let left = left_of_wave(&Profile::new(&heights, 1.0, patch_m), waves, 1e-6, 500.0);
            let (mut mean, mut weight) = (0.0, 0.0);
            for i in -5000..=5000 {
                let x = f64::from(i) / 5000.0;
                mean += (1.0 - x * x) * (2.0 * std::f64::consts::PI * waves * patch_m * x).cos();
                weight += 1.0 - x * x;
            }
            let wanted: f64 = mean / weight;
            println!(
                "patch of {patch_m} m, {waves} waves/m: {left:.4} are left, {wanted:.4} by the mean"
            );
            assert!((left - wanted.abs()).abs() < 2e-3, "{patch_m} {waves}: {left} {wanted}");
            assert!(waves * patch_m < 1.0 || left < 0.1);
        }
    }
}

/// A soft ball has a wide patch and senses less of the fine structure.
#[test]
fn the_patch_is_that_of_the_resting_ball() {
    let settings = |stiffness: f64| {
        let plain = RollSettings::default();
        RollSettings { law: HuntCrossley { stiffness, ..plain.law }, ..plain }
    };
    let fine = |settings: &RollSettings| {
        let mut recipe = Recipe { ball_rms_m: 0.0, ..Recipe::default() };
        (recipe.roughness.slope, recipe.roughness.longest_m) = (1.0, 1e-3);
        let table = SurfaceTable::build(&recipe, &settings.feeler());
        let zoom = table.ground().zoom(0.0);
        let slopes = (0..20_000).map(|i| table.ground().slope(2.3e-5 * f64::from(i), zoom).powi(2));
        (slopes.sum::<f64>() / 20_000.0).sqrt()
    };
    let mut last = (0.0, f64::MAX);
    for stiffness in [1e10, 1e7, 1e5] {
        let settings = settings(stiffness);
        let rest_m = (settings.mass_kg * 9.81 / stiffness).powf(1.0 / 1.5);
        let patch_m = settings.feeler().patch_m;
        assert!((patch_m / (settings.radius_m * rest_m).sqrt() - 1.0).abs() < 1e-9, "{patch_m}");
        let slope = fine(&settings);
        println!("k {stiffness:.0e}: patch {patch_m:.1e} m, slopes of {slope:.1e}");
        assert!(patch_m > last.0 && slope < 0.8 * last.1, "{stiffness}: {slope} {last:?}");
        last = (patch_m, slope);
    }
}

#[test]
fn a_ball_does_not_reach_the_bottom_of_a_groove() {
    let mut recipe = Recipe { ball_rms_m: 0.0, ..Recipe::default() };
    recipe.roughness.rms_m = 0.0;
    recipe.ribs.depth_m = 5e-3;
    recipe.ribs.width_m = 2e-3;
    let lowest = |radius_m: f64| {
        let table = SurfaceTable::build(&recipe, &Feeler { radius_m, patch_m: 0.0 });
        let zoom = table.ground().zoom(0.0);
        (0..4000)
            .map(|i| table.ground().height_m(2.5e-5 * f64::from(i) - 0.05, zoom))
            .fold(0.0, f64::min)
    };
    // A chord of the groove's width hangs w^2/(8R) below the crest; the rounded edges make the
    // groove look wider.
    for radius_m in [0.01, 0.03, 0.1] {
        let chord = 2e-3f64.powi(2) / (8.0 * radius_m);
        let got = -lowest(radius_m);
        assert!(got > 0.2 * chord && got < 1.05 * chord, "{radius_m}: {got} {chord}");
    }
}

#[test]
fn a_users_surface_is_read_as_it_is() {
    let n = 60_000;
    let heights: Vec<f64> = (0..n).map(|i| 1e-5 * (f64::from(i) * 0.01).sin()).collect();
    let surface = UserSurface::new(heights, 0.6).expect("fit");
    let recipe = Recipe { ball_rms_m: 0.0, ..Recipe::default() };
    let table =
        SurfaceTable::build_from(&surface, &recipe, &Feeler { radius_m: 1e-3, patch_m: 0.0 });
    assert!((table.ground().length_m() - 0.57).abs() < 1e-12);
    let zoom = table.ground().zoom(0.0);
    let mut worst: f64 = 0.0;
    for i in 1000..50_000 {
        // The first twentieth is the seam.
        let x = f64::from(i) * 1e-5;
        let wanted = 1e-5 * (f64::from(i + 3000) * 0.01).sin();
        worst = worst.max((table.ground().height_m(x, zoom) - wanted).abs());
    }
    // On a slope the tip touches slightly ahead of its centre, R s'^2/2 = 5e-8 m higher.
    assert!(worst < 6e-8, "{worst}");
}

#[test]
fn extreme_recipes_stay_finite() {
    for wild in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300] {
        let mut recipe = Recipe { length_m: wild, ball_rms_m: wild, ..Recipe::default() };
        (recipe.roughness.rms_m, recipe.roughness.slope, recipe.roughness.longest_m) =
            (wild, wild, wild);
        (recipe.ribs.pitch_m, recipe.ribs.depth_m, recipe.ribs.width_m) = (wild, wild, wild);
        (recipe.ribs.uneven_m, recipe.grit.per_m, recipe.grit.height_m) = (wild, wild, wild);
        let table = SurfaceTable::build(&recipe, &Feeler { radius_m: wild, patch_m: wild });
        for speed in [0.0, 1e9, f64::NAN] {
            let zoom = table.ground().zoom(speed);
            for x in [0.0, -1e5, 1e7, 0.333] {
                assert!(
                    table.ground().height_m(x, zoom).is_finite()
                        && table.ground().slope(x, zoom).is_finite()
                );
            }
        }
    }
}
