//! An invalid state changes nothing: no parameter, and not a bit of the sound. The framework passes
//! 1e30 and infinities on; without validation they would reach the modes and silence the project,
//! or make it dangerously loud.

use crate::common::{TestRng, assert_same, playing, randomise, values};
use crate::support::clap_host::{ClapHost, Rendered, Score, fixed_blocks};
use serde_json::{Value, json};

/// An instance with settings of its own, in the middle of a chord.
fn ringing() -> ClapHost {
    let mut host = playing(48_000.0, 512);
    randomise(&mut host, &mut TestRng(5));
    // Most at their defaults, so that the random settings are audible.
    let free = [
        "Tune",
        "Seed",
        "Scatter",
        "Dissipation",
        "Exponent",
        "Restitution",
        "Threshold",
        "Aspect",
        "Left pickup",
    ];
    let params = host.params().expect("parameters");
    let defaults: Vec<_> = params
        .iter()
        .filter(|p| !free.contains(&p.name.as_str()))
        .map(|p| (p.id, p.default))
        .collect();
    host.set(&defaults).expect("set");
    let chord = Score::new().on(0, 45, 0.9).on(3, 52, 0.9).on(100, 60, 0.9);
    host.render(&chord, &fixed_blocks(2048, 512)).expect("plays");
    host
}

fn go_on(host: &mut ClapHost) -> Rendered {
    host.render(&Score::new().on(500, 48, 0.8).off(900, 45), &fixed_blocks(4096, 512))
        .expect("plays")
}

/// With the length in front, as the framework writes it.
fn framed(json: &[u8]) -> Vec<u8> {
    [&(json.len() as u64).to_le_bytes(), json].concat()
}

/// A state of this instrument with one parameter's value replaced by a piece of JSON.
fn with(params: &[(&str, &str)]) -> Vec<u8> {
    let saved = playing(48_000.0, 64).save().expect("saves");
    let state: Value =
        serde_json::from_slice(&saved[8..]).expect("the state is JSON behind its length");
    let mut entries: Vec<_> = state["params"].as_object().expect("parameters").iter().collect();
    entries.retain(|(id, _)| params.iter().all(|(replaced, _)| id != replaced));
    // Formatted as text, because the JSON library on this side would not write 1e39.
    let kept = entries.iter().map(|(id, value)| format!("{id:?}:{value}"));
    let replaced = params.iter().map(|(id, value)| format!("{id:?}:{value}"));
    let all = kept.chain(replaced).collect::<Vec<_>>().join(",");
    framed(format!("{{\"version\":\"0.1.0\",\"params\":{{{all}}},\"fields\":{{}}}}").as_bytes())
}

#[track_caller]
fn assert_changes_nothing(what: &str, state: &[u8]) -> bool {
    let (mut touched, mut untouched) = (ringing(), ringing());
    let taken = touched.restore(state).is_ok();
    assert_eq!(values(&mut touched), values(&mut untouched), "{what}");
    assert_eq!(touched.save(), untouched.save(), "{what}");
    let heard = go_on(&mut untouched);
    assert!(heard.peak() > 1e-3, "there is nothing to compare");
    assert_same(what, &go_on(&mut touched), &heard);
    taken
}

#[test]
fn what_cannot_be_read_is_refused() {
    let good = with(&[]);
    let cut = |share: usize| framed(&good[8..8 + (good.len() - 8) * share / 100]);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", vec![]),
        ("half a length", good[..5].to_vec()),
        ("a length and nothing", good[..8].to_vec()),
        ("cut short, with the length of the whole", good[..good.len() / 2].to_vec()),
        ("cut to 10 %", cut(10)),
        ("cut to 99 %", cut(99)),
        ("an empty list", framed(b"[]")),
        ("an empty text", framed(b"")),
        ("a bare number", framed(b"17")),
        ("ones", vec![0xFF; 64]),
        ("ones with a length", framed(&[0xFF; 64])),
        ("a deep pit", framed(&vec![b'['; 200_000])),
        (
            "a deep pit of parameters",
            framed(format!("{{\"params\":{}", "[".repeat(200_000)).as_bytes()),
        ),
        ("a length beyond memory", [u64::MAX.to_le_bytes().as_slice(), b"{}"].concat()),
        ("a megabyte of brackets", framed(&vec![b'['; 1 << 20])),
        ("a megabyte of braces", framed("{\"params\":".repeat(100_000).as_bytes())),
        ("no parameters at all", framed(b"{\"version\":\"0.1.0\",\"fields\":{}}")),
        (
            "a number for the parameters",
            framed(b"{\"version\":\"0.1.0\",\"params\":3,\"fields\":{}}"),
        ),
        (
            "a parameter that occurs twice",
            with(&[("level", "{\"f32\":-3.0}"), ("level", "{\"f32\":-9.0}")]),
        ),
        ("not a number", with(&[("level", "{\"f32\":NaN}")])),
        ("a text for a number", with(&[("level", "{\"f32\":\"loud\"}")])),
    ];
    for (what, state) in cases {
        assert!(!assert_changes_nothing(what, &state), "{what} was taken for a state");
    }
}

