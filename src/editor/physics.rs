//! The contact made visible: where its motion goes, against where the analysis says it goes.

pub mod course;
pub mod figures;
pub mod replay;

use std::collections::VecDeque;

use egui::{RichText, Ui, vec2};

use super::chart::axis::{Axis, quantity};
use super::chart::{Chart, Line};
use super::control::Board;
use super::theme;
use crate::contact::two_way::trace::Trace;
use crate::contact::{ContactSettings, Coupling};
use crate::patch::{Param, Patch};
use course::Course;
use figures::Figure;
use replay::Replay;

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

/// Contacts before the last one that are still seen.
const PAST: usize = 4;

/// The tab.
#[derive(Default)]
pub struct Physics {
    replay: Replay,
    patch: Patch,
    past: VecDeque<Course>,
    /// Speed of the contact that is shown, m/s.
    shown_m_per_s: Option<f64>,
    /// The last contact with a body that gives way, as the engine told of it.
    felt: Option<Felt>,
}

/// A contact with a body that gives way.
struct Felt {
    trace: Trace,
    course: Course,
}

/// What there is to show of the last contact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Last<'a> {
    /// Its speed, m/s, if there was one.
    pub speed_m_per_s: Option<f64>,
    /// Its course, if the body gives way.
    pub trace: Option<&'a Trace>,
    /// Of the engine.
    pub sample_rate_hz: f64,
}

impl Physics {
    /// Draw it.
    pub fn show(&mut self, ui: &mut Ui, board: &Board, last: Last) {
        board.params.write_to(&mut self.patch);
        let settings = self.patch.contact();
        let two_way = settings.coupling == Coupling::TwoWay;
        let speed = last.speed_m_per_s.unwrap_or_else(|| self.patch.impact_speed_m_per_s(0.8)).max(1e-6);
        self.follow(&last, two_way);
        let felt_m_per_s = self.felt.as_ref().map(|felt| felt.trace.report.v_in_m_per_s);
        // Beside a contact with the body the same one with a wall.
        let speed = felt_m_per_s.unwrap_or(speed);
        self.replay.run(&ContactSettings { coupling: Coupling::Rigid, ..settings }, speed, last.sample_rate_hz);
        let room = ui.available_rect_before_wrap();
        let (left, right) = room.split_left_right_at_x(room.left() + CONTROLS_WIDE.min(0.46 * room.width()));
        ui.scope_builder(egui::UiBuilder::new().max_rect(left.with_max_x(left.right() - 6.0)), |ui| {
            egui::ScrollArea::vertical().id_salt("contact").auto_shrink(false).show(ui, |ui| {
                board.show_all(ui, &CONTROLS);
            });
        });
        ui.scope_builder(egui::UiBuilder::new().max_rect(right), |ui| {
            self.figures(ui, speed, two_way);
            self.charts(ui);
        });
    }

    /// Another contact takes the place of the one that was shown.
    fn follow(&mut self, last: &Last, two_way: bool) {
        if !two_way {
            if self.felt.take().is_some() {
                self.past.clear();
            }
            if last.speed_m_per_s != self.shown_m_per_s {
                if self.shown_m_per_s.is_some() {
                    self.remember(self.replay.course.clone());
                }
                self.shown_m_per_s = last.speed_m_per_s;
            }
        } else if let Some(trace) = last.trace
            && self.felt.as_ref().is_none_or(|felt| felt.trace != *trace)
        {
            match self.felt.take() {
                Some(felt) => self.remember(felt.course),
                None => self.past.clear(),
            }
            self.felt = Some(Felt { trace: trace.clone(), course: Course::of(trace) });
        }
    }

    fn remember(&mut self, course: Course) {
        self.past.push_back(course);
        if self.past.len() > PAST {
            self.past.pop_front();
        }
    }

    fn figures(&self, ui: &mut Ui, speed: f64, two_way: bool) {
        if let Some(felt) = &self.felt {
            figures::show(ui, &felt.figures());
            return;
        }
        figures::show(ui, &self.replay.figures(speed));
        if two_way {
            let note = "Two-way: play a note to see its contact with the body. Until then, the same on a wall.";
            let note = RichText::new(note).font(theme::small()).color(theme::of(ui).quiet);
            ui.add(egui::Label::new(note).wrap());
        }
    }

