//! Surfaces from files: shipped ones can be used; the user's are read exactly or refused with a
//! reason.
use std::io::Write;
use std::path::PathBuf;

use ictus::exciter::surface::{Feeler, SurfaceTable};
use ictus::io::surfaces::{Height, SurfaceFile, SurfaceScale, load};

const SCALE: SurfaceScale = SurfaceScale { length_m: 0.5, height: Height::Peak(1e-4), row: None };

/// A file in the build's temporary folder.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("surface_files");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::File::create(&path).and_then(|mut file| file.write_all(bytes)).expect("written");
    path
}

fn refusal(name: &str, bytes: &[u8], scale: &SurfaceScale) -> String {
    format!("{:#}", load(&file(name, bytes), scale).expect_err("refused"))
}

#[test]
fn the_shipped_surfaces_can_be_used() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("plugin-assets/surfaces");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let surface = SurfaceFile::load(&entry.expect("an entry").path()).expect("a recipe");
        let table =
            SurfaceTable::build(&surface.recipe(), &Feeler { radius_m: 0.01, patch_m: 4e-5 });
        let zoom = table.ground().zoom(0.5);
        let heights: Vec<f64> =
            (0..10_000).map(|i| table.ground().height_m(f64::from(i) * 1e-4, zoom)).collect();
        let high = heights.iter().copied().fold(f64::MIN, f64::max);
        let low = heights.iter().copied().fold(f64::MAX, f64::min);
        println!("{}: {:.2e} m from bottom to top, as felt by 1 cm", surface.name, high - low);
        assert!((1e-7..5e-3).contains(&(high - low)), "{}", surface.name);
        assert!(!surface.description.is_empty());
        names.push(surface.name);
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 6, "{names:?}");
}

