//! Text has a contrast of at least 4.5 : 1 against what it is painted on, in both themes, on every
//! page and window.
//!
//! A frame is painted shape by shape without its text; each text is compared with the pixels
//! painted before it.

use egui::epaint::{ClippedShape, TextShape};
use egui::{Color32, ColorImage, Event, Pos2, Rect, Shape, vec2};
use ictus::editor::tabs::Tab;
use ictus::editor::{SIZE, icons, theme};

use crate::host::TestEditor;
use crate::listen::RingingEngine;
use crate::stage::{Stage, within_time};

const MIN: f32 = 4.5;
/// Share of pixels under a text that may have less contrast: a thin grid line, the edge of a plate.
const SHARE: f32 = 0.1;

/// The faults in the last frame.
fn faults(stage: &Stage, where_: &str) -> Vec<String> {
    let scale = stage.context.pixels_per_point();
    let mut canvas = ColorImage::filled(
        [SIZE.0, SIZE.1].map(|points| (points * scale) as usize),
        Color32::BLACK,
    );
    let mut waiting = Vec::new();
    let mut faults = Vec::new();
    let mut words = 0;
    for clipped in flat(&stage.shapes) {
        let Shape::Text(text) = &clipped.shape else {
            waiting.push(clipped);
            continue;
        };
        stage.raster.paint(
            &mut canvas,
            &stage.context.tessellate(std::mem::take(&mut waiting), scale),
            scale,
        );
        let place = text.visual_bounding_rect().intersect(clipped.clip_rect);
        let name = text.galley.text();
        // Disabled controls are fainter on purpose.
        let is_idle = ["Undo", "Redo"].contains(&name);
        if name.trim().is_empty() || is_idle {
            continue;
        }
        for ink in inks(text) {
            let (bad, worst) = bad_share(&canvas, place, scale, ink);
            words += 1;
            if bad > SHARE {
                faults.push(format!(
                    "{where_}: {name:?} has {worst:.2} on {:.0} % of its place",
                    100.0 * bad
                ));
            }
        }
    }
    assert!(words > 60, "{where_}: {words} words");
    faults
}

/// All shapes, one by one.
fn flat(shapes: &[ClippedShape]) -> Vec<ClippedShape> {
    let one = |clipped: &ClippedShape| match &clipped.shape {
        Shape::Vec(inner) => {
            let of = |shape: &Shape| ClippedShape { shape: shape.clone(), ..clipped.clone() };
            flat(&inner.iter().map(of).collect::<Vec<_>>())
        }
        _ => vec![clipped.clone()],
    };
    shapes.iter().flat_map(one).collect()
}

/// The colours of a text.
fn inks(text: &TextShape) -> Vec<Color32> {
    let own =
        |colour: Color32| if colour == Color32::PLACEHOLDER { text.fallback_color } else { colour };
    let colours = text.galley.job.sections.iter().map(|section| own(section.format.color));
    let colours = colours.map(|colour| text.override_text_color.unwrap_or(colour));
    let mut inks: Vec<_> =
        colours.map(|colour| colour.gamma_multiply(text.opacity_factor)).collect();
    inks.dedup();
    inks
}

/// The share of pixels on which a colour has too little contrast, and the lowest contrast.
fn bad_share(canvas: &ColorImage, place: Rect, scale: f32, ink: Color32) -> (f32, f32) {
    let [width, height] = canvas.size;
    let whole = |x: f32, most: usize| ((x * scale).round().max(0.0) as usize).min(most);
    let (mut bad, mut all, mut worst) = (0, 0, f32::INFINITY);
    for y in whole(place.top(), height)..whole(place.bottom(), height) {
        for x in whole(place.left(), width)..whole(place.right(), width) {
            let ground = canvas.pixels[y * width + x];
            let found = theme::contrast(ink.blend_over(ground), ground);
            (bad, all, worst) = (bad + usize::from(found < MIN), all + 1, worst.min(found));
        }
    }
    if all == 0 { (0.0, worst) } else { (bad as f32 / all as f32, worst) }
}

trait BlendOver {
    fn blend_over(self, ground: Color32) -> Color32;
}

impl BlendOver for Color32 {
    /// Colours are stored with premultiplied alpha.
    fn blend_over(self, ground: Color32) -> Color32 {
        let rest = 255 - u16::from(self.a());
        let mix = |a: u8, b: u8| (u16::from(a) + (u16::from(b) * rest + 127) / 255).min(255) as u8;
        Color32::from_rgb(
            mix(self.r(), ground.r()),
            mix(self.g(), ground.g()),
            mix(self.b(), ground.b()),
        )
    }
}

fn stage(light: bool) -> Stage {
    let editor = TestEditor::new();
    editor.extras.change_window_settings(|window_settings| window_settings.light = light);
    Stage::of(editor, vec2(SIZE.0, SIZE.1))
}

