//! The chart of the body's modes: frequency, level at the pickups, decay time.
//!
//! A horizontal drag tunes the body, a vertical one changes its decay.

use egui::{Align2, FontId, Painter, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::chart::axis::quantity;
use super::control::Controls;
use super::dial::drawing::write_in;
use super::theme::{self, Palette};
use crate::body::UserModes;
use crate::body::shape::{Place, Spectrum};
use crate::params::{Param, Patch};
use crate::voice::settings::BodySettings;

/// Left end of the chart.
const MIN_HZ: f64 = 30.0;
/// Right end of the chart.
const MAX_HZ: f64 = 20_000.0;
/// Range of levels below the loudest mode.
const RANGE_DB: f64 = 60.0;
/// C4, in semitones from A4.
const KEY_ST: f64 = -9.0;

/// The chart.
#[derive(Default)]
pub struct ModeChart {
    spectrum: Box<Spectrum>,
}

impl ModeChart {
    /// Draws the chart, and handles drags.
    pub fn show(&mut self, ui: &mut Ui, controls: &Controls, list: &UserModes, height: f32) {
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Image, true, "Modes of the body")
        });
        self.spectrum.set(&controls.patch.geometry(), list);
        handle_drag(controls, &response, rect);
        draw(
            ui,
            rect,
            &self.modes(controls.patch),
            response.hover_pos().filter(|_| !response.dragged()),
        );
        response.on_hover_text(
            "The modes heard at the pickups: frequency, level, and how long they ring (the \
             brighter, the longer). Drag along to tune, up or down to ring longer or shorter.",
        );
    }

    /// The audible modes of the body, for a note on C4.
    fn modes(&self, patch: &Patch) -> Vec<Mode> {
        let settings = BodySettings::new(patch, patch, KEY_ST, 0.0, false, 0);
        let listening = settings.listening;
        let strike = patch.strike_point();
        (0..self.spectrum.len())
            .filter(|&mode| self.spectrum.share(mode) > 0.0)
            .map(|mode| {
                let at = |place, point| self.spectrum.deflection(mode, place, point);
                let pickup_gain =
                    at(Place::Left, listening.left).hypot(at(Place::Right, listening.right));
                let hz = settings.pitch_hz * self.spectrum.ratio(mode);
                let rate = settings.damping.rate_per_s(hz) / self.spectrum.decay(mode);
                Mode {
                    hz,
                    gain: (pickup_gain * at(Place::Strike, strike)).abs()
                        * self.spectrum.share(mode),
                    t60_s: 6.91 / rate,
                }
            })
            .filter(|mode| mode.hz < MAX_HZ)
            .collect()
    }
}

/// Handles a drag: horizontally it changes the tune, vertically the loss by the support.
fn handle_drag(controls: &Controls, response: &egui::Response, rect: Rect) {
    let params = [Param::Tune, Param::Support];
    if response.drag_started() {
        controls.begin(&params);
    }
    if response.dragged() {
        let delta = response.drag_delta();
        // The dragged mode stays under the pointer.
        let octaves = f64::from(delta.x / plot_area(rect).width()) * (MAX_HZ / MIN_HZ).log2();
        let (low, high) = Param::Tune.spec().range_si();
        let changes = [(12.0 * octaves / (high - low)) as f32, 0.006 * delta.y];
        for (param, change) in params.into_iter().zip(changes) {
            let position = controls.params.slot(param).position() + change;
            controls.set(param, position.clamp(0.0, 1.0));
        }
    }
    if response.drag_stopped() {
        controls.end(&params);
    }
}

/// A mode on the chart.
struct Mode {
    hz: f64,
    gain: f64,
    t60_s: f64,
}

/// The area of the modes: above the frequencies, below the text, left of the levels.
fn plot_area(rect: Rect) -> Rect {
    Rect::from_min_max(rect.min + vec2(6.0, 23.0), rect.max - vec2(22.0, 13.0))
}

/// Horizontal position of a frequency.
fn x_of(rect: Rect, hz: f64) -> f32 {
    rect.left()
        + rect.width() * ((hz / MIN_HZ).ln() / (MAX_HZ / MIN_HZ).ln()).clamp(0.0, 1.0) as f32
}

