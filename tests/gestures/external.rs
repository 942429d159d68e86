//! External sound that strikes or drives a body.

use std::f64::consts::PI;

use ictus::engine::Io;
use ictus::engine::{Engine, NoteEnds};
use ictus::exciter::external::Input;
use ictus::exciter::external::detector::WINDOW_S;
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};

const RATE_HZ: f64 = 48_000.0;
const STRIKES: f64 = 1.0;
const FORCE: f64 = 2.0;

fn patch(mode: f64) -> Patch {
    let mut patch = Patch::default();
    patch.set(Param::ExternalMode, mode);
    // Without the delay of its look-ahead.
    patch.set(Param::Limiter, 0.0);
    patch
}

/// One mode that decays at 4 1/s.
fn resonator() -> Patch {
    let mut patch = patch(FORCE);
    for (param, value) in [
        (Param::Modes, 1.0),
        (Param::Support, 8.0),
        (Param::Friction, 1e-5),
        (Param::Viscosity, 1e-10),
        (Param::Level, -20.0),
    ] {
        patch.set(param, value);
    }
    patch
}

/// The left channel for this `input`, in blocks of these sizes in turn.
fn heard(patch: &Patch, input: &[f32], blocks: &[usize], rate_hz: f64) -> Vec<f32> {
    let mut engine = Engine::new();
    engine.prepare(rate_hz);
    let (mut left, mut right, mut ends) =
        (vec![0.0; input.len()], vec![0.0; input.len()], NoteEnds::new());
    let (mut start, mut sizes) = (0, blocks.iter().cycle());
    while start < input.len() {
        let end = (start + sizes.next().unwrap()).min(input.len());
        let from = Input { left: &input[start..end], right: &input[start..end] };
        let (left, right) = (&mut left[start..end], &mut right[start..end]);
        engine.process_io(patch, &[], Io { input: from, left, right, groups: None }, &mut ends);
        start = end;
    }
    assert!(ends.is_empty(), "ends are reported only for notes that the host has started");
    left
}

fn clicks(gap: usize, loud: f32, samples: usize) -> Vec<f32> {
    (0..samples).map(|n| if n % gap == 100 { loud } else { 0.0 }).collect()
}

#[test]
fn each_click_strikes_as_a_note_would_one_window_later() {
    for rate_hz in [44_100.0, 48_000.0, 96_000.0] {
        let gap = (0.1 * rate_hz) as usize;
        let input = clicks(gap, 1.0, 5 * gap);
        let patch = patch(STRIKES);
        let struck = heard(&patch, &input, &[512], rate_hz);
        // The same with notes, held until the external sound has ended.
        let (window, note) = (
            (WINDOW_S * rate_hz).round() as usize,
            NoteAddress { key: Some(60), ..Default::default() },
        );
        let on = EventKind::NoteOn { velocity: 1.0 };
        let events: Vec<_> = (0..5)
            .map(|click| Event { offset: click * gap + 100 + window, note, kind: on })
            .collect();
        let mut engine = Engine::new();
        engine.prepare(rate_hz);
        let (mut left, mut right) = (vec![0.0; input.len()], vec![0.0; input.len()]);
        engine.process(&patch, &events, &mut left, &mut right, &mut NoteEnds::new());
        assert_eq!(struck, left, "{rate_hz} Hz");
        assert_eq!(struck.iter().position(|x| *x != 0.0), left.iter().position(|x| *x != 0.0));
    }
}

#[test]
fn a_softer_click_strikes_more_softly() {
    let peak = |loud: f32| {
        heard(&patch(STRIKES), &clicks(1 << 20, loud, 9600), &[480], RATE_HZ)
            .iter()
            .fold(0f32, |m, x| m.max(x.abs()))
    };
    let (full, half, below) = (peak(1.0), peak(0.5), peak(0.05));
    assert!(full > 1.5 * half && half > 0.0, "{full} and {half}");
    assert_eq!(below, 0.0, "below the threshold");
}

#[test]
fn silence_gives_silence_and_nan_counts_as_silence() {
    for mode in [STRIKES, FORCE] {
        for value in [0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let sound = heard(&patch(mode), &vec![value; 4800], &[100], RATE_HZ);
            assert!(sound.iter().all(|x| *x == 0.0), "{value}");
        }
        let mut input = vec![f32::MAX; 4800];
        input[1000] = f32::NAN;
        let sound = heard(&patch(mode), &input, &[64], RATE_HZ);
        assert!(sound.iter().all(|x| x.is_finite() && x.abs() <= 1.0));
    }
    // Without a mode the input does nothing.
    assert!(heard(&Patch::default(), &vec![1.0; 4800], &[64], RATE_HZ).iter().all(|x| *x == 0.0));
}

#[test]
fn nothing_depends_on_the_size_of_the_blocks() {
    // Bursts with digital silence in between, so that the body starts and stops being driven.
    let mut state = 1u32;
    let input: Vec<f32> = (0..30_000)
        .map(|n| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = (state >> 8) as f32 / 8_388_608.0 - 1.0;
            if n % 9000 < 1500 || (20_000..20_003).contains(&n) { noise } else { 0.0 }
        })
        .collect();
    for mode in [STRIKES, FORCE] {
        for coupling in [0.0, 1.0] {
            let mut patch = patch(mode);
            patch.set(Param::Coupling, coupling);
            patch.set(Param::Support, 60.0);
            let whole = heard(&patch, &input, &[input.len()], RATE_HZ);
            assert!(whole.iter().any(|x| *x != 0.0));
            for blocks in [&[1usize][..], &[64], &[33, 512, 7, 250, 1], &[4096]] {
                assert!(
                    whole == heard(&patch, &input, blocks, RATE_HZ),
                    "mode {mode}, coupling {coupling}, {blocks:?}"
                );
            }
        }
    }
}

