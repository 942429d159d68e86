//! The head of the window: which preset is on, two sides, steps back and forth, dice.

use egui::{Button, DragValue, RichText, Ui, vec2};

use super::preset_actions::{Action, PresetActions};
use super::{icons, theme};
use crate::history::{Side, randomise};
use crate::params::{Group, Param, Patch};
use crate::shared_state::session::Session;

/// Width of the preset's name.
const NAME: f32 = 200.0;

/// What a click on the bar asks for.
pub enum Request {
    /// To be done to the sound.
    Action(Action),
    /// Open or close the list of presets.
    Browse,
    /// Ask how the preset is to be called.
    Save,
    /// Take the message away.
    ClearMessage,
}

/// The first row: preset and sides.
pub fn presets(ui: &mut Ui, session: &Session, now: &Patch) -> Option<Request> {
    let mut request = None;
    let mut click = |ui: &mut Ui, sign: &str, name: &str, wanted: Request| {
        if icons::button(ui, sign, name).clicked() {
            request = Some(wanted);
        }
    };
    click(ui, icons::PREVIOUS, "Previous preset", Request::Action(Action::Browse(-1)));
    let title = if session.title().is_empty() { "Choose a preset" } else { session.title() };
    let mark = if session.is_changed(now) { " *" } else { "" };
    let name = Button::new(RichText::new(format!("{title}{mark}")).strong())
        .min_size(vec2(NAME, 0.0))
        .truncate();
    let named =
        ui.add_sized(vec2(NAME, ui.spacing().interact_size.y), name).on_hover_text("All presets");
    click(ui, icons::NEXT, "Next preset", Request::Action(Action::Browse(1)));
    click(ui, icons::SAVE, "Save the sound to your presets", Request::Save);
    ui.separator();
    for side in [Side::A, Side::B] {
        let chosen = session.side() == side;
        let button = ui.selectable_label(chosen, side.name()).on_hover_text("Compare two sounds");
        if button.clicked() && !chosen {
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
    if named.clicked() { Some(Request::Browse) } else { request }
}

/// The second row: steps, dice, locks, and what there is to say.
pub fn steps(
    ui: &mut Ui,
    session: &Session,
    preset_actions: &mut PresetActions,
) -> Option<Request> {
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
        ui.label(RichText::new("The dice leave alone").color(theme::of(ui).muted));
        let thrown = |group: &Group| {
            Param::ALL.iter().any(|p| p.spec().group == *group && randomise::is_free(*p))
        };
        for group in Group::ALL.into_iter().filter(thrown) {
            let mut locked = session.locks.is_group_locked(group);
            if ui.checkbox(&mut locked, group.name()).changed() {
                request = Some(Request::Action(Action::Lock(group, locked)));
            }
        }
    });
    locks.response.on_hover_text("Which groups of controls the dice leave alone.");
    if let Some((text, good)) = session.message() {
        ui.separator();
        let text = RichText::new(text).color(if *good {
            theme::of(ui).muted
        } else {
            theme::of(ui).warning
        });
        let label = egui::Label::new(text).truncate().sense(egui::Sense::click());
        if ui.add(label).on_hover_text("Click to dismiss").clicked() {
            request = Some(Request::ClearMessage);
        }
    }
    request
}
