//! Every parameter has a control that is found by its name, moves the parameter, and changes the
//! sound.

use egui::{Role, vec2};
use egui_kittest::kittest::NodeT;
use ictus::editor::relevance::{Relevance, relevance};
use ictus::params::{Param, ParamKind};

use crate::listen::{Player, difference};
use crate::reader::ScreenReader;
use crate::sounds::circumstances;

/// Half the range of a dial, points.
const HALF_A_WAY: f32 = 90.0;
/// Smaller differences do not count as heard: -100 dB.
const HEARD: f32 = 1e-5;

/// The accessible role of a parameter's control.
pub fn role(param: Param) -> Role {
    match param.spec().kind {
        ParamKind::Float { .. } | ParamKind::Whole { .. } => Role::Slider,
        ParamKind::Choice(_) => Role::ComboBox,
        ParamKind::Toggle => Role::CheckBox,
    }
}

/// Moves the control.
fn move_it(reader: &mut ScreenReader, param: Param) -> Result<(), String> {
    let (spec, role) = (param.spec(), role(param));
    let place = reader.scroll_to(role, spec.name).ok_or("no control has its name")?;
    match spec.kind {
        ParamKind::Float { .. } | ParamKind::Whole { .. } => {
            let way = if reader.editor().position(param) < 0.5 { HALF_A_WAY } else { -HALF_A_WAY };
            reader.drag(place.center(), vec2(way, 0.0));
        }
        ParamKind::Toggle => reader.click(role, spec.name),
        ParamKind::Choice(names) => {
            let next = names[(reader.editor().params.choice(param) + 1) % names.len()];
            let known: Vec<_> =
                reader.all(Role::Button, next).map(|node| node.accesskit_node().id()).collect();
            reader.click(role, spec.name);
            let offered = reader
                .all(Role::Button, next)
                .find(|node| !known.contains(&node.accesskit_node().id()));
            let at = offered.ok_or_else(|| format!("{next} is not offered"))?.rect().center();
            reader.press(at);
            reader.release(at);
            reader.settle();
        }
    }
    Ok(())
}

fn try_one(reader: &mut ScreenReader, player: &mut Player, param: Param) -> Result<f32, String> {
    reader.editor().set_defaults();
    // Otherwise Trim moves with every edit.
    if param != Param::AutoLevel {
        reader.editor().set("auto", "Off");
    }
    for (id, text) in circumstances(param) {
        reader.editor().set(id, text);
    }
    reader.settle();
    let before = reader.editor().params.sound().patch;
    if relevance(param, |other| before.choice(other)) != Relevance::Heard {
        return Err("it has no say".into());
    }
    move_it(reader, param)?;
    let after = reader.editor().params.sound().patch;
    let moved: Vec<_> = Param::ALL
        .into_iter()
        .filter(|other| before.stored(*other) != after.stored(*other))
        .collect();
    if moved != [param] {
        return Err(format!("moved were {moved:?}"));
    }
    // Auto level alone does not change the sound.
    if param == Param::AutoLevel {
        return Ok(0.0);
    }
    // A random seed per note shows only in the second run.
    let times = if param == Param::Fresh { 2 } else { 1 };
    let [a, b] = [&before, &after]
        .map(|patch| (0..times).map(|_| player.play(patch)).last().unwrap_or_default());
    let heard = difference(&a, &b);
    if heard > HEARD { Ok(heard) } else { Err(format!("the sound differs by {heard:e}")) }
}

#[test]
fn every_parameter_is_found_by_name_moved_and_heard() {
    let (mut reader, mut player) = (ScreenReader::new(), Player::new());
    let mut faults = Vec::new();
    for param in Param::ALL {
        match try_one(&mut reader, &mut player, param) {
            Ok(heard) => println!("{:24} {heard:.1e}", param.spec().name),
            Err(fault) => faults.push(format!("{}: {fault}", param.spec().name)),
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), Param::COUNT, faults.join("\n"));
}

#[test]
fn every_control_has_an_accessible_name() {
    let mut reader = ScreenReader::new();
    // Files open a dialog, and a pad is a picture.
    for (id, text) in [("gest", "Roll"), ("surf", "File"), ("mater", "Pad")] {
        reader.editor().set(id, text);
    }
    for tab in ictus::editor::tabs::Tab::ALL {
        reader.click(Role::Button, tab.name());
        reader.harness.check_accessibility();
    }
    reader.click(Role::Button, "Choose a preset");
    reader.harness.check_accessibility();
    reader.click(Role::Button, "Save the sound to your presets");
    reader.harness.check_accessibility();
}

#[test]
fn a_screen_reader_turns_a_dial() {
    let mut reader = ScreenReader::new();
    let mass = |reader: &ScreenReader| reader.editor().position(Param::Mass);
    let before = mass(&reader);
    reader.find(Role::Slider, "Mass").expect("it is there").increment_accesskit();
    reader.settle();
    assert!((mass(&reader) - before - 0.02).abs() < 1e-6);
    reader.find(Role::Slider, "Mass").expect("it is there").set_value_accesskit(0.75);
    reader.settle();
    assert!((mass(&reader) - 0.75).abs() < 1e-6);
    let node = reader.find(Role::Slider, "Mass").expect("it is there");
    assert_eq!(
        node.value().as_deref(),
        Some(reader.editor().params.slot(Param::Mass).text(0.75).as_str())
    );
}

#[test]
fn a_value_is_typed_from_the_menu_of_a_dial() {
    let mut reader = ScreenReader::new();
    reader.find(Role::Slider, "Mass").expect("it is there").click_secondary();
    reader.settle();
    for entry in ["Back to the default", "Copy the value"] {
        assert!(reader.find(Role::Button, entry).is_some(), "{entry}");
    }
    reader.click(Role::Button, "Type a value");
    reader.harness.event(egui::Event::Text("250 g".into()));
    reader.harness.key_press(egui::Key::Enter);
    reader.settle();
    assert_eq!(
        reader.editor().params.slot(Param::Mass).text(reader.editor().position(Param::Mass)),
        "250.0 g"
    );
    // Restores the default.
    reader.find(Role::Slider, "Mass").expect("it is there").click_secondary();
    reader.settle();
    reader.click(Role::Button, "Back to the default");
    assert_eq!(
        reader.editor().position(Param::Mass),
        reader.editor().params.slot(Param::Mass).default_position()
    );
}
