//! The modes of the body as a picture: frequency, level at the pickups, how long they ring.
//!
//! Drag along to tune the body, up and down to make it ring longer or shorter.

use egui::{Align2, FontId, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::control::Board;
use super::theme;
use crate::body::UserModes;
use crate::body::shape::{Place, Spectrum};
use crate::patch::{Param, Patch};
use crate::voice::settings::Settings;

const LOWEST_HZ: f64 = 30.0;
const HIGHEST_HZ: f64 = 20_000.0;
const RANGE_DB: f64 = 60.0;
/// C4, in semitones from A4.
const KEY_ST: f64 = -9.0;

/// The picture.
#[derive(Default)]
pub struct Modes {
    patch: Patch,
    spectrum: Box<Spectrum>,
}

impl Modes {
    /// Draw it.
    pub fn show(&mut self, ui: &mut Ui, board: &Board, list: &UserModes, height: f32) {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Modes of the body"));
        board.params.write_to(&mut self.patch);
        self.spectrum.set(&self.patch.geometry(), list);
        self.drag(board, &response, rect);
        let palette = theme::of(ui);
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 4.0, palette.panel);
        let inner = Rect::from_min_max(rect.min + vec2(6.0, 17.0), rect.max - vec2(6.0, 12.0));
        for hz in [100.0, 1000.0, 10_000.0] {
            let x = across(inner, hz);
            painter.vline(x, inner.y_range(), Stroke::new(1.0, palette.track));
            let label = if hz < 1000.0 { format!("{hz:.0} Hz") } else { format!("{:.0} kHz", hz / 1000.0) };
            let galley = painter.layout_no_wrap(label, FontId::proportional(9.5), palette.quiet);
            // The last one ends at the edge.
            let left = (x + 2.0).min(rect.right() - galley.size().x - 2.0);
            painter.galley(pos2(left, rect.bottom() - galley.size().y), galley, palette.quiet);
        }
        let shown = self.modes();
        let loudest = shown.iter().map(|mode| mode.gain).fold(1e-30, f64::max);
        for mode in &shown {
            let level_db = 20.0 * (mode.gain / loudest).max(1e-6).log10();
            let up = (1.0 + level_db / RANGE_DB).clamp(0.0, 1.0) as f32;
            let (x, base) = (across(inner, mode.hz), inner.bottom());
            let top = base - up * inner.height();
            // A mode that rings for long is drawn bright.
            let bright = (0.3 + 0.25 * (mode.t60_s / 0.05).max(1.0).log10() as f32).clamp(0.3, 1.0);
            painter
                .line_segment([pos2(x, base), pos2(x, top)], Stroke::new(2.0, palette.accent.gamma_multiply(bright)));
            painter.circle_filled(pos2(x, top), 2.2, palette.accent.gamma_multiply(bright));
        }
        let longest = shown.iter().map(|mode| mode.t60_s).fold(0.0, f64::max);
        let lowest = shown.iter().map(|mode| mode.hz).fold(f64::INFINITY, f64::min);
        let words = format!("{} modes, {lowest:.0} Hz, {longest:.1} s", shown.len());
        painter.text(
            rect.left_top() + vec2(6.0, 2.0),
            Align2::LEFT_TOP,
            words,
            FontId::proportional(10.0),
            palette.quiet,
        );
        response
            .on_hover_text("The modes heard at the pickups. Drag along to tune, up or down to ring longer or shorter.");
    }

    fn modes(&self) -> Vec<Mode> {
        let settings = Settings::new(&self.patch, KEY_ST, 0.0, false, 0);
        let listening = settings.listening;
        let strike = self.patch.strike_point();
        (0..self.spectrum.len())
            .filter(|&mode| self.spectrum.share(mode) > 0.0)
            .map(|mode| {
                let at = |place, point| self.spectrum.deflection(mode, place, point);
                let heard = at(Place::Left, listening.left).hypot(at(Place::Right, listening.right));
                let hz = settings.pitch_hz * self.spectrum.ratio(mode);
                let rate = settings.damping.rate_per_s(hz) / self.spectrum.decay(mode);
                Mode {
                    hz,
                    gain: (heard * at(Place::Strike, strike)).abs() * self.spectrum.share(mode),
                    t60_s: 6.91 / rate,
                }
            })
            .filter(|mode| mode.hz < HIGHEST_HZ)
            .collect()
    }

    /// Along is the tune, up is the loss by the support.
    fn drag(&self, board: &Board, response: &egui::Response, rect: Rect) {
        let slots = [Param::Tune, Param::Support].map(|param| board.params.slot(param));
        if response.drag_started() {
            slots.iter().for_each(|slot| slot.begin(board.setter));
        }
        if response.dragged() {
            let delta = response.drag_delta();
            let octaves = f64::from(delta.x / rect.width()) * (HIGHEST_HZ / LOWEST_HZ).log2();
            let (low, high) = Param::Tune.spec().range_si();
            let moved = [(12.0 * octaves / (high - low)) as f32, 0.006 * delta.y];
            for (slot, moved) in slots.into_iter().zip(moved) {
                slot.set(board.setter, (slot.position() + moved).clamp(0.0, 1.0));
            }
        }
        if response.drag_stopped() {
            slots.iter().for_each(|slot| slot.end(board.setter));
        }
    }
}

struct Mode {
    hz: f64,
    gain: f64,
    t60_s: f64,
}

fn across(rect: Rect, hz: f64) -> f32 {
    rect.left() + rect.width() * ((hz / LOWEST_HZ).ln() / (HIGHEST_HZ / LOWEST_HZ).ln()).clamp(0.0, 1.0) as f32
}
