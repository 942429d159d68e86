//! The on-screen keyboard, played with the mouse (louder towards the lower end of a key) and with
//! the computer's keyboard.

use egui::{Align2, FontId, Key, Pos2, Rect, Sense, Ui, vec2};

use super::theme;
use crate::shared_state::telemetry::Telemetry;

/// Keys of the computer's keyboard with their labels, one per semitone, in the layout of a piano.
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

/// Velocity of a computer key; with Shift it is 1.
const VELOCITY: f32 = 0.75;
/// Number of octaves on the keyboard.
const OCTAVES: u8 = 5;
/// Lowest MIDI key of the keyboard.
const LOWEST: u8 = 36;
/// Height of the keyboard, points.
const HEIGHT: f32 = 58.0;

/// The keyboard with its pressed keys.
pub struct Keyboard {
    /// MIDI key of the first computer key.
    base: u8,
    /// Held computer keys with their MIDI keys.
    held: Vec<(Key, u8)>,
    /// MIDI key that the mouse holds.
    pressed: Option<u8>,
}

impl Default for Keyboard {
    fn default() -> Self {
        Self { base: 60, held: Vec::new(), pressed: None }
    }
}

impl Keyboard {
    /// Draws the keyboard and plays pressed keys. `sounding` has a bit per MIDI key.
    pub fn show(&mut self, ui: &mut Ui, telemetry: &Telemetry, sounding: u128) {
        ui.horizontal(|ui| {
            ui.label(theme::muted(ui, "Play with the mouse, MIDI, or keys Z to M and Q to I"));
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
        self.handle_computer_keys(ui, telemetry, ui.ctx().text_edit_focused());
        self.show_keys(ui, telemetry, sounding);
    }

    /// Plays the computer's keys. While a text field is active, keys can only be released.
    fn handle_computer_keys(&mut self, ui: &Ui, telemetry: &Telemetry, is_typing: bool) {
        ui.input(|input| {
            let velocity = if input.modifiers.shift { 1.0 } else { VELOCITY };
            for (semitone, (key, _)) in COMPUTER_KEYS.into_iter().enumerate() {
                let midi = self.base + semitone as u8;
                let is_held = self.held.iter().any(|(held, _)| *held == key);
                // `key_pressed` catches keys that were released within the frame. Keys with the
                // command key are shortcuts.
                let is_pressed = input.key_down(key) || input.key_pressed(key);
                if !is_typing && is_pressed && !is_held && !input.modifiers.command {
                    self.held.push((key, midi));
                    telemetry.send_note(midi, Some(velocity));
                }
            }
            self.held.retain(|(key, midi)| {
                let is_down = input.key_down(*key);
                if !is_down {
                    telemetry.send_note(*midi, None);
                }
                is_down
            });
        });
    }

    /// Draws the keys and plays them with the mouse.
    fn show_keys(&mut self, ui: &mut Ui, telemetry: &Telemetry, sounding: u128) {
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

    fn draw_key(&self, ui: &Ui, key: u8, rect: Rect, is_sounding: bool) {
        let palette = theme::of(ui);
        let is_down = self.pressed == Some(key) || self.held.iter().any(|(_, held)| *held == key);
        let colour = match (is_down, is_black(key)) {
            (true, _) => palette.accent,
            _ if is_sounding => palette.second,
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
            // Contrasts with the key's current colour.
            let label_colour =
                egui::Color32::from_gray(if colour.intensity() < 0.45 { 230 } else { 40 });
            let at = rect.center_bottom() - vec2(0.0, 4.0);
            painter.text(
                at,
                Align2::CENTER_BOTTOM,
                label,
                FontId::proportional(10.0),
                label_colour,
            );
        }
    }
}

/// True for a black key.
fn is_black(key: u8) -> bool {
    matches!(key % 12, 1 | 3 | 6 | 8 | 10)
}

/// The rectangle of a key.
fn key_rect(strip: Rect, white: f32, key: u8) -> Rect {
    let white_keys_left = (LOWEST..key).filter(|key| !is_black(*key)).count() as f32;
    let x = strip.left() + white_keys_left * white;
    if is_black(key) {
        Rect::from_min_size(
            egui::pos2(x - 0.3 * white, strip.top()),
            vec2(0.6 * white, 0.62 * strip.height()),
        )
    } else {
        Rect::from_min_size(egui::pos2(x, strip.top()), vec2(white, strip.height()))
    }
}

/// The key at a point, and the velocity by the height of the point.
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
    fn a_click_on_a_key_plays_it() {
        let strip = Rect::from_min_size(Pos2::ZERO, vec2(700.0, 70.0));
        for key in LOWEST..LOWEST + OCTAVES * 12 {
            let at = key_rect(strip, 20.0, key).center_bottom() - vec2(0.0, 2.0);
            let (hit, velocity) = key_at(strip, 20.0, at).unwrap();
            assert_eq!(hit, key);
            assert!(velocity > 0.9);
        }
    }
}
