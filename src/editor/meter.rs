//! The meters: output level, limiter, CPU load and voices.

use egui::{Align2, FontId, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::theme;
use crate::shared_state::telemetry::Telemetry;

/// Lowest level on the meter.
const BOTTOM_DB: f32 = -60.0;
/// Levels with a mark.
const MARKS_DB: [f32; 4] = [-48.0, -36.0, -24.0, -12.0];
/// Speed at which the bar falls.
const FALL_DB_PER_S: f32 = 40.0;

/// The meters with their state.
pub struct Meter {
    /// Shown level of each side.
    level_db: [f32; 2],
    /// Remaining time for which limiting is shown.
    limiting_s: f32,
    /// Largest gain reduction while limiting is shown.
    reduction_db: f32,
}

impl Default for Meter {
    fn default() -> Self {
        Self { level_db: [BOTTOM_DB; 2], limiting_s: 0.0, reduction_db: 0.0 }
    }
}

impl Meter {
    /// Shows the meters, from right to left.
    pub fn show(&mut self, ui: &mut Ui, telemetry: &Telemetry) {
        let dt_s = ui.input(|input| input.stable_dt).min(0.25);
        let peak = telemetry.take_peak();
        let gain = telemetry.take_limiter_gain();
        if self.limiting_s <= 0.0 {
            self.reduction_db = 0.0;
        }
        if gain < 1.0 {
            self.limiting_s = 1.0;
            self.reduction_db = self.reduction_db.max(-20.0 * gain.max(1e-9).log10());
        }
        self.limiting_s -= dt_s;
        let palette = theme::of(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(150.0, 24.0), Sense::hover());
        let share = |level_db: f32| ((level_db - BOTTOM_DB) / -BOTTOM_DB).clamp(0.0, 1.0);
        for (side, shown_db) in self.level_db.iter_mut().enumerate() {
            let level_db = 20.0 * peak[side].max(1e-9).log10();
            *shown_db = level_db.max(*shown_db - FALL_DB_PER_S * dt_s).max(BOTTOM_DB);
            let track = Rect::from_min_size(
                rect.min + vec2(0.0, 7.0 * side as f32),
                vec2(rect.width(), 6.0),
            );
            ui.painter().rect_filled(track, 2.0, palette.track);
            let filled = Rect::from_min_size(
                track.min,
                vec2(track.width() * share(*shown_db), track.height()),
            );
            let colour = if self.limiting_s > 0.0 { palette.warning } else { palette.accent };
            ui.painter().rect_filled(filled, 2.0, colour);
        }
        for level_db in MARKS_DB {
            let x = rect.left() + share(level_db) * rect.width();
            ui.painter().vline(
                x,
                rect.top()..=rect.top() + 13.0,
                Stroke::new(1.0, palette.background),
            );
            let (at, font) = (pos2(x, rect.bottom()), FontId::proportional(9.0));
            ui.painter().text(
                at,
                Align2::CENTER_BOTTOM,
                format!("{level_db:.0}"),
                font,
                palette.muted,
            );
        }
        let db = |level_db: f32| {
            if level_db > BOTTOM_DB { format!("{level_db:.1} dBFS") } else { "silence".to_string() }
        };
        let [left, right] = self.level_db.map(db);
        response.on_hover_text(format!("Peak level. Left: {left}. Right: {right}."));
        let is_limiting = self.limiting_s > 0.0;
        ui.label(if is_limiting {
            format!("limiting {:.1} dB", self.reduction_db)
        } else {
            String::new()
        });
        let voices = telemetry.voices();
        let load = format!("{:.0} % CPU", 100.0 * telemetry.load());
        ui.label(theme::muted(ui, load)).on_hover_text("Share of the time there is, lately");
        ui.label(format!("{voices} {}", if voices == 1 { "voice" } else { "voices" }));
    }
}
