//! The small window in which a sound gets its name.

use egui::text::{CCursor, CCursorRange};
use egui::{Key, TextEdit, Ui};

use super::preset_actions::Action;
use crate::io::presets::About;

/// Below the button that opens it.
const PLACE: (f32, f32) = (300.0, 64.0);

/// Width of a field, and of the list beside the category.
const WIDTH: f32 = 260.0;
const CHOICE: f32 = 92.0;

/// What is typed before a preset is saved.
#[derive(Default)]
pub struct SaveDialog {
    open: bool,
    /// Just opened: what is typed now is the name.
    is_just_opened: bool,
    about: About,
    tags: String,
    replace: bool,
    /// Categories that there are.
    categories: Vec<String>,
}

impl SaveDialog {
    /// Ask; the name that is on is offered, and the categories that there are.
    pub fn open(&mut self, title: &str, categories: Vec<String>) {
        (self.open, self.is_just_opened) = (true, true);
        self.categories = categories;
        self.replace = false;
        if !title.is_empty() {
            self.about.name = title.to_string();
        }
    }

    /// Draw it, if it is open.
    pub fn show(&mut self, context: &egui::Context) -> Option<Action> {
        let (mut open, mut action) = (self.open, None);
        egui::Window::new("Save preset")
            .open(&mut open)
            .collapsible(false)
            .resizable(false)
            .default_pos(egui::pos2(PLACE.0, PLACE.1))
            .show(context, |ui| action = self.draw(ui));
        self.open = open && action.is_none();
        action
    }

    /// What is in the window.
    pub fn draw(&mut self, ui: &mut Ui) -> Option<Action> {
        let Self { is_just_opened, about, tags, replace, categories, .. } = self;
        let mut entered = false;
        egui::Grid::new("about").num_columns(2).show(ui, |ui| {
            let rows = [
                ("Name", &mut about.name),
                ("Category", &mut about.category),
                ("Tags", tags),
                ("Author", &mut about.author),
                ("Description", &mut about.description),
            ];
            for (label, text) in rows {
                let name = ui.label(label);
                let hint = if label == "Tags" { "words, with commas between" } else { "" };
                ui.horizontal(|ui| {
                    let length = text.chars().count();
                    let width = if label == "Category" { WIDTH - CHOICE } else { WIDTH };
                    let mut field =
                        TextEdit::singleline(text).hint_text(hint).desired_width(width).show(ui);
                    let response = field.response.response.labelled_by(name.id);
                    entered |=
                        response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
                    if std::mem::take(is_just_opened) {
                        response.request_focus();
                        let all = CCursorRange::two(CCursor::new(0), CCursor::new(length));
                        field.state.cursor.set_char_range(Some(all));
                        field.state.store(ui.ctx(), response.id);
                    }
                    if label == "Category" {
                        choose(ui, categories, text);
                    }
                });
                ui.end_row();
            }
        });
        ui.checkbox(replace, "Replace a preset of this name");
        let named = !about.name.trim().is_empty();
        let pressed = ui.add_enabled(named, egui::Button::new("Save to your presets")).clicked();
        (pressed || entered && named).then(|| {
            about.name = about.name.trim().to_string();
            about.tags = tags
                .split(',')
                .map(str::trim)
                .filter(|tag| !tag.is_empty())
                .map(str::to_string)
                .collect();
            Action::Save { about: about.clone(), replace: *replace }
        })
    }
}

/// The categories that there are, to be chosen from instead of typed.
fn choose(ui: &mut Ui, categories: &[String], category: &mut String) {
    let list =
        egui::ComboBox::from_id_salt("categories").selected_text("Choose").width(CHOICE - 22.0);
    let shown = list.show_ui(ui, |ui| {
        for name in categories {
            ui.selectable_value(category, name.clone(), name);
        }
    });
    shown.response.on_hover_text("Categories that there are");
}