    fn charts(&self, ui: &mut Ui) {
        const UM: Axis = Axis { unit: "m", scale: 1e-6 };
        const US: Axis = Axis { unit: "s", scale: 1e-6 };
        let axis = |unit| Axis { unit, scale: 1.0 };
        let (replay, palette) = (&self.replay, theme::of(ui));
        let size = vec2(0.5 * (ui.available_width() - 8.0), (0.5 * (ui.available_height() - 6.0)).max(40.0));
        let line = |name, points, colour, dotted| Line { name, points, colour, dotted, filled: false };
        let faint = palette.accent.gamma_multiply(0.35);
        // Against the analysis; a body that gives way has none, but there is the contact with a wall.
        let felt = self.felt.as_ref();
        let (shown, name, levels_j) = match felt {
            Some(Felt { course, .. }) => (course, "body", course.levels_j()),
            None => (&replay.course, "steps", replay.levels_j),
        };
        let dots = shown.is_coarse();
        let wall = |points| felt.map(|_| line("wall", points, palette.second, false));
        let ends = [shown.energy.first(), shown.energy.last()].map(|point| point.map_or(0.0, |point| point[0]));
        let [h_0, h_tau] = levels_j.map(|level| [[ends[0], level], [ends[1], level]]);
        ui.horizontal(|ui| {
            let past = self.past.iter().map(|past| line("", &past.portrait, faint, false));
            let beside = wall(&replay.course.portrait)
                .unwrap_or_else(|| line("analysis", &replay.exact_portrait, palette.second, false));
            let last = [beside, line(name, &shown.portrait, palette.accent, dots)];
            let lines: Vec<Line> = past.chain(last).collect();
            Chart { title: "Velocity over compression", axes: [UM, axis("m/s")], lines: &lines }.show(ui, size);
            // The area under it is the impulse.
            let impulse = Line { filled: true, ..line("", &shown.force, palette.accent, dots) };
            let lines: Vec<Line> = wall(&replay.course.force).into_iter().chain([impulse]).collect();
            Chart { title: "Force over time", axes: [US, axis("N")], lines: &lines }.show(ui, size);
        });
        ui.horizontal(|ui| {
            let past = self.past.iter().map(|past| line("", &past.hysteresis, faint, false));
            let lines: Vec<Line> = past
                .chain(wall(&replay.course.hysteresis))
                .chain([line("", &shown.hysteresis, palette.accent, dots)])
                .collect();
            Chart { title: "Force over compression", axes: [UM, axis("N")], lines: &lines }.show(ui, size);
            let lines = [
                line("H(0)", &h_0, palette.quiet, false),
                line("H(tau)", &h_tau, palette.second, false),
                line("H", &shown.energy, palette.accent, dots),
            ];
            Chart { title: "Energy over time", axes: [US, axis("J")], lines: &lines }.show(ui, size);
        });
    }
}

impl Felt {
    fn figures(&self) -> [Figure; 6] {
        let report = &self.trace.report;
        let (v_in, v_out) = (report.own_in_m_per_s, -report.v_out_m_per_s);
        let [before_j, after_j] = self.course.levels_j();
        let left = if before_j == 0.0 { 0.0 } else { 100.0 * after_j / before_j };
        [
            Figure::new("Speed in", format!("{v_in:.3} m/s"), "Speed of the striker as it met the body."),
            Figure::new("Speed out", format!("{v_out:.3} m/s"), "Speed with which the body threw it back."),
            Figure::new(
                "Restitution",
                format!("{:.4}", if v_in == 0.0 { 0.0 } else { v_out / v_in }),
                "Speed out over speed in, with a body that gives way.",
            ),
            Figure::new("Contact", quantity(report.duration_s, "s"), "From the first touch to the release."),
            Figure::new(
                "Impulse",
                quantity(self.trace.impulse_ns().into(), "N s"),
                "The area under the force over time.",
            ),
            Figure::new("Energy left", format!("{left:.1} %"), "What the striker keeps of its energy."),
        ]
    }
}
