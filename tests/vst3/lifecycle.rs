//! Hosts call in every order and with every kind of buffer. The plug-in never aborts; it silences
//! outputs that it cannot play, and the main output plays if it exists.

use crate::common::assert_same;
use crate::helpers::{BLOCK, RATE, Scenario, clap, id, playing, vst3};
use crate::support::built;
use crate::support::child::run_isolated;
use crate::support::clap_host::{Rendered, Score, fixed_blocks};
use crate::vst3_host::{Block, Bus, Buses, Module, RollContacts, Vst3Host, note_on};
use std::sync::atomic::{AtomicBool, Ordering};
use vst3::Steinberg::Vst::{
    BusDirections_, Event, IEditControllerTrait, MediaTypes_, RestartFlags_,
};
use vst3::Steinberg::{kNotInitialized, kResultOk};

const SAMPLES: u64 = 9600;

fn phrase() -> Score {
    Score::new().note(20, 3000, 45, 1.0).note(900, 3000, 62, 0.4).on(5000, 45, 0.8)
}

fn heard(host: &Vst3Host) -> Rendered {
    host.render(&phrase(), &fixed_blocks(SAMPLES, BLOCK)).expect("plays")
}

fn expected(rate: f64) -> Rendered {
    Scenario { rate, blocks: fixed_blocks(SAMPLES, BLOCK), ..Scenario::new(phrase()) }.clap()
}

/// A block with a note, in the declared buses.
fn struck(host: &Vst3Host) -> Block {
    let mut block = host.block(BLOCK);
    block.events.push(note_on(0, 0, 60, 0.9, -1));
    block
}

/// Refuses to play, and writes no sound.
#[track_caller]
fn assert_not_initialized(host: &Vst3Host) {
    let mut block = struck(host);
    assert_eq!(host.process(&mut block).expect("answers").result, kNotInitialized);
    let samples = block.outputs.list().iter().flat_map(|bus| bus.channels().iter().flatten());
    assert!(samples.copied().all(|sample| sample.is_nan() || sample == 0.0), "it plays");
}

#[test]
fn processing_before_set_up_is_refused() {
    run_isolated(|| {
        let host = vst3();
        assert_not_initialized(&host);
        assert_eq!(host.set_up(RATE, BLOCK), kResultOk);
        assert_not_initialized(&host);
        assert_eq!(host.set_active(true), kResultOk);
        host.set_processing(true);
        assert_same("after all of it", &heard(&host), &expected(RATE));
    });
}

/// The limiter's switch changes the latency, and the host is informed on its main thread.
#[test]
fn the_latency_changes_by_a_restart() {
    run_isolated(|| {
        let host = playing();
        assert_eq!(host.latency(), 72);
        host.handler.take();
        for (value, samples) in [(0.0, 0), (1.0, 72)] {
            let mut block = host.block(BLOCK);
            block.points.push((id("limit"), 0, value));
            assert_eq!(host.process(&mut block).expect("answers").result, kResultOk);
            // Any call on the main thread lets the plug-in report.
            host.deactivate();
            let is_latency = |flags: i32| flags & RestartFlags_::kLatencyChanged != 0;
            let reported = host.handler.take();
            let is_reported = reported
                .iter()
                .any(|(reported, _)| matches!(reported, RollContacts::Restart(flags) if is_latency(*flags)));
            assert!(is_reported, "{reported:?}");
            assert_eq!(host.latency(), samples);
            host.activate(RATE, BLOCK).expect("it can be activated");
            let heard = host
                .render(&Score::new().on(0, 60, 0.9), &fixed_blocks(4 * u64::from(BLOCK), BLOCK));
            assert_eq!(heard.expect("plays").onset(), Some(samples as usize));
        }
    });
}

/// When a host sets up twice, the second counts.
#[test]
fn set_up_twice() {
    run_isolated(|| {
        let host = vst3();
        assert_eq!(host.set_up(96_000.0, 64), kResultOk);
        assert_eq!(host.set_up(44_100.0, BLOCK), kResultOk);
        assert_eq!(host.set_active(true), kResultOk);
        host.set_processing(true);
        assert_same("the second rate", &heard(&host), &expected(44_100.0));
    });
}

