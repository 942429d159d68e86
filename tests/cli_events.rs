//! `ictus events` prints what happens to a note, under the names that were promised, and `render` plays the same.

#![cfg(feature = "cli")]

use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ictus")).args(arguments.split_whitespace()).output().expect("the program runs")
}

fn events(arguments: &str) -> Value {
    let output = run(&format!("events --json {arguments}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_bounce_is_a_list_of_contacts_and_a_rest() {
    let got = events("--gesture bounce --set dmode=Restitution --set rest=0.5 --velocity 60 --note C3 --fs 44100");
    let contacts = got["contacts"].as_array().expect("contacts");
    assert!(contacts.len() > 4);
    for contact in contacts {
        for field in [
            "time_s",
            "contact_time_s",
            "speed_in_m_per_s",
            "speed_out_m_per_s",
            "point",
            "mass_kg",
            "energy_before_j",
            "energy_after_j",
            "gravity_m_per_s2",
        ] {
            assert!(contact[field].as_f64().is_some_and(f64::is_finite), "{field}: {contact}");
        }
        let e = contact["speed_out_m_per_s"].as_f64().unwrap() / contact["speed_in_m_per_s"].as_f64().unwrap();
        assert!((e - 0.5).abs() < 1e-9, "{e}");
    }
    let last_s = contacts.last().and_then(|contact| contact["time_s"].as_f64()).expect("a time");
    assert!(got["rest_s"].as_f64().expect("rest") > last_s);
    assert!(got["note_end_s"].as_f64().expect("an end") > last_s);
}

#[test]
fn a_strike_is_one_contact() {
    let got = events("--gesture strike");
    let contacts = got["contacts"].as_array().expect("contacts");
    assert_eq!(contacts.len(), 1);
    assert_eq!(contacts[0]["time_s"].as_f64().map(|t| t.abs() < 1e-12), Some(true));
    assert!(got["rest_s"].is_null());
}

#[test]
fn tempo_moves_a_synced_ball() {
    for (tempo, gap_s) in [("60", 1.0), ("240", 0.25)] {
        let got = events(&format!("--gesture bounce --set gap=1/4 --seconds 4 --tempo {tempo}"));
        let time = |n: usize| got["contacts"][n]["time_s"].as_f64().expect("a time");
        assert!(
            (time(0) - gap_s).abs() < 1e-9 && (time(1) - 2.0 * gap_s).abs() < 1e-6,
            "{tempo}: {} {}",
            time(0),
            time(1)
        );
    }
}

#[test]
fn the_way_can_be_drawn_and_mistakes_are_named() {
    let folder = std::env::temp_dir().join(format!("ictus-events-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let picture = folder.join("way.svg");
    assert!(run(&format!("events --gesture bounce --out {}", picture.display())).status.success());
    assert!(std::fs::read_to_string(&picture).expect("a picture").contains("height, m"));
    std::fs::remove_dir_all(&folder).expect("gone");
    for (arguments, expected) in [
        ("events --gesture fly", "strike"),
        ("events --set colour=red", "no parameter"),
        ("events --tempo 0", "--tempo"),
        ("events --fs 1", "--fs"),
        ("events --gesture strike --out x.svg", "height"),
    ] {
        let output = run(arguments);
        assert!(!output.status.success(), "{arguments}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(expected), "{arguments}: {output:?}");
    }
}
