//! Dials follow the mouse, values can be typed, keys play.

use egui::{Event, Key, Modifiers, pos2, vec2};
use ictus::editor::{SIZE, icons};
use ictus::io::presets::factory;
use ictus::params::Param;

use crate::stage::{Stage, within_time};

#[test]
fn a_dial_follows_the_mouse_and_informs_the_host() {
    within_time(|| {
        let mut stage = Stage::new();
        let before = stage.position(Param::Mass);
        let (dial, _) = stage.dial_and_value("Mass");
        stage.frame(vec![Event::PointerMoved(dial)]);
        stage.press(dial, true);
        for i in 1..=10 {
            stage.frame(vec![Event::PointerMoved(dial + vec2(6.0 * i as f32, 0.0))]);
        }
        stage.press(dial + vec2(60.0, 0.0), false);
        stage.frame(vec![]);
        // Sixty pixels of 180 from end to end.
        let moved = stage.position(Param::Mass) - before;
        assert!((0.15..0.35).contains(&moved), "moved by {moved}");
        assert_eq!(*stage.editor.host.gestures.lock().unwrap(), ["begin", "end"]);
    });
}

#[test]
fn a_value_can_be_typed_with_its_unit() {
    within_time(|| {
        let mut stage = Stage::new();
        let (_, value) = stage.dial_and_value("Speed");
        stage.click(value);
        stage.frame(vec![]);
        // The old text is selected and replaced.
        stage.frame(vec![Event::Text("1.5 m/s".to_string())]);
        stage.key(Key::Enter, true);
        stage.frame(vec![]);
        let slot = stage.editor.params.slot(Param::Speed);
        assert_eq!(slot.text(slot.position()), "1.500 m/s");
        let notes: Vec<_> = stage.editor.telemetry.take_notes().collect();
        assert!(notes.is_empty(), "typing plays no notes: {notes:?}");
    });
}

#[test]
fn computer_keys_play_and_let_go() {
    within_time(|| {
        let mut stage = Stage::new();
        stage.key(Key::Z, true);
        stage.frame(vec![]);
        stage.key(Key::Z, false);
        let notes: Vec<_> = stage.editor.telemetry.take_notes().collect();
        assert_eq!(notes, [(60, Some(0.75)), (60, None)]);
    });
}

#[test]
fn a_key_that_is_tapped_within_a_frame_plays() {
    within_time(|| {
        let mut stage = Stage::new();
        let tap = |pressed| Event::Key {
            key: Key::X,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::default(),
        };
        stage.frame(vec![tap(true), tap(false)]);
        stage.frame(vec![]);
        let notes: Vec<_> = stage.editor.telemetry.take_notes().collect();
        assert_eq!(notes, [(62, Some(0.75)), (62, None)]);
    });
}

#[test]
fn the_strip_plays_under_the_mouse() {
    within_time(|| {
        let mut stage = Stage::new();
        let at = pos2(15.0, SIZE.1 - 12.0);
        stage.frame(vec![Event::PointerMoved(at)]);
        stage.press(at, true);
        stage.frame(vec![]);
        stage.press(at, false);
        stage.frame(vec![]);
        let notes: Vec<_> = stage.editor.telemetry.take_notes().collect();
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(matches!(notes[0], (36, Some(velocity)) if velocity > 0.8), "{notes:?}");
        assert_eq!(notes[1], (36, None));
    });
}

#[test]
fn a_drag_is_levelled_and_taken_back_together_with_its_trim() {
    within_time(|| {
        let mut stage = Stage::new();
        let before = [Param::Mass, Param::Trim].map(|param| stage.position(param));
        stage.drag("Mass", 90.0);
        let heavy = stage.position(Param::Mass);
        // All further steps wait for the measurement.
        stage.drag("Speed", 30.0);
        let after = stage.position(Param::Trim);
        assert!(after < before[1], "a heavy blow is turned down");
        let mut sound = stage.editor.params.sound();
        sound.patch.set(Param::Speed, Param::Speed.spec().default);
        let measured = sound.loudness_lufs().expect("it is heard");
        let expected = ictus::engine::auto_level::trim_db(measured);
        assert!(
            (sound.patch.get(Param::Trim) - expected).abs() < 1e-4,
            "{} {expected}",
            sound.patch.get(Param::Trim)
        );
        stage.click_on("Undo");
        stage.click_on("Undo");
        assert_eq!([Param::Mass, Param::Trim].map(|param| stage.position(param)), before);
        stage.click_on("Redo");
        assert_eq!([Param::Mass, Param::Trim].map(|param| stage.position(param)), [heavy, after]);
    });
}

