//! The standalone program under the mouse.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::display::Folder;
use crate::in_host::MASS;
use crate::screen::Screen;
use crate::window::PATIENCE;

/// A child process that ends with the test.
struct Instrument(Child);

impl Drop for Instrument {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "timed out: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[ignore = "run by another test on a virtual display"]
fn standalone_under_the_mouse() {
    let (screen, presets) = (Screen::new(), Folder::new());
    let program = Command::new(crate::support::built("ICTUS_STANDALONE"))
        .args(["--backend", "dummy"])
        .env("ICTUS_PRESETS", presets.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let _instrument = Instrument(program);
    let (at, size) = wait_for("a window", || screen.only_window());
    assert_eq!(size, (1000, 680));
    wait_for("a picture", || (screen.colours(at, size) > 100).then_some(()));
    let saved =
        |name: &str| std::fs::read_to_string(presets.path().join(name).with_extension("json")).ok();
    // Twice: unchanged, and with the dial of the mass moved. Only differences are written.
    save(&screen, at, &[A]);
    let before = wait_for("a preset", || saved("a"));
    assert!(!before.contains("\"mass\""), "{before}");
    // A busy machine may draw too seldom to see the press; a user would try again.
    let after = (2..20).find_map(|letters| {
        drag(&screen, at, MASS);
        let name = "a".repeat(letters);
        save(&screen, at, &vec![A; letters]);
        let after = wait_for("another preset", || saved(&name));
        after.contains("\"mass\"").then_some(after)
    });
    assert!(after.is_some(), "the mouse turns it");
}

/// Key symbols.
const A: u32 = 0x61;
const RETURN: u32 = 0xff0d;

/// Clicks the save button, types a name, and presses Enter.
fn save(screen: &Screen, at: (i16, i16), name: &[u32]) {
    let is_open = || {
        let bar = screen.look((at.0 + FORM.0, at.1 + FORM.1), FORM_SIZE);
        let light: u32 =
            bar.iter().flat_map(|pixel| &pixel[..3]).map(|part| u32::from(*part)).sum();
        light > FORM_LIGHT * 3 * bar.len() as u32
    };
    screen.click(at.0 + SAVE.0, at.1 + SAVE.1);
    wait_for("the form", || is_open().then_some(()));
    screen.type_at_once(name);
    screen.type_key(RETURN);
    wait_for("the form to go", || (!is_open()).then_some(()));
}

fn drag(screen: &Screen, at: (i16, i16), dial: (i16, i16)) {
    let (x, y) = (at.0 + dial.0, at.1 + dial.1);
    screen.point_at(x, y);
    std::thread::sleep(Duration::from_millis(300));
    screen.press(true);
    for i in 1..=12 {
        screen.point_at(x + 5 * i, y);
        std::thread::sleep(Duration::from_millis(60));
    }
    screen.press(false);
    std::thread::sleep(Duration::from_millis(300));
}

/// The save button, beside the name of the preset.
const SAVE: (i16, i16) = (350, 18);
/// The bar over the save dialog, which is three times as light (0 to 255) as the scene behind it.
const FORM: (i16, i16) = (310, 70);
const FORM_SIZE: (u16, u16) = (320, 25);
const FORM_LIGHT: u32 = 38;
