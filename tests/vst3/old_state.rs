//! A project saved by the VST3 of version 0.1.0 opens with every value except Level, which moves to
//! Trim. That version wrote the files in `tests/data/vst3` by [`write_the_files`]; they must not
//! change.

use crate::clap_state_parity::framed;
use crate::common::assert_same;
use crate::helpers::{BLOCK, RATE, clap, vst3};
use crate::support::child::run_isolated;
use crate::support::clap_host::{ClapHost, Rendered, Score, fixed_blocks};
use crate::vst3_host::Vst3Host;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const VST3_STATE: &[u8] = include_bytes!("../data/vst3/state-0.1.0.bin");
const CLAP_STATE: &[u8] = include_bytes!("../data/vst3/state-0.1.0-clap.bin");

const SAMPLES: u64 = 24_000;

/// A ball that rolls over a surface of the project's own, with modulation.
fn phrase() -> Score {
    Score::new().note(30, 9000, 48, 0.9).note(6000, 15_000, 60, 0.6)
}

fn render_vst3(host: &Vst3Host) -> Rendered {
    // The surface is built on activation, before anything is heard.
    host.set_offline(true);
    host.activate(RATE, BLOCK).expect("it can be activated");
    let latency = host.latency();
    let heard =
        host.render(&phrase(), &fixed_blocks(SAMPLES + u64::from(latency), BLOCK)).expect("plays");
    without(latency, heard)
}

fn render_clap(host: &mut ClapHost) -> Rendered {
    host.set_offline(true).expect("it can be set");
    host.activate(RATE, BLOCK).expect("it can be activated");
    let latency = host.latency().expect("a latency");
    let heard =
        host.render(&phrase(), &fixed_blocks(SAMPLES + u64::from(latency), BLOCK)).expect("plays");
    without(latency, heard)
}

/// Without the latency that a host compensates; version 0.1.0 had none.
fn without(latency: u32, mut heard: Rendered) -> Rendered {
    heard.left.drain(..latency as usize);
    heard.right.drain(..latency as usize);
    heard
}

#[test]
fn a_project_of_version_0_1_0_is_heard_alike_in_both_formats() {
    run_isolated(|| {
        let host = vst3();
        host.restore(VST3_STATE).expect("the old state opens");
        let ours = render_vst3(&host);
        assert!(ours.peak() > 0.01, "there is nothing to hear: {}", ours.peak());
        let mut theirs = clap();
        theirs.restore(CLAP_STATE).expect("the CLAP's state opens");
        assert_same("the VST3 and the CLAP", &ours, &render_clap(&mut theirs));
    });
}

/// Each format opens the other's old file, and both keep every value in it except Level: the level
/// of version 0.1.0 compensated for its own levelling, and Trim replaces it.
#[test]
fn the_old_states_hold_the_same_in_both_formats() {
    run_isolated(|| {
        let text =
            |state: &[u8]| serde_json::from_slice::<Value>(&framed(state)[8..]).expect("JSON");
        let old = text(VST3_STATE);
        assert_eq!(text(CLAP_STATE)["params"], old["params"]);
        for state in [VST3_STATE, CLAP_STATE] {
            let host = vst3();
            host.restore(state).expect("it opens");
            let mut theirs = clap();
            theirs.restore(&framed(state)).expect("it opens");
            for saved in [text(&host.save().expect("saves")), text(&theirs.save().expect("saves"))]
            {
                assert!(saved["params"]["trim"].is_object(), "it has a Trim");
                for (id, value) in old["params"]
                    .as_object()
                    .expect("parameters")
                    .iter()
                    .filter(|(id, _)| *id != "level")
                {
                    assert_eq!(saved["params"][id], *value, "{id}");
                }
                assert_eq!(saved["fields"]["surface"], old["fields"]["surface"]);
            }
        }
    });
}

#[test]
#[ignore = "writes tests/data/vst3; needs the bundles of version 0.1.0"]
fn write_the_files() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vst3");
    std::fs::create_dir_all(&folder).expect("a folder");
    let host = vst3();
    let mut state: Value = serde_json::from_slice(&host.save().expect("saves")).expect("JSON");
    let set = json!({
        "gest": {"i32": 2}, "surf": {"i32": 7}, "mass": {"f32": -1.3}, "radius": {"f32": -1.7},
        "srms": {"f32": -5.2}, "body": {"i32": 2}, "mater": {"i32": 3}, "tune": {"f32": 1.7}, "level": {"f32": 6.0},
        "pickl": {"f32": 0.21}, "width": {"f32": 1.4}, "noff": {"i32": 1}, "mpe": {"i32": 1},
        "s1src": {"i32": 7}, "s1dst": {"i32": 2}, "s1amt": {"f32": 0.3},
        "s2src": {"i32": 1}, "s2dst": {"i32": 1}, "s2amt": {"f32": -0.1}
    });
    for (id, value) in set.as_object().expect("values") {
        assert!(state["params"].get(id).is_some(), "{id}");
        state["params"][id] = value.clone();
    }
    let height =
        |n: u32| (3000.0 * (f64::from(n) * 0.7).sin() * (f64::from(n) * 0.011).cos()) as i64;
    let surface = json!({"length_m": 0.4, "heights_nm": (0..900).map(height).collect::<Vec<_>>()});
    state["fields"]["surface"] = Value::String(surface.to_string());
    let bytes = state.to_string().into_bytes();
    host.restore(&bytes).expect("it opens");
    std::fs::write(folder.join("state-0.1.0.bin"), host.save().expect("saves")).expect("written");
    let heard = render_vst3(&host);
    let mut theirs = clap();
    theirs.restore(&framed(&bytes)).expect("it opens");
    std::fs::write(folder.join("state-0.1.0-clap.bin"), theirs.save().expect("saves"))
        .expect("written");
    assert!(heard.peak() > 0.01, "{}", heard.peak());
    assert_same("the VST3 and the CLAP", &heard, &render_clap(&mut theirs));
}
