//! The top of the window: preset, A/B, undo and redo, randomisation, theme and zoom, meters; and
//! the keyboard shortcuts for undo and redo.

use egui::{
    Align, Button, DragValue, Event, Key, Layout, Modifiers, RichText, Role, Ui, WidgetInfo, vec2,
};
use nice_plug::prelude::ParamSetter;

use super::preset_actions::{Action, PresetActions};
use super::theme::{self, icons};
use super::{App, window_settings};
use crate::history::{Side, randomise};
use crate::io::presets::library::categories;
use crate::params::{Group, Param, Patch};
use crate::shared_state::session::Session;

/// Width of the preset's name, points.
const NAME_WIDTH: f32 = 200.0;

/// What a click on the bar requests.
pub enum Request {
    /// A change of the sound or of a preset.
    Action(Action),
    /// Opens or closes the preset browser.
    Browse,
    /// Opens the dialog to save a preset.
    Save,
    /// Dismisses the message.
    ClearMessage,
}

/// The first row: preset and A/B.
fn preset_row(ui: &mut Ui, session: &Session, now: &Patch) -> Option<Request> {
    let mut request = None;
    let mut icon_button = |ui: &mut Ui, icon: &str, name: &str, on_click: Request| {
        if icons::button(ui, icon, name).clicked() {
            request = Some(on_click);
        }
    };
    icon_button(ui, icons::PREVIOUS, "Previous preset", Request::Action(Action::Browse(-1)));
    let title = if session.title().is_empty() { "Choose a preset" } else { session.title() };
    let mark = if session.is_changed(now) { " *" } else { "" };
    let name = Button::new(RichText::new(format!("{title}{mark}")).strong())
        .min_size(vec2(NAME_WIDTH, 0.0))
        .truncate();
    let title_button = ui
        .add_sized(vec2(NAME_WIDTH, ui.spacing().interact_size.y), name)
        .on_hover_text("All presets");
    icon_button(ui, icons::NEXT, "Next preset", Request::Action(Action::Browse(1)));
    icon_button(ui, icons::SAVE, "Save the sound to your presets", Request::Save);
    ui.separator();
    for side in [Side::A, Side::B] {
        let is_selected = session.side() == side;
        let button =
            ui.selectable_label(is_selected, side.name()).on_hover_text("Compare two sounds");
        if button.clicked() && !is_selected {
            request = Some(Request::Action(Action::Switch));
        }
    }
    let (from, to) = (session.side().name(), session.side().other().name());
    if ui
        .button(format!("Copy to {to}"))
        .on_hover_text(format!("Make {to} the same as {from}"))
        .clicked()
    {
        request = Some(Request::Action(Action::Copy));
    }
    if title_button.clicked() { Some(Request::Browse) } else { request }
}

/// The second row: undo and redo, randomisation, locks, and the message.
fn edit_row(ui: &mut Ui, session: &Session, preset_actions: &mut PresetActions) -> Option<Request> {
    let mut request = None;
    let (undo, redo) = session.next_steps();
    for (name, step, action) in [("Undo", undo, Action::Undo), ("Redo", redo, Action::Redo)] {
        let help = step.map_or_else(
            || format!("Nothing to {}", name.to_lowercase()),
            |step| format!("{name}: {step}"),
        );
        let button = ui.add_enabled(step.is_some(), Button::new(name));
        if button.on_hover_text(&help).on_disabled_hover_text(&help).clicked() {
            request = Some(Request::Action(action));
        }
    }
    ui.separator();
    if ui
        .button("Randomise")
        .on_hover_text("A new sound by chance; level, pitch and pickups stay")
        .clicked()
    {
        request = Some(Request::Action(Action::Randomise));
    }
    if ui.button("Mutate").on_hover_text("The same sound, a little different").clicked() {
        request = Some(Request::Action(Action::Mutate));
    }
    let mut percent = 100.0 * preset_actions.amount;
    let amount =
        DragValue::new(&mut percent).range(0.0..=100.0).max_decimals(0).prefix("by ").suffix(" %");
    if ui.add(amount).on_hover_text("How far a mutation goes").changed() {
        preset_actions.amount = percent / 100.0;
    }
    let locks = ui.menu_button("Locks", |ui| {
        ui.label(theme::muted(ui, "Not randomised"));
        let has_free_params = |group: &Group| {
            Param::ALL.iter().any(|p| p.spec().group == *group && randomise::is_free(*p))
        };
        for group in Group::ALL.into_iter().filter(has_free_params) {
            let mut locked = session.locks.is_group_locked(group);
            if ui.checkbox(&mut locked, group.name()).changed() {
                request = Some(Request::Action(Action::Lock(group, locked)));
            }
        }
    });
    locks.response.on_hover_text("Which groups of controls Randomise and Mutate leave alone.");
    if let Some((text, is_good)) = session.message() {
        ui.separator();
        let label = egui::Label::new(theme::result(ui, text, *is_good))
            .truncate()
            .sense(egui::Sense::click());
        if ui.add(label).on_hover_text("Click to dismiss").clicked() {
            request = Some(Request::ClearMessage);
        }
    }
    request
}

