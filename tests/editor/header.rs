//! The header: panic, the engine's read-outs, theme; and screens with more pixels per point.

use egui::{Role, vec2};
use egui_kittest::kittest::NodeT;
use ictus::editor::SIZE;
use ictus::shared_state::extras::Extras;

use crate::host::TestEditor;
use crate::listen::RingingEngine;
use crate::reader::ScreenReader;
use crate::stage::Stage;

fn is_shown(reader: &ScreenReader, text: &str) -> bool {
    reader.harness.root().children_recursive().any(|node| {
        let node = node.accesskit_node();
        node.label().as_deref() == Some(text) || node.value().as_deref() == Some(text)
    })
}

#[test]
fn panic_silences() {
    let mut reader = ScreenReader::quick();
    let mut ringing = RingingEngine::new(reader.editor(), &[48, 55, 60]);
    assert!(ringing.pass(reader.editor(), 4_800) > 1e-3, "it sounds");
    reader.settle();
    assert!(ringing.pass(reader.editor(), 4_800) > 1e-3, "and goes on");
    reader.click(Role::Button, "Panic: silence everything");
    // After a fade of 5 ms only the DC block still decays: 100 dB lower at once, and soon silent.
    ringing.pass(reader.editor(), 480);
    assert!(ringing.pass(reader.editor(), 4_800) < 1e-4);
    ringing.pass(reader.editor(), 48_000);
    assert!(ringing.pass(reader.editor(), 4_800) < 1e-7);
    reader.settle();
    assert!(is_shown(&reader, "0 voices"));
}

#[test]
fn voices_and_load_are_those_of_the_engine() {
    let mut reader = ScreenReader::quick();
    reader.settle();
    assert!(is_shown(&reader, "0 voices") && is_shown(&reader, "0 % CPU"));
    for (keys, words) in [(&[60][..], "1 voice"), (&[48, 55, 60], "3 voices")] {
        let mut ringing = RingingEngine::new(reader.editor(), keys);
        ringing.pass(reader.editor(), 512);
        reader.settle();
        assert!(is_shown(&reader, words), "{words}");
    }
    // The read-out shows a constant load unchanged.
    (0..200).for_each(|_| reader.editor().telemetry.report_load(0.37));
    reader.settle();
    assert!(is_shown(&reader, "37 % CPU"));
}

#[test]
fn the_theme_is_changed_and_kept_with_the_project() {
    let mut reader = ScreenReader::quick();
    assert!(
        !reader.editor().extras.window_settings().light
            && reader.harness.ctx.global_style().visuals.dark_mode
    );
    reader.click(Role::Button, "Light theme");
    assert!(
        reader.editor().extras.window_settings().light
            && !reader.harness.ctx.global_style().visuals.dark_mode
    );
    // The project restores the theme in another instance.
    let other = Extras::default();
    other.restore(&reader.editor().extras.save());
    assert!(other.window_settings().light);
    reader.click(Role::Button, "Dark theme");
    assert!(
        !reader.editor().extras.window_settings().light
            && reader.harness.ctx.global_style().visuals.dark_mode
    );
}

#[test]
fn a_dense_screen_shows_the_same_with_more_pixels() {
    let size = vec2(SIZE.0, SIZE.1);
    let [plain, dense] = [1.0, 2.0].map(|density| {
        let mut stage = Stage::on(TestEditor::new(), size, density);
        (0..5).for_each(|_| stage.frame(vec![]));
        stage
    });
    assert_eq!([plain.context.pixels_per_point(), dense.context.pixels_per_point()], [1.0, 2.0]);
    assert_eq!(dense.context.zoom_factor(), 1.0, "the zoom is another thing");
    let [small, large] = [&plain, &dense].map(Stage::picture);
    assert_eq!([small.size, large.size], [[1000, 680], [2000, 1360]]);
    // Every text is at the same place, within a pixel and the rounding of its glyphs.
    assert_eq!(plain.texts.len(), dense.texts.len());
    for ((text, a), (same, b)) in plain.texts.iter().zip(&dense.texts) {
        assert_eq!(text, same);
        // An empty text has no position.
        assert!(text.is_empty() || (a.center() - b.center()).length() < 2.5, "{text}: {a:?} {b:?}");
    }
    // Glyphs are rendered at the higher resolution, not scaled: their edges differ from those of
    // the plain picture with each pixel repeated four times.
    let [width, height] = large.size;
    let sharper = (0..height * width).filter(|i| {
        let (x, y) = (i % width, i / width);
        large.pixels[*i] != small.pixels[(y / 2) * small.size[0] + x / 2]
    });
    assert!(sharper.count() > 50_000);
}
