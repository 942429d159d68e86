//! The effect: the input strikes, exactly as in the engine, in blocks of any size.

use crate::common::keep;
use crate::support::built;
use crate::support::clap_host::{ClapHost, Score, fixed_blocks};
use clack_extensions::audio_ports::PluginAudioPorts;
use ictus::engine::Io;
use ictus::engine::{Engine, NoteEnds};
use ictus::exciter::external::Input;
use ictus::params::{Param, Patch};

const RATE_HZ: f64 = 48_000.0;
const SAMPLES: usize = 24_000;

fn effect() -> ClapHost {
    let bundle = built("ICTUS_GUARDED_CLAP");
    keep(&bundle);
    ClapHost::load_number(&bundle, 1).expect("the effect loads")
}

fn heard(input: &[f32], block: u32) -> Vec<f32> {
    let mut host = effect();
    host.activate(RATE_HZ, block).expect("it can be activated");
    host.render_with(&Score::new(), &fixed_blocks(SAMPLES as u64, block), input)
        .expect("plays")
        .left
}

fn clicks() -> Vec<f32> {
    (0..SAMPLES)
        .map(|n| if n % 6000 == 100 { 1.0 - n as f32 / SAMPLES as f32 } else { 0.0 })
        .collect()
}

#[test]
fn it_takes_stereo_and_gives_stereo() {
    let mut host = effect();
    let handle = host.instance().plugin_handle();
    let audio: PluginAudioPorts = handle.get_extension().expect("audio ports");
    assert_eq!((audio.count(&handle, true), audio.count(&handle, false)), (1, 1));
}

#[test]
fn clicks_strike_as_they_do_in_the_engine() {
    let input = clicks();
    let mut patch = Patch::default();
    patch.set(Param::ExternalMode, 1.0);
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let (mut left, mut right) = (vec![0.0; SAMPLES], vec![0.0; SAMPLES]);
    let io = Io {
        input: Input { left: &input, right: &input },
        left: &mut left,
        right: &mut right,
        groups: None,
    };
    engine.process_io(&patch, &[], io, &mut NoteEnds::new());
    assert!(left.iter().any(|x| x.abs() > 0.01));
    for block in [32, 512, 4096] {
        assert!(heard(&input, block) == left, "in blocks of {block}");
    }
}

/// As a force, the input drives the body, and the framework's blocks do not matter.
#[test]
fn force_drives_as_it_does_in_the_engine() {
    let input: Vec<f32> = (0..SAMPLES)
        .map(|n| 0.4 * (n as f32 * 0.034_247).sin() * (1.0 - n as f32 / SAMPLES as f32))
        .collect();
    let mut patch = Patch::default();
    patch.set(Param::ExternalMode, 2.0);
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let (mut left, mut right) = (vec![0.0; SAMPLES], vec![0.0; SAMPLES]);
    let io = Io {
        input: Input { left: &input, right: &input },
        left: &mut left,
        right: &mut right,
        groups: None,
    };
    engine.process_io(&patch, &[], io, &mut NoteEnds::new());
    assert!(left.iter().any(|x| x.abs() > 1e-4), "it is heard");
    for block in [32, 512, 4096] {
        let mut host = effect();
        let mode = host.param(Param::ExternalMode.spec().name).expect("it has a mode");
        host.set(&[(mode.id, 2.0)]).expect("it can be set");
        host.activate(RATE_HZ, block).expect("it can be activated");
        let blocks = fixed_blocks(SAMPLES as u64, block);
        let heard = host.render_with(&Score::new(), &blocks, &input).expect("plays");
        assert!(heard.left == left, "in blocks of {block}");
    }
}

#[test]
fn silence_gives_silence() {
    assert!(heard(&vec![0.0; SAMPLES], 256).iter().all(|x| *x == 0.0));
}
