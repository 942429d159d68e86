//! The Physics view: curves and figures of the last contact, against the closed forms.

pub mod contact_curves;
pub mod contact_selection;
pub mod shown_contact;

use std::collections::VecDeque;

use egui::{Align2, Color32, FontId, Rect, RichText, Role, Sense, Ui, WidgetInfo, vec2};

use super::chart::axis::Axis;
use super::chart::{Chart, Line};
use super::control::Controls;
use super::dial::drawing::write_in;
use super::theme;
use crate::params::{Param, Patch};
use contact_curves::ContactCurves;
pub use contact_selection::LatestContacts;
use contact_selection::{Contact, ContactSelection};

/// The controls of the contact: law, method, spring, striker, damping, stepping.
pub const CONTROLS: [Param; 18] = [
    Param::Law,
    Param::Integrator,
    Param::ReleaseMode,
    Param::Hybrid,
    Param::StiffnessMode,
    Param::Stiffness,
    Param::Hardness,
    Param::Alpha,
    Param::Mass,
    Param::DampingMode,
    Param::Mu,
    Param::Restitution,
    Param::Damper,
    Param::DamperFit,
    Param::Dent,
    Param::Threshold,
    Param::Oversampling,
    Param::Coupling,
];

/// Width of six cells and a scroll bar.
const CONTROLS_WIDE: f32 = 6.0 * 64.0 + 14.0;

/// The Physics tab.
#[derive(Default)]
pub struct Physics {
    patch: Patch,
    selection: ContactSelection,
}

impl Physics {
    /// Draws the tab.
    pub fn show(&mut self, ui: &mut Ui, controls: &Controls, last: &LatestContacts) {
        controls.params.write_to(&mut self.patch);
        let (contact, previous, kind) = self.selection.follow(last, &self.patch);
        let room = ui.available_rect_before_wrap();
        let (left, right) =
            room.split_left_right_at_x(room.left() + CONTROLS_WIDE.min(0.46 * room.width()));
        ui.scope_builder(
            egui::UiBuilder::new().max_rect(left.with_max_x(left.right() - 6.0)),
            |ui| {
                egui::ScrollArea::vertical().id_salt("contact").auto_shrink(false).show(ui, |ui| {
                    controls.show_all(ui, &CONTROLS);
                });
            },
        );
        ui.scope_builder(egui::UiBuilder::new().max_rect(right), |ui| {
            match contact {
                Contact::Recorded(recorded) => show_figures(ui, &recorded.figures()),
                Contact::Preview(simulated)
                | Contact::Wall(simulated)
                | Contact::Adjusted(simulated) => {
                    show_figures(ui, &simulated.figures());
                }
            }
            if let Some(note) = contact.note(kind) {
                let note = RichText::new(note).font(theme::small()).color(theme::of(ui).muted);
                ui.add(egui::Label::new(note).wrap());
            }
            charts(ui, contact, previous);
        });
    }
}

