//! States pass from one format to the other and back, and sound the same.

use crate::common::{TestRng, assert_same, first_difference, randomise, values};
use crate::helpers::{BLOCK, RATE, Scenario, clap, difference, id, vst3};
use crate::support::child::run_isolated;
use crate::support::clap_host::{ClapHost, Score, fixed_blocks};
use clack_extensions::preset_discovery::PluginPresetLoad;
use clack_extensions::preset_discovery::prelude::Location;
use ictus::io::presets::factory;
use std::ffi::CString;

/// With the length in front, as the CLAP writes it: the first VST3 wrote the text alone.
pub fn framed(state: &[u8]) -> Vec<u8> {
    let is_bare = state.first() == Some(&b'{');
    let length = if is_bare { (state.len() as u64).to_le_bytes().to_vec() } else { Vec::new() };
    [&length, state].concat()
}

fn phrase() -> Score {
    Score::new().note(20, 3000, 45, 1.0).note(900, 3000, 62, 0.4).on(5000, 45, 0.8)
}

/// A CLAP with random settings, except for gestures whose surface comes from another thread.
fn random_clap(seed: u64) -> ClapHost {
    let mut host = clap();
    randomise(&mut host, &mut TestRng(seed));
    let set = [("gest", [0.0, 1.0, 4.0, 5.0][(seed % 4) as usize]), ("level", 0.7), ("xmode", 0.0)];
    host.set(&set.map(|(name, value)| (id(name), value))).expect("they can be set");
    host
}

/// Loads a factory preset into a CLAP.
pub fn load_preset(host: &mut ClapHost, key: &str) {
    let handle = host.instance().plugin_handle();
    let presets: PluginPresetLoad = handle.get_extension().expect("presets can be loaded");
    let key = CString::new(key).expect("a key");
    presets.load_from_location(&handle, Location::Plugin, Some(&key)).expect("it loads");
}

#[test]
fn a_state_of_the_clap_opens_in_the_vst3() {
    run_isolated(|| {
        for seed in 0..12 {
            let mut theirs = random_clap(seed);
            let state = theirs.save().expect("saves");
            let ours = vst3();
            ours.restore(&state).expect("it opens");
            assert_eq!(difference(&ours, &mut theirs), None, "seed {seed}");
            let scenario = Scenario { state: Some(state), ..Scenario::new(phrase()) };
            assert_same(&format!("seed {seed}"), &scenario.vst3(), &scenario.clap());
        }
    });
}

#[test]
fn a_state_of_the_vst3_opens_in_the_clap() {
    run_isolated(|| {
        for seed in 0..12 {
            // The values reach the VST3 as automation does, before anything sounds.
            let mut source = random_clap(seed);
            let set = source.params().expect("parameters").into_iter().fold(
                Score::new(),
                |score, param| {
                    let value = source.value(param.id).expect("a value");
                    score.param(0, param.id, value)
                },
            );
            let ours = vst3();
            ours.activate(RATE, BLOCK).expect("it can be activated");
            ours.render(&set, &[BLOCK]).expect("plays");
            let state = ours.save().expect("saves");
            let mut theirs = clap();
            theirs.restore(&framed(&state)).expect("the CLAP opens it");
            assert_eq!(values(&mut theirs), values(&mut source), "seed {seed}");
            let again = vst3();
            again.restore(&state).expect("the VST3 opens its own");
            assert!(again.save().as_ref() == Ok(&state), "seed {seed}: saved again");
            let scenario = Scenario { state: Some(framed(&state)), ..Scenario::new(phrase()) };
            assert_same(&format!("seed {seed}"), &scenario.vst3(), &scenario.clap());
        }
    });
}

