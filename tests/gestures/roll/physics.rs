//! The equations of rolling, verified by measurement.

use std::f64::consts::PI;

use ictus::contact::HuntCrossley;
use ictus::exciter::Recipe;
use ictus::exciter::roll::{Manner, Pull, Rigid, Roll, RollSettings, RollSurface};

use super::body::{Body, force, heard, rolling, table};
use crate::sound;

/// A ball of a radius, a density and an effective modulus (Hertz: `k = 4/3 E* sqrt(R)`).
pub fn ball(radius_m: f64, density: f64, modulus_pa: f64) -> RollSettings {
    RollSettings {
        radius_m,
        mass_kg: 4.0 / 3.0 * PI * radius_m.powi(3) * density,
        law: HuntCrossley {
            stiffness: 4.0 / 3.0 * modulus_pa * radius_m.sqrt(),
            mu_s_per_m: 0.1,
            alpha: 1.5,
        },
        off_centre: 0.0,
        ..RollSettings::default()
    }
}

/// Effective modulus of two materials, each a modulus (Pa) and Poisson's ratio.
fn modulus(a: (f64, f64), b: (f64, f64)) -> f64 {
    1.0 / ((1.0 - a.1 * a.1) / a.0 + (1.0 - b.1 * b.1) / b.0)
}

const STEEL: (f64, f64) = (210e9, 0.3);
const WOOD: (f64, f64) = (10e9, 0.3);
const RUBBER: (f64, f64) = (50e6, 0.5);

fn flat() -> Recipe {
    let mut recipe = Recipe { ball_rms_m: 0.0, ..Recipe::default() };
    recipe.roughness.rms_m = 0.0;
    recipe
}

#[test]
fn the_contact_resonates_where_the_formula_says() {
    for (name, settings, known_hz) in [
        ("steel 8 mm on steel", ball(0.008, 7800.0, modulus(STEEL, STEEL)), 2700.0),
        ("steel 20 mm on wood", ball(0.020, 7800.0, modulus(STEEL, WOOD)), 570.0),
        ("wood 50 mm on wood", ball(0.050, 700.0, modulus(WOOD, WOOD)), 470.0),
        ("hard rubber 20 mm", ball(0.020, 1200.0, modulus(RUBBER, STEEL)), 190.0),
    ] {
        let settings = RollSettings { damping_ratio: 0.02, ..settings };
        let wanted_hz = settings.contact_resonance_hz();
        assert!((wanted_hz / known_hz - 1.0).abs() < 0.1, "{name}: formula {wanted_hz}");
        // Roughness far below the static compression, short waves, and a speed that excites the
        // resonance.
        let mut recipe = flat();
        let d0 = settings.rest_compression_m();
        recipe.roughness.rms_m = 0.03 * d0;
        recipe.roughness.slope = 1.0;
        recipe.roughness.longest_m = 1e-3;
        let fs = 48_000.0;
        let mut roll = rolling(&settings, &table(&recipe, &settings), 1.0, fs);
        let force = force(&mut roll, fs, 10.0);
        let (psd, bin_hz) = sound::psd(&force, fs, 2.0);
        let window = (0.25 * wanted_hz / bin_hz) as usize..(4.0 * wanted_hz / bin_hz) as usize;
        let width = (0.02 * wanted_hz / bin_hz).ceil() as usize;
        let smooth = |k: usize| psd[k - width..=k + width].iter().sum::<f64>();
        let peak = window.max_by(|a, b| smooth(*a).total_cmp(&smooth(*b))).expect("bins");
        let got_hz = peak as f64 * bin_hz;
        println!("{name}: {got_hz:.0} Hz, formula {wanted_hz:.0} Hz");
        assert!((got_hz / wanted_hz - 1.0).abs() < 0.1, "{name}: {got_hz} instead of {wanted_hz}");
    }
}

/// Whether contact is lost within some seconds after settling.
fn comes_off(settings: &RollSettings, recipe: &Recipe, speed: f64) -> bool {
    let fs = 48_000.0;
    let mut roll = rolling(settings, &table(recipe, settings), speed, fs);
    // Constant speed, as in the formulas.
    roll.set_pull(Pull::Follow { speed_m_per_s: speed, time_s: 1e-3 });
    for _ in 0..(0.5 * fs) as usize {
        roll.advance(&mut Rigid);
    }
    let before = roll.motion().landings;
    for _ in 0..(2.0 * fs) as usize {
        roll.advance(&mut Rigid);
    }
    roll.motion().landings > before
}