#[test]
fn without_set_processing_it_plays() {
    run_isolated(|| {
        let host = vst3();
        assert_eq!(host.set_up(RATE, BLOCK), kResultOk);
        assert_eq!(host.set_active(true), kResultOk);
        assert_same("without setProcessing", &heard(&host), &expected(RATE));
    });
}

#[test]
fn set_processing_comes_and_goes() {
    run_isolated(|| {
        let host = playing();
        heard(&host);
        host.set_processing(false);
        host.set_processing(false);
        host.set_processing(true);
        host.set_processing(true);
        assert_same("from silence", &heard(&host), &expected(RATE));
    });
}

#[test]
fn deactivated_inside_a_run() {
    run_isolated(|| {
        let host = playing();
        heard(&host);
        host.set_active(false);
        assert_not_initialized(&host);
        host.set_active(false);
        assert_eq!(host.set_active(true), kResultOk);
        host.set_processing(true);
        assert_same("active again", &heard(&host), &expected(RATE));
    });
}

/// The main thread deactivates and activates while the audio thread plays on.
#[test]
fn deactivated_while_another_thread_processes() {
    run_isolated(|| {
        let host = playing();
        let ends = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !ends.load(Ordering::SeqCst) {
                    let mut block = struck(&host);
                    let answer = host.process(&mut block).expect("answers");
                    if answer.result == kResultOk {
                        let is_finite =
                            block.main().iter().flatten().all(|sample| sample.is_finite());
                        assert!(is_finite, "it says that it has played, and has not");
                    }
                }
            });
            for round in 0..100 {
                host.set_processing(false);
                host.set_active(false);
                host.set_up(if round % 2 == 0 { 96_000.0 } else { RATE }, 512);
                host.set_active(true);
                host.set_processing(true);
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            ends.store(true, Ordering::SeqCst);
        });
    });
}

#[test]
fn the_sample_rate_changes() {
    run_isolated(|| {
        let host = vst3();
        for rate in [44_100.0, 96_000.0, 48_000.0, 192_000.0, 8_000.0, 44_100.0] {
            host.activate(rate, BLOCK).expect("it can be activated");
            assert_same(&format!("at {rate} Hz"), &heard(&host), &expected(rate));
        }
    });
}

/// No samples at all: parameters arrive, and nothing is played.
#[test]
fn a_block_of_no_samples_sets_parameters() {
    run_isolated(|| {
        for buses in [true, false] {
            let host = playing();
            let mut block = if buses { host.block(0) } else { Block::new(0) };
            block.points.push((id("mass"), 0, 0.9));
            block.points.push((id("body"), 0, 1.0));
            assert_eq!(host.process(&mut block).expect("answers").result, kResultOk);
            let mut theirs = clap();
            theirs.activate(RATE, BLOCK).expect("it can be activated");
            let body = theirs.param("Body").expect("a body").max;
            theirs.set(&[(id("mass"), 0.9), (id("body"), body)]).expect("they can be set");
            let blocks = fixed_blocks(SAMPLES, BLOCK);
            let theirs = theirs.render(&phrase(), &blocks).expect("plays");
            assert_same("after a flush", &heard(&host), &theirs);
        }
    });
}

#[test]
fn blocks_of_8192_samples() {
    run_isolated(|| {
        let score = Score::new().note(20, 9000, 45, 1.0).on(8191, 62, 0.4);
        Scenario { blocks: vec![8192, 8192], ..Scenario::new(score) }.assert_alike();
        // Many more than were announced.
        let host = vst3();
        host.activate(RATE, 64).expect("it can be activated");
        let mut block = host.block(8192);
        block.events.push(note_on(0, 0, 60, 0.9, -1));
        host.process(&mut block).expect("answers");
        let samples = block.main().iter().flatten().copied();
        assert!(
            samples.into_iter().all(|sample| sample.is_finite()),
            "a part of the block is not written"
        );
    });
}

