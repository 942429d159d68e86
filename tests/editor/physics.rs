//! The charts of the contact show what the engine does.

use ictus::editor::chart::axis::quantity;
use ictus::voice::events::FinishedContact;

use crate::listen::RingingEngine;
use crate::stage::{Stage, within_time};

/// A figure above the charts: the text below its name, with the same left edge.
fn words<'a>(stage: &'a Stage, name: &str) -> &'a str {
    let names = stage.texts.iter().filter(|(text, _)| text == name);
    let below = |head: &egui::Rect, place: &egui::Rect| {
        (place.left() - head.left()).abs() < 1.5
            && (0.0..10.0).contains(&(place.top() - head.bottom()))
    };
    let value = names
        .flat_map(|(_, head)| stage.texts.iter().filter(move |(_, place)| below(head, place)))
        .next();
    value
        .map(|(text, _)| text.as_str())
        .unwrap_or_else(|| panic!("{name} has no value: {:?}", stage.texts))
}

/// The number in it.
fn figure(stage: &Stage, name: &str) -> f64 {
    let value = words(stage, name);
    value
        .split_whitespace()
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or_else(|| panic!("{name}: {value}"))
}

#[test]
fn a_two_way_contact_is_drawn_as_it_was() {
    within_time(|| {
        let mut stage = Stage::new();
        // Heavy enough to move the bar.
        for (id, text) in [("coupl", "Two-way"), ("mass", "100 g"), ("dmode", "Fixed")] {
            stage.editor.set(id, text);
        }
        let has = |stage: &Stage, name: &str| stage.texts.iter().any(|(text, _)| text == name);
        stage.frame(vec![]);
        stage.frame(vec![]);
        assert!(stage.shows("play a note") && !has(&stage, "wall"));
        let on_a_wall = figure(&stage, "Restitution");
        let mut ringing = RingingEngine::new(&stage.editor, &[60]);
        for _ in 0..4 {
            ringing.pass(&stage.editor, 1600);
            stage.frame(vec![]);
        }
        assert!(has(&stage, "wall") && has(&stage, "body") && !stage.shows("play a note"));
        // A moving body returns less speed and energy to the striker.
        let (felt, left) = (figure(&stage, "Restitution"), figure(&stage, "Energy left"));
        println!("restitution {felt} instead of {on_a_wall}, {left} % of the energy left");
        assert!(felt < on_a_wall - 0.01);
        assert!(left < 100.0 * on_a_wall.powi(2) && left > 0.0, "{left}");
        // With a rigid one it is compared with the closed form again.
        stage.editor.set("coupl", "Rigid");
        stage.frame(vec![]);
        stage.frame(vec![]);
        assert!(has(&stage, "analysis") && stage.shows("dev H") && !has(&stage, "wall"));
    });
}

#[test]
fn without_the_correction_the_error_shows() {
    within_time(|| {
        let mut stage = Stage::new();
        // A short contact, one step per sample.
        for (id, text) in [
            ("integ", "AM1"),
            ("relse", "Exact"),
            ("over", "1x"),
            ("mass", "1 g"),
            ("hard", "90 %"),
        ] {
            stage.editor.set(id, text);
        }
        let settled = |stage: &mut Stage| {
            stage.frame(vec![]);
            stage.frame(vec![]);
            ["dev x", "dev H", "err v out"].map(|name| figure(stage, name).abs())
        };
        let corrected = settled(&mut stage);
        stage.editor.set("relse", "Free");
        stage.editor.set("hybrid", "Off");
        let wrong = settled(&mut stage);
        println!("{corrected:?} and {wrong:?}");
        assert!(
            corrected[1] < 1.0 && wrong[1] > 10.0 * corrected[1].max(1e-3),
            "{corrected:?} and {wrong:?}"
        );
    });
}

