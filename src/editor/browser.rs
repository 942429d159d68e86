//! The windows for presets: the browser and the dialog to save one.

use egui::text::{CCursor, CCursorRange};
use egui::{
    Align2, Color32, FontSelection, Key, Response, RichText, Role, ScrollArea, Sense, TextEdit,
    TextWrapMode, Ui, WidgetInfo, WidgetText, vec2,
};

use super::preset_actions::{Action, PresetActions};
use super::theme::{self, icons};
use crate::io::presets::library::{Query, categories};
use crate::io::presets::{About, Entry, Origin};

/// Initial position of the browser: below the preset's name, which opens it.
const BROWSER_POSITION: (f32, f32) = (60.0, 52.0);
/// Size of the lists, points.
const SIZE: (f32, f32) = (520.0, 330.0);
/// Width of the list of categories, points.
const SIDE: f32 = 120.0;
/// Height of a preset's row, points.
const ROW_HEIGHT: f32 = 20.0;

/// The preset browser.
#[derive(Default)]
pub struct Browser {
    open: bool,
    /// The new name for the current preset.
    name: String,
    /// The preset whose deletion needs a second click to confirm.
    deleting: Option<Origin>,
}

impl Browser {
    /// Opens or closes the browser.
    pub fn toggle(&mut self, preset_actions: &mut PresetActions) {
        self.open = !self.open;
        self.deleting = None;
        if self.open {
            preset_actions.refresh();
        }
    }

    /// Shows the browser, if it is open.
    pub fn show(
        &mut self,
        context: &egui::Context,
        preset_actions: &mut PresetActions,
    ) -> Option<Action> {
        let (mut open, mut action) = (self.open, None);
        egui::Window::new("Presets")
            .open(&mut open)
            .collapsible(false)
            .default_pos(BROWSER_POSITION)
            .resizable(false)
            .show(context, |ui| action = self.draw(ui, preset_actions));
        self.open = open && !context.input(|input| input.key_pressed(egui::Key::Escape));
        action
    }

    /// Shows the contents of the window.
    fn draw(&mut self, ui: &mut Ui, preset_actions: &mut PresetActions) -> Option<Action> {
        ui.set_width(SIZE.0);
        ui.add(
            TextEdit::singleline(&mut preset_actions.query.text)
                .hint_text("Search")
                .desired_width(f32::INFINITY),
        );
        ui.separator();
        let mut action = None;
        // The height is fixed: the separator fills the available height, so a window that fits its
        // contents would grow in every frame.
        let (size, height) = (vec2(SIZE.0, SIZE.1), SIZE.1);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::TOP), |ui| {
            let down = egui::Layout::top_down_justified(egui::Align::LEFT);
            ui.allocate_ui_with_layout(vec2(SIDE, height), down, |ui| {
                ScrollArea::vertical()
                    .id_salt("categories")
                    .auto_shrink(false)
                    .show(ui, |ui| show_categories(ui, preset_actions));
            });
            ui.separator();
            let rest = vec2(ui.available_width(), height);
            ui.allocate_ui_with_layout(rest, egui::Layout::top_down(egui::Align::LEFT), |ui| {
                ScrollArea::vertical().id_salt("presets").auto_shrink(false).show(ui, |ui| {
                    action = show_entries(ui, preset_actions);
                    if preset_actions.filtered().next().is_none() {
                        ui.label(theme::muted(ui, "Nothing matches."));
                        if ui.button("Show all").clicked() {
                            preset_actions.query = Query::default();
                        }
                    }
                });
            });
        });
        ui.separator();
        self.show_details(ui, preset_actions).or(action)
    }

    /// Shows the description of the current preset, and the actions on a user preset.
    fn show_details(&mut self, ui: &mut Ui, preset_actions: &PresetActions) -> Option<Action> {
        let mut action = None;
        let current = preset_actions.current().and_then(|origin| {
            preset_actions.entries().iter().find(|entry| entry.origin == *origin)
        });
        if let Some(entry) = current {
            let about = &entry.about;
            ui.label(theme::muted(ui, &about.description));
            let by = if about.author.is_empty() {
                String::new()
            } else {
                format!("by {}   ", about.author)
            };
            ui.label(theme::muted(ui, format!("{by}{}", about.tags.join(", "))).small());
            if let Origin::User(_) = entry.origin {
                action = self.show_user_actions(ui, entry);
            }
        } else {
            let text = format!("Your presets: {}", preset_actions.folder_text());
            ui.label(theme::muted(ui, text).small());
        }
        action
    }

    /// Shows the buttons to rename and to delete a user preset.
    fn show_user_actions(&mut self, ui: &mut Ui, entry: &Entry) -> Option<Action> {
        let mut action = None;
        ui.horizontal(|ui| {
            ui.add(TextEdit::singleline(&mut self.name).hint_text("New name").desired_width(180.0));
            if ui.button("Rename").clicked() && !self.name.trim().is_empty() {
                action = Some(Action::Rename(entry.origin.clone(), std::mem::take(&mut self.name)));
            }
            if self.deleting.as_ref() == Some(&entry.origin) {
                let edge = egui::Stroke::new(1.5, theme::of(ui).warning);
                if ui.add(egui::Button::new("Really delete").stroke(edge)).clicked() {
                    self.deleting = None;
                    action = Some(Action::Delete(entry.origin.clone()));
                }
            } else if ui.button("Delete").clicked() {
                self.deleting = Some(entry.origin.clone());
            }
        });
        action
    }
}