#[test]
fn one_invalid_value_invalidates_the_whole_state() {
    let cases = [
        ("infinity", "k", "{\"f32\":1e39}"),
        ("minus infinity", "k", "{\"f32\":-1e39}"),
        ("1e30", "mass", "{\"f32\":1e30}"),
        ("-1e30", "tune", "{\"f32\":-1e30}"),
        ("a little too loud", "level", "{\"f32\":25.0}"),
        ("a number for a switch", "hybrid", "{\"f32\":1.0}"),
        ("a switch for a number", "level", "{\"bool\":true}"),
        ("a text for a choice", "integ", "{\"String\":\"AM1\"}"),
        ("a choice that there is not", "integ", "{\"i32\":6}"),
        ("a negative choice", "over", "{\"i32\":-1}"),
        ("the largest number", "seed", "{\"i32\":2147483647}"),
        ("one seed too many", "seed", "{\"i32\":10000}"),
    ];
    for (what, id, value) in cases {
        assert_changes_nothing(what, &with(&[(id, value)]));
    }
}

#[test]
fn foreign_parameters_are_ignored() {
    let unknown = json!({"version": "9.9.9", "params": {"zzz": {"f32": 3.0}, "": {"i32": -5}}, "fields": {"x": "[["}});
    assert_changes_nothing("unknown parameters", &framed(unknown.to_string().as_bytes()));
    let other = json!({"version": "1.0.0", "params": {"gain": {"f32": 0.03}, "mode": {"i32": 2}, "bypass": {"bool": true}},
        "fields": {"editor-state": "{\"size\":[300,200]}"}});
    assert_changes_nothing("another plug-in's state", &framed(other.to_string().as_bytes()));
    assert_changes_nothing(
        "an empty state",
        &framed(b"{\"version\":\"\",\"params\":{},\"fields\":{}}"),
    );
}

#[test]
fn unknown_parameters_are_ignored_too() {
    // An instance with modes of its own: a refused state must keep them.
    let modes = json!([{"ratio": 1.0}, {"ratio": 2.3}, {"ratio": 3.9}]).to_string();
    let with_modes = |params: Value| {
        let state = json!({"version": "0.1.0", "params": params, "fields": {"modes": modes}});
        framed(state.to_string().as_bytes())
    };
    let user = ictus::body::BodyKind::User as i32;
    let own = with_modes(json!({"body": {"i32": user}}));
    for (what, hostile) in [
        ("infinity", with(&[("k", "{\"f32\":1e39}")])),
        (
            "damaged modes",
            framed(br#"{"version":"0.1.0","params":{"level":{"f32":-3}},"fields":{"modes":"[]"}}"#),
        ),
        (
            "a damaged surface",
            framed(
                br#"{"version":"0.1.0","params":{"level":{"f32":-3}},"fields":{"surface":"{}"}}"#,
            ),
        ),
        ("nothing of ours", framed(b"{\"version\":\"\",\"params\":{},\"fields\":{}}")),
    ] {
        let (mut touched, mut untouched) = (playing(48_000.0, 512), playing(48_000.0, 512));
        for host in [&mut touched, &mut untouched] {
            host.restore(&own).expect("a good state");
            host.render(&Score::new().on(0, 50, 0.9), &fixed_blocks(1024, 512)).expect("plays");
        }
        let _ = touched.restore(&hostile);
        assert_eq!(touched.save(), untouched.save(), "{what}");
        let heard = go_on(&mut untouched);
        assert!(heard.peak() > 1e-3, "there is nothing to compare");
        assert_same(what, &go_on(&mut touched), &heard);
    }
}

#[test]
fn a_damaged_name_or_other_side_does_not_cost_the_sound() {
    let width = playing(48_000.0, 64).param("Width").expect("a width");
    for session in
        ["", "[[[", "{\"title\":3}", "{\"title\":\"x\",\"other\":\"{}\"}", "{\"later\":1}"]
    {
        let state = json!({"version": "0.1.0", "params": {"width": {"f32": 0.0}}, "fields": {"session": session}});
        let mut host = playing(48_000.0, 512);
        host.restore(&framed(state.to_string().as_bytes())).expect("a state");
        assert_eq!(host.value(width.id), Ok(width.min), "{session}");
    }
}