/// The lowest speed at which contact is lost, by bisection.
fn onset(settings: &RollSettings, recipe: &Recipe, about: f64) -> f64 {
    let (mut low, mut high) = (0.3 * about, 3.0 * about);
    assert!(!comes_off(settings, recipe, low), "off at {low}");
    assert!(comes_off(settings, recipe, high), "still on at {high}");
    for _ in 0..7 {
        let middle = (low * high).sqrt();
        if comes_off(settings, recipe, middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    (low * high).sqrt()
}

#[test]
fn contact_is_lost_where_the_crests_curve_faster_than_it_falls() {
    for (pitch_m, depth_m, radius_m) in
        [(0.02, 1e-4, 0.02), (0.05, 1e-3, 0.01), (0.1, 4e-4, 0.05), (0.01, 4e-5, 0.02)]
    {
        let settings = RollSettings { damping_ratio: 0.3, ..ball(radius_m, 2500.0, 6e9) };
        let mut recipe = flat();
        recipe.ribs.pitch_m = pitch_m;
        recipe.ribs.depth_m = depth_m;
        recipe.ribs.shape = ictus::exciter::surface::RibShape::Sine;
        // Gentler than the ball everywhere, so that s_R is the sine itself; passed well below the
        // contact resonance, near which the ball resonates and separates earlier.
        let curvature = 0.5 * depth_m * (2.0 * PI / pitch_m).powi(2);
        assert!(curvature < 0.9 / radius_m);
        let wanted = (settings.gravity_m_per_s2 / curvature).sqrt();
        let got = onset(&settings, &recipe, wanted);
        println!(
            "ribs {pitch_m} m, {depth_m} m: off at {got:.4} m/s, v^2 s'' = {:.3} g",
            (got / wanted).powi(2)
        );
        assert!(((got / wanted).powi(2) - 1.0).abs() < 0.2, "{got} instead of {wanted}");
    }
}

#[test]
fn an_off_centre_ball_hops_where_it_should() {
    for (radius_m, off_centre) in [(0.03, 0.05), (0.03, 0.3), (0.008, 0.1)] {
        let settings =
            RollSettings { off_centre, damping_ratio: 0.3, ..ball(radius_m, 2500.0, 6e9) };
        let wanted = settings.hop_speed_m_per_s();
        let got = onset(&settings, &flat(), wanted);
        println!("R {radius_m}, d/R {off_centre}: hops at {got:.3} m/s, formula {wanted:.3}");
        assert!((got / wanted - 1.0).abs() < 0.05, "{got} instead of {wanted}");
    }
}

#[test]
fn the_loudness_swells_once_a_turn() {
    let fs = 44_100.0;
    for (radius_m, speed, off_centre) in
        [(0.008, 0.4, 0.1), (0.03, 0.8, 0.2), (0.03, 1.3, 0.1), (0.1, 2.0, 0.1)]
    {
        let settings = RollSettings { off_centre, ..ball(radius_m, 2500.0, 6e9) };
        let recipe = Recipe { ball_rms_m: 0.0, ..Recipe::default() };
        let mut roll = rolling(&settings, &table(&recipe, &settings), speed, fs);
        let mut body = Body::new(40, 80.0, 9000.0, 30.0, 20.0 * settings.mass_kg, fs);
        let sound = heard(&mut roll, &mut body, fs, 30.0);
        let wanted_hz = settings.turns_hz(speed);
        let (got_hz, over_db) =
            sound::swell_hz(&sound, fs, 200.0, 0.4 * wanted_hz, 1.8 * wanted_hz);
        println!(
            "R {radius_m} v {speed} d {off_centre}: swells at {got_hz:.3} Hz, turns at {wanted_hz:.3} Hz, {over_db:.1} dB over"
        );
        assert!((got_hz / wanted_hz - 1.0).abs() < 0.01, "{got_hz} instead of {wanted_hz}");
    }
}

#[test]
fn nothing_makes_energy_at_rest_on_level_ground() {
    let settings =
        RollSettings { damping_ratio: 0.0, ..ball(0.008, 7800.0, modulus(STEEL, STEEL)) };
    let settings =
        RollSettings { law: HuntCrossley { mu_s_per_m: 0.0, ..settings.law }, ..settings };
    let table = table(&flat(), &settings);
    for fs in [8000.0, 44_100.0, 192_000.0] {
        let mut body = Body::new(20, 80.0, 3000.0, 1e9, 0.05, fs);
        let mut roll = Roll::new();
        roll.prepare(fs);
        roll.begin(&settings, &table, 0.0, Pull::Follow { speed_m_per_s: 0.0, time_s: 1.0 });
        // The weight fades in within 50 ms; from then on no energy is added.
        for _ in 0..(0.1 * fs) as usize {
            roll.advance(&mut body);
        }
        let energy = |roll: &Roll, body: &Body| {
            let m = roll.motion();
            0.5 * settings.mass_kg * m.z_m_per_s.powi(2)
                + settings.weight_n() * m.z_m
                + roll.spring().potential_j(m.compression_m)
                + body.energy_j()
        };
        let start = energy(&roll, &body);
        let size = roll.spring().potential_j(settings.rest_compression_m()) + body.energy_j();
        let mut most = f64::NEG_INFINITY;
        for _ in 0..(5.0 * fs) as usize {
            roll.advance(&mut body);
            most = most.max(energy(&roll, &body) - start);
        }
        println!("{fs} Hz: growth {:e} of {size:e} J", most / size);
        assert!(most < 1e-9 * size, "{fs}: {most:e} of {size:e}");
    }
}

/// Accumulates the work of the surface.
struct Watched<'a> {
    body: &'a mut Body,
    force_n: f64,
}

impl RollSurface for Watched<'_> {
    fn free_m(&mut self, h_s: f64) -> f64 {
        self.body.free_m(h_s)
    }
    fn mobility_m_per_n(&mut self, h_s: f64) -> f64 {
        self.body.mobility_m_per_n(h_s)
    }
    fn push(&mut self, force_n: f64, h_s: f64) {
        self.force_n = force_n;
        self.body.push(force_n, h_s);
    }
}