/// Speeds, restitution, contact time and impulse equal those of a contact that the engine reported,
/// in every digit shown.
fn shows(stage: &Stage, contact: &FinishedContact) -> bool {
    let (v_in, v_out) = (contact.speed_in_m_per_s, contact.speed_out_m_per_s);
    words(stage, "Speed in") == format!("{v_in:.3} m/s")
        && words(stage, "Speed out") == format!("{v_out:.3} m/s")
        && words(stage, "Restitution") == format!("{:.4}", v_out / v_in)
        && words(stage, "Contact") == quantity(contact.duration_s, "s")
        && is_about(words(stage, "Impulse"), contact.mass_kg * (v_in + v_out))
}

/// The impulse is a sum over the steps: its last digit may differ.
fn is_about(shown: &str, impulse_ns: f64) -> bool {
    let wanted = quantity(impulse_ns, "N s");
    let number = |text: &str| {
        text.split(' ').next().and_then(|number| number.parse::<f64>().ok()).expect("a number")
    };
    let unit = |text: &str| text.split(' ').nth(1).map(str::to_string);
    unit(shown) == unit(&wanted) && (number(shown) / number(&wanted) - 1.0).abs() < 0.01
}

/// Description, struck key, and settings.
type Sound = (&'static str, u8, &'static [(&'static str, &'static str)]);

/// Sounds whose contacts differ from the parameters' values.
const SOUNDS: [Sound; 6] = [
    (
        "modulated",
        60,
        &[
            ("kmode", "k"),
            ("s1src", "Velocity"),
            ("s1dst", "Stiffness"),
            ("s1amt", "30 %"),
            ("s2src", "Velocity"),
            ("s2dst", "Mass"),
            ("s2amt", "-20 %"),
        ],
    ),
    ("resized by its key", 84, &[("keytrk", "Resize"), ("velhrd", "40 %")]),
    (
        "a die",
        60,
        &[("gest", "Tumble"), ("body", "Membrane"), ("mass", "10 g"), ("height", "5 cm")],
    ),
    ("scattered", 60, &[("gest", "Bounce"), ("mscat", "100 %"), ("height", "1 cm")]),
    (
        "badly stepped",
        67,
        &[
            ("integ", "Heun"),
            ("hybrid", "Off"),
            ("relse", "Free"),
            ("keytrk", "Resize"),
            ("hard", "90 %"),
        ],
    ),
    (
        "damped",
        72,
        &[("law", "Hertz-damper"), ("keytrk", "Resize"), ("dmode", "Restitution"), ("rest", "0.6")],
    ),
];

#[test]
fn the_figures_are_of_the_contact_that_sounded() {
    within_time(|| {
        for (what, key, settings) in SOUNDS {
            let mut stage = Stage::new();
            settings.iter().for_each(|(id, text)| stage.editor.set(id, text));
            stage.frame(vec![]);
            stage.frame(vec![]);
            let by_knobs = ["Contact", "Impulse"].map(|name| words(&stage, name).to_string());
            let mut ringing = RingingEngine::new(&stage.editor, &[key]);
            let mut seen = 0;
            for _ in 0..40 {
                ringing.pass(&stage.editor, 800);
                stage.frame(vec![]);
                if let Some(last) = ringing.reported.last() {
                    assert!(shows(&stage, last), "{what}: {last:?} in {:?}", stage.texts);
                    assert!(
                        !stage.shows("Knobs were turned") && !stage.shows("by the knobs"),
                        "{what}"
                    );
                    // The unmodulated parameters would give other figures.
                    assert!(
                        ["Contact", "Impulse"].map(|name| words(&stage, name).to_string())
                            != by_knobs,
                        "{what}"
                    );
                    seen += 1;
                }
            }
            assert!(seen > 0, "{what}");
        }
    });
}