/// Runs frames until windows have faded in and a resting pointer shows its tooltip.
fn wait(stage: &mut Stage) {
    (0..20).for_each(|_| stage.frame(vec![]));
}

fn place_of(stage: &Stage, text: &str) -> Pos2 {
    stage
        .texts
        .iter()
        .find(|(shown, _)| shown == text)
        .unwrap_or_else(|| panic!("{text} is not shown"))
        .1
        .center()
}

fn hover(stage: &mut Stage, text: &str) {
    let at = place_of(stage, text);
    stage.frame(vec![Event::PointerMoved(at)]);
    wait(stage);
}

#[test]
fn words_stand_out_on_every_page() {
    within_time(|| {
        let mut found = Vec::new();
        for light in [false, true] {
            let mut stage = stage(light);
            // Content on every page, and bars filled to either side.
            for (id, text) in [
                ("gest", "Roll"),
                ("surf", "File"),
                ("mater", "Pad"),
                ("s1src", "LFO"),
                ("s1dst", "Pitch"),
                ("s1amt", "100 %"),
                ("s2src", "Velocity"),
                ("s2dst", "Hardness"),
                ("s2amt", "-100 %"),
                ("s3amt", "100 %"),
            ] {
                stage.editor.set(id, text);
            }
            for tab in Tab::ALL {
                stage.click_on(tab.name());
                stage.frame(vec![Event::PointerGone]);
                stage.frame(vec![]);
                found.extend(faults(&stage, &format!("{} light={light}", tab.name())));
            }
            // Notes sound, keys are lit, the limiter acts, and a file is missing.
            stage.editor.set("gest", "Strike");
            stage.editor.set("level", "24 dB");
            stage.click_on("Load surface");
            stage.click_on("Physics");
            let mut ringing = RingingEngine::new(&stage.editor, &[60, 61, 64]);
            for _ in 0..4 {
                ringing.pass(&stage.editor, 1600);
                stage.frame(vec![]);
            }
            found.extend(faults(&stage, &format!("alive light={light}")));
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    });
}

#[test]
fn words_stand_out_in_lists_windows_and_fields() {
    within_time(|| {
        let mut found = Vec::new();
        for light in [false, true] {
            let mut stage = stage(light);
            let mut see = |stage: &Stage, what: &str| {
                found.extend(faults(stage, &format!("{what} light={light}")))
            };
            // A user preset: active and not; under the pointer, and about to be deleted.
            stage.click_on(icons::SAVE);
            wait(&mut stage);
            stage.frame(vec![Event::Text("Aardvark".into())]);
            stage.frame(vec![]);
            see(&stage, "naming");
            stage.click_on("Save to your presets");
            stage.click_on("Aardvark");
            wait(&mut stage);
            see(&stage, "own preset on");
            stage.click_on("Delete");
            wait(&mut stage);
            see(&stage, "about to be removed");
            stage.click_on("Anvil");
            wait(&mut stage);
            see(&stage, "another preset on");
            hover(&mut stage, "Aardvark");
            see(&stage, "own preset under the pointer");
            hover(&mut stage, "Abacus");
            see(&stage, "preset under the pointer");
            hover(&mut stage, "Bells");
            see(&stage, "category under the pointer");
            stage.key(egui::Key::Escape, true);
            // Lists, menus, tooltips, and a field with invalid text.
            stage.click_on("Hunt-Crossley");
            wait(&mut stage);
            see(&stage, "list");
            stage.key(egui::Key::Escape, true);
            wait(&mut stage);
            stage.click_on("Locks");
            wait(&mut stage);
            see(&stage, "menu");
            stage.key(egui::Key::Escape, true);
            wait(&mut stage);
            for name in ["Mutate", "Mass", "Restitution", "Gesture"] {
                hover(&mut stage, name);
                see(&stage, name);
            }
            let (_, value) = stage.dial_and_value("Speed");
            stage.click(value);
            stage.frame(vec![]);
            see(&stage, "field");
            stage.frame(vec![Event::Text("banana".into())]);
            stage.frame(vec![]);
            see(&stage, "nonsense");
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    });
}

#[test]
fn a_word_that_does_not_stand_out_is_reported() {
    within_time(|| {
        let mut stage = stage(false);
        let grey = Color32::from_gray(90);
        let mut shapes = std::mem::take(&mut stage.shapes);
        for clipped in &mut shapes {
            if let Shape::Text(text) = &mut clipped.shape
                && text.galley.text() == "Randomise"
            {
                text.override_text_color = Some(grey);
            }
        }
        stage.shapes = shapes;
        let found = faults(&stage, "grey");
        assert!(matches!(&found[..], [only] if only.contains("Randomise")), "{found:?}");
    });
}
