//! The figures of a contact, each under its name.

use egui::{Align2, Color32, FontId, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use crate::editor::dial::drawing::write_in;
use crate::editor::theme;

/// Height of the row.
pub const HEIGHT: f32 = 34.0;

/// Size of the names' letters.
const SMALL: f32 = 9.5;

/// Letters are no smaller than this.
const MIN: f32 = 8.0;

/// One figure.
pub struct Figure {
    /// What it is.
    pub name: &'static str,
    /// Its value with its unit.
    pub value: String,
    /// Whether it is too far off.
    pub wrong: bool,
    /// In one sentence.
    pub help: &'static str,
}

impl Figure {
    /// One that cannot be wrong.
    pub fn new(name: &'static str, value: String, help: &'static str) -> Self {
        Self { name, value, wrong: false, help }
    }

    /// An error in percent; beyond one it is wrong.
    pub fn error(name: &'static str, percent: f64, help: &'static str) -> Self {
        let value = match percent.abs() {
            0.0 => "0 %".to_string(),
            size if size < 1e-3 => format!("{percent:.0e} %"),
            size if size < 1e4 => format!("{percent:.3} %"),
            _ => format!("{percent:.1e} %"),
        };
        // A number that is none is wrong, too.
        Self { name, value, wrong: percent.is_nan() || percent.abs() > 1.0, help }
    }
}

/// All of them in a row.
pub fn show(ui: &mut Ui, figures: &[Figure]) {
    let palette = theme::of(ui);
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    ui.painter().rect_filled(row, 4.0, palette.well);
    let wide = row.width() / figures.len().max(1) as f32;
    let room = wide - 9.0;
    let names = size_for(ui, figures.iter().map(|figure| figure.name), room, SMALL);
    let values =
        size_for(ui, figures.iter().map(|figure| figure.value.as_str()), room, theme::small().size);
    for (index, figure) in figures.iter().enumerate() {
        let place =
            Rect::from_min_size(row.min + vec2(index as f32 * wide, 0.0), vec2(wide, HEIGHT));
        let response =
            ui.interact(place, ui.scope_id().with(("figure", figure.name)), Sense::hover());
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Label, true, figure.name);
            info.current_text_value = Some(figure.value.clone());
            info
        });
        let ink = if figure.wrong { palette.warning } else { palette.text };
        let painter = ui.painter();
        let muted = if figure.wrong { ink } else { palette.muted };
        write_in(
            painter,
            place.left_top() + vec2(8.0, 3.0),
            Align2::LEFT_TOP,
            figure.name,
            room,
            muted,
            names,
        );
        let below = place.left_bottom() + vec2(8.0, -3.0);
        write_in(painter, below, Align2::LEFT_BOTTOM, &figure.value, room, ink, values);
        response.on_hover_text(figure.help);
    }
}

/// Letters in which the longest of some words has room: all of a row are of one size.
fn size_for<'a>(ui: &Ui, words: impl Iterator<Item = &'a str>, room: f32, most: f32) -> f32 {
    let font = FontId::proportional(most);
    let width = |word: &str| {
        ui.painter().layout_no_wrap(word.to_string(), font.clone(), Color32::PLACEHOLDER).size().x
    };
    let longest = words.map(width).fold(room, f32::max);
    (most * room / longest).max(MIN)
}
