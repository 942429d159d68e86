//! A window with an error message, shown if no graphics context is available.

use egui::{Align, Color32, ColorImage, Layout, Pos2, RawInput, Rect, RichText, vec2};
use nice_plug::editor::ParentWindowHandle;
use nice_plug_egui::baseview::dpi::LogicalSize;
use nice_plug_egui::baseview::{
    Error, Event, EventStatus, HandlerError, Window, WindowContext, WindowHandler, WindowSettings,
    WindowSize,
};

use super::raster::Raster;
use super::window_thread::WindowThread;
use super::x11::{self, Canvas};
use super::{SIZE, theme};

/// Opens the window.
pub fn open(
    title: &str,
    reason: &str,
    parent: Option<ParentWindowHandle>,
    window_thread: WindowThread,
) -> Result<Window, Error> {
    let settings = WindowSettings::new()
        .with_title(title)
        .with_size(LogicalSize::new(f64::from(SIZE.0), f64::from(SIZE.1)))
        .with_parent(parent.as_ref());
    let reason = reason.to_string();
    Window::create(settings, move |window| {
        x11::register_thread(&window, &window_thread)?;
        x11::show(&window)?;
        Ok(Message { canvas: Canvas::new(&window)?, window, reason })
    })
}

struct Message {
    window: WindowContext,
    canvas: Canvas,
    reason: String,
}

impl WindowHandler for Message {
    fn draw(&self) -> Result<(), HandlerError> {
        let size = self.window.size();
        let pixels = [size.physical.width as usize, size.physical.height as usize];
        self.canvas.put(&picture(&self.reason, pixels, size.scale_factor as f32))
    }

    fn resized(&self, _size: WindowSize) -> Result<(), HandlerError> {
        self.window.request_redraw();
        Ok(())
    }

    fn on_event(&self, _event: Event) -> EventStatus {
        EventStatus::Ignored
    }
}

/// Renders the message, centred.
pub fn picture(reason: &str, pixels: [usize; 2], scale: f32) -> ColorImage {
    let context = egui::Context::default();
    theme::set_fonts(&context);
    theme::apply(&context, false);
    context.set_zoom_factor(scale);
    let size = vec2(pixels[0] as f32, pixels[1] as f32) / scale;
    let mut raster = Raster::default();
    let mut canvas = ColorImage::filled(pixels, Color32::BLACK);
    // Fonts and zoom take effect in the second frame.
    for _ in 0..2 {
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            ..RawInput::default()
        };
        let mut output = context.run_ui(input, |ui| show_text(ui, reason));
        raster.take(&mut output.textures_delta);
        raster.paint(&mut canvas, &context.tessellate(output.shapes, scale), scale);
    }
    canvas
}

fn show_text(ui: &mut egui::Ui, reason: &str) {
    ui.painter().rect_filled(ui.max_rect(), 0.0, theme::of(ui).background);
    ui.with_layout(Layout::top_down(Align::Center), |ui| {
        ui.add_space(0.34 * ui.available_height());
        ui.label(RichText::new("The editor cannot be drawn here").size(22.0).strong());
        ui.add_space(12.0);
        ui.label("It needs OpenGL, and this display gives it no graphics context.");
        ui.label(
            "The instrument plays all the same: its parameters and presets are in the host's own \
             view.",
        );
        ui.add_space(12.0);
        ui.label(theme::muted(ui, reason));
    });
}
