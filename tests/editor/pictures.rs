//! What the editor looks like: every tab, in both themes, at three zooms, against pictures that are kept.
//!
//! `ICTUS_UPDATE_SNAPSHOTS=1 cargo test --test editor pictures` keeps them anew; look at them before they are committed.
//! They are kept a quarter of a million pixels small, and compared so. The picture of a test that fails is left in the
//! folder of the build.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use egui::{Color32, ColorImage, vec2};
use ictus::editor::{MIN_SIZE, SIZE};

use crate::host::Desk;
use crate::listen::Ringing;
use crate::stage::Stage;

/// Width of what is kept, pixels.
const WIDTH: usize = 500;
/// Mean difference of a channel that may come from another machine's sines, of 255.
const MEAN: f64 = 0.25;
/// Pixels of a thousand that may differ by more than a shade.
const PER_MILLE: f64 = 2.0;
const SHADE: u8 = 24;

/// The mean of the pixels that fall on each smaller one.
fn shrunk(picture: &ColorImage) -> ColorImage {
    let [width, height] = picture.size;
    let size = [WIDTH, WIDTH * height / width];
    let share = |i: usize, axis: usize| i * picture.size[axis] / size[axis];
    let mut small = ColorImage::filled(size, Color32::BLACK);
    for y in 0..size[1] {
        for x in 0..size[0] {
            let (mut sum, mut count) = ([0usize; 3], 0);
            for row in share(y, 1)..share(y + 1, 1).max(share(y, 1) + 1) {
                for column in share(x, 0)..share(x + 1, 0).max(share(x, 0) + 1) {
                    let [r, g, b, _] = picture.pixels[row * width + column].to_array();
                    sum = [sum[0] + usize::from(r), sum[1] + usize::from(g), sum[2] + usize::from(b)];
                    count += 1;
                }
            }
            // In steps of 8: half as many bytes to keep, and no less to see.
            let [r, g, b] = sum.map(|x| ((x + count / 2) / count) as u8 & 0xf8 | 0x04);
            small.pixels[y * size[0] + x] = Color32::from_rgb(r, g, b);
        }
    }
    small
}

fn write(path: &Path, picture: &ColorImage) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = BufWriter::new(File::create(path).unwrap());
    let mut encoder = png::Encoder::new(file, picture.size[0] as u32, picture.size[1] as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Best);
    encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
    let bytes: Vec<u8> = picture.pixels.iter().flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect();
    encoder.write_header().unwrap().write_image_data(&bytes).unwrap();
}

fn read(path: &Path) -> Option<ColorImage> {
    let mut reader = png::Decoder::new(File::open(path).ok()?).read_info().ok()?;
    let mut bytes = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut bytes).ok()?;
    let pixels = bytes.chunks_exact(3).map(|rgb| Color32::from_rgb(rgb[0], rgb[1], rgb[2])).collect();
    Some(ColorImage::new([info.width as usize, info.height as usize], pixels))
}

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/snapshots").join(format!("{name}.png"))
}

/// How a picture differs from the one that is kept, if it does.
fn fault(name: &str, picture: &ColorImage) -> Option<String> {
    let small = shrunk(picture);
    if std::env::var_os("ICTUS_UPDATE_SNAPSHOTS").is_some() {
        write(&kept(name), &small);
        return None;
    }
    let wanted = read(&kept(name));
    let differs = match &wanted {
        None => Some("there is no picture of it".to_string()),
        Some(wanted) if wanted.size != small.size => Some(format!("{:?} pixels, not {:?}", small.size, wanted.size)),
        Some(wanted) => {
            let pairs = || small.pixels.iter().zip(&wanted.pixels);
            let apart =
                |(a, b): (&Color32, &Color32)| [a.r().abs_diff(b.r()), a.g().abs_diff(b.g()), a.b().abs_diff(b.b())];
            let count = small.pixels.len() as f64;
            let mean = pairs().flat_map(apart).map(f64::from).sum::<f64>() / (3.0 * count);
            let other = pairs().filter(|pair| apart(*pair).into_iter().any(|apart| apart > SHADE)).count() as f64;
            let per_mille = 1000.0 * other / count;
            (mean > MEAN || per_mille > PER_MILLE)
                .then(|| format!("{mean:.3} of 255 in the mean, {per_mille:.2} per mille"))
        }
    };
    differs.map(|differs| {
        let left = Path::new(env!("CARGO_TARGET_TMPDIR")).join("snapshots").join(format!("{name}.png"));
        write(&left, &small);
        format!("{name}: {differs}; see {}", left.display())
    })
}

