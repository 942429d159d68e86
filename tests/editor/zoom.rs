//! A host window that accepts or refuses sizes: the zoom follows the available size.

use std::sync::Arc;

use egui::{RawInput, Rect, Vec2, ViewportCommand, vec2};
use ictus::editor::window_settings::WindowSettings;
use ictus::editor::{MIN_SIZE, SIZE};
use ictus::shared_state::extras::Extras;

use crate::host::TestEditor;
use crate::stage::within_time;

/// A window around the editor, as in the framework.
struct Window {
    context: egui::Context,
    editor: TestEditor,
    /// Logical pixels, and whether it accepts another size.
    size: Vec2,
    grows: bool,
    zoom: f32,
    time_s: f64,
    /// Sizes that were requested.
    asked: Vec<Vec2>,
}

impl Window {
    fn new(size: Vec2, grows: bool) -> Self {
        let context = egui::Context::default();
        ictus::editor::theme::set_fonts(&context);
        Self {
            context,
            editor: TestEditor::new(),
            size,
            grows,
            zoom: 1.0,
            time_s: 0.0,
            asked: Vec::new(),
        }
    }

    /// One frame: a window of these pixels, and the size that the editor requests afterwards.
    fn frame(&mut self) {
        self.time_s += 0.05;
        let points = self.size / self.zoom;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(egui::Pos2::ZERO, points)),
            time: Some(self.time_s),
            ..RawInput::default()
        };
        let mut output = self.context.run_ui(input, |ui| self.editor.draw(ui));
        output.textures_delta.clear();
        let mut wanted = None;
        if self.zoom != self.context.zoom_factor() {
            self.zoom = self.context.zoom_factor();
            wanted = Some(points * self.zoom);
        }
        for command in &output.viewport_output[&egui::ViewportId::ROOT].commands {
            if let ViewportCommand::InnerSize(size) = command {
                wanted = Some(*size * self.zoom);
            }
        }
        if let Some(wanted) = wanted.filter(|wanted| (*wanted - self.size).length() > 0.5) {
            self.asked.push(wanted);
            if self.grows {
                self.size = wanted;
            }
        }
    }

    fn choose(&mut self, zoom: f32) {
        self.editor.extras.change_window_settings(|window_settings| window_settings.zoom = zoom);
        (0..30).for_each(|_| self.frame());
    }

    /// The available points.
    fn points(&self) -> Vec2 {
        self.context.content_rect().size()
    }
}

fn near(a: Vec2, b: Vec2) -> bool {
    (a - b).length() < 1.0
}

#[test]
fn a_window_grows_with_the_zoom_and_shrinks_again() {
    within_time(|| {
        let mut window = Window::new(vec2(SIZE.0, SIZE.1), true);
        (0..5).for_each(|_| window.frame());
        for zoom in [2.0, 0.75, 1.5, 1.0] {
            window.choose(zoom);
            assert_eq!(window.zoom, zoom);
            assert!(near(window.size, zoom * vec2(SIZE.0, SIZE.1)), "{zoom}: {:?}", window.size);
            assert!(near(window.points(), vec2(SIZE.0, SIZE.1)), "{zoom}: {:?}", window.points());
        }
        assert_eq!(window.asked.len(), 4, "once for each: {:?}", window.asked);
    });
}

#[test]
fn if_the_host_refuses_the_zoom_fits_the_window() {
    within_time(|| {
        for size in [vec2(SIZE.0, SIZE.1), vec2(MIN_SIZE.0, MIN_SIZE.1), vec2(600.0, 420.0)] {
            let mut window = Window::new(size, false);
            (0..5).for_each(|_| window.frame());
            for zoom in [2.0, 1.25, 2.0] {
                window.asked.clear();
                window.choose(zoom);
                let points = window.points();
                assert!(
                    points.x >= MIN_SIZE.0 - 1.0 && points.y >= MIN_SIZE.1 - 1.0,
                    "{size:?}: {points:?}"
                );
                // No larger than chosen, and no smaller than necessary.
                let fits = (size.x / MIN_SIZE.0).min(size.y / MIN_SIZE.1);
                assert!(
                    window.zoom <= zoom && window.zoom >= zoom.min(fits) - 0.02,
                    "{size:?}: {}",
                    window.zoom
                );
                assert!(
                    window.asked.len() <= 1,
                    "it is not asked again and again: {:?}",
                    window.asked
                );
            }
        }
    });
}

#[test]
fn everything_is_within_the_window_that_did_not_grow() {
    within_time(|| {
        let mut window = Window::new(vec2(SIZE.0, SIZE.1), false);
        window.choose(2.0);
        let points = window.points();
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(egui::Pos2::ZERO, points)),
            time: Some(window.time_s + 0.05),
            ..RawInput::default()
        };
        let mut output = window.context.run_ui(input, |ui| window.editor.draw(ui));
        output.textures_delta.clear();
        let screen = Rect::from_min_size(egui::Pos2::ZERO, points);
        // Scrolled content is clipped by its own page; all pages, and fixed content, lie within the
        // window.
        let mut heads = 0;
        for clipped in &output.shapes {
            assert!(screen.expand(1.0).contains_rect(clipped.clip_rect.intersect(screen)));
            if let egui::Shape::Text(text) = &clipped.shape
                && [
                    "Ictus", "Undo", "Locks", "Striker", "Body", "Physics", "Output", "octave +",
                    "125 %",
                ]
                .contains(&text.galley.text())
            {
                assert!(
                    screen.contains_rect(text.visual_bounding_rect()),
                    "{}",
                    text.galley.text()
                );
                heads += 1;
            }
        }
        assert!(heads >= 9, "{heads}");
    });
}

#[test]
fn a_project_brings_its_window_back() {
    within_time(|| {
        let mut window = Window::new(vec2(SIZE.0, SIZE.1), true);
        (0..5).for_each(|_| window.frame());
        window.choose(1.5);
        window.size = vec2(1650.0, 1200.0);
        (0..5).for_each(|_| window.frame());
        let window_settings = window.editor.extras.window_settings();
        assert_eq!(
            window_settings,
            WindowSettings { width: 1100.0, height: 800.0, zoom: 1.5, light: false }
        );
        let other = Arc::new(Extras::default());
        other.restore(&window.editor.extras.save());
        assert_eq!(other.window_settings(), window_settings);
        assert_eq!(other.window_settings().window(), (1650.0, 1200.0));
        // An open window follows, too.
        let mut open = Window::new(vec2(SIZE.0, SIZE.1), true);
        (0..5).for_each(|_| open.frame());
        open.editor.extras.restore(&window.editor.extras.save());
        (0..30).for_each(|_| open.frame());
        assert!(
            near(open.size, vec2(1650.0, 1200.0)) && open.zoom == 1.5,
            "{:?} at {}",
            open.size,
            open.zoom
        );
    });
}
