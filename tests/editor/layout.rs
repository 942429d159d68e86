//! Layout: nothing overlaps and nothing is cut off.

use egui::{Shape, vec2};
use ictus::editor::{MIN_SIZE, SIZE};

use crate::host::TestEditor;
use crate::stage::Stage;

/// The editor in a window of this size, at a zoom.
fn at_zoom(zoom: f32, size: (f32, f32)) -> Stage {
    let editor = TestEditor::new();
    editor.extras.change_window_settings(|window_settings| window_settings.zoom = zoom);
    let mut stage = Stage::of(editor, vec2(size.0, size.1));
    (0..40).for_each(|_| stage.frame(vec![]));
    assert_eq!(stage.context.zoom_factor(), zoom);
    stage
}

#[test]
fn the_words_over_the_modes_keep_off_the_levels() {
    for (zoom, size) in [(0.75, SIZE), (1.0, SIZE), (2.0, SIZE), (1.0, MIN_SIZE)] {
        let stage = at_zoom(zoom, size);
        let place = |is: &dyn Fn(&str) -> bool| {
            stage.texts.iter().find(|(text, _)| is(text)).expect("it is shown").1
        };
        let words = place(&|text| text.contains(" modes from "));
        let level = place(&|text| text == "0 dB");
        assert!(words.bottom() <= level.top(), "{words} and {level} at {zoom}");
    }
}

#[test]
fn nothing_is_cut_in_half_by_the_edge_of_a_panel() {
    let mut cut = Vec::new();
    for size in [MIN_SIZE, (800.0, 600.0), SIZE, (1400.0, 950.0)] {
        let mut stage = at_zoom(1.0, size);
        for tab in ictus::editor::tabs::Tab::ALL {
            stage.click_on(tab.name());
            stage.frame(vec![]);
            for clipped in &stage.shapes {
                let (what, place) = match &clipped.shape {
                    Shape::Text(text) => (text.galley.text(), text.visual_bounding_rect()),
                    Shape::Circle(circle) if circle.radius > 5.0 => {
                        ("a dial", circle.visual_bounding_rect())
                    }
                    _ => continue,
                };
                let seen = clipped.clip_rect.intersect(place);
                // A cut within rounding is none, and text that is wholly out of view does not
                // count.
                if seen.height() > 1.0 && seen.width() > 0.0 && seen.height() < place.height() - 1.5
                {
                    cut.push(format!("{what} on {} at {size:?}", tab.name()));
                }
            }
        }
        // Even in a small window dials on both sides are visible.
        for name in ["Mass", "Dynamics", "Tune"] {
            let is_seen = |(text, place): &(String, egui::Rect)| {
                text == name && stage.is_in_sight(text, *place)
            };
            assert!(stage.texts.iter().any(is_seen), "{name} at {size:?}");
        }
    }
    assert!(cut.is_empty(), "{}", cut.join("\n"));
}
