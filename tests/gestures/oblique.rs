//! Strikers and balls that arrive at an angle or spinning.

use crate::patches::patch;
use ictus::cli::events::{Contact, Score, listen};
use ictus::params::{Param, Patch};

fn contacts(patch: &Patch) -> Vec<Contact> {
    let score = Score {
        key: 69,
        velocity: 1.0,
        hold_s: None,
        sample_rate_hz: 48_000.0,
        tempo_bpm: 120.0,
        max_length_s: 60.0,
    };
    listen(patch, &score).contacts
}

/// The sound of one note.
fn sound(patch: &Patch) -> Vec<f32> {
    use ictus::engine::{Engine, NoteEnds};
    use ictus::params::event::{Event, EventKind, NoteAddress};
    let mut engine = Engine::new();
    let note = NoteAddress { id: None, channel: Some(0), key: Some(69) };
    let (mut left, mut right) = (vec![0.0; 48_000], vec![0.0; 48_000]);
    let event = Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 1.0 } };
    engine.process(patch, &[event], &mut left, &mut right, &mut NoteEnds::new());
    left
}

#[test]
fn straight_down_without_spin_friction_does_not_matter() {
    for gesture in ["Strike", "Bounce"] {
        for coupling in ["Rigid", "Two-way"] {
            let plain =
                [("gest", gesture), ("coupl", coupling), ("scat", "50 %"), ("drift", "0.3")];
            let rubbed =
                [&plain[..], &[("fric", "1.2"), ("fshare", "100 %"), ("span", "0.1 m")]].concat();
            assert!(sound(&patch(&plain)) == sound(&patch(&rubbed)), "{gesture} {coupling}");
        }
    }
}

#[test]
fn a_strike_at_an_angle_hits_with_its_normal_part() {
    for angle in ["0", "30", "60", "80"] {
        let patch = patch(&[("angle", angle)]);
        let expected =
            patch.get(Param::Speed) * angle.parse::<f64>().expect("a number").to_radians().cos();
        let got = contacts(&patch)[0].speed_in_m_per_s;
        assert!((got / expected - 1.0).abs() < 1e-6, "{angle}: {got} {expected}");
    }
}

#[test]
fn friction_is_heard_as_much_as_its_share() {
    let level = |fshare: &str, fric: &str| {
        let sound = sound(&patch(&[("angle", "60"), ("fshare", fshare), ("fric", fric)]));
        sound.iter().map(|x| f64::from(x * x)).sum::<f64>().sqrt()
    };
    assert_eq!(level("0 %", "0.4"), level("100 %", "0"));
    // It slips at 60 degrees, so friction is mu times the normal force.
    let gain = level("100 %", "0.2") / level("0 %", "0.2");
    assert!((gain - 1.2).abs() < 0.01, "{gain}");
}

#[test]
fn a_ball_thrown_aslant_wanders_and_friction_slows_it() {
    let way = |fric: &str| {
        let patch = patch(&[
            ("gest", "Bounce"),
            ("angle", "45"),
            ("span", "20 m"),
            ("pos", "0"),
            ("fric", fric),
            ("dmode", "Restitution"),
        ]);
        let list = contacts(&patch);
        let speed = patch.get(Param::Speed) * 45f64.to_radians().sin();
        let first_speed =
            (list[1].point - list[0].point) * 20.0 / (list[1].time_s - list[0].time_s);
        (first_speed / speed, list)
    };
    let (smooth, list) = way("0");
    assert!((smooth - 1.0).abs() < 5e-3, "{smooth}");
    assert!(list.windows(2).all(|pair| pair[1].point > pair[0].point));
    // A ball that grips rolls off with 5/7 of its speed.
    let (gripped, _) = way("1.5");
    assert!((gripped - 5.0 / 7.0).abs() < 5e-3, "{gripped}");
    let (between, _) = way("0.05");
    assert!(between > gripped && between < smooth, "{between}");
}

#[test]
fn spin_becomes_speed_by_friction_only() {
    let drifted = |fric: &str| {
        let patch = patch(&[
            ("gest", "Bounce"),
            ("spin", "0.2"),
            ("span", "2 m"),
            ("fric", fric),
            ("pos", "20 %"),
        ]);
        let list = contacts(&patch);
        (list[1].point - list[0].point) / (list[1].time_s - list[0].time_s)
    };
    assert!(drifted("0").abs() < 1e-9);
    // 2/7 of the speed of its surface.
    assert!((drifted("1") / (0.2 * 2.0 / 7.0) - 1.0).abs() < 5e-3, "{}", drifted("1"));
}

#[test]
fn vertical_bounces_do_not_depend_on_the_tangential_motion() {
    let times = |angle: &str, height: &str| -> Vec<f64> {
        contacts(&patch(&[
            ("gest", "Bounce"),
            ("angle", angle),
            ("height", height),
            ("speed", "0.01"),
            ("dyn", "0"),
        ]))
        .iter()
        .map(|contact| contact.time_s)
        .collect()
    };
    let (straight, aslant) = (times("0", "0.5 m"), times("60", "0.5 m"));
    // A throw of 1 cm/s hardly adds to a fall from half a metre.
    assert_eq!(straight.len(), aslant.len());
    assert!((straight[3] - aslant[3]).abs() < 1e-3);
}