/// Name and tooltip of the panic button.
const PANIC: &str = "Panic: silence everything";

impl App {
    /// Shows both rows and adds the user's requests to `requests`.
    pub(super) fn show_top_bar(&mut self, ui: &mut Ui, requests: &mut Vec<Option<Request>>) {
        let now = self.params.sound().patch;
        ui.horizontal(|ui| {
            ui.label(RichText::new("Ictus").size(20.0).strong());
            requests.push(preset_row(ui, &self.params.session(), &now));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                self.show_theme_and_zoom(ui);
                let panic = Button::new(format!("{} Panic", icons::STOP)).min_size(vec2(0.0, 24.0));
                let panic = ui.add(panic);
                panic.widget_info(|| WidgetInfo::labeled(Role::Button, true, PANIC));
                if panic.on_hover_text(PANIC).clicked() {
                    self.telemetry.request_silence();
                }
            });
        });
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                self.meter.show(ui, &self.telemetry);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    requests.push(edit_row(ui, &self.params.session(), &mut self.preset_actions));
                });
            });
        });
    }

    /// Performs a request.
    pub(super) fn handle_request(&mut self, request: Request, setter: &ParamSetter) {
        match request {
            Request::Action(action) => self.preset_actions.perform(action, &self.params, setter),
            Request::Browse => self.browser.toggle(&mut self.preset_actions),
            Request::Save => {
                self.preset_actions.refresh();
                let categories = categories(self.preset_actions.entries());
                self.save_dialog.open(self.params.session().title(), categories);
            }
            Request::ClearMessage => self.params.session().clear_message(),
        }
    }

    /// Shows the buttons for theme and zoom.
    fn show_theme_and_zoom(&mut self, ui: &mut Ui) {
        let settings = self.extras.window_settings();
        let (icon, name) =
            if settings.light { (icons::MOON, "Dark theme") } else { (icons::SUN, "Light theme") };
        if icons::button(ui, icon, name).clicked() {
            self.extras.change_window_settings(|settings| settings.light = !settings.light);
        }
        let effective = self.window.fit.zoom().min(settings.zoom);
        let response = ui.menu_button(format!("{:.0} %", 100.0 * effective), |ui| {
            for zoom in window_settings::ZOOMS {
                let label = format!("{:.0} %", 100.0 * zoom);
                if ui.selectable_label(zoom == settings.zoom, label).clicked() {
                    self.extras.change_window_settings(|settings| settings.zoom = zoom);
                    ui.close();
                }
            }
        });
        let help = if effective < settings.zoom {
            format!("Zoom: the window has no room for {:.0} %", 100.0 * settings.zoom)
        } else {
            "Zoom".to_string()
        };
        response.response.on_hover_text(help);
    }
}

/// Returns the request of a pressed shortcut, unless a text field is active. Also discards the
/// space bar, which belongs to the host.
pub fn shortcut(ui: &Ui) -> Option<Request> {
    if ui.ctx().text_edit_focused() {
        return None;
    }
    // The space bar starts and stops the host, so it must not press a focused button. Enter does.
    ui.input_mut(|input| {
        input.events.retain(|event| {
            !matches!(event, Event::Key { key: Key::Space, .. })
                && !matches!(event, Event::Text(text) if text == " ")
        });
    });
    let is_pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let (command, shift) = (Modifiers::COMMAND, Modifiers::SHIFT);
    // Redo first: a shortcut also matches if more modifiers are held.
    if is_pressed(command | shift, Key::Z) || is_pressed(command, Key::Y) {
        return Some(Request::Action(Action::Redo));
    }
    is_pressed(command, Key::Z).then_some(Request::Action(Action::Undo))
}
