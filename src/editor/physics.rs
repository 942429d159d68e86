//! The contact made visible: where its motion goes, against where the analysis says it goes.

pub mod adjusted;
pub mod contact_curves;
pub mod contact_selection;
pub mod coupled_contact;
pub mod figures;
pub mod replay;

use std::collections::VecDeque;

use egui::{RichText, Ui, vec2};

use super::chart::axis::Axis;
use super::chart::{Chart, Line};
use super::control::Controls;
use super::theme;
use crate::params::{Param, Patch};
use contact_curves::ContactCurves;
pub use contact_selection::LatestContacts;
use contact_selection::{Contact, ContactSelection};

/// The controls of the contact, in the order in which they are thought of.
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

/// Six cells, and a bar to scroll.
const CONTROLS_WIDE: f32 = 6.0 * 64.0 + 14.0;

/// The tab.
#[derive(Default)]
pub struct Physics {
    patch: Patch,
    selection: ContactSelection,
}

impl Physics {
    /// Draw it.
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
                Contact::Coupled(coupled) => figures::show(ui, &coupled.figures()),
                Contact::Preview(replay) | Contact::Wall(replay) | Contact::Adjusted(replay) => {
                    figures::show(ui, &replay.figures());
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
    // Against the analysis; what gives way has none, but there is the same contact with what does
    // not.
    let (shown, name, levels_j, reference, analysis) = match contact {
        Contact::Coupled(coupled) => {
            let [name, other] = coupled.names();
            (
                &coupled.curves,
                name,
                coupled.curves.levels_j(),
                Some((other, &coupled.reference)),
                None,
            )
        }
        Contact::Preview(replay) | Contact::Wall(replay) | Contact::Adjusted(replay) => {
            (&replay.curves, "steps", replay.levels_j, None, Some(&replay.exact_portrait))
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
