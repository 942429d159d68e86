//! Fine control: the wheel, fine drags, typed values, undo, and searches without a result.

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, Pos2, Role, TouchPhase, vec2};
use egui_kittest::kittest::Queryable;
use ictus::editor::file_picker::FilePicker;
use ictus::params::Param;

use crate::reader::ScreenReader;

fn notches(reader: &mut ScreenReader, at: Pos2, count: f32) {
    reader.move_to(at);
    reader.harness.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, count),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    reader.harness.run_steps(12);
}

/// Long enough for the wheel to come to rest.
fn rest(reader: &mut ScreenReader) {
    reader.harness.run_steps(40);
}

fn key(reader: &mut ScreenReader, key: Key, pressed: bool, modifiers: Modifiers) {
    reader.harness.event(Event::Key { key, physical_key: None, pressed, repeat: false, modifiers });
    reader.harness.step();
}

#[test]
fn a_run_of_the_wheel_is_one_gesture_and_one_step_back() {
    let mut reader = ScreenReader::quick();
    reader.editor().set("auto", "Off");
    reader.editor().host.gestures.lock().unwrap().clear();
    let before = reader.editor().position(Param::Mass);
    let dial = reader.place(Role::Slider, "Mass").center();
    for _ in 0..3 {
        notches(&mut reader, dial, 1.0);
    }
    rest(&mut reader);
    assert!(reader.editor().position(Param::Mass) > before + 0.03, "it turns");
    assert_eq!(*reader.editor().host.gestures.lock().unwrap(), ["begin", "end"]);
    reader.click(Role::Button, "Undo");
    assert_eq!(reader.editor().position(Param::Mass), before);
}

#[test]
fn a_page_that_is_scrolled_turns_no_dial_on_its_way() {
    let mut reader = ScreenReader::quick();
    let before = reader.editor().params.sound();
    // The wheel turns over the chart above the dials; later the dials scroll under the pointer.
    let at = reader.place(Role::Image, "Modes of the body").center();
    let place = reader.place(Role::Slider, "Tune");
    for _ in 0..6 {
        notches(&mut reader, at, -1.0);
    }
    assert!(reader.place(Role::Slider, "Tune").top() < place.top() - 20.0, "the page moves");
    rest(&mut reader);
    assert_eq!(reader.editor().params.sound(), before, "a dial was turned");
}

#[test]
fn shift_makes_a_drag_fine_and_a_double_click_puts_it_back() {
    let mut reader = ScreenReader::quick();
    let dial = reader.place(Role::Slider, "Mass").center();
    let start = reader.editor().position(Param::Mass);
    reader.drag(dial, vec2(60.0, 0.0));
    let coarse = reader.editor().position(Param::Mass) - start;
    reader.harness.event(Event::ModifiersChanged(Modifiers::SHIFT));
    reader.harness.step();
    reader.drag(dial, vec2(60.0, 0.0));
    reader.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    reader.harness.step();
    let fine = reader.editor().position(Param::Mass) - start - coarse;
    assert!((fine / coarse - 0.1).abs() < 0.02, "{fine} against {coarse}");
    for _ in 0..2 {
        reader.press(dial);
        reader.release(dial);
    }
    reader.settle();
    assert_eq!(reader.editor().position(Param::Mass), start);
}

#[test]
fn a_value_is_typed_in_its_place_and_invalid_text_is_not_accepted() {
    let mut reader = ScreenReader::quick();
    let place = reader.place(Role::Slider, "Dynamics");
    let neighbours = ["Strike point", "Scatter", "Angle"];
    let before = neighbours.map(|name| reader.place(Role::Slider, name));
    let value = place.center_bottom() - vec2(0.0, 6.0);
    reader.press(value);
    reader.release(value);
    reader.settle();
    assert!(reader.harness.ctx.text_edit_focused());
    assert_eq!(neighbours.map(|name| reader.place(Role::Slider, name)), before, "nothing moves");
    let start = reader.editor().position(Param::Dynamics);
    for (text, is_taken) in [("banana", false), ("20 dB", true)] {
        // The old text is selected when typing begins, and the invalid text is selected now.
        if is_taken {
            key(&mut reader, Key::A, true, Modifiers::COMMAND);
        }
        reader.harness.event(Event::Text(text.into()));
        reader.settle();
        key(&mut reader, Key::Enter, true, Modifiers::NONE);
        reader.settle();
        assert_eq!(reader.editor().position(Param::Dynamics) != start, is_taken, "{text}");
        assert_eq!(reader.harness.ctx.text_edit_focused(), !is_taken, "{text}");
    }
}

