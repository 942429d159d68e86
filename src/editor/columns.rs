//! All parameters, group after group in the order of the signal, set in columns like a newspaper.

use egui::Ui;
use nice_plug::prelude::ParamSetter;

use super::{knob, pad, theme};
use crate::patch::relevance::{Say, say};
use crate::patch::{Group, Kind, Param};
use crate::plugin::params::HostParams;

/// A column gets no narrower than this.
const NARROWEST: f32 = 190.0;
/// More columns than this would leave the eye without a line to follow.
const MOST: usize = 5;
/// A group that begins wants this much room.
const ORPHAN: f32 = 110.0;
/// Height of a title.
const TITLE: f32 = 26.0;

/// Draw them all.
pub fn show(ui: &mut Ui, params: &HostParams, setter: &ParamSetter) {
    let choice = |param: Param| params.choice(param);
    let shown: Vec<_> = Group::ALL
        .into_iter()
        .flat_map(|group| Param::ALL.into_iter().filter(move |param| param.spec().group == group))
        .map(|param| (param, say(param, choice)))
        .filter(|(_, say)| *say != Say::Absent)
        .collect();
    let count = ((ui.available_width() / NARROWEST) as usize).clamp(1, MOST);
    let breaks = column_breaks(&shown.iter().map(|(param, _)| *param).collect::<Vec<_>>(), count);
    ui.columns(count, |columns| {
        for (index, column) in columns.iter_mut().enumerate() {
            let mut group = None;
            for (param, say) in &shown[breaks[index]..breaks[index + 1]] {
                let spec = param.spec();
                if group.replace(spec.group) != Some(spec.group) {
                    column.label(theme::group_title(spec.group.name()));
                }
                column.scope(|ui| {
                    if *say == Say::Silent {
                        ui.set_opacity(0.35);
                    }
                    knob::show(ui, spec, params.slot(*param), setter);
                    if *param == Param::MaterialY && *say == Say::Heard {
                        pad::show(ui, params.slot(Param::MaterialX), params.slot(Param::MaterialY), setter);
                    }
                });
            }
        }
    });
}

/// Where each column begins, and the end: as even as it can be without going back and forth.
fn column_breaks(shown: &[Param], columns: usize) -> Vec<usize> {
    let heights: Vec<f32> = shown
        .iter()
        .enumerate()
        .map(|(index, param)| {
            let begins = index == 0 || shown[index - 1].spec().group != param.spec().group;
            height(*param) + if begins { TITLE } else { 0.0 }
        })
        .collect();
    let even = heights.iter().sum::<f32>() / columns as f32;
    let mut breaks = vec![0];
    let mut so_far = 0.0;
    for (index, height) in heights.iter().enumerate() {
        // A title with next to nothing below it belongs to the next column.
        let begins = index > 0 && shown[index - 1].spec().group != shown[index].spec().group;
        let needed = if begins { ORPHAN } else { 0.5 * height };
        if breaks.len() < columns && so_far + needed > even * breaks.len() as f32 {
            breaks.push(index);
        }
        so_far += height;
    }
    breaks.resize(columns + 1, shown.len());
    breaks
}

fn height(param: Param) -> f32 {
    match param.spec().kind {
        Kind::Float { .. } | Kind::Whole { .. } => 38.0,
        Kind::Choice(_) => 47.0,
        Kind::Toggle => 26.0,
    }
}
