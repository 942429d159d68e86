//! The charts of the contact show what the engine does.

use crate::listen::Ringing;
use crate::stage::{Stage, within_time};

/// A figure above the charts: the number in the text that stands below its name, with the same left edge.
fn figure(stage: &Stage, name: &str) -> f64 {
    let names = stage.texts.iter().filter(|(text, _)| text == name);
    let below = |head: &egui::Rect, place: &egui::Rect| {
        (place.left() - head.left()).abs() < 1.5 && (0.0..10.0).contains(&(place.top() - head.bottom()))
    };
    let value = names.flat_map(|(_, head)| stage.texts.iter().filter(move |(_, place)| below(head, place))).next();
    let (value, _) = value.unwrap_or_else(|| panic!("{name} has no value: {:?}", stage.texts));
    value.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{name}: {value}"))
}

#[test]
fn a_two_way_contact_is_drawn_as_it_was() {
    within_time(|| {
        let mut stage = Stage::new();
        // Heavy enough that the bar gives way.
        for (id, text) in [("coupl", "Two-way"), ("mass", "100 g"), ("dmode", "Fixed")] {
            stage.desk.set(id, text);
        }
        let has = |stage: &Stage, name: &str| stage.texts.iter().any(|(text, _)| text == name);
        stage.frame(vec![]);
        stage.frame(vec![]);
        assert!(stage.shows("play a note") && !has(&stage, "wall"));
        let on_a_wall = figure(&stage, "Restitution");
        let mut ringing = Ringing::new(&stage.desk, &[60]);
        for _ in 0..4 {
            ringing.pass(&stage.desk, 1600);
            stage.frame(vec![]);
        }
        assert!(has(&stage, "wall") && has(&stage, "body") && !stage.shows("play a note"));
        // The striker is thrown back more slowly by a body that gives way, and keeps less of its energy.
        let (felt, left) = (figure(&stage, "Restitution"), figure(&stage, "Energy left"));
        println!("restitution {felt} instead of {on_a_wall}, {left} % of the energy left");
        assert!(felt < on_a_wall - 0.01);
        assert!(left < 100.0 * on_a_wall.powi(2) && left > 0.0, "{left}");
        // By a rigid one it is shown against the analysis again.
        stage.desk.set("coupl", "Rigid");
        stage.frame(vec![]);
        stage.frame(vec![]);
        assert!(has(&stage, "analysis") && stage.shows("dev H") && !has(&stage, "wall"));
    });
}

#[test]
fn a_correction_that_is_switched_off_shows_what_goes_wrong() {
    within_time(|| {
        let mut stage = Stage::new();
        // A short contact, a step for each sample.
        for (id, text) in [("integ", "AM1"), ("relse", "Exact"), ("over", "1x"), ("mass", "1 g"), ("hard", "90 %")] {
            stage.desk.set(id, text);
        }
        let settled = |stage: &mut Stage| {
            stage.frame(vec![]);
            stage.frame(vec![]);
            ["dev x", "dev H", "err v out"].map(|name| figure(stage, name).abs())
        };
        let corrected = settled(&mut stage);
        stage.desk.set("relse", "Free");
        stage.desk.set("hybrid", "Off");
        let wrong = settled(&mut stage);
        println!("{corrected:?} and {wrong:?}");
        assert!(corrected[1] < 1.0 && wrong[1] > 10.0 * corrected[1].max(1e-3), "{corrected:?} and {wrong:?}");
    });
}