/// Position of a mode.
fn position(inner: Rect, mode: &Mode, loudest: f64) -> Pos2 {
    let level_db = 20.0 * (mode.gain / loudest).max(1e-6).log10();
    let up = (1.0 + level_db / RANGE_DB).clamp(0.0, 1.0) as f32;
    pos2(x_of(inner, mode.hz), inner.bottom() - up * inner.height())
}

/// Draws the chart, with the values of the mode under the pointer.
fn draw(ui: &Ui, rect: Rect, shown: &[Mode], pointer: Option<Pos2>) {
    let palette = theme::of(ui);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, palette.well);
    let inner = plot_area(rect);
    draw_grid(&painter, rect, inner, palette);
    let loudest = shown.iter().map(|mode| mode.gain).fold(1e-30, f64::max);
    for mode in shown {
        let at = position(inner, mode, loudest);
        // Long modes are drawn brighter.
        let brightness = (0.3 + 0.25 * (mode.t60_s / 0.05).max(1.0).log10() as f32).clamp(0.3, 1.0);
        let colour = palette.accent.gamma_multiply(brightness);
        painter.line_segment([pos2(at.x, inner.bottom()), at], Stroke::new(1.6, colour));
        painter.circle_filled(at, 2.2, colour);
    }
    let distance = |mode: &Mode, at: Pos2| (x_of(inner, mode.hz) - at.x).abs();
    let hovered = pointer.and_then(|at| {
        let nearest = shown.iter().min_by(|a, b| distance(a, at).total_cmp(&distance(b, at)))?;
        (distance(nearest, at) < 8.0).then_some(nearest)
    });
    let text = match hovered {
        Some(mode) => {
            painter.circle_stroke(
                position(inner, mode, loudest),
                4.0,
                Stroke::new(1.5, palette.text),
            );
            let level_db = 20.0 * (mode.gain / loudest).max(1e-6).log10();
            format!("{:.1} Hz, {level_db:.1} dB, rings {}", mode.hz, quantity(mode.t60_s, "s"))
        }
        None => {
            let longest = shown.iter().map(|mode| mode.t60_s).fold(0.0, f64::max);
            let lowest = shown.iter().map(|mode| mode.hz).fold(f64::INFINITY, f64::min);
            format!("{} modes from {lowest:.0} Hz, rings {}", shown.len(), quantity(longest, "s"))
        }
    };
    let colour = if hovered.is_some() { palette.text } else { palette.muted };
    write_in(
        &painter,
        rect.left_top() + vec2(6.0, 3.0),
        Align2::LEFT_TOP,
        &text,
        rect.width() - 12.0,
        colour,
        10.5,
    );
}

/// Draws the grid, with frequencies below and levels at the right.
fn draw_grid(painter: &Painter, rect: Rect, inner: Rect, palette: &Palette) {
    let thin = Stroke::new(1.0, palette.track.gamma_multiply(0.6));
    let font = FontId::proportional(9.0);
    for hz in [100.0, 1000.0, 10_000.0] {
        let x = x_of(inner, hz);
        painter.vline(x, inner.y_range(), thin);
        let label =
            if hz < 1000.0 { format!("{hz:.0} Hz") } else { format!("{:.0} kHz", hz / 1000.0) };
        painter.text(
            pos2(x, rect.bottom() - 1.0),
            Align2::CENTER_BOTTOM,
            label,
            font.clone(),
            palette.muted,
        );
    }
    // A low chart has no room for all labels.
    let levels: &[f64] = if inner.height() > 36.0 { &[0.0, -20.0, -40.0] } else { &[0.0, -40.0] };
    for &level_db in levels {
        let y = inner.top() - (level_db / RANGE_DB) as f32 * inner.height();
        painter.hline(inner.x_range(), y, thin);
        let label = if level_db == 0.0 { "0 dB".to_string() } else { format!("{level_db:.0}") };
        painter.text(
            pos2(rect.right() - 3.0, y),
            Align2::RIGHT_CENTER,
            label,
            font.clone(),
            palette.muted,
        );
    }
}
