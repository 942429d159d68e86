//! A keyboard to play: by mouse (lower on the key is louder) and by the computer's keys.

use egui::{Align2, FontId, Key, Pos2, Rect, Sense, Ui, vec2};

use super::theme;
use crate::shared_state::telemetry::Telemetry;

/// Keys of the computer keyboard, a semitone each from the left end of the lower row (a piano laid
/// over it).
const COMPUTER_KEYS: [(Key, &str); 25] = [
    (Key::Z, "Z"),
    (Key::S, "S"),
    (Key::X, "X"),
    (Key::D, "D"),
    (Key::C, "C"),
    (Key::V, "V"),
    (Key::G, "G"),
    (Key::B, "B"),
    (Key::H, "H"),
    (Key::N, "N"),
    (Key::J, "J"),
    (Key::M, "M"),
    (Key::Q, "Q"),
    (Key::Num2, "2"),
    (Key::W, "W"),
    (Key::Num3, "3"),
    (Key::E, "E"),
    (Key::R, "R"),
    (Key::Num5, "5"),
    (Key::T, "T"),
    (Key::Num6, "6"),
    (Key::Y, "Y"),
    (Key::Num7, "7"),
    (Key::U, "U"),
    (Key::I, "I"),
];

/// Velocity of a computer key; with shift it hits at full speed.
const VELOCITY: f32 = 0.75;
const OCTAVES: u8 = 5;
const LOWEST: u8 = 36;
const HEIGHT: f32 = 58.0;

/// Which keys are down, and where the computer keys lie.
pub struct Keyboard {
    /// MIDI key at the left end of the computer keys.
    base: u8,
    /// MIDI keys held by computer keys.
    held: Vec<(Key, u8)>,
    /// MIDI key under the mouse button.
    pressed: Option<u8>,
}

impl Default for Keyboard {
    fn default() -> Self {
        Self { base: 60, held: Vec::new(), pressed: None }
    }
}

impl Keyboard {
    /// Draw it, and play what is pressed.
    pub fn show(&mut self, ui: &mut Ui, telemetry: &Telemetry, sounding: u128) {
        ui.horizontal(|ui| {
            ui.label(
                egui::RichText::new("Play with the mouse, MIDI, or keys Z to M and Q to I")
                    .color(theme::of(ui).muted),
            );
            if ui
                .small_button("octave -")
                .on_hover_text("The computer's keys play an octave lower.")
                .clicked()
            {
                self.base = self.base.saturating_sub(12).max(LOWEST - 12);
            }
            if ui
                .small_button("octave +")
                .on_hover_text("The computer's keys play an octave higher.")
                .clicked()
            {
                self.base = (self.base + 12).min(96);
            }
        });
        self.computer_keys(ui, telemetry, ui.ctx().text_edit_focused());
        self.strip(ui, telemetry, sounding);
    }

    /// While something is typed none is pressed, but what was held can be let go.
    fn computer_keys(&mut self, ui: &Ui, telemetry: &Telemetry, typing: bool) {
        ui.input(|input| {
            let velocity = if input.modifiers.shift { 1.0 } else { VELOCITY };
            for (semitone, (key, _)) in COMPUTER_KEYS.into_iter().enumerate() {
                let midi = self.base + semitone as u8;
                let is_held = self.held.iter().any(|(held, _)| *held == key);
                // Let go before anybody looked: it plays all the same. With the command key held it
                // is a shortcut.
                let is_pressed = input.key_down(key) || input.key_pressed(key);
                if !typing && is_pressed && !is_held && !input.modifiers.command {
                    self.held.push((key, midi));
                    telemetry.send_note(midi, Some(velocity));
                }
            }
            self.held.retain(|(key, midi)| {
                let down = input.key_down(*key);
                if !down {
                    telemetry.send_note(*midi, None);
                }
                down
            });
        });
    }

    fn strip(&mut self, ui: &mut Ui, telemetry: &Telemetry, sounding: u128) {
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Keyboard"));
        let white = rect.width() / f32::from(OCTAVES * 7);
        let under = |at: Pos2| key_at(rect, white, at);
        let hit = response
            .is_pointer_button_down_on()
            .then(|| {
                response.interact_pointer_pos().filter(|at| rect.contains(*at)).and_then(under)
            })
            .flatten();
        let pressed = hit.map(|(key, _)| key);
        if pressed != self.pressed {
            if let Some(key) = self.pressed {
                telemetry.send_note(key, None);
            }
            if let Some((key, velocity)) = hit {
                telemetry.send_note(key, Some(velocity));
            }
            self.pressed = pressed;
        }
        for black in [false, true] {
            for key in LOWEST..LOWEST + OCTAVES * 12 {
                if is_black(key) == black {
                    self.draw_key(ui, key, key_rect(rect, white, key), sounding >> key & 1 == 1);
                }
            }
        }
    }

    fn draw_key(&self, ui: &Ui, key: u8, rect: Rect, sounds: bool) {
        let palette = theme::of(ui);
        let down = self.pressed == Some(key) || self.held.iter().any(|(_, held)| *held == key);
        let colour = match (down, is_black(key)) {
            (true, _) => palette.accent,
            _ if sounds => palette.second,
            (false, true) => egui::Color32::from_gray(48),
            (false, false) => egui::Color32::from_gray(205),
        };
        let painter = ui.painter();
        painter.rect_filled(rect.shrink(0.75), 2.0, colour);
        let label = key
            .checked_sub(self.base)
            .and_then(|semitone| COMPUTER_KEYS.get(usize::from(semitone)))
            .map(|(_, label)| *label);
        if let Some(label) = label {
            // Against the colour that the key has now.
            let ink = egui::Color32::from_gray(if colour.intensity() < 0.45 { 230 } else { 40 });
            let at = rect.center_bottom() - vec2(0.0, 4.0);
            painter.text(at, Align2::CENTER_BOTTOM, label, FontId::proportional(10.0), ink);
        }
    }
}

fn is_black(key: u8) -> bool {
    matches!(key % 12, 1 | 3 | 6 | 8 | 10)
}

fn key_rect(strip: Rect, white: f32, key: u8) -> Rect {
    // How many white keys lie left of it
    let whites = (LOWEST..key).filter(|key| !is_black(*key)).count() as f32;
    let x = strip.left() + whites * white;
    if is_black(key) {
        Rect::from_min_size(
            egui::pos2(x - 0.3 * white, strip.top()),
            vec2(0.6 * white, 0.62 * strip.height()),
        )
    } else {
        Rect::from_min_size(egui::pos2(x, strip.top()), vec2(white, strip.height()))
    }
}

/// The key at a point, and the velocity of hitting it there.
fn key_at(strip: Rect, white: f32, at: Pos2) -> Option<(u8, f32)> {
    let keys = LOWEST..LOWEST + OCTAVES * 12;
    let (black, white_keys): (Vec<_>, Vec<_>) = keys.partition(|key| is_black(*key));
    black.into_iter().chain(white_keys).find_map(|key| {
        let rect = key_rect(strip, white, key);
        rect.contains(at).then(|| (key, ((at.y - rect.top()) / rect.height()).clamp(0.1, 1.0)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_can_be_hit_where_it_is_drawn() {
        let strip = Rect::from_min_size(Pos2::ZERO, vec2(700.0, 70.0));
        for key in LOWEST..LOWEST + OCTAVES * 12 {
            let at = key_rect(strip, 20.0, key).center_bottom() - vec2(0.0, 2.0);
            let (hit, velocity) = key_at(strip, 20.0, at).unwrap();
            assert_eq!(hit, key);
            assert!(velocity > 0.9);
        }
    }
}
