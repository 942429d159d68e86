//! Sound files for listening and spectrograms.

use ictus::exciter::roll::{Manner, Pull, Roll, RollSettings};
use ictus::exciter::surface::Recipe;
use ictus::io::surfaces::SurfaceFile;

use super::body::{Body, table};
use super::physics::ball;

const FS: f64 = 48_000.0;

struct Example {
    name: &'static str,
    ball: RollSettings,
    surface: &'static str,
    speed: f64,
    body_kg: f64,
}

fn examples() -> Vec<Example> {
    let marble = RollSettings { off_centre: 0.05, ..ball(0.008, 2500.0, 9e9) };
    let steel =
        RollSettings { off_centre: 0.01, rolling_friction: 0.003, ..ball(0.01, 7800.0, 1.15e11) };
    let bowling = RollSettings { off_centre: 0.02, damping_ratio: 0.2, ..ball(0.108, 1370.0, 1e9) };
    let wheel = RollSettings {
        off_centre: 0.1,
        inertia: 0.5,
        rolling_friction: 0.02,
        ..ball(0.05, 700.0, 5e9)
    };
    let law = ball(5e-4, 7800.0, 20e9).law;
    let manner = Manner::Scrape { friction: 0.4 };
    let tip = RollSettings {
        manner,
        law,
        radius_m: 5e-4,
        mass_kg: 0.01,
        press_n: 1.0,
        ..RollSettings::default()
    };
    let example =
        |name, ball, surface, speed, body_kg| Example { name, ball, surface, speed, body_kg };
    vec![
        example("marble-on-marble-table", marble, "marble-table", 0.5, 5.0),
        example("marble-on-floorboards", marble, "floorboards", 0.5, 5.0),
        example("marble-on-washboard", marble, "washboard", 0.3, 5.0),
        example("steel-on-brushed-steel", steel, "brushed-steel", 0.8, 10.0),
        example("bowling-on-floorboards", bowling, "floorboards", 4.0, 300.0),
        example("bowling-on-tiles", bowling, "ceramic-tiles", 2.0, 300.0),
        example("wheel-on-asphalt", wheel, "asphalt", 1.0, 20.0),
        example("scrape-on-brushed-steel", tip, "brushed-steel", 0.2, 3.0),
    ]
}

fn recipe(name: &str) -> Recipe {
    let path = format!("{}/plugin-assets/surfaces/{name}.json", env!("CARGO_MANIFEST_DIR"));
    SurfaceFile::load(path.as_ref()).expect("a shipped surface").recipe()
}

#[test]
#[ignore = "writes sound files of rolling: cargo xtask measure sounds"]
fn write_examples() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("roll");
    std::fs::create_dir_all(&folder).expect("a folder");
    for Example { name, ball: settings, surface, speed, body_kg } in examples() {
        let mut roll = Roll::new();
        roll.prepare(FS);
        let mut body = Body::new(60, 90.0, 14_000.0, 40.0, body_kg, FS);
        roll.begin(
            &settings,
            &table(&recipe(surface), &settings),
            0.0,
            Pull::Follow { speed_m_per_s: speed, time_s: 0.4 },
        );
        let (mut sound, mut load) = (Vec::new(), 0.0);
        for i in 0..(12.0 * FS) as usize {
            if i == (8.0 * FS) as usize {
                // A dragged tip slows down gradually.
                let slower = Pull::Follow { speed_m_per_s: 0.0, time_s: 0.15 };
                roll.set_pull(if settings.manner == Manner::Roll { Pull::Free } else { slower });
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
        let mut file =
            hound::WavWriter::create(folder.join(format!("{name}.wav")), spec).expect("a file");
        for x in &sound {
            file.write_sample((x / peak * 0.9) as f32).expect("written");
        }
        file.finalize().expect("closed");
    }
    println!("in {}", folder.display());
}