#[test]
fn a_throw_arrives_with_its_trim_and_without_auto_level_trim_stays() {
    within_time(|| {
        let mut stage = Stage::new();
        stage.click_on("Randomise");
        let sound = stage.editor.params.sound();
        let expected =
            ictus::engine::auto_level::trim_db(sound.loudness_lufs().expect("it is heard"));
        assert!(
            (sound.patch.get(Param::Trim) - expected).abs() < 1e-4,
            "{} {expected}",
            sound.patch.get(Param::Trim)
        );
        let trim = stage.position(Param::Trim);
        stage.editor.set("auto", "Off");
        stage.click_on("Randomise");
        assert_eq!(stage.position(Param::Trim), trim);
        assert_ne!(stage.editor.params.sound(), sound);
    });
}

#[test]
fn a_drag_is_taken_back_and_done_again_in_one_step() {
    within_time(|| {
        let mut stage = Stage::new();
        let before = stage.position(Param::Mass);
        stage.drag("Mass", 60.0);
        let after = stage.position(Param::Mass);
        assert_ne!(before, after);
        stage.click_on("Undo");
        assert_eq!(stage.position(Param::Mass), before);
        stage.click_on("Redo");
        assert_eq!(stage.position(Param::Mass), after);
        // By keyboard, too; and a shortcut plays no note.
        let undo = |pressed| Event::Key {
            key: Key::Z,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::COMMAND,
        };
        stage.editor.telemetry.take_notes().for_each(drop);
        stage.frame(vec![undo(true)]);
        stage.frame(vec![undo(false)]);
        assert_eq!(stage.position(Param::Mass), before);
    });
}

#[test]
fn presets_follow_one_another_and_are_taken_back_with_their_names() {
    within_time(|| {
        let mut stage = Stage::new();
        assert!(stage.shows("Choose a preset"));
        let untouched = stage.editor.params.sound();
        let names: Vec<_> = factory::ALL
            .iter()
            .take(2)
            .map(|(key, _)| factory::load(key).unwrap().about.name)
            .collect();
        for name in &names {
            stage.click_on(icons::NEXT);
            assert!(stage.shows(name), "{name}");
        }
        let preset = factory::load(factory::ALL[1].0).unwrap();
        for param in Param::ALL {
            let (wanted, found) =
                (preset.sound.patch.stored(param), stage.editor.params.sound().patch.stored(param));
            let (min, max) = param.spec().range_stored();
            assert!((wanted - found).abs() <= 1e-6 * (max - min), "{}: {found}", param.spec().id);
        }
        assert!(!stage.shows(" *"), "it is as the preset has it");
        stage.click_on("Undo");
        assert!(stage.shows(&names[0]));
        stage.click_on("Undo");
        assert!(stage.shows("Choose a preset"));
        assert_eq!(stage.editor.params.sound(), untouched);
    });
}

#[test]
fn the_list_of_presets_is_searched_and_a_click_loads() {
    within_time(|| {
        let mut stage = Stage::new();
        stage.click_on("Choose a preset");
        stage.frame(vec![]);
        assert!(stage.shows("Anvil"), "{:?}", stage.texts);
        stage.click_on("Search");
        stage.frame(vec![Event::Text("bowling".to_string())]);
        stage.frame(vec![]);
        assert!(!stage.shows("Anvil"));
        stage.click_on("Bowling lane");
        assert_eq!(stage.editor.params.session().title(), "Bowling lane");
        let description = factory::load("bowling-lane").unwrap().about.description;
        let place = |stage: &Stage| {
            stage.texts.iter().find(|(text, _)| *text == description).map(|(_, rect)| *rect)
        };
        let before = place(&stage).expect("it says what it is");
        (0..10).for_each(|_| stage.frame(vec![]));
        assert_eq!(place(&stage), Some(before), "the window stays as large as it is");
        assert!(stage.editor.telemetry.take_notes().next().is_none(), "typing plays no notes");
    });
}

