//! `ictus events` prints the events of a note in its documented fields, and `render` plays the same
//! note.

use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ictus"))
        .args(arguments.split_whitespace())
        .output()
        .expect("the program runs")
}

fn events(arguments: &str) -> Value {
    let output = run(&format!("events --json {arguments}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_bounce_is_a_list_of_contacts_and_a_rest() {
    let got = events(
        "--gesture bounce --set dmode=Restitution --set rest=0.5 --velocity 60 --note C3 --fs 44100",
    );
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
        let e = contact["speed_out_m_per_s"].as_f64().unwrap()
            / contact["speed_in_m_per_s"].as_f64().unwrap();
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
fn a_rolling_ball_reports_its_landing_within_the_sample() {
    // A smooth track with ridges: the ball stays on the ground until the first ridge throws it up.
    let ridges = "--gesture roll --set sdepth=1mm --set sshape=Ridges --set srms=0.01um --set brough=1nm --set offc=0 \
                  --set spitch=20cm --set speed=1 --set rfric=0.1 --velocity 127 --hold 0.6 --seconds 8";
    let mut first_s: Vec<(f64, f64)> = Vec::new();
    for rate_hz in [44_100.0, 48_000.0, 96_000.0, 192_000.0] {
        let got = events(&format!("{ridges} --fs {rate_hz}"));
        let contacts = got["contacts"].as_array().expect("contacts");
        let number = |contact: &Value, field: &str| contact[field].as_f64().expect(field);
        for contact in contacts {
            for field in [
                "time_s",
                "contact_time_s",
                "speed_in_m_per_s",
                "speed_out_m_per_s",
                "point",
                "mass_kg",
            ] {
                assert!(
                    contact[field].as_f64().is_some_and(|x| x.is_finite() && x >= 0.0),
                    "{field}: {contact}"
                );
            }
            assert!(
                number(contact, "energy_before_j") >= 0.0
                    && number(contact, "energy_after_j") >= 0.0
            );
            assert!(
                number(contact, "point") <= 1.0 && (number(contact, "mass_kg") - 0.02).abs() < 1e-6
            );
        }
        // In order of time, without overlap.
        for pair in contacts.windows(2) {
            let end_s = number(&pair[0], "time_s") + number(&pair[0], "contact_time_s");
            assert!(number(&pair[1], "time_s") >= end_s - 1e-12, "{} after {end_s}", pair[1]);
        }
        let landing = contacts
            .iter()
            .find(|contact| number(contact, "speed_in_m_per_s") > 0.3)
            .expect("a landing");
        first_s.push((number(landing, "time_s"), number(landing, "contact_time_s")));
        assert!(
            got["rest_s"].as_f64().expect("rest") > first_s[0].0
                && got["note_end_s"].as_f64().is_some()
        );
    }
    println!("{first_s:?}");
    // A sample of 44.1 kHz is 23 us: a ball on the ground is stepped once per sample.
    for (time_s, contact_s) in &first_s {
        assert!((time_s - first_s[3].0).abs() < 23e-6, "{first_s:?}");
        assert!((contact_s - first_s[3].1).abs() < 10e-6, "{first_s:?}");
    }
    let whole =
        |time_s: f64, rate_hz: f64| ((time_s * rate_hz).round() - time_s * rate_hz).abs() < 1e-6;
    assert!(
        !whole(first_s[0].0, 44_100.0) && !whole(first_s[1].0, 48_000.0),
        "to the sample alone: {first_s:?}"
    );
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
        assert!(
            String::from_utf8_lossy(&output.stderr).contains(expected),
            "{arguments}: {output:?}"
        );
    }
}

/// Regression: a contact is reported when it ends, so one that never ends was reported as no
/// contact.
#[test]
fn a_ball_that_lands_and_stays_reports_its_rest() {
    let output = Command::new(env!("CARGO_BIN_EXE_ictus"))
        .args([
            "events",
            "--json",
            "--gesture",
            "bounce",
            "--set",
            "integ=Passive",
            "--set",
            "law=Hertz-damper",
        ])
        .args(["--set", "damper=1000", "--set", "hard=10 %"])
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let got: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(got["rest_s"].as_f64().is_some_and(|rest_s| rest_s > 0.0), "{got}");
}