fn charts(ui: &mut Ui, contact: &Contact, previous: &VecDeque<ContactCurves>) {
    const UM: Axis = Axis { unit: "m", scale: 1e-6 };
    const US: Axis = Axis { unit: "s", scale: 1e-6 };
    let axis = |unit| Axis { unit, scale: 1.0 };
    let palette = theme::of(ui);
    let size =
        vec2(0.5 * (ui.available_width() - 8.0), (0.5 * (ui.available_height() - 6.0)).max(40.0));
    let line = |name, points, colour, dotted| Line { name, points, colour, dotted, filled: false };
    let faint = palette.accent.gamma_multiply(0.35);
    // A contact with a wall is drawn against the closed form, a recorded one against its reference.
    let (shown, name, levels_j, reference, analysis) = match contact {
        Contact::Recorded(recorded) => {
            let [name, other] = recorded.names();
            (
                &recorded.curves,
                name,
                recorded.curves.levels_j(),
                Some((other, &recorded.reference)),
                None,
            )
        }
        Contact::Preview(simulated) | Contact::Wall(simulated) | Contact::Adjusted(simulated) => {
            let analysis = Some(&simulated.exact_portrait);
            (&simulated.curves, "steps", simulated.levels_j, None, analysis)
        }
    };
    let dots = shown.is_coarse();
    let beside = |of: fn(&ContactCurves) -> &Vec<[f64; 2]>| {
        reference.map(|(name, curves)| line(name, of(curves), palette.second, false))
    };
    let ends = [shown.energy.first(), shown.energy.last()]
        .map(|point| point.map_or(0.0, |point| point[0]));
    let [h_0, h_tau] = levels_j.map(|level| [[ends[0], level], [ends[1], level]]);
    ui.horizontal(|ui| {
        let previous = previous.iter().map(|previous| line("", &previous.portrait, faint, false));
        let analysis = analysis.map(|points| line("analysis", points, palette.second, false));
        let last = line(name, &shown.portrait, palette.accent, dots);
        let lines: Vec<Line> = previous
            .chain(beside(|curves| &curves.portrait))
            .chain(analysis)
            .chain([last])
            .collect();
        Chart { title: "Velocity over compression", axes: [UM, axis("m/s")], lines: &lines }
            .show(ui, size);
        // The area under it is the impulse.
        let impulse = Line { filled: true, ..line("", &shown.force, palette.accent, dots) };
        let lines: Vec<Line> =
            beside(|curves| &curves.force).into_iter().chain([impulse]).collect();
        Chart { title: "Force over time", axes: [US, axis("N")], lines: &lines }.show(ui, size);
    });
    ui.horizontal(|ui| {
        let previous = previous.iter().map(|previous| line("", &previous.hysteresis, faint, false));
        let lines: Vec<Line> = previous
            .chain(beside(|curves| &curves.hysteresis))
            .chain([line("", &shown.hysteresis, palette.accent, dots)])
            .collect();
        Chart { title: "Force over compression", axes: [UM, axis("N")], lines: &lines }
            .show(ui, size);
        let lines = [
            line("H(0)", &h_0, palette.muted, false),
            line("H(tau)", &h_tau, palette.second, false),
            line("H", &shown.energy, palette.accent, dots),
        ];
        Chart { title: "Energy over time", axes: [US, axis("J")], lines: &lines }.show(ui, size);
    });
}

/// Height of the row of figures.
const FIGURES_HEIGHT: f32 = 34.0;

/// Font size of the names.
const NAME_SIZE: f32 = 9.5;

/// Minimum font size that is legible.
const MIN_NAME_SIZE: f32 = 8.0;

/// One figure.
pub struct Figure {
    /// Its name.
    pub name: &'static str,
    /// Its value with its unit.
    pub value: String,
    /// True if the error is too large.
    pub wrong: bool,
    /// Tooltip of one sentence.
    pub help: &'static str,
}

impl Figure {
    /// A figure that cannot be wrong.
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
        // NaN counts as wrong.
        Self { name, value, wrong: percent.is_nan() || percent.abs() > 1.0, help }
    }
}

/// Draws all figures side by side.
fn show_figures(ui: &mut Ui, figures: &[Figure]) {
    let palette = theme::of(ui);
    let (row, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), FIGURES_HEIGHT), Sense::hover());
    ui.painter().rect_filled(row, 4.0, palette.well);
    let wide = row.width() / figures.len().max(1) as f32;
    let room = wide - 9.0;
    let names = size_for(ui, figures.iter().map(|figure| figure.name), room, NAME_SIZE);
    let values =
        size_for(ui, figures.iter().map(|figure| figure.value.as_str()), room, theme::small().size);
    for (index, figure) in figures.iter().enumerate() {
        let place = Rect::from_min_size(
            row.min + vec2(index as f32 * wide, 0.0),
            vec2(wide, FIGURES_HEIGHT),
        );
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

/// The font size, up to `most`, at which all words fit into `room`.
fn size_for<'a>(ui: &Ui, words: impl Iterator<Item = &'a str>, room: f32, most: f32) -> f32 {
    let font = FontId::proportional(most);
    let width = |word: &str| {
        ui.painter().layout_no_wrap(word.to_string(), font.clone(), Color32::PLACEHOLDER).size().x
    };
    let longest = words.map(width).fold(room, f32::max);
    (most * room / longest).max(MIN_NAME_SIZE)
}