fn stage(light: bool, zoom: f32, size: (f32, f32)) -> Stage {
    let desk = Desk::new();
    desk.extras.change_look(|look| (look.light, look.zoom) = (light, zoom));
    Stage::of(desk, vec2(size.0, size.1))
}

/// Every tab, after another.
fn tabs(light: bool, zoom: f32) {
    let theme = if light { "light" } else { "dark" };
    let mut faults = Vec::new();
    let mut stage = stage(light, zoom, SIZE);
    for tab in ictus::editor::tabs::Tab::ALL {
        stage.click_on(tab.name());
        // The pointer goes, and with it what lights up under it.
        stage.frame(vec![egui::Event::PointerGone]);
        stage.frame(vec![]);
        let name = format!("{}-{theme}-{:.0}", tab.name().to_lowercase(), 100.0 * zoom);
        faults.extend(fault(&name, &stage.picture()));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn dark_at_75() {
    tabs(false, 0.75);
}

#[test]
fn dark_at_100() {
    tabs(false, 1.0);
}

#[test]
fn dark_at_200() {
    tabs(false, 2.0);
}

#[test]
fn light_at_75() {
    tabs(true, 0.75);
}

#[test]
fn light_at_100() {
    tabs(true, 1.0);
}

#[test]
fn light_at_200() {
    tabs(true, 2.0);
}

#[test]
fn alive() {
    let mut faults = Vec::new();
    for (name, settings) in [
        ("church-bell", &[("gest", "Bounce"), ("body", "Church bell"), ("mater", "Steel")][..]),
        (
            "tubular-bell",
            &[("gest", "Strike"), ("body", "Tubular bell"), ("s1src", "LFO"), ("s1dst", "Hardness"), ("s1amt", "20 %")],
        ),
        ("rolling", &[("gest", "Roll"), ("body", "Free plate"), ("surf", "Floorboards")]),
        ("die", &[("gest", "Tumble"), ("body", "Membrane"), ("mass", "10 g")]),
        ("cradle", &[("gest", "Chain"), ("body", "Free disc")]),
    ] {
        let mut stage = stage(false, 1.0, SIZE);
        settings.iter().for_each(|(id, text)| stage.desk.set(id, text));
        let mut ringing = Ringing::new(&stage.desk, &[60]);
        for _ in 0..10 {
            ringing.pass(&stage.desk, 1600);
            stage.frame(vec![]);
        }
        faults.extend(fault(&format!("alive-{name}"), &stage.picture()));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn as_small_as_it_gets() {
    let stage = stage(false, 1.0, MIN_SIZE);
    assert_eq!(fault("smallest", &stage.picture()), None);
}

#[test]
fn windows_over_it() {
    let mut stage = stage(false, 1.0, SIZE);
    // With a preset on: without one the list tells the folder of the user's own, which is another everywhere.
    stage.click_on(ictus::editor::icons::NEXT);
    stage.click_on("Abacus");
    stage.frame(vec![egui::Event::PointerGone]);
    // Windows fade in.
    (0..20).for_each(|_| stage.frame(vec![]));
    let browser = fault("presets", &stage.picture());
    stage.click_on("Abacus");
    stage.click_on(ictus::editor::icons::SAVE);
    stage.frame(vec![egui::Event::PointerGone]);
    (0..20).for_each(|_| stage.frame(vec![]));
    assert_eq!((browser, fault("saving", &stage.picture())), (None, None));
}