/// The CLAP writes a length and a text, the VST3 of version 0.1 wrote the text alone: both open.
#[test]
fn both_forms_of_a_state_open() {
    run_isolated(|| {
        let mut theirs = random_clap(3);
        let state = theirs.save().expect("saves");
        for (form, bytes) in [("with a length", &state[..]), ("without", &state[8..])] {
            let ours = vst3();
            ours.restore(bytes).unwrap_or_else(|e| panic!("{form}: {e}"));
            assert_eq!(difference(&ours, &mut theirs), None, "{form}");
        }
    });
}

/// A host's stream may read and write less than requested.
#[test]
fn a_state_goes_through_streams_in_pieces() {
    run_isolated(|| {
        let host = vst3();
        host.restore(&random_clap(3).save().expect("saves")).expect("it opens");
        let whole = host.save().expect("saves");
        for piece in [1, 7, 4096] {
            assert!(
                host.save_in_pieces(piece).as_ref() == Ok(&whole),
                "written {piece} bytes at once"
            );
            let other = vst3();
            other
                .restore_in_pieces(&whole, piece)
                .unwrap_or_else(|e| panic!("{piece} bytes at once: {e}"));
            assert!(other.save().as_ref() == Ok(&whole), "read {piece} bytes at once");
        }
    });
}

#[test]
fn a_state_is_heard_while_it_plays() {
    run_isolated(|| {
        let state = random_clap(1).save().expect("saves");
        let (ours, mut theirs) = (vst3(), clap());
        ours.activate(RATE, BLOCK).expect("it can be activated");
        theirs.activate(RATE, BLOCK).expect("it can be activated");
        let blocks = fixed_blocks(9600, BLOCK);
        let render = |theirs: &mut ClapHost| {
            let heard = ours.render(&phrase(), &blocks).expect("plays");
            assert_same(
                "while it plays",
                &heard,
                &theirs.render(&phrase(), &blocks).expect("plays"),
            );
        };
        render(&mut theirs);
        ours.restore(&state).expect("it opens");
        theirs.restore(&state).expect("it opens");
        render(&mut theirs);
    });
}

#[test]
fn every_factory_preset_as_a_state() {
    run_isolated(|| {
        let mut different = Vec::new();
        for (key, _) in factory::ALL {
            let mut theirs = clap();
            load_preset(&mut theirs, key);
            let state = theirs.save().expect("saves");
            let score = Score::new().on(20, 60, 0.9).on(2000, 67, 0.5);
            let mut scenario = Scenario { state: Some(state), ..Scenario::new(score) };
            scenario.blocks = fixed_blocks(7200, BLOCK);
            let mut theirs = scenario.clap();
            if theirs.peak() < 1e-5 {
                // A gesture that falls for a while first.
                scenario.blocks = fixed_blocks(96_000, BLOCK);
                theirs = scenario.clap();
            }
            assert!(theirs.peak() > 1e-5, "{key} is silent");
            if first_difference(&scenario.vst3(), &theirs).is_some() {
                different.push(*key);
            }
        }
        assert!(different.is_empty(), "these differ: {different:?}");
    });
}

#[test]
fn invalid_states_are_refused_and_change_nothing() {
    run_isolated(|| {
        let good = random_clap(5).save().expect("saves");
        let ours = vst3();
        ours.restore(&good).expect("it opens");
        let before = ours.save().expect("saves");
        let cases: [(&str, Vec<u8>); 8] = [
            ("nothing", Vec::new()),
            ("half a length", good[..5].to_vec()),
            ("a length alone", good[..8].to_vec()),
            ("half a state", good[..good.len() / 2].to_vec()),
            ("half a text", good[8..good.len() / 2].to_vec()),
            ("a length beyond memory", [&u64::MAX.to_le_bytes()[..], b"{}"].concat()),
            ("a deep pit", vec![b'['; 200_000]),
            ("ones", vec![0xff; 64]),
        ];
        for (what, bytes) in cases {
            assert!(ours.restore(&bytes).is_err(), "{what} was taken for a state");
            assert!(ours.save().as_ref() == Ok(&before), "{what} changes something");
        }
    });
}
