//! The charts of the contact show what the engine does.

use crate::listen::Ringing;
use crate::stage::{Stage, within_time};

/// The figures above the charts.
fn figures(stage: &Stage) -> String {
    let is_it = |(text, _): &&(String, egui::Rect)| text.contains("m/s ·");
    stage.texts.iter().find(is_it).expect("they are shown").0.clone()
}

/// The number before or after a word in them.
fn figure(words: &str, name: &str) -> f64 {
    let part = words.split('·').map(str::trim).find(|part| part.contains(name)).expect("it is there");
    let number = |word: &&str| word.parse::<f64>().is_ok();
    part.split_whitespace().find(number).and_then(|word| word.parse().ok()).expect("it is a number")
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
        let on_a_wall = figures(&stage);
        let mut ringing = Ringing::new(&stage.desk, &[60]);
        for _ in 0..4 {
            ringing.pass(&stage.desk, 1600);
            stage.frame(vec![]);
        }
        assert!(has(&stage, "wall") && has(&stage, "body") && !stage.shows("play a note"));
        let felt = figures(&stage);
        println!("{on_a_wall}\n{felt}");
        // The striker is thrown back more slowly by a body that gives way, and keeps less of its energy.
        let left = figure(&felt, "energy left");
        assert!(figure(&felt, "e ") < figure(&on_a_wall, "e ") - 0.01);
        assert!(left < 100.0 * figure(&on_a_wall, "e ").powi(2) && left > 0.0, "{left}");
        // By a rigid one it is shown against the analysis again.
        stage.desk.set("coupl", "Rigid");
        stage.frame(vec![]);
        stage.frame(vec![]);
        assert!(has(&stage, "analysis") && stage.shows("dev H") && !has(&stage, "wall"));
    });
}
