//! Every factory preset can be played soft and hard, low and high, and is as loud as the others.

#[path = "../support/k_weighting.rs"]
mod k_weighting;

use std::time::Instant;

use ictus::cli::render::install_surface;
use ictus::editor::relevance;
use ictus::engine::{Engine, NoteEnds};
use ictus::io::presets::{Preset, factory};
use ictus::params::Param;
use ictus::params::event::{Event, EventKind, NoteAddress};

const RATE_HZ: f64 = 48_000.0;
const BLOCK: usize = 512;
/// A window of momentary loudness, samples.
const WINDOW: usize = 19_200;

/// One engine for all: building it takes longer than many a note.
struct Player {
    engine: Engine,
    /// Smallest gain of the limiter in the last note.
    limited: f32,
}

impl Player {
    fn new() -> Self {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        Self { engine, limited: 1.0 }
    }

    /// A note held for 2.5 s, from silence.
    fn play(&mut self, preset: &Preset, key: u8, velocity: u8, seconds: f64) -> [Vec<f32>; 2] {
        let (patch, extras) = (&preset.sound.patch, &preset.sound.extras);
        self.engine.reset();
        // Removes the surfaces of former presets, as the plug-in's worker would.
        while self.engine.take_retired_surface().is_some() {}
        self.engine.set_list(&extras.modes.as_deref().cloned().unwrap_or_default());
        install_surface(&mut self.engine, patch, extras.surface.as_deref());
        let note = NoteAddress { id: None, channel: Some(0), key: Some(key) };
        let kind = EventKind::NoteOn { velocity: f32::from(velocity) / 127.0 };
        let length = (seconds * RATE_HZ) as usize / BLOCK * BLOCK;
        let mut sound = [vec![0.0; length], vec![0.0; length]];
        let mut ends = NoteEnds::new();
        self.limited = 1.0;
        for start in (0..length).step_by(BLOCK) {
            let mut events = Vec::new();
            if start == 0 {
                events.push(Event { offset: 0, note, kind });
            }
            let off = (2.5 * RATE_HZ) as usize;
            if (start..start + BLOCK).contains(&off) {
                events.push(Event { offset: off - start, note, kind: EventKind::NoteOff });
            }
            let [left, right] = &mut sound;
            let piece = start..start + BLOCK;
            let status = self.engine.process(
                patch,
                &events,
                &mut left[piece.clone()],
                &mut right[piece],
                &mut ends,
            );
            self.limited = self.limited.min(status.limiter_gain);
            ends.clear();
        }
        sound
    }
}

/// Loudest 400 ms, in steps of 100 ms, LU below full scale (ITU-R BS.1770, without gates).
fn loudness_lu(sound: &[Vec<f32>; 2]) -> f64 {
    let power = |start: usize| -> f64 {
        let part = |side: &[f32]| {
            side[start..start + WINDOW].iter().map(|x| f64::from(*x)).collect::<Vec<_>>()
        };
        sound.iter().map(|side| k_weighting::mean_square(&part(side))).sum()
    };
    let loudest = (0..=sound[0].len() - WINDOW).step_by(WINDOW / 4).map(power).fold(0.0, f64::max);
    -0.691 + 10.0 * loudest.log10()
}

fn peak(sound: &[Vec<f32>; 2]) -> f32 {
    sound.iter().flatten().fold(0.0, |peak, x| peak.max(x.abs()))
}

#[test]
fn soft_and_hard_low_and_high_each_is_heard_below_full_scale_and_the_same_again() {
    let mut player = Player::new();
    assert!(factory::ALL.len() >= 48);
    for (key, _) in factory::ALL {
        let preset = factory::load(key).unwrap();
        for (midi, velocity) in [(36, 20), (36, 120), (60, 20), (60, 120), (84, 20), (84, 120)] {
            let sound = player.play(&preset, midi, velocity, 1.0);
            assert!(sound.iter().flatten().all(|x| x.is_finite()), "{key} {midi} {velocity}");
            let peak = peak(&sound);
            assert!(
                (3e-4..1.0).contains(&peak),
                "{key}: key {midi} at velocity {velocity} peaks at {peak}"
            );
            let again = player.play(&preset, midi, velocity, 1.0);
            assert!(
                sound == again,
                "{key}: key {midi} at velocity {velocity} is not the same again"
            );
        }
    }
}

#[test]
fn all_presets_are_equally_loud() {
    let mut player = Player::new();
    let mut loud: Vec<(&str, f64)> = factory::ALL
        .iter()
        .map(|(key, _)| {
            (*key, loudness_lu(&player.play(&factory::load(key).unwrap(), 60, 100, 4.0)))
        })
        .collect();
    loud.sort_by(|a, b| a.1.total_cmp(&b.1));
    let median = loud[loud.len() / 2].1;
    println!("{median:.1} LU in the middle, {:?} to {:?}", loud[0], loud[loud.len() - 1]);
    let far: Vec<_> = loud.iter().filter(|(_, loudness)| (loudness - median).abs() > 6.0).collect();
    assert!(far.is_empty(), "more than 6 LU from {median:.1}: {far:.1?}");
}

#[test]
#[ignore = "how much faster than real time each preset is: cargo xtask measure presets"]
fn how_much_faster_than_real_time_each_is() {
    let mut player = Player::new();
    let mut times: Vec<_> = factory::ALL
        .iter()
        .map(|(key, _)| {
            let preset = factory::load(key).unwrap();
            let began = Instant::now();
            player.play(&preset, 60, 100, 10.0);
            (10.0 / began.elapsed().as_secs_f64(), *key)
        })
        .collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (times, key) in times {
        println!("{times:8.0} times real time: {key}");
    }
}

/// Every parameter in a preset file has an audible effect; others would mislead readers.
#[test]
fn nothing_in_a_preset_is_without_effect() {
    for (key, _) in factory::ALL {
        let patch = factory::load(key).unwrap().sound.patch;
        let set = |param: &Param| {
            patch.stored(*param).to_bits() != param.spec().default_stored().to_bits()
        };
        let dead = |param: &Param| {
            relevance::relevance(*param, |param| patch.choice(param)) != relevance::Relevance::Heard
        };
        let idle: Vec<_> = Param::ALL
            .into_iter()
            .filter(|param| set(param) && dead(param))
            .map(|param| param.spec().id)
            .collect();
        assert!(idle.is_empty(), "{key} sets {idle:?}, which have no effect in it");
    }
}

/// The limiter is a safety net that no factory preset relies on: it takes at most 5.5 dB from the
/// loudest of these notes.
#[test]
fn no_preset_relies_on_the_limiter() {
    const MAX_DB: f32 = 5.5;
    let mut player = Player::new();
    let mut limited = Vec::new();
    for (key, _) in factory::ALL {
        let preset = factory::load(key).unwrap();
        for (midi, velocity) in [(36, 120), (60, 120), (84, 120)] {
            player.play(&preset, midi, velocity, 1.0);
            let taken_db = -20.0 * player.limited.log10();
            if taken_db > 0.0 {
                limited.push((taken_db, *key, midi));
            }
        }
    }
    limited.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!(
        "the limiter acts in {} of {} notes: {limited:.1?}",
        limited.len(),
        3 * factory::ALL.len()
    );
    let leaning: Vec<_> = limited.iter().filter(|(taken_db, ..)| *taken_db > MAX_DB).collect();
    assert!(leaning.is_empty(), "{leaning:.1?}");
}
