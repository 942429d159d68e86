//! The editor under a hand: bars follow the mouse, values can be typed, keys play.
//!
//! Driven without a window, by the events egui would get. Each scene runs under a time limit, because the fault that
//! an immediate-mode editor falls into most easily is to ask the context something while it holds its lock, and wait
//! for ever (as the bars once did at the first touch).

#![cfg(feature = "plugin")]
#![allow(unsafe_code)] // the stand-in for a host sets parameters as the framework's own wrappers do

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use egui::{Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Shape, pos2, vec2};
use ictus::editor::{App, SIZE};
use ictus::patch::Param;
use ictus::plugin::extras::Extras;
use ictus::plugin::params::HostParams;
use ictus::plugin::telemetry::Telemetry;
use ictus::presets::{Library, factory};
use nice_plug::context::PluginApi;
use nice_plug::context::gui::{GuiContext, GuiContextInner};
use nice_plug::params::internals::ParamPtr;
use nice_plug::plugin::PluginState;

/// A host that does what it is asked, and remembers the gestures.
#[derive(Default)]
struct Host {
    gestures: Mutex<Vec<&'static str>>,
}

impl GuiContextInner for Host {
    fn plugin_api(&self) -> PluginApi {
        PluginApi::Standalone
    }

    unsafe fn raw_begin_set_parameter(&self, _param: ParamPtr) {
        self.gestures.lock().unwrap().push("begin");
    }

    unsafe fn raw_set_parameter_normalized(&self, param: ParamPtr, normalized: f32) {
        unsafe { param._internal_set_normalized_value(normalized) };
    }

    unsafe fn raw_end_set_parameter(&self, _param: ParamPtr) {
        self.gestures.lock().unwrap().push("end");
    }

    fn get_state(&self) -> PluginState {
        unreachable!("the editor does not ask for it")
    }

    fn set_state(&self, _state: PluginState) {
        unreachable!("the editor does not ask for it")
    }

    fn request_restart(&self) {}
}

/// The editor with its surroundings.
struct Stage {
    context: egui::Context,
    app: App,
    params: Arc<HostParams>,
    telemetry: Arc<Telemetry>,
    host: Arc<Host>,
    time_s: f64,
    /// Texts of the last frame, and where they stand.
    texts: Vec<(String, Rect)>,
}

impl Stage {
    fn new() -> Self {
        let extras = Arc::new(Extras::default());
        let params = Arc::new(HostParams::new(extras.clone()));
        let telemetry = Arc::new(Telemetry::new());
        // A library of its own: the user's folder is none of a test's business.
        static STAGES: AtomicUsize = AtomicUsize::new(0);
        let own = format!("editor-presets-{}", STAGES.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(own);
        let _ = std::fs::remove_dir_all(&folder);
        let app = App::new(params.clone(), telemetry.clone(), extras).with_library(Library::at(folder));
        let host = Arc::new(Host::default());
        let mut stage =
            Self { context: egui::Context::default(), app, params, telemetry, host, time_s: 0.0, texts: Vec::new() };
        // A panel knows its height from the frame before.
        stage.frame(vec![]);
        stage.frame(vec![]);
        stage
    }

    fn frame(&mut self, events: Vec<Event>) {
        self.time_s += 0.05;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(SIZE.0, SIZE.1))),
            time: Some(self.time_s),
            events,
            ..RawInput::default()
        };
        let host = GuiContext::new(self.host.clone());
        let mut output = self.context.run_ui(input, |ui| self.app.draw(ui, &host));
        // Nobody paints here, but what would be painted can be read.
        output.textures_delta.clear();
        self.texts = output
            .shapes
            .iter()
            .filter_map(|clipped| match &clipped.shape {
                Shape::Text(text) => Some((text.galley.text().to_string(), text.visual_bounding_rect())),
                _ => None,
            })
            .collect();
    }

    fn press(&mut self, at: Pos2, pressed: bool) {
        let modifiers = Modifiers::default();
        self.frame(vec![Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers }]);
    }

    fn key(&mut self, key: Key, pressed: bool) {
        let modifiers = Modifiers::default();
        self.frame(vec![Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }]);
    }

    fn click(&mut self, at: Pos2) {
        self.frame(vec![Event::PointerMoved(at)]);
        self.press(at, true);
        self.press(at, false);
    }

    /// Click on a text; the first one that reads so (the keys of the keyboard carry letters, too).
    fn click_on(&mut self, text: &str) {
        let at = self.texts.iter().find(|(shown, _)| shown == text);
        let at = at.unwrap_or_else(|| panic!("{text} is not shown")).1.center();
        self.click(at);
        self.frame(vec![]);
    }

    fn shows(&self, text: &str) -> bool {
        self.texts.iter().any(|(shown, _)| shown.contains(text))
    }

    /// Drag the bar of a parameter by so many pixels.
    fn drag(&mut self, name: &str, by: f32) {
        let (bar, _) = self.bar_and_value(name);
        self.frame(vec![Event::PointerMoved(bar)]);
        self.press(bar, true);
        for i in 1..=10 {
            self.frame(vec![Event::PointerMoved(bar + vec2(0.1 * by * i as f32, 0.0))]);
        }
        self.press(bar + vec2(by, 0.0), false);
        self.frame(vec![]);
    }

    fn position(&self, param: Param) -> f32 {
        self.params.slot(param).position()
    }
}

