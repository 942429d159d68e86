//! The appearance of the editor: every tab, in both themes, at three zooms, compared with stored
//! pictures.
//!
//! `ICTUS_UPDATE_SNAPSHOTS=1 cargo test --test editor pictures` rewrites them; look at them before
//! the commit. Large windows are stored in greys, which take half the space. Pictures are compared
//! by their mean difference and in small squares, so that a missing label does not vanish among a
//! million pixels. The picture of a failed test is written to the build folder.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use egui::{Color32, ColorImage, vec2};
use ictus::editor::{MIN_SIZE, SIZE};

use crate::host::TestEditor;
use crate::listen::RingingEngine;
use crate::stage::Stage;

/// Wider pictures are stored in greys.
const WIDTH: usize = 1000;
/// Allowed mean difference of a channel, of 255: sines differ between machines.
const MEAN: f64 = 0.25;
/// Edge of a square, pixels, and how many of its pixels may differ by more than a shade.
const SQUARE: usize = 24;
const OTHERS: usize = 20;
const SHADE: u8 = 32;

/// A picture as stored: in steps of 8, which takes half the bytes without a visible loss; or in
/// sixteen greys.
fn coarse(picture: &ColorImage) -> ColorImage {
    let is_grey = picture.size[0] > WIDTH;
    let coarse = |pixel: &Color32| {
        let [r, g, b, _] = pixel.to_array();
        if is_grey {
            let light = (2 * u32::from(r) + 5 * u32::from(g) + u32::from(b)) / 8;
            return Color32::from_gray(17 * ((light + 8) / 17) as u8);
        }
        let [r, g, b] = [r, g, b].map(|x| x & 0xf8 | 0x04);
        Color32::from_rgb(r, g, b)
    };
    ColorImage::new(picture.size, picture.pixels.iter().map(coarse).collect())
}

fn write(path: &Path, picture: &ColorImage) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = BufWriter::new(File::create(path).unwrap());
    let mut encoder = png::Encoder::new(file, picture.size[0] as u32, picture.size[1] as u32);
    encoder.set_compression(png::Compression::Best);
    let bytes: Vec<u8> = if picture.size[0] > WIDTH {
        // Two pixels per byte, in rows of whole bytes.
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Four);
        let rows = picture.pixels.chunks(picture.size[0]);
        let pair = |pair: &[Color32]| {
            (pair[0].r() / 17) << 4 | pair.get(1).map_or(0, |pixel| pixel.r() / 17)
        };
        rows.flat_map(|row| row.chunks(2).map(pair)).collect()
    } else {
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
        picture.pixels.iter().flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect()
    };
    encoder.write_header().unwrap().write_image_data(&bytes).unwrap();
}

fn read(path: &Path) -> Option<ColorImage> {
    let mut decoder = png::Decoder::new(File::open(path).ok()?);
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().ok()?;
    let mut bytes = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut bytes).ok()?;
    let each = info.color_type.samples();
    let pixels = bytes
        .chunks_exact(each)
        .map(|pixel| Color32::from_rgb(pixel[0], pixel[each / 2], pixel[each - 1]));
    let pixels = pixels.collect();
    Some(ColorImage::new([info.width as usize, info.height as usize], pixels))
}

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/snapshots").join(format!("{name}.png"))
}

/// How two pictures differ, if they do.
fn difference(wanted: &ColorImage, found: &ColorImage) -> Option<String> {
    if wanted.size != found.size {
        return Some(format!("{:?} pixels, not {:?}", found.size, wanted.size));
    }
    let mut squares = std::collections::BTreeMap::<[usize; 2], usize>::new();
    let mut sum = 0;
    for (index, (a, b)) in wanted.pixels.iter().zip(&found.pixels).enumerate() {
        let apart = [a.r().abs_diff(b.r()), a.g().abs_diff(b.g()), a.b().abs_diff(b.b())];
        sum += apart.into_iter().map(usize::from).sum::<usize>();
        if apart.into_iter().any(|apart| apart > SHADE) {
            let [x, y] = [index % wanted.size[0], index / wanted.size[0]];
            *squares.entry([x / SQUARE, y / SQUARE]).or_default() += 1;
        }
    }
    let mean = sum as f64 / (3 * wanted.pixels.len()) as f64;
    if mean > MEAN {
        return Some(format!("{mean:.3} of 255 in the mean"));
    }
    let (place, most) = squares.into_iter().max_by_key(|(_, count)| *count)?;
    (most > OTHERS).then(|| format!("{most} pixels about {:?}", place.map(|i| i * SQUARE)))
}