#[test]
fn a_rough_way_gives_no_more_than_its_work() {
    // One step per sample, so that the work of every step is visible from outside.
    let settings =
        RollSettings { damping_ratio: 0.0, ..ball(0.02, 1200.0, modulus(RUBBER, STEEL)) };
    let settings =
        RollSettings { law: HuntCrossley { mu_s_per_m: 0.0, ..settings.law }, ..settings };
    let recipe = Recipe { ball_rms_m: 1e-5, ..Recipe::default() };
    let table = table(&recipe, &settings);
    let fs = 768_000.0;
    let mut body = Body::new(20, 80.0, 3000.0, 1e9, 0.05, fs);
    let mut roll = rolling(&settings, &table, 0.5, fs);
    let (mut worst, mut put_in): (f64, f64) = (0.0, 0.0);
    for i in 0..(3.0 * fs) as usize {
        let energy = |roll: &Roll, body: &Body| {
            let m = roll.motion();
            0.5 * settings.mass_kg * m.z_m_per_s.powi(2)
                + settings.weight_n() * m.z_m
                + roll.spring().potential_j(m.compression_m)
                + body.energy_j()
        };
        let (before, height) = (energy(&roll, &body), roll.motion().height_m);
        let mut watched = Watched { body: &mut body, force_n: 0.0 };
        roll.advance(&mut watched);
        let work = watched.force_n * (roll.motion().height_m - height);
        // The weight is complete by now.
        if i > (0.1 * fs) as usize {
            worst = worst.max(energy(&roll, &body) - before - work);
            put_in += work.abs();
        }
    }
    println!(
        "largest gain over the work in one step: {worst:e} J; the surface did {put_in:e} J of work to and fro"
    );
    assert!(put_in > 1e-6 && worst < 1e-14, "{worst:e} {put_in:e}");
}

