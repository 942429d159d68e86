//! The same score sounds the same in both formats, to the last bit: notes, expressions,
//! controllers, automation, tempo, block sizes and sample rates.

use crate::common::{TestRng, assert_same, choose};
use crate::helpers::{BLOCK, RATE, Scenario, clap, id, playing, route, say, two_notes, vst3};
use crate::support::built;
use crate::support::child::run_isolated;
use crate::support::clap_host::{
    ClapHost, Event, NoteOf, Rendered, Score, Spoken, fixed_blocks, random_blocks,
};
use crate::vst3_host::Vst3Host;
use ictus::modulation::Source;

/// Notes with and without ids, restrikes and releases, with damping on release.
fn melody() -> Score {
    let mut score = Score::new().param(0, id("noff"), 1.0).param(0, id("hand"), 0.3);
    let mut chance = TestRng(3);
    for note in 0..40u32 {
        let (at, key) = (1 + chance.below(20_000), 36 + chance.below(48) as u16);
        let (velocity, channel) = (f64::from(chance.unit() as f32), chance.below(3) as u16);
        let named = (note % 3 > 0).then_some(note);
        score.push(at, Event::NoteOn { key, velocity, channel, id: named });
        score.push(
            at + 1 + chance.below(3000),
            Event::NoteOff { key, velocity: 0.5, channel, id: named },
        );
    }
    score
}

#[test]
fn notes() {
    run_isolated(|| {
        Scenario::new(melody()).assert_alike();
    });
}

/// An expression of a note changes several times, in the middle of blocks.
fn expression(what: Spoken, values: [f64; 4], source: Option<Source>) {
    let without = source.map_or(two_notes(), |source| route(two_notes(), source));
    let said = values.into_iter().zip([700u64, 1501, 1502, 9000]);
    let score = said.fold(without.clone(), |score, (value, at)| score.with(at, say(what, value)));
    Scenario::new(score).assert_alike_and_heard(without);
}

#[test]
fn tuning() {
    run_isolated(|| expression(Spoken::Tuning, [1.5, -0.37, 12.1, 120.0], None));
}

#[test]
fn volume() {
    run_isolated(|| expression(Spoken::Volume, [0.3, 1.0, 3.7, 0.51], None));
}

#[test]
fn pan() {
    run_isolated(|| expression(Spoken::Pan, [0.0, 0.31, 1.0, 0.77], None));
}

#[test]
fn vibrato() {
    run_isolated(|| expression(Spoken::Vibrato, [0.21, 0.99, 0.5, 1.0], Some(Source::Vibrato)));
}

#[test]
fn expression_of_a_note() {
    run_isolated(|| {
        expression(Spoken::Expression, [0.21, 0.99, 0.5, 0.13], Some(Source::Expression))
    });
}

#[test]
fn brightness() {
    run_isolated(|| expression(Spoken::Brightness, [0.21, 0.99, 0.5, 0.13], Some(Source::Timbre)));
}

#[test]
fn pressure_of_a_note() {
    run_isolated(|| expression(Spoken::Pressure, [0.25, 1.0, 0.5, 0.125], Some(Source::Pressure)));
}

/// A plug-in that stores only the last few note ids loses the first of many.
#[test]
fn expression_of_the_first_of_many_notes() {
    run_isolated(|| {
        let strike = |score: Score, id: u32| {
            let (at, key) = (u64::from(id) * 20, 30 + id as u16);
            score.with(at, Event::NoteOn { key, velocity: 0.3, channel: 0, id: Some(id) })
        };
        let without = (0..30).fold(Score::new(), strike);
        let said = Event::Express { what: Spoken::Volume, value: 0.25, note: NoteOf::id(0) };
        Scenario::new(without.clone().with(2000, said)).assert_alike_and_heard(without);
    });
}

#[test]
fn pressure_of_a_key() {
    run_isolated(|| {
        let without = route(Score::new().on(5, 57, 0.7).on(9, 64, 0.7), Source::Pressure);
        let pressed = |score: Score, step: u8| {
            score.with(600 + u64::from(step), Event::Midi([0xa0, 57, step]))
        };
        Scenario::new((0..128).fold(without.clone(), pressed)).assert_alike_and_heard(without);
    });
}