/// Amplitude of `hz` in a stretch of whole periods.
fn amplitude(sound: &[f32], hz: f64, rate_hz: f64) -> f64 {
    let (mut re, mut im) = (0.0, 0.0);
    for (n, x) in sound.iter().enumerate() {
        let (sin, cos) = (2.0 * PI * hz * n as f64 / rate_hz).sin_cos();
        re += f64::from(*x) * cos;
        im -= f64::from(*x) * sin;
    }
    2.0 * re.hypot(im) / sound.len() as f64
}

#[test]
fn a_sine_at_the_pitch_builds_up_as_a_resonator_does() {
    for rate_hz in [48_000.0, 96_000.0] {
        let patch = resonator();
        let (hz, decay_per_s) =
            (440.0 * (-0.75f64).exp2(), patch.damping().rate_per_s(440.0 * (-0.75f64).exp2()));
        let seconds = 1.6;
        let input: Vec<f32> = (0..(seconds * rate_hz) as usize)
            .map(|n| (0.1 * (2.0 * PI * hz * n as f64 / rate_hz).sin()) as f32)
            .collect();
        let sound = heard(&patch, &input, &[512], rate_hz);
        // Twenty periods around each instant.
        let around = |t_s: f64| {
            let half = (10.0 / hz * rate_hz).round() as usize;
            let middle = (t_s * rate_hz) as usize;
            amplitude(&sound[middle - half..middle + half], hz, rate_hz)
        };
        // The force stays in phase with the mode: its amplitude grows as 1 - exp(-d t), here
        // averaged over each stretch.
        let half = decay_per_s * 10.0 / hz;
        let grown = |t_s: f64| 1.0 - (-decay_per_s * t_s).exp() * half.sinh() / half;
        let settled = around(1.5) / grown(1.5);
        for t_s in [0.1, 0.2, 0.4, 0.8, 1.2] {
            let wanted = settled * grown(t_s);
            assert!(
                (around(t_s) / wanted - 1.0).abs() < 0.005,
                "{rate_hz} Hz, {t_s} s: {} of {wanted}",
                around(t_s)
            );
        }
        // Twice the force gives twice the sound.
        let double: Vec<f32> = input.iter().map(|x| 2.0 * x).collect();
        let twice = heard(&patch, &double, &[512], rate_hz);
        let last = sound.len() - 4800..sound.len();
        let ratio = amplitude(&twice[last.clone()], hz, rate_hz)
            / amplitude(&sound[last.clone()], hz, rate_hz);
        assert!((ratio - 2.0).abs() < 1e-3, "{ratio}");
    }
}

#[test]
fn a_weak_force_is_not_lost_and_the_body_rings_on_after_it() {
    let patch = resonator();
    let hz = 440.0 * (-0.75f64).exp2();
    let sine = |loud: f64| -> Vec<f32> {
        (0..96_000)
            .map(|n| {
                if n < 72_000 {
                    (loud * (2.0 * PI * hz * f64::from(n) / RATE_HZ).sin()) as f32
                } else {
                    0.0
                }
            })
            .collect()
    };
    let (strong, weak) =
        (heard(&patch, &sine(0.1), &[512], RATE_HZ), heard(&patch, &sine(1e-4), &[512], RATE_HZ));
    let at = |sound: &[f32], n: usize| amplitude(&sound[n..n + 4800], hz, RATE_HZ);
    let ratio = at(&strong, 60_000) / at(&weak, 60_000);
    assert!((ratio / 1000.0 - 1.0).abs() < 0.01, "{ratio}");
    let fall = at(&strong, 74_000) / at(&strong, 88_000);
    let wanted = (patch.damping().rate_per_s(hz) * 14_000.0 / RATE_HZ).exp();
    assert!((fall / wanted - 1.0).abs() < 0.01, "{fall} instead of {wanted}");
}

#[test]
fn a_push_is_worth_as_much_as_a_blow_of_the_same_impulse() {
    let mut patch = resonator();
    // A lossless strike, far shorter than a period: it leaves 2 m v in the body.
    let blow_ns = 2.0 * 0.02 * 0.5;
    for (param, value) in [
        (Param::Mass, 0.02),
        (Param::Speed, 0.5),
        (Param::Hardness, 1.0),
        (Param::Mu, 0.0),
        (Param::ExternalGain, 60.0),
    ] {
        patch.set(param, value);
    }
    let mut push = vec![0.0; 24_000];
    push[0] = 1.0;
    let push_ns = 1000.0 / RATE_HZ;
    let pushed = heard(&patch, &push, &[512], RATE_HZ);
    let note = NoteAddress { key: Some(60), ..NoteAddress::default() };
    let on = Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 1.0 } };
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let (mut struck, mut right) = (vec![0.0; 24_000], vec![0.0; 24_000]);
    engine.process(&patch, &[on], &mut struck, &mut right, &mut NoteEnds::new());
    let hz = 440.0 * (-0.75f64).exp2();
    let at = |sound: &[f32]| amplitude(&sound[4800..14_400], hz, RATE_HZ);
    let ratio = at(&pushed) / at(&struck) / (push_ns / blow_ns);
    assert!((ratio - 1.0).abs() < 0.005, "{ratio}");
}