#[test]
fn it_rolls_out_as_friction_says_and_stays_where_it_stops() {
    let fs = 48_000.0;
    let settings = RollSettings { rolling_friction: 0.02, ..ball(0.01, 2500.0, 6e9) };
    let table = table(&Recipe::default(), &settings);
    let mut roll = Roll::new();
    roll.prepare(fs);
    roll.begin(&settings, &table, 0.5, Pull::Free);
    let brake = 5.0 / 7.0 * 9.81 * 0.02;
    let (mut stopped_s, mut gone_s, mut farthest) = (None, None, 0.0f64);
    for i in 0..(10.0 * fs) as usize {
        roll.advance(&mut Rigid);
        let m = roll.motion();
        assert!(m.x_m >= farthest && m.v_m_per_s >= 0.0, "backwards");
        farthest = m.x_m;
        if m.v_m_per_s == 0.0 && stopped_s.is_none() {
            stopped_s = Some(i as f64 / fs);
        }
        if !roll.is_active() {
            gone_s = Some(i as f64 / fs);
            assert!(m.force_n < 1e-3 * settings.weight_n(), "gone with {} N on", m.force_n);
            break;
        }
    }
    let stopped_s = stopped_s.expect("it stops");
    assert!((stopped_s / (0.5 / brake) - 1.0).abs() < 1e-3, "{stopped_s}");
    assert!((farthest / (0.125 / brake) - 1.0).abs() < 1e-3, "{farthest}");
    assert!((gone_s.expect("gone") - stopped_s - 0.5).abs() < 0.01, "{gone_s:?}");

    // Off centre it accelerates with the mass below, and rocks before it stops.
    let uneven = RollSettings { off_centre: 0.2, rolling_friction: 0.002, ..settings };
    roll.begin(&uneven, &table, 0.5, Pull::Free);
    let (mut fastest, mut slowest, mut backwards) = (0.0f64, f64::INFINITY, false);
    for i in 0..(60.0 * fs) as usize {
        roll.advance(&mut Rigid);
        let m = roll.motion();
        if roll.motion().x_m < 2.0 * PI * 0.01 {
            (fastest, slowest) = (fastest.max(m.v_m_per_s), slowest.min(m.v_m_per_s));
        }
        backwards |= m.v_m_per_s < 0.0;
        assert!(m.v_m_per_s.abs() < 0.51, "{i}");
    }
    let swing = fastest.powi(2) - slowest.powi(2);
    println!("v^2 swings by {swing:.4}, formula {:.4}", 20.0 / 7.0 * 9.81 * 0.002);
    assert!((swing / (20.0 / 7.0 * 9.81 * 0.002) - 1.0).abs() < 0.1);
    assert!(backwards && !roll.is_active(), "it rocks, and comes to rest");

    // On a slope steeper than friction it rolls the other way.
    for (slope_rad, turns_back) in [(-0.01, false), (-0.05, true)] {
        let settings = RollSettings { slope_rad, ..settings };
        roll.begin(&settings, &table, 0.3, Pull::Free);
        for _ in 0..(5.0 * fs) as usize {
            roll.advance(&mut Rigid);
        }
        assert_eq!(roll.motion().v_m_per_s < 0.0, turns_back, "{slope_rad}");
    }
}

#[test]
fn a_scraped_tip_follows_the_ground_and_does_not_turn() {
    let fs = 48_000.0;
    let mut recipe = Recipe { ball_rms_m: 1e-4, ..Recipe::default() };
    recipe.roughness.rms_m = 5e-6;
    let settings = RollSettings {
        manner: Manner::Scrape { friction: 0.5 },
        radius_m: 5e-4,
        mass_kg: 0.005,
        press_n: 2.0,
        off_centre: 0.9,
        ..ball(5e-4, 7800.0, 20e9)
    };
    let settings = RollSettings { mass_kg: 0.005, ..settings };
    let mut roll = rolling(&settings, &table(&recipe, &settings), 0.2, fs);
    let mut body = Body::new(40, 80.0, 9000.0, 30.0, 1.0, fs);
    let sound = heard(&mut roll, &mut body, fs, 10.0);
    let level = (sound.iter().map(|x| x * x).sum::<f64>() / sound.len() as f64).sqrt();
    let centroid = sound::centroid_hz(&sound, fs);
    let mut slower = rolling(&settings, &table(&recipe, &settings), 0.05, fs);
    let mut body = Body::new(40, 80.0, 9000.0, 30.0, 1.0, fs);
    let slow = heard(&mut slower, &mut body, fs, 10.0);
    let slow_level = (slow.iter().map(|x| x * x).sum::<f64>() / slow.len() as f64).sqrt();
    println!(
        "0.2 m/s: {level:e} m/s, {centroid:.0} Hz; 0.05 m/s: {slow_level:e}, {:.0} Hz",
        sound::centroid_hz(&slow, fs)
    );
    assert!(level > 1.5 * slow_level, "{level} {slow_level}");
    assert!(centroid > sound::centroid_hz(&slow, fs));
    // The ball's roughness, 0.1 mm, would make it jump.
    assert!(roll.motion().z_m.abs() < 5e-5, "{}", roll.motion().z_m);
}