#[test]
fn a_recipe_out_of_range_is_refused_by_name() {
    let text =
        |recipe: &str| format!(r#"{{"ictus": "0.1.0", "name": "x", "recipe": {{{recipe}}}}}"#);
    assert!(SurfaceFile::parse(&text("")).is_ok());
    for (recipe, said) in [
        (r#""rms_m": 1.0"#, "recipe.rms_m"),
        (r#""rib_pitch_m": 0.9"#, "recipe.rib_pitch_m"),
        (r#""length_m": 0"#, "recipe.length_m"),
        (r#""grit_per_m": -1"#, "recipe.grit_per_m"),
        (r#""rms": 1e-6"#, "unknown field"),
        (r#""rib_shape": "round""#, "unknown variant"),
    ] {
        let error = format!("{:#}", SurfaceFile::parse(&text(recipe)).expect_err("refused"));
        assert!(error.contains(said), "{error}");
    }
}

fn wav(bits: u16, float: bool, channels: u16, samples: &[f64]) -> Vec<u8> {
    let sample_format = if float { hound::SampleFormat::Float } else { hound::SampleFormat::Int };
    let spec =
        hound::WavSpec { channels, sample_rate: 44_100, bits_per_sample: bits, sample_format };
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut bytes, spec).expect("a writer");
    for x in samples {
        for channel in 0..channels {
            // The second channel differs and must not be used.
            let x = if channel == 0 { *x } else { 0.77 };
            if float {
                writer.write_sample(x as f32).expect("written");
            } else {
                writer
                    .write_sample((x * f64::from(1u32 << (bits - 1)) * 0.999) as i32)
                    .expect("written");
            }
        }
    }
    writer.finalize().expect("closed");
    bytes.into_inner()
}

#[test]
fn sound_files_of_every_kind_give_the_same_surface() {
    let samples: Vec<f64> = (0..5000).map(|i| (f64::from(i) * 0.05).sin() * 0.5).collect();
    for (bits, float, channels) in [(16, false, 1), (24, false, 2), (32, false, 1), (32, true, 2)] {
        let path =
            file(&format!("{bits}{float}{channels}.wav"), &wav(bits, float, channels, &samples));
        let surface = load(&path, &SCALE).expect("a surface");
        assert!((surface.length_m() - 0.475).abs() < 1e-12);
        let heights = surface.on_a_loop(4750);
        // The first twentieth is the seam.
        for (i, height) in heights.iter().enumerate().take(4000) {
            let wanted = 1e-4 * ((i + 250) as f64 * 0.05).sin();
            assert!((height - wanted).abs() < 1e-6, "{bits} {float} {i}: {height} {wanted}");
        }
    }
}

#[test]
fn a_row_of_an_image_is_a_surface() {
    let (width, height) = (64usize, 8usize);
    let pixel = |x: usize, y: usize| (x * 3 + y) as u8;
    let mut raw = format!("P5 # a comment\n{width} {height}\n255\n").into_bytes();
    let mut plain = format!("P2\n{width} {height} 255\n");
    let mut wide = format!("P5 {width} {height} 65535\n").into_bytes();
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            raw.push(pixel(x, y));
            plain += &format!("{} ", pixel(x, y));
            wide.extend([pixel(x, y), pixel(x, y)]);
            pixels.extend([pixel(x, y), pixel(x, y), pixel(x, y)]);
        }
    }
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().and_then(|mut w| w.write_image_data(&pixels)).expect("a PNG");
    let scale = SurfaceScale { row: Some(3), ..SCALE };
    let surfaces: Vec<_> =
        [("a.pgm", &raw[..]), ("b.pgm", plain.as_bytes()), ("c.pgm", &wide), ("d.png", &png)]
            .into_iter()
            .map(|(name, bytes)| load(&file(name, bytes), &scale).expect(name).on_a_loop(256))
            .collect();
    for other in &surfaces[1..] {
        for (a, b) in surfaces[0].iter().zip(other) {
            assert!((a - b).abs() < 1e-12);
        }
    }
    // A ramp: it rises evenly until the seam.
    let climb = surfaces[0][100] - surfaces[0][50];
    assert!((climb / (surfaces[0][150] - surfaces[0][100]) - 1.0).abs() < 1e-9 && climb > 0.0);
    let error = refusal("a2.pgm", &raw, &SurfaceScale { row: Some(8), ..SCALE });
    assert!(error.contains("rows 0 to 7"), "{error}");
}

#[test]
fn files_that_are_no_surface_are_refused_with_a_reason() {
    let tone = wav(16, false, 1, &(0..500).map(|i| (f64::from(i) * 0.1).sin()).collect::<Vec<_>>());
    for (name, bytes, scale, said) in [
        ("text.wav", b"hello there".to_vec(), SCALE, "neither WAV"),
        ("flat.wav", wav(16, false, 1, &[0.25; 500]), SCALE, "is flat"),
        ("short.wav", wav(16, false, 1, &[0.1, 0.2]), SCALE, "2 heights"),
        (
            "nan.wav",
            wav(32, true, 1, &[0.1, f64::NAN, 0.2]),
            SCALE,
            "value 1 is not a finite number",
        ),
        ("cut.wav", tone[..tone.len() - 101].to_vec(), SCALE, "ends early"),
        ("long.wav", tone.clone(), SurfaceScale { length_m: 1e9, ..SCALE }, "m long"),
        ("none.wav", tone.clone(), SurfaceScale { length_m: f64::NAN, ..SCALE }, "m long"),
        (
            "high.wav",
            tone.clone(),
            SurfaceScale { height: Height::Rms(1.0), ..SCALE },
            "rms height 1 m",
        ),
        ("huge.pgm", b"P5 99999 99999 255\n".to_vec(), SCALE, "pixels"),
        ("cut.pgm", b"P5 20 20 255\nabc".to_vec(), SCALE, "ends before row"),
        ("bad.pgm", b"P2 x".to_vec(), SCALE, "expected a width"),
        ("bad.png", b"\x89PNG\r\n\x1a\nrubbish".to_vec(), SCALE, "PNG"),
    ] {
        let error = refusal(name, &bytes, &scale);
        assert!(error.contains(said) && error.contains(name), "{error}");
    }
    assert!(load(&PathBuf::from("no such file"), &SCALE).is_err());
}