#[test]
fn knobs_that_are_turned_show_what_the_last_contact_would_be() {
    within_time(|| {
        let mut stage = Stage::new();
        for (id, text) in [
            ("integ", "AM1"),
            ("over", "1x"),
            ("mass", "1 g"),
            ("hard", "90 %"),
            ("keytrk", "Resize"),
        ] {
            stage.editor.set(id, text);
        }
        stage.frame(vec![]);
        let mut ringing = RingingEngine::new(&stage.editor, &[55]);
        ringing.pass(&stage.editor, 1600);
        stage.frame(vec![]);
        let last = *ringing.reported.last().expect("a contact");
        assert!(shows(&stage, &last) && !stage.shows("Knobs were turned"));
        let right = figure(&stage, "dev H").abs();
        stage.editor.set("relse", "Free");
        stage.editor.set("hybrid", "Off");
        stage.frame(vec![]);
        let wrong = figure(&stage, "dev H").abs();
        assert!(
            stage.shows("Knobs were turned") && wrong > 10.0 * right.max(1e-3),
            "{right} {wrong}"
        );
        // The same striker at the same speed.
        assert_eq!(words(&stage, "Speed in"), format!("{:.3} m/s", last.speed_in_m_per_s));
        // With the parameter back, the shown contact is again the one that sounded.
        stage.editor.set("relse", "Exact");
        stage.editor.set("hybrid", "On");
        stage.frame(vec![]);
        assert!(shows(&stage, &last) && !stage.shows("Knobs were turned"));
    });
}

#[test]
fn two_balls_of_a_chain_are_drawn_as_they_collided() {
    within_time(|| {
        let mut stage = Stage::new();
        for (id, text) in [
            ("gest", "Chain"),
            ("body", "Free disc"),
            ("swing", "Single shot"),
            ("keytrk", "Resize"),
        ] {
            stage.editor.set(id, text);
        }
        let has = |stage: &Stage, name: &str| stage.texts.iter().any(|(text, _)| text == name);
        stage.frame(vec![]);
        stage.frame(vec![]);
        assert!(stage.shows("play a note to see two balls meet"));
        let mut ringing = RingingEngine::new(&stage.editor, &[72]);
        let mut seen = 0;
        for _ in 0..40 {
            ringing.pass(&stage.editor, 40);
            stage.frame(vec![]);
            // Not every one of several overlapping contacts is recorded.
            seen += usize::from(ringing.reported.iter().any(|contact| {
                words(&stage, "Contact") == quantity(contact.duration_s, "s")
                    && words(&stage, "Speed in") == format!("{:.3} m/s", contact.speed_in_m_per_s)
                    && words(&stage, "Speed out") == format!("{:.3} m/s", contact.speed_out_m_per_s)
            }));
        }
        assert!(
            seen > 0
                && has(&stage, "two alone")
                && has(&stage, "row")
                && stage.shows("Two neighbours of the row")
        );
    });
}

#[test]
fn rolling_is_shown_as_not_drawn() {
    within_time(|| {
        let mut stage = Stage::new();
        for (id, text) in [("gest", "Roll"), ("body", "Free plate"), ("surf", "Floorboards")] {
            stage.editor.set(id, text);
        }
        let mut ringing = RingingEngine::new(&stage.editor, &[60]);
        for _ in 0..20 {
            ringing.pass(&stage.editor, 1600);
            stage.frame(vec![]);
            assert!(stage.shows("stays in contact, and is not drawn"));
        }
    });
}

#[test]
fn a_two_way_contact_of_a_resized_key_has_its_own_figures() {
    within_time(|| {
        let mut stage = Stage::new();
        for (id, text) in [("coupl", "Two-way"), ("keytrk", "Resize"), ("mass", "1 g")] {
            stage.editor.set(id, text);
        }
        let mut ringing = RingingEngine::new(&stage.editor, &[84]);
        ringing.pass(&stage.editor, 1600);
        stage.frame(vec![]);
        let is_reported = |reported: &FinishedContact| {
            words(&stage, "Contact") == quantity(reported.duration_s, "s")
                && words(&stage, "Speed out") == format!("{:.3} m/s", reported.speed_out_m_per_s)
        };
        assert!(
            ringing.reported.iter().any(is_reported),
            "{:?} in {:?}",
            ringing.reported,
            stage.texts
        );
    });
}
