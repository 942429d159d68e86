//! The layouts that a host may choose: with an external input, and with an output for each group of
//! keys.

use crate::common::{assert_same, choose, guarded};
use crate::support::clap_host::{ClapHost, Rendered, Score, fixed_blocks};
use ictus::engine::Io;
use ictus::engine::{Engine, NoteEnds};
use ictus::exciter::external::Input;
use ictus::params::{Param, Patch};

const RATE_HZ: f64 = 48_000.0;
const SAMPLES: usize = 24_000;

/// An instance in a layout, with parameters at these positions of their ranges.
fn playing(layout: &str, block: u32, values: &[(&str, f64)]) -> ClapHost {
    let mut host = guarded();
    choose(&mut host, layout);
    let values: Vec<_> = values
        .iter()
        .map(|(name, value)| (host.param(name).expect("it is there").id, *value))
        .collect();
    host.set(&values).expect("they can be set");
    host.activate(RATE_HZ, block).expect("it can be activated");
    host
}

fn clicks() -> Vec<f32> {
    (0..SAMPLES)
        .map(|n| if n % 6000 == 100 { 1.0 - n as f32 / SAMPLES as f32 } else { 0.0 })
        .collect()
}

/// The engine itself, struck or driven by `input`.
fn engine(mode: f64, input: &[f32]) -> Vec<f32> {
    let mut patch = Patch::default();
    patch.set(Param::ExternalMode, mode);
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let (mut left, mut right) = (vec![0.0; SAMPLES], vec![0.0; SAMPLES]);
    let io = Io {
        input: Input { left: input, right: input },
        left: &mut left,
        right: &mut right,
        groups: None,
    };
    engine.process_io(&patch, &[], io, &mut NoteEnds::new());
    left
}

#[test]
fn a_side_chain_strikes_or_drives_as_it_does_in_the_engine() {
    // At the pitch of the driven key, or it hardly moves.
    let hum: Vec<f32> = (0..SAMPLES).map(|n| 0.3 * (n as f32 * 0.034_247).sin()).collect();
    for (mode, input) in [(1.0, clicks()), (2.0, hum)] {
        let wanted = engine(mode, &input);
        assert!(wanted.iter().any(|x| x.abs() > 1e-4), "mode {mode} is heard");
        for block in [64, 512] {
            let mut host =
                playing("Stereo with external", block, &[(Param::ExternalMode.spec().name, mode)]);
            let heard = host
                .render_with(&Score::new(), &fixed_blocks(SAMPLES as u64, block), &input)
                .expect("plays");
            assert!(heard.left == wanted, "mode {mode} in blocks of {block}");
        }
    }
}

#[test]
fn an_unused_side_chain_changes_nothing() {
    let score = Score::new().note(10, 9000, 60, 0.9).note(5000, 9000, 67, 0.5);
    let blocks = fixed_blocks(SAMPLES as u64, 256);
    let mut alone = guarded();
    alone.activate(RATE_HZ, 256).expect("it can be activated");
    let alone = alone.render(&score, &blocks).expect("plays");
    let beside = playing("Stereo with external", 256, &[])
        .render_with(&score, &blocks, &clicks())
        .expect("plays");
    assert_same("with a side-chain", &alone, &beside);
}

#[test]
fn each_group_of_keys_has_its_output_and_all_of_them_are_what_one_output_gives() {
    let groups: [(&str, f64); 8] = [
        (Param::Group1Low.spec().name, 24.0),
        (Param::Group1High.spec().name, 35.0),
        (Param::Group2Low.spec().name, 36.0),
        (Param::Group2High.spec().name, 47.0),
        (Param::Group3Low.spec().name, 48.0),
        (Param::Group3High.spec().name, 59.0),
        (Param::Group4Low.spec().name, 60.0),
        (Param::Group4High.spec().name, 71.0),
    ];
    let keys: [u16; 5] = [30, 40, 50, 65, 80];
    let blocks = fixed_blocks(SAMPLES as u64, 256);
    let silence = vec![0.0; SAMPLES];
    let play = |keys: &[u16]| -> Rendered {
        let score = keys
            .iter()
            .zip(0..)
            .fold(Score::new(), |score, (key, n)| score.note(100 * n, 9000, *key, 0.4));
        let mut host = playing("Key groups", 256, &groups);
        host.render_with(&score, &blocks, &silence).expect("plays")
    };
    let peak = |side: &[f32]| {
        side.iter()
            .fold(0f32, |most, x| if x.is_finite() { most.max(x.abs()) } else { f32::INFINITY })
    };
    // One key at a time: it is heard on its own output only.
    for (place, key) in keys.iter().enumerate() {
        let heard = play(&[*key]);
        assert_eq!(heard.beside.len(), 4);
        let outputs = heard.beside.iter().map(|[left, _]| peak(left)).chain([peak(&heard.left)]);
        for (output, peak) in outputs.enumerate() {
            assert!(
                if output == place { (1e-3..1.0).contains(&peak) } else { peak == 0.0 },
                "key {key}, output {output}: {peak}"
            );
        }
    }
    // Together, below the limiter, they add up to the single output.
    let mut one = guarded();
    let score = keys
        .iter()
        .zip(0..)
        .fold(Score::new(), |score, (key, n)| score.note(100 * n, 9000, *key, 0.4));
    let values: Vec<_> = groups
        .iter()
        .map(|(name, value)| (one.param(name).expect("it is there").id, *value))
        .collect();
    one.set(&values).expect("they can be set");
    one.activate(RATE_HZ, 256).expect("it can be activated");
    let one = one.render(&score, &blocks).expect("plays");
    let all = play(&keys);
    assert!(one.peak() < 0.89, "the limiter has a part in it: {}", one.peak());
    for n in 0..SAMPLES {
        let sum: f32 = all.left[n] + all.beside.iter().map(|[left, _]| left[n]).sum::<f32>();
        assert!((sum - one.left[n]).abs() < 1e-5, "sample {n}: {sum} and {}", one.left[n]);
    }
}