/// Play a scene, but not for ever.
fn within_time(scene: impl FnOnce() + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let actor = std::thread::spawn(move || {
        scene();
        let _ = done.send(());
    });
    match wait.recv_timeout(Duration::from_secs(60)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("the editor hangs"),
        // Finished, or failed: the actor knows which.
        _ => actor.join().unwrap(),
    }
}

impl Stage {
    /// On the bar below a name, and on the value beside it.
    fn bar_and_value(&self, name: &str) -> (Pos2, Pos2) {
        let (_, label) = self.texts.iter().find(|(text, _)| text == name).expect("it is shown");
        let beside = |place: &Rect| (place.center().y - label.center().y).abs() < 3.0 && place.left() > label.right();
        let values = self.texts.iter().filter(|(_, place)| beside(place));
        let (_, value) = values.min_by(|a, b| a.1.left().total_cmp(&b.1.left())).expect("it has a value");
        (pos2(label.left() + 50.0, label.top() + 27.0), value.center())
    }
}

#[test]
fn a_bar_follows_the_mouse_and_tells_the_host_so() {
    within_time(|| {
        let mut stage = Stage::new();
        let before = stage.position(Param::Mass);
        let (bar, _) = stage.bar_and_value("Mass");
        stage.frame(vec![Event::PointerMoved(bar)]);
        stage.press(bar, true);
        for i in 1..=10 {
            stage.frame(vec![Event::PointerMoved(bar + vec2(6.0 * i as f32, 0.0))]);
        }
        stage.press(bar + vec2(60.0, 0.0), false);
        stage.frame(vec![]);
        // Sixty pixels of a bar of about 190.
        let moved = stage.position(Param::Mass) - before;
        assert!((0.15..0.35).contains(&moved), "moved by {moved}");
        assert_eq!(*stage.host.gestures.lock().unwrap(), ["begin", "end"]);
    });
}

#[test]
fn a_value_can_be_typed_with_its_unit() {
    within_time(|| {
        let mut stage = Stage::new();
        let (_, value) = stage.bar_and_value("Mass");
        stage.click(value);
        stage.frame(vec![]);
        let select_all =
            Event::Key { key: Key::A, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::COMMAND };
        stage.frame(vec![select_all, Event::Text("1.5 kg".to_string())]);
        stage.key(Key::Enter, true);
        stage.frame(vec![]);
        let slot = stage.params.slot(Param::Mass);
        assert_eq!(slot.text(slot.position()), "1.500 kg");
        let notes: Vec<_> = stage.telemetry.take_notes().collect();
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
        let notes: Vec<_> = stage.telemetry.take_notes().collect();
        assert_eq!(notes, [(60, Some(0.75)), (60, None)]);
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
        let notes: Vec<_> = stage.telemetry.take_notes().collect();
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(matches!(notes[0], (36, Some(velocity)) if velocity > 0.8), "{notes:?}");
        assert_eq!(notes[1], (36, None));
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
        // By the keys, too; and a shortcut plays no note.
        let undo = |pressed| Event::Key {
            key: Key::Z,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::COMMAND,
        };
        stage.telemetry.take_notes().for_each(drop);
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
        let untouched = stage.params.sound();
        let names: Vec<_> =
            factory::ALL.iter().take(2).map(|(key, _)| factory::load(key).unwrap().about.name).collect();
        for name in &names {
            stage.click_on(">");
            assert!(stage.shows(name), "{name}");
        }
        let preset = factory::load(factory::ALL[1].0).unwrap();
        for param in Param::ALL {
            let (wanted, found) = (preset.sound.patch.stored(param), stage.params.sound().patch.stored(param));
            let (min, max) = param.spec().range_stored();
            assert!((wanted - found).abs() <= 1e-6 * (max - min), "{}: {found}", param.spec().id);
        }
        assert!(!stage.shows(" *"), "it is as the preset has it");
        stage.click_on("Undo");
        assert!(stage.shows(&names[0]));
        stage.click_on("Undo");
        assert!(stage.shows("Choose a preset"));
        assert_eq!(stage.params.sound(), untouched);
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
        assert_eq!(stage.params.session().title(), "Bowling lane");
        let description = factory::load("bowling-lane").unwrap().about.description;
        let place = |stage: &Stage| stage.texts.iter().find(|(text, _)| *text == description).map(|(_, rect)| *rect);
        let before = place(&stage).expect("it says what it is");
        (0..10).for_each(|_| stage.frame(vec![]));
        assert_eq!(place(&stage), Some(before), "the window stays as large as it is");
        assert!(stage.telemetry.take_notes().next().is_none(), "typing plays no notes");
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
        let before = stage.params.sound();
        stage.click_on("Randomise");
        assert_ne!(stage.params.sound(), before);
        stage.click_on("Mutate");
        stage.click_on("Undo");
        stage.click_on("Undo");
        assert_eq!(stage.params.sound(), before);
    });
}

#[test]
fn a_sound_is_saved_under_a_name() {
    within_time(|| {
        let mut stage = Stage::new();
        stage.drag("Mass", 60.0);
        stage.click_on("Save");
        stage.frame(vec![]);
        let (_, label) = stage.texts.iter().find(|(text, _)| text == "Name").expect("a name is asked for").clone();
        stage.click(pos2(label.right() + 80.0, label.center().y));
        stage.frame(vec![]);
        stage.frame(vec![Event::Text("My thud".to_string())]);
        stage.click_on("Save to your presets");
        assert_eq!(stage.params.session().title(), "My thud");
        assert!(stage.shows("Saved to"), "{:?}", stage.texts);
        assert!(stage.telemetry.take_notes().next().is_none(), "typing plays no notes");
    });
}