#[test]
fn pressure_of_a_channel() {
    run_isolated(|| {
        let without = route(Score::new().on(5, 57, 0.7), Source::Pressure);
        let pressed = |score: Score, step: u8| {
            score.with(600 + u64::from(step), Event::Midi([0xd0, step, 0]))
        };
        Scenario::new((0..128).fold(without.clone(), pressed)).assert_alike_and_heard(without);
    });
}

fn bend(channel: u8, wheel: u16) -> Event {
    Event::Midi([0xe0 | channel, (wheel & 0x7f) as u8, (wheel >> 7) as u8])
}

/// A note on each channel of a zone, each with its own bend, pressure and timbre, and a bend of
/// them all.
#[test]
fn mpe_on_sixteen_channels() {
    run_isolated(|| {
        let plain = route(Score::new().param(0, id("mpe"), 1.0), Source::Timbre);
        let (mut score, mut without) = (plain.clone(), plain);
        for channel in 1..16u8 {
            let at = 10 + 300 * u64::from(channel);
            let on = Event::Midi([0x90 | channel, 48 + channel, 90]);
            let off = Event::Midi([0x80 | channel, 48 + channel, 64]);
            score.push(at, on).push(at + 9000, off);
            without.push(at, on).push(at + 9000, off);
            for step in 0..40u16 {
                let at = at + 1 + 50 * u64::from(step);
                score.push(at, bend(channel, 8192 + 37 * step * u16::from(channel) / 8));
                score.push(at + 7, Event::Midi([0xb0 | channel, 74, (step * 3) as u8]));
                score.push(at + 7, Event::Midi([0xd0 | channel, (127 - step) as u8, 0]));
            }
        }
        score.push(5001, bend(0, 9001));
        Scenario::new(score).assert_alike_and_heard(without);
    });
}

/// The pedal goes down and up and down again between two notes of one block.
#[test]
fn a_quick_pedal() {
    run_isolated(|| {
        let damped = Score::new().param(0, id("noff"), 1.0).param(0, id("hand"), 0.0);
        let keys = damped.on(3, 57, 0.9).on(5, 64, 0.9).off(1040, 57).off(1070, 64);
        let pedal = |value| Event::Midi([0xb0, 64, value]);
        let steps = [(1030, 127), (1050, 0), (1060, 127), (9000, 0)];
        let score =
            steps.into_iter().fold(keys.clone(), |score, (at, value)| score.with(at, pedal(value)));
        // A plug-in that reads the last point of a queue only sees what is down at the end of the
        // block.
        let last = [(1060, 127), (9000, 0)];
        let last = last.into_iter().fold(keys, |score, (at, value)| score.with(at, pedal(value)));
        let scenario = Scenario { blocks: fixed_blocks(24_000, 512), ..Scenario::new(score) };
        scenario.assert_alike_and_heard(last);
    });
}

/// Every step of the wheel counts: 14 bits, one step at each sample.
#[test]
fn dense_bends() {
    run_isolated(|| {
        let strike = Score::new().on(5, 57, 0.9);
        let bent = |mask: u16| {
            let step =
                |score: Score, n: u16| score.with(100 + u64::from(n), bend(0, (8192 + n) & mask));
            (0..4000).fold(strike.clone(), step)
        };
        Scenario::new(bent(0x3fff)).assert_alike_and_heard(bent(0x3f80));
    });
}

/// Wheel, breath, volume, pan, expression and timbre controllers, and the bend range as a
/// registered parameter.
#[test]
fn controllers() {
    run_isolated(|| {
        for (number, source) in [
            (1, Source::Wheel),
            (2, Source::Breath),
            (11, Source::Expression),
            (74, Source::Timbre),
        ] {
            let without = route(Score::new().on(5, 57, 0.9), source);
            let turn = |score: Score, n: u8| {
                score.with(300 + 3 * u64::from(n), Event::Midi([0xb0, number, n]))
            };
            Scenario::new((0..128).fold(without.clone(), turn)).assert_alike_and_heard(without);
        }
        let without = Score::new().on(5, 57, 0.9).with(2000, bend(0, 12_000));
        let range = [(1000, 101, 0), (1001, 100, 0), (1002, 6, 12), (1003, 38, 0)];
        let set = |score: Score, (at, number, value): (u64, u8, u8)| {
            score.with(at, Event::Midi([0xb0, number, value]))
        };
        Scenario::new(range.into_iter().fold(without.clone(), set)).assert_alike_and_heard(without);
        let all = (0..120).fold(Score::new().on(0, 60, 0.8), |score, number: u8| {
            score.with(100 + u64::from(number), Event::Midi([0xb0 | (number % 16), number, number]))
        });
        Scenario::new(all).assert_alike();
    });
}