/// Shows the filters: all, favourites, and each category.
fn show_categories(ui: &mut Ui, preset_actions: &mut PresetActions) {
    let names = categories(preset_actions.entries());
    let query = &mut preset_actions.query;
    if ui.selectable_label(query.category.is_none() && !query.favourites, "All").clicked() {
        (query.category, query.favourites) = (None, false);
    }
    if ui.selectable_label(query.favourites, "Favourites").clicked() {
        (query.category, query.favourites) = (None, !query.favourites);
    }
    for name in names {
        let is_selected = query.category.as_ref() == Some(&name);
        if ui.selectable_label(is_selected, &name).clicked() {
            (query.category, query.favourites) = ((!is_selected).then_some(name), false);
        }
    }
}

/// Shows the filtered presets.
fn show_entries(ui: &mut Ui, preset_actions: &PresetActions) -> Option<Action> {
    let mut action = None;
    for entry in preset_actions.filtered() {
        ui.horizontal(|ui| {
            let heart = if entry.favourite { icons::HEART_FULL } else { icons::HEART };
            let button = ui.small_button(heart);
            button.widget_info(|| {
                let name = format!("Favourite: {}", entry.about.name);
                egui::WidgetInfo::selected(egui::Role::Button, true, entry.favourite, name)
            });
            if button.on_hover_text("Favourite").clicked() {
                action = Some(Action::Favourite(entry.origin.clone(), !entry.favourite));
            }
            let help = entry.fault.as_ref().unwrap_or(&entry.about.description);
            if show_entry(ui, entry, preset_actions.current() == Some(&entry.origin))
                .on_hover_text(help)
                .clicked()
            {
                action = Some(Action::Load(entry.origin.clone()));
            }
        });
    }
    action
}

