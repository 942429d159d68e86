//! Sound files for ears and spectrograms.

use ictus::gesture::roll::{Manner, Pull, Roll, RollSettings};
use ictus::gesture::surface::{Grit, Recipe, RibShape, Ribs, Roughness};

use crate::body::{Body, table};
use crate::physics::ball;

const FS: f64 = 48_000.0;

fn examples() -> Vec<(&'static str, RollSettings, Recipe, f64, f64)> {
    let rough = |rms_m: f64, slope: f64, longest_m: f64| Roughness { rms_m, slope, longest_m };
    let plain = |roughness: Roughness, ball_rms_m: f64| Recipe { roughness, ball_rms_m, ..Recipe::default() };
    let boards = Ribs { pitch_m: 0.12, depth_m: 1.5e-3, width_m: 2.5e-3, shape: RibShape::Groove, uneven_m: 1e-4 };
    let washboard = Ribs { pitch_m: 0.01, depth_m: 2e-3, width_m: 5e-3, shape: RibShape::Sine, uneven_m: 0.0 };
    let gravel = Recipe { grit: Grit { per_m: 300.0, height_m: 1e-3 }, ..plain(rough(5e-5, 2.0, 1e-2), 1e-6) };
    let tip = RollSettings {
        manner: Manner::Scrape { friction: 0.4 },
        mass_kg: 0.01,
        press_n: 1.0,
        ..ball(5e-4, 7800.0, 20e9)
    };
    let tip = RollSettings { mass_kg: 0.01, ..tip };
    vec![
        (
            "marble_on_wood",
            RollSettings { off_centre: 0.03, ..ball(0.008, 2500.0, 9e9) },
            plain(rough(2e-6, 2.0, 5e-3), 5e-7),
            0.5,
            5.0,
        ),
        (
            "steel_on_steel",
            RollSettings { off_centre: 0.01, ..ball(0.01, 7800.0, 1.15e11) },
            plain(rough(5e-7, 1.5, 5e-3), 1e-7),
            0.8,
            10.0,
        ),
        (
            "bowling_on_boards",
            RollSettings { off_centre: 0.02, ..ball(0.108, 1370.0, 1e9) },
            Recipe { ribs: boards, ..plain(rough(1e-5, 2.0, 2e-2), 2e-6) },
            4.0,
            300.0,
        ),
        (
            "wheel_on_asphalt",
            RollSettings { off_centre: 0.05, inertia: 0.5, ..ball(0.05, 700.0, 5e9) },
            gravel,
            1.0,
            20.0,
        ),
        (
            "marble_on_washboard",
            RollSettings { off_centre: 0.03, ..ball(0.008, 2500.0, 9e9) },
            Recipe { ribs: washboard, ..plain(rough(2e-6, 2.0, 5e-3), 5e-7) },
            0.4,
            5.0,
        ),
        ("scrape", tip, plain(rough(1e-5, 2.0, 2e-3), 0.0), 0.2, 3.0),
    ]
}

#[test]
#[ignore = "writes sound files"]
fn write_examples() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("roll");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, settings, recipe, speed, body_kg) in examples() {
        let mut roll = Roll::new();
        roll.prepare(FS);
        let mut body = Body::new(60, 90.0, 14_000.0, 40.0, body_kg, FS);
        roll.begin(&settings, &table(&recipe, &settings), 0.0, Pull::Follow { speed_m_per_s: speed, time_s: 0.4 });
        let (mut sound, mut load) = (Vec::new(), 0.0);
        for i in 0..(12.0 * FS) as usize {
            if i == (8.0 * FS) as usize {
                roll.set_pull(Pull::Free);
            }
            load += f64::from(roll.advance(&mut body));
            sound.push(body.velocity_m_per_s());
        }
        let peak = sound.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        let m = roll.motion();
        println!(
            "{name}: peak {peak:.2e} m/s, {:.1} steps per sample, {} landings, resonance {:.0} Hz, patch {:.2e} m, turns {:.2} Hz, way {:.1} m",
            load / sound.len() as f64,
            m.landings,
            settings.contact_resonance_hz(),
            settings.feeler().patch_m,
            settings.turns_hz(speed),
            m.x_m
        );
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: FS as u32,
            bits_per_sample: 32,
            sample_format: hound::SampleFormat::Float,
        };
        let mut file = hound::WavWriter::create(folder.join(format!("{name}.wav")), spec).expect("a file");
        for x in &sound {
            file.write_sample((x / peak * 0.9) as f32).expect("written");
        }
        file.finalize().expect("closed");
    }
    println!("in {}", folder.display());
}