/// A point at each sample of a curve, and each of them takes effect.
#[test]
fn every_point_of_dense_automation() {
    run_isolated(|| {
        for param in ["level", "tune", "pickl"] {
            let strike = Score::new().on(5, 57, 0.9);
            let value = |n: u64| 0.5 + 0.3 * (n as f64 * 0.013).sin();
            let curve = |score: Score, n: u64| score.param(300 + n, id(param), value(n));
            let score = (0..2000).fold(strike.clone(), curve);
            let last_of_blocks =
                (0..2000).filter(|n| (300 + n) % u64::from(BLOCK) == u64::from(BLOCK) - 1);
            Scenario::new(score).assert_alike_and_heard(last_of_blocks.fold(strike, curve));
        }
    });
}

/// Every choice of parameters with steps.
#[test]
fn stepped_parameters() {
    run_isolated(|| {
        let params = clap().params().expect("parameters");
        let stepped = [
            "body", "mater", "law", "coupl", "rings", "noff", "voices", "restrk", "limit", "kmode",
        ];
        let (mut score, mut at) = (Score::new(), 1);
        for name in stepped {
            let param = params.iter().find(|param| param.id == id(name)).expect("it is there");
            for step in 0..=(param.max as u32).min(11) {
                score.push(at, Event::Param { id: param.id, value: f64::from(step) });
                score = score.note(at + 40, 150, 40 + (at % 37) as u16, 0.8);
                at += 211;
            }
            score.push(at, Event::Param { id: param.id, value: param.default });
        }
        // Not the gestures that need a surface: in real time that comes from another thread.
        for gesture in [1.0, 4.0, 5.0, 0.0] {
            score.push(at, Event::Param { id: id("gest"), value: gesture });
            score = score.note(at, 900, 60, 0.9);
            at += 1000;
        }
        Scenario::new(score).assert_alike();
    });
}

#[test]
fn two_parameters_and_a_note_at_one_sample() {
    run_isolated(|| {
        for at in [0, 255, 256, 777] {
            let note = Score::new().on(at, 50, 0.8);
            let score =
                Score::new().param(at, id("mass"), 0.9).param(at, id("tune"), 0.61).on(at, 50, 0.8);
            Scenario::new(score).assert_alike_and_heard(note);
        }
    });
}

#[test]
fn a_change_of_tempo_and_a_synced_bounce() {
    run_isolated(|| {
        let bounce = Score::new().param(0, id("gest"), 1.0).param(0, id("gap"), 2.0).param(
            0,
            id("first"),
            1.0,
        );
        let bounce = bounce.on(1, 60, 0.9).on(12_100, 64, 0.9).tempo(0, 93.5);
        Scenario::new(bounce.clone().tempo(12_000, 171.3)).assert_alike_and_heard(bounce);
    });
}

#[test]
fn blocks_of_any_size() {
    run_isolated(|| {
        let whole = Scenario::new(melody()).assert_alike();
        let total = whole.left.len() as u64;
        for blocks in [fixed_blocks(total, 1), fixed_blocks(total, 64), fixed_blocks(total, 512)] {
            let part = Scenario { blocks, ..Scenario::new(melody()) }.assert_alike();
            assert_same("blocks of another size", &part, &whole);
        }
        for seed in 0..4 {
            let blocks = random_blocks(total, 700, seed);
            assert_same(
                "random blocks",
                &Scenario { blocks, ..Scenario::new(melody()) }.assert_alike(),
                &whole,
            );
        }
    });
}

#[test]
fn other_sample_rates() {
    run_isolated(|| {
        for rate in [44_100.0, 96_000.0] {
            Scenario { rate, ..Scenario::new(melody()) }.assert_alike();
        }
    });
}

/// When the host renders offline, a surface is there at once.
#[test]
fn offline_with_a_ball_that_rolls() {
    run_isolated(|| {
        let score = Score::new().param(0, id("gest"), 2.0).note(0, 20_000, 60, 0.9);
        Scenario { is_offline: true, ..Scenario::new(score) }.assert_alike();
    });
}

