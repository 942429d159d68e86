//! The zoom in force: the one that was chosen, or as much of it as the window has room for.
//!
//! With a larger zoom the host is asked for a larger window, and may refuse. The zoom follows what
//! the window is, never what it was asked to be, so that everything stays within reach.

use egui::{Context, Vec2, ViewportCommand, vec2};

use super::MIN_SIZE;
use super::window_settings::WindowSettings;

/// No window is so small that this would not be readable any more.
const MIN: f32 = 0.4;
/// The zoom goes in such steps while a window is dragged.
const STEPS_PER_UNIT: f32 = 100.0;

/// The zoom for a window of this size (logical pixels) if `chosen` is wanted.
pub fn zoom(chosen: f32, window: Vec2) -> f32 {
    let room = (window.x / MIN_SIZE.0).min(window.y / MIN_SIZE.1);
    // A size that was made from a zoom may be a rounding short of it.
    let room = (STEPS_PER_UNIT * room + 0.01).floor() / STEPS_PER_UNIT;
    if room >= chosen { chosen } else { room.max(MIN) }
}

/// A window that was asked for and has not come by then will not come, s.
const RESIZE_TIMEOUT_S: f64 = 0.3;

/// What is known of a window.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZoomFit {
    /// Its size as the system told it last, logical pixels.
    reported_size: Option<Vec2>,
    /// The zoom of the last frame.
    zoom: f32,
    /// Size and zoom of the look, as they were seen last.
    last_settings: Option<(Vec2, f32)>,
    /// Another window was asked for: until when it is waited for, and what it was then.
    waiting_until: Option<(f64, Vec2)>,
}

impl ZoomFit {
    /// A window has been made.
    pub fn begin(&mut self, context: &Context) {
        *self = Self { zoom: context.zoom_factor(), ..Self::default() };
    }

    /// It has another size, in points.
    pub fn resized(&mut self, points: Vec2) {
        self.reported_size = Some(points * self.zoom);
    }

    /// The zoom in force.
    pub fn zoom(&self) -> f32 {
        self.zoom
    }

    /// Once a frame: put the zoom on that fits, and ask for another window if the look wants one.
    /// The look with the size of the window in it.
    pub fn follow(&mut self, context: &Context, window_settings: WindowSettings) -> WindowSettings {
        let (zoom, now_s) = (context.zoom_factor(), context.input(|input| input.time));
        let window = self.reported_size.unwrap_or_else(|| context.content_rect().size() * zoom);
        let size = vec2(window_settings.width, window_settings.height);
        // Chosen here, or come with a project.
        let is_requested = self
            .last_settings
            .is_some_and(|last_settings| last_settings != (size, window_settings.zoom));
        if is_requested {
            self.waiting_until = Some((now_s + RESIZE_TIMEOUT_S, window));
        }
        if is_requested || zoom != self.zoom {
            // With another zoom the framework makes another window, unless it is told which.
            let wanted = if is_requested { size * window_settings.zoom } else { window };
            context.send_viewport_cmd(ViewportCommand::InnerSize(wanted / zoom));
        }
        self.zoom = zoom;
        self.waiting_until =
            self.waiting_until.filter(|(until_s, before)| now_s < *until_s && *before == window);
        if self.waiting_until.is_some() {
            context.request_repaint_after_secs(RESIZE_TIMEOUT_S as f32);
            self.last_settings = Some((size, window_settings.zoom));
            return window_settings;
        }
        let fitting = self::zoom(window_settings.zoom, window);
        if fitting != zoom {
            context.set_zoom_factor(fitting);
        }
        let points = window / fitting;
        let window_settings =
            WindowSettings { width: points.x, height: points.y, ..window_settings }.within_limits();
        self.last_settings =
            Some((vec2(window_settings.width, window_settings.height), window_settings.zoom));
        window_settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zoom_is_what_was_chosen_or_what_fits() {
        let small = vec2(MIN_SIZE.0, MIN_SIZE.1);
        for chosen in super::super::window_settings::ZOOMS {
            assert_eq!(zoom(chosen, chosen * small), chosen);
            assert_eq!(zoom(chosen, 3.0 * small), chosen);
            assert!(zoom(chosen, 0.5 * small) <= 0.5);
        }
        let room = zoom(2.0, vec2(1000.0, 680.0));
        assert!(room * MIN_SIZE.0 <= 1000.0 && room * MIN_SIZE.1 <= 680.0 && room > 1.2, "{room}");
    }
}