/// How a picture differs from the stored one, if it does.
fn fault(name: &str, picture: &ColorImage) -> Option<String> {
    let small = coarse(picture);
    if std::env::var_os("ICTUS_UPDATE_SNAPSHOTS").is_some() {
        write(&kept(name), &small);
        return None;
    }
    let wanted = read(&kept(name));
    let differs = match &wanted {
        None => Some("there is no picture of it".to_string()),
        Some(wanted) => difference(wanted, &small),
    };
    differs.map(|differs| {
        let left =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("snapshots").join(format!("{name}.png"));
        write(&left, &small);
        format!("{name}: {differs}; see {}", left.display())
    })
}

fn stage(light: bool, zoom: f32, size: (f32, f32)) -> Stage {
    let editor = TestEditor::new();
    editor.extras.change_window_settings(|window_settings| {
        (window_settings.light, window_settings.zoom) = (light, zoom)
    });
    let mut stage = Stage::of(editor, vec2(size.0, size.1));
    // The stage is a window that grows with the zoom.
    (0..40).for_each(|_| stage.frame(vec![]));
    assert_eq!(stage.context.zoom_factor(), zoom);
    stage
}

/// All tabs in turn.
fn tabs(light: bool, zoom: f32) {
    let theme = if light { "light" } else { "dark" };
    let mut faults = Vec::new();
    let mut stage = stage(light, zoom, SIZE);
    for tab in ictus::editor::tabs::Tab::ALL {
        stage.click_on(tab.name());
        // Removes the pointer and its hover effects.
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
            &[
                ("gest", "Strike"),
                ("body", "Tubular bell"),
                ("s1src", "LFO"),
                ("s1dst", "Hardness"),
                ("s1amt", "20 %"),
            ],
        ),
        ("rolling", &[("gest", "Roll"), ("body", "Free plate"), ("surf", "Floorboards")]),
        ("die", &[("gest", "Tumble"), ("body", "Membrane"), ("mass", "10 g")]),
        ("cradle", &[("gest", "Chain"), ("body", "Free disc")]),
        (
            "two-way",
            &[("gest", "Strike"), ("body", "Free bar"), ("coupl", "Two-way"), ("mass", "100 g")],
        ),
    ] {
        let mut stage = stage(false, 1.0, SIZE);
        settings.iter().for_each(|(id, text)| stage.editor.set(id, text));
        let mut ringing = RingingEngine::new(&stage.editor, &[60]);
        for _ in 0..10 {
            ringing.pass(&stage.editor, 1600);
            stage.frame(vec![]);
        }
        faults.extend(fault(&format!("alive-{name}"), &stage.picture()));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_label_that_is_gone_is_reported() {
    for zoom in [0.75, 1.0, 2.0] {
        let stage = stage(false, zoom, SIZE);
        let whole = stage.picture();
        let kept = coarse(&whole);
        let scale = stage.context.pixels_per_point();
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, vec2(SIZE.0, SIZE.1));
        let mut tried = 0;
        for (text, place) in &stage.texts {
            // Labels that are scrolled out of view do not count.
            if text.chars().count() < 3
                || !screen.contains_rect(*place)
                || !stage.is_in_sight(text, *place)
            {
                continue;
            }
            let mut without = whole.clone();
            let [width, _] = without.size;
            let at = |x: f32| (x * scale) as usize;
            let ground = without.pixels[at(place.top()) * width + at(place.left())];
            for y in at(place.top())..=at(place.bottom()) {
                without.pixels[y * width + at(place.left())..=y * width + at(place.right())]
                    .fill(ground);
            }
            assert!(difference(&kept, &coarse(&without)).is_some(), "{text} at {zoom}");
            tried += 1;
        }
        assert!(tried > 40, "{tried}");
    }
}

#[test]
fn smallest_window() {
    let stage = stage(false, 1.0, MIN_SIZE);
    assert_eq!(fault("smallest", &stage.picture()), None);
}

#[test]
fn dialogs() {
    let mut stage = stage(false, 1.0, SIZE);
    // With an active preset: without one the list shows the user's folder, which differs from
    // machine to machine.
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
