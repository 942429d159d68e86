//! The keyboard strip, and the keys that belong to the host.

use egui::{Event, Key, Modifiers, Role, pos2};
use ictus::params::Param;

use crate::reader::ScreenReader;

fn press(reader: &mut ScreenReader, key: Key, text: Option<&str>) {
    let event = |pressed| Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    reader.harness.event(event(true));
    if let Some(text) = text {
        reader.harness.event(Event::Text(text.into()));
    }
    reader.harness.event(event(false));
    reader.settle();
}

/// All events between two frames, as from a fast user or on a busy machine.
fn press_at_once(reader: &mut ScreenReader, letters: &str, last: Key) {
    let event = |key, pressed| Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    };
    let events = &mut reader.harness.input_mut().events;
    events.extend(letters.chars().map(|letter| Event::Text(letter.into())));
    events.extend([event(last, true), event(last, false)]);
    reader.harness.step();
    reader.settle();
}

#[test]
fn lower_on_a_key_is_louder() {
    let mut reader = ScreenReader::new();
    let strip = reader.place(Role::Canvas, "Keyboard");
    let mut velocities = Vec::new();
    for share in [0.15, 0.4, 0.65, 0.95] {
        let at =
            pos2(strip.left() + 0.4 * strip.width() / 35.0, strip.top() + share * strip.height());
        reader.press(at);
        reader.release(at);
        let notes: Vec<_> = reader.editor().telemetry.take_notes().collect();
        let [(36, Some(velocity)), (36, None)] = notes[..] else { panic!("{notes:?}") };
        assert!((velocity - share).abs() < 0.05, "{velocity} at {share}");
        velocities.push(velocity);
    }
    assert!(velocities.is_sorted());
}

#[test]
fn the_space_bar_is_the_hosts() {
    let mut reader = ScreenReader::new();
    let before = reader.editor().params.sound();
    // The tab key moves the focus through all controls; space acts on none of them.
    for _ in 0..40 {
        press(&mut reader, Key::Tab, None);
        press(&mut reader, Key::Space, Some(" "));
    }
    assert_eq!(reader.editor().params.sound(), before);
    assert_eq!(reader.editor().params.session().title(), "");
    assert!(reader.editor().telemetry.take_notes().next().is_none());
    assert!(!reader.harness.ctx.text_edit_focused(), "nothing is being typed");
}

#[test]
fn space_can_be_typed() {
    let mut reader = ScreenReader::new();
    reader.click(Role::Button, "Save the sound to your presets");
    reader.click(Role::TextInput, "Name");
    assert!(reader.harness.ctx.text_edit_focused());
    reader.harness.event(Event::Text("My".into()));
    press(&mut reader, Key::Space, Some(" "));
    reader.harness.event(Event::Text("thud".into()));
    reader.settle();
    reader.click(Role::Button, "Save to your presets");
    assert_eq!(reader.editor().params.session().title(), "My thud");
}

#[test]
fn a_name_is_typed_at_once_in_place_of_the_old_one_and_entered() {
    let mut reader = ScreenReader::new();
    reader.click(Role::Button, "Next preset");
    assert_ne!(reader.editor().params.session().title(), "");
    reader.click(Role::Button, "Save the sound to your presets");
    reader.harness.event(Event::Text("Tray".into()));
    press(&mut reader, Key::Enter, None);
    assert_eq!(reader.editor().params.session().title(), "Tray");
    assert!(reader.editor().telemetry.take_notes().next().is_none(), "typing plays no notes");
}

#[test]
fn a_saved_sound_is_loaded_again() {
    let mut reader = ScreenReader::new();
    reader.editor().set("auto", "Off");
    let place = reader.place(Role::Slider, "Mass").center();
    reader.drag(place, egui::vec2(50.0, 0.0));
    let saved = reader.editor().params.sound();
    reader.click(Role::Button, "Save the sound to your presets");
    reader.click(Role::TextInput, "Name");
    reader.harness.event(Event::Text("Heavier".into()));
    reader.settle();
    reader.click(Role::Button, "Save to your presets");
    // Selects the next preset, and then the saved one from the list.
    reader.click(Role::Button, "Next preset");
    assert_ne!(reader.editor().params.sound(), saved);
    let title = reader.editor().params.session().title().to_string();
    reader.click(Role::Button, &title);
    reader.click(Role::TextInput, "Search");
    reader.harness.event(Event::Text("heavier".into()));
    reader.settle();
    reader.click(Role::Button, "Heavier");
    assert_eq!(reader.editor().params.session().title(), "Heavier");
    for param in Param::ALL {
        let [wanted, found] =
            [&saved, &reader.editor().params.sound()].map(|sound| sound.patch.stored(param));
        assert_eq!(wanted, found, "{param:?}");
    }
}

/// The value below the dial of the mass.
fn click_mass(reader: &mut ScreenReader) {
    let dial = reader.place(Role::Slider, "Mass");
    let at = pos2(dial.center().x, dial.bottom() - 8.0);
    reader.press(at);
    reader.release(at);
}

fn mass(reader: &ScreenReader) -> String {
    let slot = reader.editor().params.slot(Param::Mass);
    slot.text(slot.position())
}

#[test]
fn letters_and_the_enter_after_them_count_in_one_frame() {
    let mut reader = ScreenReader::new();
    click_mass(&mut reader);
    reader.settle();
    press_at_once(&mut reader, "250 g", Key::Enter);
    assert_eq!(mass(&reader), "250.0 g");
    assert!(!reader.harness.ctx.text_edit_focused(), "it is over");
    // An invalid text stays until it is valid, and then Enter accepts it.
    click_mass(&mut reader);
    reader.settle();
    press_at_once(&mut reader, "1 x", Key::Enter);
    assert!(reader.harness.ctx.text_edit_focused(), "it stays");
    press(&mut reader, Key::Backspace, None);
    press_at_once(&mut reader, "kg", Key::Enter);
    assert_eq!(mass(&reader), "1.000 kg");
    // And Escape restores the old value.
    click_mass(&mut reader);
    reader.settle();
    press_at_once(&mut reader, "3 g", Key::Escape);
    assert_eq!(mass(&reader), "1.000 kg");
    assert!(reader.editor().telemetry.take_notes().next().is_none(), "typing plays no notes");
}

#[test]
fn a_field_takes_letters_from_the_frame_after_the_click() {
    let mut reader = ScreenReader::new();
    click_mass(&mut reader);
    press_at_once(&mut reader, "250 g", Key::Enter);
    assert_eq!(mass(&reader), "250.0 g");
    assert!(reader.editor().telemetry.take_notes().next().is_none(), "typing plays no notes");
}

#[test]
fn a_click_between_two_frames_counts() {
    let mut reader = ScreenReader::new();
    let dial = reader.place(Role::Slider, "Mass");
    let pos = pos2(dial.center().x, dial.bottom() - 8.0);
    let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
    let events = &mut reader.harness.input_mut().events;
    events.push(Event::PointerMoved(pos));
    events.extend([true, false].map(|pressed| Event::PointerButton {
        pos,
        button,
        pressed,
        modifiers,
    }));
    reader.harness.step();
    press_at_once(&mut reader, "250 g", Key::Enter);
    assert_eq!(mass(&reader), "250.0 g");
}
