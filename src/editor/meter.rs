//! Output level, limiter and voices, at a glance.

use egui::{Align2, FontId, Rect, Sense, Stroke, Ui, pos2, vec2};

use super::theme;
use crate::shared_state::telemetry::Telemetry;

/// Quietest level shown, dBFS.
const BOTTOM_DB: f32 = -60.0;
/// Levels that are marked, dBFS.
const MARKS_DB: [f32; 4] = [-48.0, -36.0, -24.0, -12.0];
/// The bar falls this fast, dB/s.
const FALL_DB_PER_S: f32 = 40.0;

/// A stereo peak meter with memory.
pub struct Meter {
    shown_db: [f32; 2],
    limiting_s: f32,
    /// How far the limiter has taken the output down while it is shown, dB.
    limited_db: f32,
}

impl Default for Meter {
    fn default() -> Self {
        Self { shown_db: [BOTTOM_DB; 2], limiting_s: 0.0, limited_db: 0.0 }
    }
}

impl Meter {
    /// Draw it, right to left.
    pub fn show(&mut self, ui: &mut Ui, telemetry: &Telemetry) {
        let elapsed_s = ui.input(|input| input.stable_dt).min(0.25);
        let peak = telemetry.take_peak();
        let gain = telemetry.take_limiter_gain();
        if self.limiting_s <= 0.0 {
            self.limited_db = 0.0;
        }
        if gain < 1.0 {
            self.limiting_s = 1.0;
            self.limited_db = self.limited_db.max(-20.0 * gain.max(1e-9).log10());
        }
        self.limiting_s -= elapsed_s;
        let palette = theme::of(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(150.0, 24.0), Sense::hover());
        let share = |level_db: f32| ((level_db - BOTTOM_DB) / -BOTTOM_DB).clamp(0.0, 1.0);
        for (side, shown) in self.shown_db.iter_mut().enumerate() {
            let level_db = 20.0 * peak[side].max(1e-9).log10();
            *shown = level_db.max(*shown - FALL_DB_PER_S * elapsed_s).max(BOTTOM_DB);
            let track = Rect::from_min_size(
                rect.min + vec2(0.0, 7.0 * side as f32),
                vec2(rect.width(), 6.0),
            );
            ui.painter().rect_filled(track, 2.0, palette.track);
            let filled =
                Rect::from_min_size(track.min, vec2(track.width() * share(*shown), track.height()));
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
        let [left, right] = self.shown_db.map(db);
        response.on_hover_text(format!("Peak level. Left: {left}. Right: {right}."));
        let limiting = self.limiting_s > 0.0;
        ui.label(if limiting {
            format!("limiting {:.1} dB", self.limited_db)
        } else {
            String::new()
        });
        let voices = telemetry.voices();
        let load = format!("{:.0} % CPU", 100.0 * telemetry.load());
        ui.label(egui::RichText::new(load).color(palette.muted))
            .on_hover_text("Share of the time there is, lately");
        ui.label(format!("{voices} {}", if voices == 1 { "voice" } else { "voices" }));
    }
}