/// A few blocks in which a note is struck, with these outputs and inputs.
fn play_into(outputs: &Buses, inputs: &Buses) -> Vec<Block> {
    let host = playing();
    let mut blocks = Vec::new();
    for number in 0..4 {
        let mut block =
            Block { outputs: outputs.clone(), inputs: inputs.clone(), ..Block::new(BLOCK) };
        if number == 0 {
            block.events.push(note_on(3, 0, 60, 0.9, -1));
        }
        host.process(&mut block).expect("answers");
        blocks.push(block);
    }
    blocks
}

fn samples(blocks: &[Block], bus: usize, channel: usize) -> Vec<f32> {
    let of = |block: &Block| block.outputs.list()[bus].channels()[channel].clone();
    blocks.iter().flat_map(of).collect()
}

fn stereo() -> Bus {
    Bus::unwritten(2, BLOCK as usize)
}

fn list(buses: Vec<Bus>) -> Buses {
    Buses::List(buses)
}

/// Left and right with the declared buses.
fn normal() -> [Vec<f32>; 2] {
    let (inputs, outputs) = playing().declared(BLOCK as usize);
    let blocks = play_into(&outputs, &inputs);
    let sides = [0, 1].map(|channel| samples(&blocks, 0, channel));
    assert!(sides.iter().flatten().any(|sample| sample.abs() > 1e-3), "there is nothing to hear");
    sides
}

#[test]
fn missing_outputs_do_no_harm() {
    run_isolated(|| {
        let no_inputs = list(Vec::new());
        for outputs in [
            list(Vec::new()),
            Buses::Missing(0),
            Buses::Missing(1),
            list(vec![Bus::NoList(2)]),
            list(vec![Bus::NoBuffers(2)]),
            list(vec![Bus::NoList(0)]),
            list(vec![Bus::unwritten(0, 0)]),
            list(vec![Bus::NoList(-1)]),
        ] {
            println!("{outputs:?}");
            play_into(&outputs, &no_inputs);
        }
    });
}