#[test]
fn two_sides_are_compared() {
    within_time(|| {
        let mut stage = Stage::new();
        stage.drag("Mass", 60.0);
        let first = stage.position(Param::Mass);
        stage.click_on("B");
        assert_eq!(stage.position(Param::Mass), first, "B begins as A is");
        stage.drag("Mass", -30.0);
        let second = stage.position(Param::Mass);
        assert_ne!(first, second);
        stage.click_on("A");
        assert_eq!(stage.position(Param::Mass), first);
        stage.click_on("Copy to B");
        stage.click_on("B");
        assert_eq!(stage.position(Param::Mass), first);
        stage.click_on("Undo");
        assert_eq!(stage.position(Param::Mass), second, "the copy is taken back where it was made");
    });
}

#[test]
fn the_dice_are_thrown_and_taken_back() {
    within_time(|| {
        let mut stage = Stage::new();
        let before = stage.editor.params.sound();
        stage.click_on("Randomise");
        assert_ne!(stage.editor.params.sound(), before);
        stage.click_on("Mutate");
        stage.click_on("Undo");
        stage.click_on("Undo");
        assert_eq!(stage.editor.params.sound(), before);
    });
}

#[test]
fn a_sound_is_saved_under_a_name() {
    within_time(|| {
        let mut stage = Stage::new();
        stage.drag("Mass", 60.0);
        stage.click_on(icons::SAVE);
        stage.frame(vec![]);
        let (_, label) = stage
            .texts
            .iter()
            .find(|(text, _)| text == "Name")
            .expect("the name field appears")
            .clone();
        stage.click(pos2(label.right() + 80.0, label.center().y));
        stage.frame(vec![]);
        stage.frame(vec![Event::Text("My thud".to_string())]);
        stage.click_on("Save to your presets");
        assert_eq!(stage.editor.params.session().title(), "My thud");
        assert!(stage.shows("Saved to"), "{:?}", stage.texts);
        assert!(stage.editor.telemetry.take_notes().next().is_none(), "typing plays no notes");
    });
}

#[test]
fn presets_stand_in_order_and_the_whole_row_takes_a_click() {
    within_time(|| {
        let mut stage = Stage::new();
        stage.click_on("Choose a preset");
        stage.frame(vec![]);
        let place = |stage: &Stage, name: &str| {
            stage
                .texts
                .iter()
                .find(|(text, _)| text == name)
                .unwrap_or_else(|| panic!("{name} is not shown"))
                .1
        };
        assert!(place(&stage, "Bottle").top() < place(&stage, "Bottle rack").top());
        // Between the name and the category, where the row is empty.
        let row = place(&stage, "Anvil");
        stage.click(pos2(row.right() + 120.0, row.center().y));
        stage.frame(vec![]);
        assert_eq!(stage.editor.params.session().title(), "Anvil");
    });
}

#[test]
fn a_category_is_chosen_from_those_there_are() {
    within_time(|| {
        let mut stage = Stage::new();
        stage.click_on(icons::SAVE);
        stage.frame(vec![]);
        stage.frame(vec![Event::Text("My thud".to_string())]);
        stage.click_on("Choose");
        stage.frame(vec![]);
        stage.click_on("Bells");
        stage.click_on("Save to your presets");
        let library = ictus::io::presets::Library::at(stage.editor.presets.clone());
        let origin = library.find("My thud").expect("it is saved");
        assert_eq!(library.load(&origin).expect("it can be read").about.category, "Bells");
    });
}