/// Two instances in turn, block by block: they do not affect each other.
#[test]
fn two_instances() {
    run_isolated(|| {
        let blocks = fixed_blocks(24_000, BLOCK);
        let other = melody().param(0, id("tune"), 0.7).param(0, id("body"), 2.0);
        let (one, two) = (playing(), playing());
        let mut heard = [Rendered::default(), Rendered::default()];
        let scores = [melody(), other];
        let mut start = 0;
        for frames in &blocks {
            for ((host, score), heard) in [&one, &two].into_iter().zip(&scores).zip(&mut heard) {
                let end = start + u64::from(*frames);
                let due = score.events().iter().filter(|(at, _)| (start..end).contains(at));
                let part =
                    due.fold(Score::new(), |part, (at, event)| part.with(at - start, *event));
                heard.append(host.render(&part, &[*frames]).expect("plays"));
            }
            start += u64::from(*frames);
        }
        for (score, heard) in scores.into_iter().zip(&heard) {
            assert_same(
                "one of two",
                heard,
                &Scenario { blocks: blocks.clone(), ..Scenario::new(score) }.clap(),
            );
        }
    });
}

/// The effect: the input strikes.
#[test]
fn the_effect() {
    run_isolated(|| {
        let input: Vec<f32> =
            (0..24_000).map(|n| if n % 6000 == 100 { 0.9 } else { 0.0 }).collect();
        let blocks = fixed_blocks(24_000, BLOCK);
        let mut theirs =
            ClapHost::load_number(&built("ICTUS_CLAP"), 1).expect("the CLAP has an effect");
        theirs.activate(RATE, BLOCK).expect("it can be activated");
        let theirs = theirs.render_with(&Score::new(), &blocks, &input).expect("plays");
        let ours = Vst3Host::load_number(&built("ICTUS_VST3"), 1).expect("the VST3 has an effect");
        ours.activate(RATE, BLOCK).expect("it can be activated");
        let ours = ours.render_with(&Score::new(), &blocks, &input).expect("plays");
        assert!(theirs.peak() > 0.01, "{}", theirs.peak());
        assert_same("the effect", &ours, &theirs);
    });
}

/// Every group of keys on an output of its own, and an external input that strikes, as in the
/// CLAP's layout.
#[test]
fn key_groups_and_the_side_chain() {
    run_isolated(|| {
        let ours = vst3();
        assert_eq!((ours.bus_widths(false), ours.bus_widths(true)), (vec![2], vec![2; 5]));
        let groups = ["g1low", "g1high", "g2low", "g2high", "g3low", "g3high", "g4low", "g4high"];
        let keys = [24, 35, 36, 47, 48, 59, 60, 71].map(f64::from);
        let set = groups
            .into_iter()
            .zip(keys)
            .fold(Score::new(), |score, (name, key)| score.param(0, id(name), key));
        let score = [30, 40, 50, 65, 80]
            .into_iter()
            .zip(1..)
            .fold(set, |score, (key, n)| score.note(100 * n, 9000, key, 0.4));
        let score = score.param(0, id("xmode"), 1.0);
        let input: Vec<f32> =
            (0..24_000).map(|n| if n % 6000 == 5000 { 0.9 } else { 0.0 }).collect();
        let blocks = fixed_blocks(24_000, BLOCK);
        let mut theirs = clap();
        choose(&mut theirs, "Key groups");
        theirs.activate(RATE, BLOCK).expect("it can be activated");
        let theirs = theirs.render_with(&score, &blocks, &input).expect("plays");
        ours.activate_all(RATE, BLOCK).expect("it can be activated");
        let ours = ours.render_with(&score, &blocks, &input).expect("plays");
        assert_same("the main output", &ours, &theirs);
        for (group, (ours, theirs)) in ours.beside.iter().zip(&theirs.beside).enumerate() {
            assert!(theirs[0].iter().any(|sample| sample.abs() > 1e-3), "group {group} is silent");
            assert!(ours == theirs, "group {group} differs");
        }
    });
}

/// A render continues where the last one stopped, and a deactivated instance starts from silence.
#[test]
fn playing_on_and_again() {
    run_isolated(|| {
        let host = vst3();
        let mut theirs = clap();
        for _ in 0..2 {
            host.activate(RATE, BLOCK).expect("it can be activated");
            theirs.activate(RATE, BLOCK).expect("it can be activated");
            for score in [melody(), Score::new(), melody()] {
                let blocks = fixed_blocks(24_000, BLOCK);
                let ours = host.render(&score, &blocks).expect("plays");
                assert_same("played on", &ours, &theirs.render(&score, &blocks).expect("plays"));
            }
        }
    });
}