/// Whatever else is missing or odd, a main output of two channels plays as always.
#[test]
fn a_main_output_plays_whatever_the_others_are() {
    run_isolated(|| {
        let normal = normal();
        let mut shapes = vec![vec![stereo()]];
        for other in [
            Bus::NoList(2),
            Bus::NoBuffers(2),
            Bus::unwritten(1, BLOCK as usize),
            Bus::unwritten(0, 0),
        ] {
            shapes.push(vec![stereo(), other.clone()]);
            shapes.push([vec![stereo()], vec![other; 4]].concat());
        }
        shapes.push(vec![stereo(); 16]);
        for outputs in shapes {
            for inputs in [
                list(Vec::new()),
                Buses::Missing(1),
                list(vec![Bus::NoList(2)]),
                list(vec![Bus::NoBuffers(2)]),
                list(vec![Bus::Channels(vec![vec![0.5; BLOCK as usize]])]),
                list(vec![Bus::Channels(vec![vec![0.5; BLOCK as usize]; 6]); 4]),
            ] {
                let blocks = play_into(&list(outputs.clone()), &inputs);
                for (channel, side) in normal.iter().enumerate() {
                    let ours = samples(&blocks, 0, channel);
                    assert!(
                        ours == *side,
                        "channel {channel} differs with {} outputs",
                        outputs.len()
                    );
                }
                // Unused outputs are silenced, and do not keep the former contents of a buffer.
                for bus in 1..outputs.len() {
                    for channel in 0..outputs[bus].channels().len() {
                        let heard = samples(&blocks, bus, channel);
                        let first = heard.iter().position(|sample| *sample != 0.0);
                        let shown = first.map(|place| (place, heard[place]));
                        assert_eq!(
                            shown,
                            None,
                            "output {bus}, channel {channel} of {}",
                            outputs.len()
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn a_main_output_of_another_width() {
    run_isolated(|| {
        let normal = normal();
        let mono = play_into(&list(vec![Bus::unwritten(1, BLOCK as usize)]), &list(Vec::new()));
        let mono = samples(&mono, 0, 0);
        assert!(mono.iter().all(|sample| sample.is_finite()), "a mono output is not written");
        assert!(mono.iter().any(|sample| sample.abs() > 1e-3), "a mono output is silent");
        for width in [3, 6, 64] {
            let blocks =
                play_into(&list(vec![Bus::unwritten(width, BLOCK as usize)]), &list(Vec::new()));
            for (channel, side) in normal.iter().enumerate() {
                assert!(samples(&blocks, 0, channel) == *side, "channel {channel} of {width}");
            }
            for channel in 2..width {
                let is_silent = samples(&blocks, 0, channel).iter().all(|sample| *sample == 0.0);
                assert!(is_silent, "channel {channel} of {width} is not cleared");
            }
        }
        // One of two channels is missing.
        let host = playing();
        let mut block = Block { outputs: list(vec![Bus::NoBuffers(2)]), ..Block::new(BLOCK) };
        host.process(&mut block).expect("answers");
    });
}

#[test]
fn any_speaker_arrangement_does_no_harm() {
    run_isolated(|| {
        const MONO: u64 = 1 << 19;
        const STEREO: u64 = 3;
        for (inputs, outputs) in [
            (vec![], vec![MONO]),
            (vec![], vec![STEREO; 5]),
            (vec![STEREO], vec![STEREO]),
            (vec![MONO; 9], vec![0; 9]),
            (vec![], vec![u64::MAX]),
            (vec![], vec![]),
            (vec![], vec![STEREO]),
        ] {
            let host = vst3();
            let answer = host.arrange(&inputs, &outputs);
            println!("{inputs:?} {outputs:?}: {answer}");
            host.activate(RATE, BLOCK).expect("it can be activated");
            assert!(heard(&host).peak() > 1e-3, "{inputs:?} {outputs:?}");
        }
    });
}

#[test]
fn buses_are_activated_in_any_way() {
    run_isolated(|| {
        let host = vst3();
        assert_eq!(host.set_up(RATE, BLOCK), kResultOk);
        let (audio, event) = (MediaTypes_::kAudio as i32, MediaTypes_::kEvent as i32);
        let (input, output) = (BusDirections_::kInput as i32, BusDirections_::kOutput as i32);
        for (media, direction) in
            [(audio, input), (audio, output), (event, input), (event, output), (7, 9)]
        {
            for bus in [-1, 99, i32::MAX] {
                assert_ne!(
                    host.activate_bus(media, direction, bus, true),
                    kResultOk,
                    "{media} {direction} {bus}"
                );
            }
        }
        // None of them is active but the main output.
        for bus in 1..host.bus_widths(true).len() {
            host.activate_bus(audio, output, bus as i32, false);
        }
        assert_eq!(host.set_active(true), kResultOk);
        assert_same("with the main output alone", &heard(&host), &expected(RATE));
    });
}

#[test]
fn without_lists_and_context_it_plays_on() {
    run_isolated(|| {
        let host = playing();
        host.process(&mut struck(&host)).expect("answers");
        let mut block = Block { has_lists: false, ..host.block(BLOCK) };
        assert_eq!(host.process(&mut block).expect("answers").result, kResultOk);
        assert!(block.main()[0].iter().any(|sample| sample.abs() > 1e-4), "the note rings on");
    });
}

/// Points in any order at any place: they are sorted, and none is lost.
#[test]
fn points_out_of_order_and_beyond_the_block() {
    run_isolated(|| {
        let curve = |n: i32| (id("level"), 10 + n, 0.4 + 0.002 * f64::from(n));
        let play = |points: Vec<(u32, i32, f64)>, empty: Vec<u32>| {
            let host = playing();
            let mut block = struck(&host);
            (block.points, block.empty_queues) = (points, empty);
            assert_eq!(host.process(&mut block).expect("answers").result, kResultOk);
            block.main().to_vec()
        };
        let sorted = play((0..200).map(curve).collect(), Vec::new());
        assert!(
            sorted == play((0..200).rev().map(curve).collect(), vec![id("mass"), 12345]),
            "sorted or not"
        );
        // Earlier points act at the start of the block, later ones at its end or in the next.
        for offset in [-1, i32::MIN, BLOCK as i32, 10_000, i32::MAX] {
            let host = playing();
            let mut block = host.block(BLOCK);
            block.points.push((id("mass"), offset, 0.9));
            assert_eq!(host.process(&mut block).expect("answers").result, kResultOk);
            let mut theirs = clap();
            theirs.activate(RATE, BLOCK).expect("it can be activated");
            theirs.set(&[(id("mass"), 0.9)]).expect("it can be set");
            theirs.render(&Score::new(), &[BLOCK]).expect("plays");
            let blocks = fixed_blocks(SAMPLES, BLOCK);
            let theirs = theirs.render(&phrase(), &blocks).expect("plays");
            assert_same(&format!("a point at {offset}"), &heard(&host), &theirs);
        }
    });
}

#[test]
fn invalid_values_and_events_do_no_harm() {
    run_isolated(|| {
        let host = playing();
        let mut block = struck(&host);
        for value in [f64::NAN, f64::INFINITY, -1.0, 2.0, 1e300] {
            block.points.push((id("mass"), 1, value));
            block.points.push((id("body"), 2, value));
            block.points.push((0x7fff_ffff, 3, value));
            block.points.push((u32::MAX, 3, value));
        }
        let note = note_on(5, 0, 60, 0.9, -1);
        let odd = |change: fn(&mut Event)| {
            let mut event = note;
            change(&mut event);
            event
        };
        block.events.extend([
            note_on(i32::MIN, 0, 60, 0.9, 1),
            note_on(i32::MAX, 0, 60, 0.9, 2),
            note_on(-1, -1, -1, -1.0, -7),
            note_on(9, 99, 200, f32::NAN, i32::MIN),
            note_on(9, i16::MAX, i16::MIN, f32::INFINITY, i32::MAX),
            odd(|event| event.busIndex = 99),
            odd(|event| event.busIndex = -1),
            odd(|event| event.r#type = 4),
            odd(|event| event.r#type = 6),
            odd(|event| event.r#type = 777),
        ]);
        assert_eq!(host.process(&mut block).expect("answers").result, kResultOk);
        for _ in 0..20 {
            let mut block = struck(&host);
            host.process(&mut block).expect("answers");
            let is_good = |sample: &f32| sample.is_finite() && sample.abs() <= 1.0;
            assert!(block.main().iter().flatten().all(is_good), "invalid input is heard");
        }
    });
}

/// A host may keep the controller longer than the component, and call it.
#[test]
fn the_controller_is_asked_after_everything() {
    run_isolated(|| {
        let host = playing();
        heard(&host);
        let controller = host.controller.clone();
        drop(host);
        #[allow(unsafe_code)]
        unsafe {
            controller.getParamNormalized(id("mass"));
            controller.setParamNormalized(id("mass"), 0.3);
            let mut text = [0; 128];
            controller.getParamStringByValue(id("mass"), 0.5, &mut text);
            controller.getParameterCount();
        }
    });
}

#[test]
fn a_module_is_entered_and_left_again() {
    run_isolated(|| {
        let module = Module::load(&built("ICTUS_VST3")).expect("it loads");
        let host = playing();
        assert!(module.enter() && module.exit(), "a second host in the process");
        assert_same("after the second has gone", &heard(&host), &expected(RATE));
    });
}

#[test]
fn the_tail_is_reported() {
    run_isolated(|| {
        let host = playing();
        host.render(&Score::new(), &[BLOCK]).expect("plays");
        assert_eq!(host.tail(), 0, "at rest");
        host.render(&Score::new().on(0, 60, 0.9), &[BLOCK]).expect("plays");
        assert!(host.tail() > 1000, "a note rings: {}", host.tail());
    });
}
