//! At equal energy of the blow all bodies are equally loud: whatever they are, of whatever size and material, at
//! whatever key. Rendered through contact, drive and bank, and measured by the loudness filter of BS.1770.

#[path = "support/k_weighting.rs"]
mod k_weighting;

use ictus::body::bank::CHUNK;
use ictus::body::loudness::{Leveller, REFERENCE_J, ReferenceBlow};
use ictus::body::macros::{KeyTracking, Scale, contact_time_s, stiffness};
use ictus::body::material::Material;
use ictus::body::shape::UserMode;
use ictus::body::{Bank, Drive, Geometry, Kind, Listening, Modes, Point, Steps, UserModes};
use ictus::contact::{ContactSettings, HuntCrossley, Striker};

const FS: f64 = 48_000.0;
const ALPHA: f64 = 1.5;
/// Of size 1, kg.
const STRIKER_KG: f64 = 0.02;
const BODY_KG: f64 = 0.4;

/// One case, and its level after levelling, dB.
struct Case {
    kind: Kind,
    material: &'static str,
    size: f64,
    key: u8,
    level_db: f64,
}

fn user() -> UserModes {
    let mode = |i: i32| UserMode { ratio: 1.0 + 0.61 * f64::from(i), ..UserMode::default() };
    UserModes::new(&(0..20).map(mode).collect::<Vec<_>>())
}

fn level_db(geometry: Geometry, material: &Material, size: f64, key: u8) -> f64 {
    let key_hz = 440.0 * ((f64::from(key) - 69.0) / 12.0).exp2();
    let (pitch_hz, scale) = Scale::of_key(key_hz, size, KeyTracking::Retune);
    let [point, left, right] = geometry.kind.usual_points();
    let mut modes = Modes::default();
    modes.set_body(&geometry, &user());
    modes.set(pitch_hz, &scale.damping(&material.damping), Listening { left, right }, FS);
    modes.arrive();
    let (striker_kg, body_kg) = (STRIKER_KG * scale.mass(), BODY_KG * scale.mass());
    let (alpha, length, mu_s_per_m) = (ALPHA, scale.length(), 0.0);
    let own_at_1_s = None;
    let blow =
        ReferenceBlow { striker_kg, body_kg, alpha, length, pitch_hz, mu_s_per_m, point, own_at_1_s, felt: None };
    let gain = Leveller::default().gain(&modes, &blow);

    let k = stiffness(contact_time_s(0.5), STRIKER_KG, ALPHA) * scale.stiffness(ALPHA);
    let law = HuntCrossley { stiffness: k, mu_s_per_m: 0.0, alpha: ALPHA };
    let contact = ContactSettings { law, mass_kg: striker_kg, ..ContactSettings::default() };
    let (mut striker, mut drive, mut bank) = (Striker::default(), Drive::default(), Bank::default());
    drive.set_gains(&modes.drive_gains(point, body_kg));
    let mut steps = Steps::default();
    striker.strike(&contact, (2.0 * REFERENCE_J / striker_kg).sqrt(), 0.0);
    let samples = (0.4 * FS) as usize;
    let (mut l, mut r) = (vec![0.0; samples], vec![0.0; samples]);
    let mut n = 0;
    while n < samples {
        if striker.is_active() {
            bank.advance(&mut modes);
            drive.begin_sample();
            striker.advance(1.0 / FS, &mut drive.on(&modes, &mut steps));
            bank.take(&modes, &drive);
            (l[n], r[n]) = bank.hear(&modes);
            n += 1;
        } else {
            let end = (n + CHUNK).min(samples);
            bank.process(&mut modes, &mut l[n..end], &mut r[n..end]);
            n = end;
        }
    }
    let power = k_weighting::mean_square(&l) + k_weighting::mean_square(&r);
    10.0 * (power * gain * gain).log10()
}

/// Every body with these materials, sizes and keys; the widest distance between any two.
fn spread(materials: &[(&'static str, Material)], sizes: &[f64], keys: &[u8]) -> f64 {
    let mut cases = Vec::new();
    for kind in Kind::ALL {
        for (material, properties) in materials {
            for size in sizes {
                for key in keys {
                    let geometry = Geometry { split: 0.002, ..Geometry::of(kind) };
                    let level_db = level_db(geometry, properties, *size, *key);
                    assert!(level_db.is_finite());
                    cases.push(Case { kind, material, size: *size, key: *key, level_db });
                }
            }
        }
    }
    cases.sort_by(|a, b| a.level_db.total_cmp(&b.level_db));
    let tell = |case: &Case| {
        let Case { kind, material, size, key, level_db } = case;
        println!("{:>16} {material:>14} size {size:<5} key {key:<3} {level_db:8.2} dB", kind.name());
    };
    println!("{} cases; the softest:", cases.len());
    cases.iter().take(12).for_each(tell);
    println!("the loudest:");
    cases.iter().rev().take(12).for_each(tell);
    let mean = cases.iter().map(|case| case.level_db).sum::<f64>() / cases.len() as f64;
    let spread = cases[cases.len() - 1].level_db - cases[0].level_db;
    println!("mean {mean:.2} dB, spread {spread:.2} dB");
    for kind in Kind::ALL {
        let levels = || cases.iter().filter(|case| case.kind == kind).map(|case| case.level_db);
        println!(
            "{:>16} {:6.2} to {:6.2}",
            kind.name(),
            levels().fold(f64::MAX, f64::min),
            levels().fold(f64::MIN, f64::max)
        );
    }
    spread
}

#[test]
fn all_bodies_sizes_materials_and_keys_are_within_3_db() {
    // The corners of the pad: the least and the most damped there are.
    let named = |name: &'static str| {
        let place = Material::NAMES.iter().position(|known| *known == name).expect("a material");
        (name, Material::ALL[place])
    };
    let materials = [named("Glass"), named("Steel"), named("Wood"), ("Rubber", Material::RUBBER)];
    let spread = spread(&materials, &[0.25, 1.0, 4.0], &[36, 60, 84]);
    assert!(spread <= 3.0, "{spread} dB");
}

#[test]
fn a_node_is_not_turned_up_without_end() {
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::User) {
        let gain = |[point, left, right]: [Point; 3]| {
            let mut modes = Modes::default();
            modes.set_body(&Geometry::of(kind), &UserModes::default());
            modes.set(220.0, &Material::ALL[6].damping, Listening { left, right }, FS);
            let blow = ReferenceBlow {
                striker_kg: STRIKER_KG,
                body_kg: BODY_KG,
                alpha: ALPHA,
                length: 1.0,
                pitch_hz: 220.0,
                mu_s_per_m: 0.0,
                point,
                own_at_1_s: None,
                felt: None,
            };
            Leveller::default().gain(&modes, &blow)
        };
        let usual = gain(kind.usual_points());
        for n in 0..50 {
            let x = f64::from(n) / 49.0;
            for place in [Point::new(x, 0.25), Point::new(x, 0.0), Point::new(1e-4 * x, 0.1)] {
                let here = gain([place; 3]);
                assert!(here < 40.0 * usual, "{} at {place:?}: {here}, elsewhere {usual}", kind.name());
            }
        }
    }
}
