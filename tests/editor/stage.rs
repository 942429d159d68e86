//! The editor in a simulated window: events go in, texts and pictures come out.

use std::sync::mpsc;
use std::time::Duration;

use egui::epaint::{ClippedPrimitive, ClippedShape, Primitive};
use egui::{
    ColorImage, Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Shape, pos2, vec2,
};
use ictus::editor::SIZE;
use ictus::editor::raster::Raster;
use ictus::params::Param;

use crate::host::TestEditor;

/// The editor with its environment.
pub struct Stage {
    pub context: egui::Context,
    pub editor: TestEditor,
    size: egui::Vec2,
    /// Pixels per point, before the zoom.
    density: f32,
    time_s: f64,
    /// Texts of the last frame, and their places.
    pub texts: Vec<(String, Rect)>,
    pub raster: Raster,
    /// Shapes of the last frame.
    pub shapes: Vec<ClippedShape>,
    next_frame: Duration,
}

impl Stage {
    pub fn new() -> Self {
        Self::of(TestEditor::new(), vec2(SIZE.0, SIZE.1))
    }

    /// In a window of this size, points.
    pub fn of(editor: TestEditor, size: egui::Vec2) -> Self {
        Self::on(editor, size, 1.0)
    }

    /// On a screen with this many pixels per point.
    pub fn on(editor: TestEditor, size: egui::Vec2, density: f32) -> Self {
        let context = egui::Context::default();
        ictus::editor::theme::set_fonts(&context);
        let mut stage = Self {
            context,
            editor,
            size,
            density,
            time_s: 0.0,
            texts: Vec::new(),
            raster: Raster::default(),
            shapes: Vec::new(),
            next_frame: Duration::ZERO,
        };
        // A panel takes its height from the frame before.
        stage.frame(vec![]);
        stage.frame(vec![]);
        stage
    }

    pub fn frame(&mut self, events: Vec<Event>) {
        self.time_s += 0.05;
        let screen = egui::ViewportInfo {
            native_pixels_per_point: Some(self.density),
            ..Default::default()
        };
        let input = RawInput {
            viewports: std::iter::once((egui::ViewportId::ROOT, screen)).collect(),
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(self.time_s),
            events,
            ..RawInput::default()
        };
        let mut output = self.context.run_ui(input, |ui| self.editor.draw(ui));
        self.raster.take(&mut output.textures_delta);
        self.texts = output
            .shapes
            .iter()
            .filter_map(|clipped| match &clipped.shape {
                Shape::Text(text) => {
                    Some((text.galley.text().to_string(), text.visual_bounding_rect()))
                }
                _ => None,
            })
            .collect();
        self.next_frame = output.viewport_output[&egui::ViewportId::ROOT].repaint_delay;
        self.shapes = output.shapes;
    }

    /// Number of triangles of the last frame.
    pub fn triangles(&mut self) -> usize {
        let shapes = std::mem::take(&mut self.shapes);
        let primitives = self.context.tessellate(shapes, self.context.pixels_per_point());
        let count = |primitive: &ClippedPrimitive| match &primitive.primitive {
            Primitive::Mesh(mesh) => mesh.indices.len() / 3,
            Primitive::Callback(_) => 0,
        };
        primitives.iter().map(count).sum()
    }

    /// When the editor requests the next frame.
    pub fn next_frame(&self) -> Duration {
        self.next_frame
    }

    /// Renders the last frame.
    pub fn picture(&self) -> ColorImage {
        let scale = self.context.pixels_per_point();
        let pixels = [self.size.x, self.size.y].map(|points| (points * scale).round() as usize);
        let mut canvas = ColorImage::filled(pixels, egui::Color32::BLACK);
        self.raster.paint(&mut canvas, &self.context.tessellate(self.shapes.clone(), scale), scale);
        canvas
    }

    pub fn press(&mut self, at: Pos2, pressed: bool) {
        let modifiers = Modifiers::default();
        self.frame(vec![Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers,
        }]);
    }

    pub fn key(&mut self, key: Key, pressed: bool) {
        let modifiers = Modifiers::default();
        self.frame(vec![Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }]);
    }

    pub fn click(&mut self, at: Pos2) {
        self.frame(vec![Event::PointerMoved(at)]);
        self.press(at, true);
        self.press(at, false);
    }

    /// Clicks on a text; the first of that wording (the keys of the keyboard have letters, too).
    pub fn click_on(&mut self, text: &str) {
        let at = self.texts.iter().find(|(shown, _)| shown == text);
        let at = at.unwrap_or_else(|| panic!("{text} is not shown")).1.center();
        self.click(at);
        self.frame(vec![]);
    }

    /// Whether a text is fully visible, not cut off by the edge of a scroll area.
    pub fn is_in_sight(&self, text: &str, place: Rect) -> bool {
        self.shapes.iter().any(|clipped| match &clipped.shape {
            Shape::Text(shown) => {
                shown.galley.text() == text
                    && shown.visual_bounding_rect() == place
                    && clipped.clip_rect.contains_rect(place)
            }
            _ => false,
        })
    }

    /// Number of discs in a part of the window: balls, marks, dots of charts.
    pub fn discs_in(&self, part: Rect) -> usize {
        let is_it = |clipped: &&ClippedShape| matches!(&clipped.shape, Shape::Circle(disc) if part.contains(disc.center));
        self.shapes.iter().filter(is_it).count()
    }

    pub fn shows(&self, text: &str) -> bool {
        self.texts.iter().any(|(shown, _)| shown.contains(text))
    }

    /// Drags the dial of a parameter by some pixels.
    pub fn drag(&mut self, name: &str, by: f32) {
        let (dial, _) = self.dial_and_value(name);
        self.frame(vec![Event::PointerMoved(dial)]);
        self.press(dial, true);
        for i in 1..=10 {
            self.frame(vec![Event::PointerMoved(dial + vec2(0.1 * by * i as f32, 0.0))]);
        }
        self.press(dial + vec2(by, 0.0), false);
        self.frame(vec![]);
    }

    pub fn position(&self, param: Param) -> f32 {
        self.editor.position(param)
    }
}

/// Runs a scene with a time limit.
pub fn within_time(scene: impl FnOnce() + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let actor = std::thread::spawn(move || {
        scene();
        let _ = done.send(());
    });
    match wait.recv_timeout(Duration::from_secs(600)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("the editor hangs"),
        // Finished or failed: `join` returns the result.
        _ => actor.join().unwrap(),
    }
}

impl Stage {
    /// The dial below a name, and the value below the dial.
    pub fn dial_and_value(&self, name: &str) -> (Pos2, Pos2) {
        let (_, label) = self.texts.iter().find(|(text, _)| text == name).expect("it is shown");
        let below = |place: &Rect| {
            (place.center().x - label.center().x).abs() < 3.0 && place.top() > label.bottom()
        };
        let values = self.texts.iter().filter(|(_, place)| below(place));
        let (_, value) =
            values.min_by(|a, b| a.1.top().total_cmp(&b.1.top())).expect("it has a value");
        (pos2(label.center().x, label.top() + 30.0), value.center())
    }
}