/// Shows an entry as a button with its name, and its category at the right end.
fn show_entry(ui: &mut Ui, entry: &Entry, is_selected: bool) -> Response {
    let palette = theme::of(ui);
    let colour = match (&entry.fault, &entry.origin) {
        (Some(_), _) => palette.warning,
        (None, Origin::User(_)) => palette.accent,
        (None, Origin::Factory(_)) => palette.text,
    };
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    let name = &entry.about.name;
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_selected, name));
    let is_lit = is_selected || response.hovered() || response.has_focus();
    if is_lit {
        let visuals = ui.style().interact_selectable(&response, is_selected);
        ui.painter().rect_filled(rect, visuals.corner_radius, visuals.weak_bg_fill);
    }
    // Other colours have too little contrast on a highlighted row.
    let (colour, muted) =
        if is_lit { (palette.text, palette.text) } else { (colour, palette.muted) };
    let inner = rect.shrink2(vec2(6.0, 0.0));
    let write = |text: &str, size: f32, colour: Color32, room: f32, align: Align2| {
        let text = RichText::new(text).size(size).color(colour);
        let galley = WidgetText::from(text).into_galley(
            ui,
            Some(TextWrapMode::Truncate),
            room,
            FontSelection::Default,
        );
        let place = align.align_size_within_rect(galley.size(), inner);
        ui.painter().galley(place.min, galley, colour);
        place.width()
    };
    let taken =
        write(&entry.about.category, 10.5, muted, 0.4 * inner.width(), Align2::RIGHT_CENTER);
    write(name, 13.0, colour, (inner.width() - taken - 8.0).max(0.0), Align2::LEFT_CENTER);
    response
}

/// Initial position of the dialog: below the button that opens it.
const DIALOG_POSITION: (f32, f32) = (300.0, 64.0);

/// Width of a text field, points.
const FIELD_WIDTH: f32 = 260.0;
/// Width of the list beside the category, points.
const LIST_WIDTH: f32 = 92.0;

/// The dialog to save a preset.
#[derive(Default)]
pub struct SaveDialog {
    open: bool,
    /// The dialog opened in this frame and must focus the name.
    is_just_opened: bool,
    about: About,
    tags: String,
    replace: bool,
    /// Existing categories.
    categories: Vec<String>,
}

impl SaveDialog {
    /// Opens the dialog with the current title, and offers the existing categories.
    pub fn open(&mut self, title: &str, categories: Vec<String>) {
        (self.open, self.is_just_opened) = (true, true);
        self.categories = categories;
        self.replace = false;
        if !title.is_empty() {
            self.about.name = title.to_string();
        }
    }

    /// Shows the dialog, if it is open.
    pub fn show(&mut self, context: &egui::Context) -> Option<Action> {
        let (mut open, mut action) = (self.open, None);
        egui::Window::new("Save preset")
            .open(&mut open)
            .collapsible(false)
            .resizable(false)
            .default_pos(DIALOG_POSITION)
            .show(context, |ui| action = self.draw(ui));
        self.open = open && action.is_none();
        action
    }

    /// Shows the contents of the window.
    fn draw(&mut self, ui: &mut Ui) -> Option<Action> {
        let Self { is_just_opened, about, tags, replace, categories, .. } = self;
        let mut is_entered = false;
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
                    let width =
                        if label == "Category" { FIELD_WIDTH - LIST_WIDTH } else { FIELD_WIDTH };
                    let mut field =
                        TextEdit::singleline(text).hint_text(hint).desired_width(width).show(ui);
                    let response = field.response.response.labelled_by(name.id);
                    is_entered |=
                        response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
                    if std::mem::take(is_just_opened) {
                        response.request_focus();
                        let all = CCursorRange::two(CCursor::new(0), CCursor::new(length));
                        field.state.cursor.set_char_range(Some(all));
                        field.state.store(ui.ctx(), response.id);
                    }
                    if label == "Category" {
                        show_category_list(ui, categories, text);
                    }
                });
                ui.end_row();
            }
        });
        ui.checkbox(replace, "Replace a preset of this name");
        let has_name = !about.name.trim().is_empty();
        let is_clicked =
            ui.add_enabled(has_name, egui::Button::new("Save to your presets")).clicked();
        (is_clicked || is_entered && has_name).then(|| {
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

/// Shows a list of the existing categories.
fn show_category_list(ui: &mut Ui, categories: &[String], category: &mut String) {
    let list =
        egui::ComboBox::from_id_salt("categories").selected_text("Choose").width(LIST_WIDTH - 22.0);
    let shown = list.show_ui(ui, |ui| {
        for name in categories {
            ui.selectable_value(category, name.clone(), name);
        }
    });
    shown.response.on_hover_text("Existing categories");
}
