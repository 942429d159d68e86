//! The list of presets: search, categories, favourites, and what can be done to the user's own.

use egui::{
    Align2, Color32, FontSelection, Response, RichText, Role, ScrollArea, Sense, TextEdit,
    TextWrapMode, Ui, WidgetInfo, WidgetText, vec2,
};

use super::preset_actions::{Action, PresetActions};
use super::{icons, theme};
use crate::io::presets::library::{Query, categories};
use crate::io::presets::{Entry, Origin};

/// Below the name that opens it.
const PLACE: (f32, f32) = (60.0, 52.0);
/// Of the list and the categories beside it.
const SIZE: (f32, f32) = (520.0, 330.0);
/// Width of the categories.
const SIDE: f32 = 120.0;
/// Height of a line of the list.
const LINE: f32 = 20.0;

/// Whether the list is open, and what is being typed in it.
#[derive(Default)]
pub struct Browser {
    open: bool,
    /// The new name of the preset that is on.
    name: String,
    /// A second click is asked for before anything is removed.
    deleting: Option<Origin>,
}

impl Browser {
    /// Open it or close it.
    pub fn toggle(&mut self, preset_actions: &mut PresetActions) {
        self.open = !self.open;
        self.deleting = None;
        if self.open {
            preset_actions.refresh();
        }
    }

    /// Draw it, if it is open.
    pub fn show(
        &mut self,
        context: &egui::Context,
        preset_actions: &mut PresetActions,
    ) -> Option<Action> {
        let (mut open, mut action) = (self.open, None);
        egui::Window::new("Presets")
            .open(&mut open)
            .collapsible(false)
            .default_pos(egui::pos2(PLACE.0, PLACE.1))
            .resizable(false)
            .show(context, |ui| action = self.draw(ui, preset_actions));
        self.open = open && !context.input(|input| input.key_pressed(egui::Key::Escape));
        action
    }

    /// What is in the window.
    pub fn draw(&mut self, ui: &mut Ui, preset_actions: &mut PresetActions) -> Option<Action> {
        ui.set_width(SIZE.0);
        ui.add(
            TextEdit::singleline(&mut preset_actions.query.text)
                .hint_text("Search")
                .desired_width(f32::INFINITY),
        );
        ui.separator();
        let mut action = None;
        // Of a fixed height: a separator takes all there is, and a window that follows its contents
        // would grow for ever.
        let (size, height) = (vec2(SIZE.0, SIZE.1), SIZE.1);
        ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::TOP), |ui| {
            let down = egui::Layout::top_down_justified(egui::Align::LEFT);
            ui.allocate_ui_with_layout(vec2(SIDE, height), down, |ui| {
                ScrollArea::vertical()
                    .id_salt("categories")
                    .auto_shrink(false)
                    .show(ui, |ui| shelves(ui, preset_actions));
            });
            ui.separator();
            let rest = vec2(ui.available_width(), height);
            ui.allocate_ui_with_layout(rest, egui::Layout::top_down(egui::Align::LEFT), |ui| {
                ScrollArea::vertical().id_salt("presets").auto_shrink(false).show(ui, |ui| {
                    action = rows(ui, preset_actions);
                    if preset_actions.filtered().next().is_none() {
                        ui.label(RichText::new("Nothing matches.").color(theme::of(ui).muted));
                        if ui.button("Show all").clicked() {
                            preset_actions.query = Query::default();
                        }
                    }
                });
            });
        });
        ui.separator();
        self.details(ui, preset_actions).or(action)
    }

    /// What the preset that is on says of itself, and what can be done to it.
    fn details(&mut self, ui: &mut Ui, preset_actions: &PresetActions) -> Option<Action> {
        let mut action = None;
        let current = preset_actions.current().and_then(|origin| {
            preset_actions.entries().iter().find(|entry| entry.origin == *origin)
        });
        if let Some(entry) = current {
            let about = &entry.about;
            ui.label(RichText::new(&about.description).color(theme::of(ui).muted));
            let by = if about.author.is_empty() {
                String::new()
            } else {
                format!("by {}   ", about.author)
            };
            ui.label(
                RichText::new(format!("{by}{}", about.tags.join(", ")))
                    .color(theme::of(ui).muted)
                    .small(),
            );
            if let Origin::User(_) = entry.origin {
                action = self.own(ui, entry);
            }
        } else {
            ui.label(
                RichText::new(format!("Your presets: {}", preset_actions.folder_text()))
                    .color(theme::of(ui).muted)
                    .small(),
            );
        }
        action
    }

    fn own(&mut self, ui: &mut Ui, entry: &Entry) -> Option<Action> {
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

/// Everything, what is marked, and each category.
fn shelves(ui: &mut Ui, preset_actions: &mut PresetActions) {
    let names = categories(preset_actions.entries());
    let query = &mut preset_actions.query;
    if ui.selectable_label(query.category.is_none() && !query.favourites, "All").clicked() {
        (query.category, query.favourites) = (None, false);
    }
    if ui.selectable_label(query.favourites, "Favourites").clicked() {
        (query.category, query.favourites) = (None, !query.favourites);
    }
    for name in names {
        let chosen = query.category.as_ref() == Some(&name);
        if ui.selectable_label(chosen, &name).clicked() {
            (query.category, query.favourites) = ((!chosen).then_some(name), false);
        }
    }
}

fn rows(ui: &mut Ui, preset_actions: &PresetActions) -> Option<Action> {
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
            if line(ui, entry, preset_actions.current() == Some(&entry.origin))
                .on_hover_text(help)
                .clicked()
            {
                action = Some(Action::Load(entry.origin.clone()));
            }
        });
    }
    action
}

/// The rest of a row, which is one button: the name, and at the right end the category.
fn line(ui: &mut Ui, entry: &Entry, chosen: bool) -> Response {
    let palette = theme::of(ui);
    let colour = match (&entry.fault, &entry.origin) {
        (Some(_), _) => palette.warning,
        (None, Origin::User(_)) => palette.accent,
        (None, Origin::Factory(_)) => palette.text,
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    let name = &entry.about.name;
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, name));
    let lit = chosen || response.hovered() || response.has_focus();
    if lit {
        let visuals = ui.style().interact_selectable(&response, chosen);
        ui.painter().rect_filled(rect, visuals.corner_radius, visuals.weak_bg_fill);
    }
    // On a lit row other colours would not stand out.
    let (colour, muted) = if lit { (palette.text, palette.text) } else { (colour, palette.muted) };
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
