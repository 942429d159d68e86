use super::*;
use crate::body::shape::bar;
use crate::body::{Geometry, Spectrum, UserModes};

/// Radiation efficiency of a sphere: `1/(x^2 |h_l'(x)|^2)`, by the recurrences of spherical Bessel functions.
fn sphere(order: usize, x: f64) -> f64 {
    let (mut j, mut y) = (vec![x.sin() / x], vec![-x.cos() / x]);
    j.push(x.sin() / (x * x) - x.cos() / x);
    y.push(-x.cos() / (x * x) - x.sin() / x);
    for l in 1..=order {
        let next = (2 * l + 1) as f64 / x;
        j.push(next * j[l] - j[l - 1]);
        y.push(next * y[l] - y[l - 1]);
    }
    let slope = |f: &[f64]| (order as f64 / x) * f[order] - f[order + 1];
    1.0 / (x * x * (slope(&j).powi(2) + slope(&y).powi(2)))
}

#[test]
fn a_sphere_radiates_as_its_multipoles_do() {
    for (order, bound_db) in [(0, 0.1), (1, 1.2), (2, 1.2), (3, 1.3)] {
        for n in 0..60 {
            let x = 0.3 * 1.06f64.powi(n);
            let db = 10.0 * (multipole_efficiency(order, x) / sphere(order, x)).log10();
            assert!(db.abs() < bound_db, "order {order}, ka {x}: {db} dB");
        }
    }
}

#[test]
fn the_transform_of_a_bar_is_the_integral_of_its_shape() {
    for mode in 0..8 {
        let root = bar::root(mode);
        for q in [0.3, 2.0, 4.73, 7.85, 11.0, 30.0] {
            let steps = 20_000;
            let (mut re, mut im) = (0.0, 0.0);
            for n in 0..steps {
                let x = (f64::from(n) + 0.5) / f64::from(steps);
                let (sin, cos) = (q * x).sin_cos();
                re += bar::deflection(root, x) * cos / f64::from(steps);
                im += bar::deflection(root, x) * sin / f64::from(steps);
            }
            let (wanted, got) = (re.hypot(im), free_bar_transform(root, mode % 2 == 0, q));
            assert!((got - wanted).abs() < 2e-3, "mode {mode}, q {q}: {got} instead of {wanted}");
        }
    }
}

#[test]
fn the_slow_modes_of_a_tubular_bell_do_not_radiate() {
    let radiator = build(Kind::TubularBell, 3.3, 8500.0, 3500.0, 261.6).radiator();
    let pressure = |mode: usize| {
        let root = bar::root(mode);
        let frequency_hz = 523.25 * (root / bar::root(3)).powi(2);
        let [left, right] = radiator.radiated(mode, ModeShape::Bar { root }, frequency_hz).gains;
        20.0 * (0.5 * (left + right)).log10()
    };
    let fourth = pressure(3);
    // Relative to the fourth mode, dB.
    for (mode, wanted_db) in [(0, -57.0), (1, -33.0), (2, -17.0), (4, 10.0), (5, 16.0), (6, 20.0)] {
        let db = pressure(mode) - fourth;
        assert!((db - wanted_db).abs() < 4.0, "mode {mode}: {db} dB instead of {wanted_db} dB");
    }
}

#[test]
fn a_panel_radiates_in_full_above_coincidence() {
    for frequency_hz in [5e3, 1e4, 2e4] {
        let sigma = panel_efficiency(frequency_hz, 1000.0, 4.0, 1.0);
        assert!((sigma - 1.0 / (1.0 - 1000.0 / frequency_hz).sqrt()).abs() < 1e-9);
    }
    let low = panel_efficiency(100.0, 1000.0, 4.0, 1.0);
    assert!(low > 1e-3 && low < 0.1, "{low}");
    assert!(panel_efficiency(1000.0, 1000.0, 4.0, 1.0).is_finite());
}

fn build(kind: Kind, mass_kg: f64, density_kg_per_m3: f64, speed_m_per_s: f64, pitch_hz: f64) -> Build {
    Build { kind, aspect: 1.4, mass_kg, density_kg_per_m3, speed_m_per_s, pitch_hz }
}

#[test]
fn what_is_heard_is_what_is_lost() {
    for kind in Kind::ALL {
        let mut spectrum = Spectrum::default();
        spectrum.set(&Geometry::of(kind), &UserModes::default());
        for (mass_kg, pitch_hz) in [(0.01, 2000.0), (0.4, 440.0), (50.0, 55.0)] {
            let radiator = build(kind, mass_kg, 7850.0, 5050.0, pitch_hz).radiator();
            for mode in 0..spectrum.len() {
                let frequency_hz = pitch_hz * spectrum.ratio(mode);
                if frequency_hz > 20_000.0 {
                    continue;
                }
                let radiated = radiator.radiated(mode, spectrum.mode_shape(mode), frequency_hz);
                let [left, right] = radiated.gains;
                assert!(left.is_finite() && right.is_finite() && left >= 0.0 && right >= 0.0, "{kind:?} {mode}");
                if matches!(radiator.form, Form::Board { .. } | Form::Mouth) {
                    continue;
                }
                let pressure = 0.5 * (left + right) * UNIT_PA_S_PER_M;
                let power = 4.0 * PI * pressure * pressure / AIR_PA_S_PER_M;
                // Energy M v^2/2 falls by 2 d of itself in a second; v is an amplitude, so power has a half too.
                let lost = 2.0 * radiated.decay_per_s * 0.5 * mass_kg;
                assert!((0.5 * power - lost).abs() <= 1e-9 * power.max(1e-300), "{kind:?} {mode}");
            }
        }
    }
}

#[test]
fn sizes_follow_from_mass_pitch_and_material() {
    // A marimba bar of 36 cm, a tubular bell of 1.5 m, a kettledrum of 62 cm, a bell of 84 cm.
    let marimba = build(Kind::Marimba, 0.43, 900.0, 4500.0, 261.6).radiator();
    let tube = build(Kind::TubularBell, 3.3, 8500.0, 3500.0, 261.6).radiator();
    let drum = build(Kind::Membrane, 0.085, 1400.0, 1700.0, 110.0).radiator();
    let bell = build(Kind::ChurchBell, 250.0, 8600.0, 3400.0, 450.0).radiator();
    for (radiator, wanted_m) in [(marimba, 0.18), (tube, 0.75), (drum, 0.31), (bell, 0.42)] {
        let ratio = radiator.radius_m / wanted_m;
        assert!((0.75..1.33).contains(&ratio), "{radiator:?}: {wanted_m} m");
    }
}
