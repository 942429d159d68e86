//! The contact made visible: where its motion goes, against where the analysis says it goes.

pub mod replay;

use std::collections::VecDeque;

use egui::{RichText, Ui, vec2};

use super::chart::{Chart, Line};
use super::control::Board;
use super::theme;
use crate::contact::{ContactSettings, Coupling};
use crate::patch::{Param, Patch};
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

/// Contacts before the last one that are still seen.
const PAST: usize = 4;

/// A contact that is over: velocity and force, over compression.
struct Past {
    portrait: Vec<[f64; 2]>,
    hysteresis: Vec<[f64; 2]>,
}

/// The tab.
#[derive(Default)]
pub struct Physics {
    replay: Replay,
    patch: Patch,
    past: VecDeque<Past>,
    /// Speed of the contact that is shown, m/s.
    shown_m_per_s: Option<f64>,
}

impl Physics {
    /// Draw it. `speed_m_per_s` is that of the last contact, if there was one.
    pub fn show(&mut self, ui: &mut Ui, board: &Board, speed_m_per_s: Option<f64>, sample_rate_hz: f64) {
        board.params.write_to(&mut self.patch);
        let settings = self.patch.contact();
        let speed = speed_m_per_s.unwrap_or_else(|| self.patch.impact_speed_m_per_s(0.8)).max(1e-6);
        if speed_m_per_s != self.shown_m_per_s {
            self.remember();
            self.shown_m_per_s = speed_m_per_s;
        }
        self.replay.run(&ContactSettings { coupling: Coupling::Rigid, ..settings }, speed, sample_rate_hz);
        let room = ui.available_rect_before_wrap();
        let (left, right) = room.split_left_right_at_fraction(0.42);
        ui.scope_builder(egui::UiBuilder::new().max_rect(left.with_max_x(left.right() - 8.0)), |ui| {
            egui::ScrollArea::vertical().id_salt("contact").auto_shrink(false).show(ui, |ui| {
                board.show_all(ui, &CONTROLS);
            });
        });
        ui.scope_builder(egui::UiBuilder::new().max_rect(right), |ui| {
            self.figures(ui, speed, settings.coupling == Coupling::TwoWay);
            self.charts(ui);
        });
    }

    /// Another contact takes the place of the one that was shown.
    fn remember(&mut self) {
        if self.shown_m_per_s.is_none() {
            return;
        }
        let (portrait, hysteresis) = (self.replay.portrait.clone(), self.replay.hysteresis.clone());
        self.past.push_back(Past { portrait, hysteresis });
        if self.past.len() > PAST {
            self.past.pop_front();
        }
    }

    fn figures(&self, ui: &mut Ui, speed: f64, two_way: bool) {
        let (verdict, palette) = (&self.replay.verdict, theme::of(ui));
        let exact = self.replay.v_out_exact;
        let error_pct = if exact == 0.0 { 0.0 } else { 100.0 * (verdict.v_out / exact - 1.0) };
        let wrong = verdict.dev_x_pct > 1.0 || verdict.dev_h_pct > 1.0 || error_pct.abs() > 1.0;
        let words = format!(
            "{speed:.3} → {:.3} m/s · e {:.4} · {:.1} us · {:.2e} N s · dev x {:.0e} % · dev H {:.0e} % · err v {:.0e} %",
            -verdict.v_out,
            -verdict.v_out / speed,
            1e6 * verdict.contact_time_s,
            verdict.impulse_ns,
            verdict.dev_x_pct,
            verdict.dev_h_pct,
            error_pct,
        );
        let colour = if wrong { palette.warning } else { palette.quiet };
        let label = egui::Label::new(RichText::new(words).font(theme::small()).color(colour)).truncate();
        ui.add(label).on_hover_text(
            "The last contact against a rigid wall: speeds, effective restitution, contact time, impulse, and how far the \
             steps are from the analysis (compression, energy, release velocity).",
        );
        if two_way {
            let note = "Two-way: the body gives way besides; shown is the same contact on a wall.";
            ui.label(RichText::new(note).font(theme::small()).color(palette.quiet));
        }
    }

    fn charts(&self, ui: &mut Ui) {
        let (replay, palette) = (&self.replay, theme::of(ui));
        let size = vec2(0.5 * (ui.available_width() - 8.0), (0.5 * (ui.available_height() - 6.0)).max(40.0));
        let line = |name, points, colour, dotted| Line { name, points, colour, dotted };
        let (dots, faint) = (replay.portrait.len() < 120, palette.accent.gamma_multiply(0.35));
        let ends = [replay.energy.first(), replay.energy.last()].map(|point| point.map_or(0.0, |point| point[0]));
        let [h_0, h_tau] = replay.levels_j.map(|level| [[ends[0], level], [ends[1], level]]);
        ui.horizontal(|ui| {
            let past = self.past.iter().map(|past| line("", &past.portrait, faint, false));
            let last = [
                line("analysis", &replay.exact_portrait, palette.second, false),
                line("steps", &replay.portrait, palette.accent, dots),
            ];
            let lines: Vec<Line> = past.chain(last).collect();
            Chart { title: "Velocity over compression", axes: ["um", "m/s"], lines: &lines }.show(ui, size);
            let lines = [line("", &replay.force, palette.accent, dots)];
            Chart { title: "Force over time", axes: ["us", "N"], lines: &lines }.show(ui, size);
        });
        ui.horizontal(|ui| {
            let past = self.past.iter().map(|past| line("", &past.hysteresis, faint, false));
            let lines: Vec<Line> = past.chain([line("", &replay.hysteresis, palette.accent, dots)]).collect();
            Chart { title: "Force over compression", axes: ["um", "N"], lines: &lines }.show(ui, size);
            let lines = [
                line("H(0)", &h_0, palette.quiet, false),
                line("H(tau)", &h_tau, palette.second, false),
                line("H", &replay.energy, palette.accent, dots),
            ];
            Chart { title: "Energy over time", axes: ["us", "J"], lines: &lines }.show(ui, size);
        });
    }
}
