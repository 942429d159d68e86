//! The tooltip of every control: one sentence, and the value with its unit.

use egui::Role;
use egui_kittest::kittest::NodeT;
use ictus::editor::tabs::Tab;
use ictus::params::text::Unit;
use ictus::params::{Param, ParamKind};

use crate::names::role;
use crate::reader::ScreenReader;
use crate::sounds::circumstances;

/// All texts, wherever they are.
fn words(reader: &ScreenReader) -> Vec<String> {
    let of =
        |node: egui_kittest::Node| node.accesskit_node().label().or(node.accesskit_node().value());
    reader.harness.root().children_recursive().filter_map(of).collect()
}

/// The tooltip at the middle of a control.
fn reported(reader: &mut ScreenReader, at: egui::Pos2) -> Vec<String> {
    reader.harness.remove_cursor();
    reader.harness.run_steps(4);
    let before = words(reader);
    reader.harness.hover_at(at);
    reader.harness.run_steps(8);
    // An icon's tooltip begins with its accessible name.
    let mut after = words(reader);
    for word in before {
        if let Some(index) = after.iter().position(|other| *other == word) {
            after.swap_remove(index);
        }
    }
    after
}

#[test]
fn every_parameter_says_what_it_does_and_its_value_with_its_unit() {
    let mut reader = ScreenReader::new();
    let mut faults = Vec::new();
    for param in Param::ALL {
        let spec = param.spec();
        reader.editor().set_defaults();
        for (id, text) in circumstances(param) {
            reader.editor().set(id, text);
        }
        reader.settle();
        let place = reader
            .scroll_to(role(param), spec.name)
            .unwrap_or_else(|| panic!("{} is not shown", spec.name));
        let reported = reported(&mut reader, place.center());
        let slot = reader.editor().params.slot(param);
        let value = format!("{}: {}", spec.name, slot.text(slot.position()));
        if !reported.contains(&value) || !reported.contains(&spec.help.to_string()) {
            faults.push(format!("{}: {reported:?}", spec.name));
        }
        let is_sentence =
            spec.help.ends_with('.') && spec.help.chars().next().is_some_and(char::is_uppercase);
        if !is_sentence || spec.help.len() > 220 {
            faults.push(format!("{} is not described in one sentence: {}", spec.name, spec.help));
        }
        // A value without a unit is a pure number: nothing but digits.
        if let ParamKind::Float { unit, .. } = spec.kind {
            let text = slot.text(slot.position());
            let has_unit =
                text.contains(|sign: char| sign.is_alphabetic() && sign != 'e' || sign == '%');
            if has_unit == matches!(unit, Unit::Plain) {
                faults.push(format!("{value} of unit {unit:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_button_and_field_has_a_tooltip() {
    let mut reader = ScreenReader::new();
    // Files open a dialog, and a scale can be removed.
    for (id, text) in [("gest", "Roll"), ("surf", "File")] {
        reader.editor().set(id, text);
    }
    reader.settle();
    let mut faults = Vec::new();
    let mut tried = std::collections::BTreeSet::new();
    for tab in Tab::ALL {
        reader.click(Role::Button, tab.name());
        reader.harness.remove_cursor();
        reader.harness.run_steps(4);
        let roles = [Role::Button, Role::SpinButton, Role::TextInput];
        let controls: Vec<_> = reader.harness.root().children_recursive().collect();
        let controls =
            controls.into_iter().filter(|node| roles.contains(&node.accesskit_node().role()));
        let controls: Vec<_> = controls
            .map(|node| (format!("{:?}", node.accesskit_node().label()), node.rect()))
            .collect();
        for (name, place) in controls {
            if tried.insert(name.clone()) && reported(&mut reader, place.center()).is_empty() {
                faults.push(name);
            }
        }
    }
    assert!(tried.len() >= 20, "{tried:?}");
    assert!(faults.is_empty(), "{faults:?}");
}