#[test]
fn a_key_that_is_let_go_while_one_types_is_let_go() {
    let mut reader = ScreenReader::quick();
    key(&mut reader, Key::Z, true, Modifiers::NONE);
    reader.click(Role::Button, "Save the sound to your presets");
    assert!(reader.harness.ctx.text_edit_focused());
    key(&mut reader, Key::Z, false, Modifiers::NONE);
    let notes: Vec<_> = reader.editor().telemetry.take_notes().collect();
    assert_eq!(notes, [(60, Some(0.75)), (60, None)]);
}

#[test]
fn a_click_on_the_body_is_one_step_back() {
    let mut reader = ScreenReader::quick();
    let before = reader.editor().params.sound();
    let at = reader.place(Role::Image, "Mark of the strike point").center() + vec2(42.0, -14.0);
    reader.press(at);
    reader.release(at);
    reader.settle();
    assert_ne!(reader.editor().params.sound(), before);
    reader.click(Role::Button, "Undo");
    assert_eq!(reader.editor().params.sound(), before);
}

#[test]
fn a_drag_of_the_pad_chooses_its_material() {
    let mut reader = ScreenReader::quick();
    assert_eq!(reader.editor().position(Param::Material), 0.0);
    let pad = reader.scroll_to(Role::Slider, "Material pad").expect("it is there");
    reader.drag(pad.center(), vec2(40.0, 20.0));
    assert_eq!(reader.editor().position(Param::Material), 1.0, "the last of the list");
    let [x, y] = [Param::MaterialX, Param::MaterialY].map(|param| reader.editor().position(param));
    assert!(x > 0.6 && y < 0.4, "{x} {y}");
}

#[test]
fn an_empty_search_result_is_shown_and_the_arrows_still_work() {
    let mut reader = ScreenReader::quick();
    reader.click(Role::Button, "Next preset");
    let title = reader.editor().params.session().title().to_string();
    reader.click(Role::Button, &title);
    reader.click(Role::TextInput, "Search");
    reader.harness.event(Event::Text("no such thing".into()));
    reader.settle();
    assert!(reader.find(Role::Button, "Show all").is_some());
    reader.click(Role::Button, "Next preset");
    assert_ne!(reader.editor().params.session().title(), title);
    reader.click(Role::Button, "Show all");
    assert!(reader.find(Role::Button, "Bass drum").is_some());
    key(&mut reader, Key::Escape, true, Modifiers::NONE);
    reader.settle();
    assert!(reader.find(Role::Button, "Bass drum").is_none(), "it is closed");
}

#[test]
fn a_file_is_chosen_without_typing() {
    let folder = std::env::temp_dir().join(format!("ictus-picker-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("scales")).expect("it can be made");
    for name in ["scales/even.SCL", "scales/notes.txt"] {
        std::fs::write(folder.join(name), "!").expect("it can be written");
    }
    let state = (FilePicker::at(folder.clone(), "Choose a scale", &[".scl"]), None);
    let mut harness = egui_kittest::Harness::builder().build_ui_state(
        |ui, (picker, chosen): &mut (FilePicker, Option<std::path::PathBuf>)| {
            if let Some(path) = picker.show(ui) {
                *chosen = Some(path);
            }
        },
        state,
    );
    for name in ["Browse", "scales/", "Up", "scales/", "even.SCL"] {
        harness.run_steps(3);
        harness.get_by_label(name).click();
        harness.run_steps(3);
        assert!(harness.query_by_label("notes.txt").is_none(), "only what is wanted is shown");
    }
    assert_eq!(harness.state().1, Some(folder.join("scales/even.SCL")));
    assert!(harness.query_by_label("Up").is_none(), "it is closed");
    std::fs::remove_dir_all(folder).expect("it can be removed");
}
