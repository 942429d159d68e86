//! The effective zoom: the chosen one, or the largest that fits the window.
//!
//! A larger zoom requests a larger window from the host, which may refuse. The zoom follows the
//! actual size of the window, so that all controls stay visible.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use atomic_float::AtomicF32;

use egui::{Context, Vec2, ViewportCommand, vec2};

use super::MIN_SIZE;
use super::window_settings::WindowSettings;

/// Text below this zoom is illegible.
const MIN_ZOOM: f32 = 0.4;
/// Quantises the zoom while the window is resized.
const STEPS_PER_UNIT: f32 = 100.0;

/// The zoom for a window of this size in logical pixels, at most `chosen`.
pub fn zoom(chosen: f32, window: Vec2) -> f32 {
    let room = (window.x / MIN_SIZE.0).min(window.y / MIN_SIZE.1);
    // A size computed from a zoom may be too small by a rounding error.
    let room = (STEPS_PER_UNIT * room + 0.01).floor() / STEPS_PER_UNIT;
    if room >= chosen { chosen } else { room.max(MIN_ZOOM) }
}

/// After this time a requested size counts as refused, s.
const RESIZE_TIMEOUT_S: f64 = 0.3;

/// Fits the zoom to the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZoomFit {
    /// The last reported size of the window, in logical pixels.
    reported_size: Option<Vec2>,
    /// The zoom of the last frame.
    zoom: f32,
    /// Size in points and zoom of the last frame's settings.
    last_settings: Option<(Vec2, f32)>,
    /// While a requested size is pending: the timeout, and the size at the request.
    waiting_until: Option<(f64, Vec2)>,
}

impl ZoomFit {
    /// Resets the state for a new window.
    pub fn reset(&mut self, context: &Context) {
        *self = Self { zoom: context.zoom_factor(), ..Self::default() };
    }

    /// Stores the window's new size, in points.
    pub fn set_size(&mut self, points: Vec2) {
        self.reported_size = Some(points * self.zoom);
    }

    /// The effective zoom.
    pub fn zoom(&self) -> f32 {
        self.zoom
    }

    /// Applies the zoom that fits, and requests another size if the settings changed. Call once per
    /// frame. Returns the settings with the window's actual size.
    pub fn process(
        &mut self,
        context: &Context,
        window_settings: WindowSettings,
    ) -> WindowSettings {
        let (zoom, now_s) = (context.zoom_factor(), context.input(|input| input.time));
        let window = self.reported_size.unwrap_or_else(|| context.content_rect().size() * zoom);
        let size = vec2(window_settings.width, window_settings.height);
        // Changed by the user, or loaded with a project.
        let is_requested = self
            .last_settings
            .is_some_and(|last_settings| last_settings != (size, window_settings.zoom));
        if is_requested {
            self.waiting_until = Some((now_s + RESIZE_TIMEOUT_S, window));
        }
        if is_requested || zoom != self.zoom {
            // The framework resizes the window on a change of zoom unless a size is given.
            let requested = if is_requested { size * window_settings.zoom } else { window };
            context.send_viewport_cmd(ViewportCommand::InnerSize(requested / zoom));
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

/// Physical pixels per logical pixel, as the last window reported it. Clones share the value.
#[derive(Clone, Debug)]
pub struct PixelScale(Arc<AtomicF32>);

impl Default for PixelScale {
    fn default() -> Self {
        Self(Arc::new(AtomicF32::new(1.0)))
    }
}

impl PixelScale {
    /// Stores the scale that a window reported.
    pub fn set(&self, scale: f32) {
        if scale.is_finite() && scale > 0.0 {
            self.0.store(scale, Ordering::Relaxed);
        }
    }

    /// The scale of the last window; 1 before the first.
    pub fn get(&self) -> f32 {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zoom_is_the_chosen_one_or_the_largest_that_fits() {
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
