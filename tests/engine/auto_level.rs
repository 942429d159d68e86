//! *Auto level*: after every edit and every randomisation, the reference strike has the common
//! loudness.
//!
//! The loudness is measured independently: on the sound played with *Trim*, and in other windows.

use ictus::cli::render::install_surface;
use ictus::editor::relevance::{Relevance, relevance};
use ictus::engine::auto_level::COMMON_LUFS;
use ictus::engine::{Engine, NoteEnds};
use ictus::history::{Locks, randomise};
use ictus::io::presets::{Preset, Sound, factory};
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, ParamKind};

const RATE_HZ: f64 = 48_000.0;
/// Attenuation that keeps the limiter inactive, dB.
const HEADROOM_DB: f64 = 40.0;
/// Allowed distance from the common loudness, LU.
const BOUND_LU: f64 = 2.0;

/// Loudest 400 ms of the first 3 s of a held C4 at velocity 100, LUFS.
fn loudness_lufs(sound: &Sound) -> f64 {
    let mut patch = sound.patch.clone();
    patch.set(Param::Level, patch.get(Param::Level) - HEADROOM_DB);
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    engine.set_list(&sound.extras.modes.as_deref().cloned().unwrap_or_default());
    install_surface(&mut engine, &patch, sound.extras.surface.as_deref());
    let note = NoteAddress { id: None, channel: Some(0), key: Some(60) };
    let on = [Event { offset: 0, note, kind: EventKind::NoteOn { velocity: 100.0 / 127.0 } }];
    let (mut heard, mut events) = ([Vec::new(), Vec::new()], &on[..]);
    // Falls from a large height at low gravity take long.
    for _ in 0..250 {
        let (mut left, mut right) = (vec![0f32; 4800], vec![0f32; 4800]);
        engine.process(&patch, events, &mut left, &mut right, &mut NoteEnds::new());
        events = &[];
        if !heard[0].is_empty() || left.iter().chain(&right).any(|x| *x != 0.0) {
            heard[0].extend(left.iter().map(|x| f64::from(*x)));
            heard[1].extend(right.iter().map(|x| f64::from(*x)));
        }
        if heard[0].len() >= 3 * 48_000 {
            break;
        }
    }
    // Preceded by silence, as in a meter.
    heard.iter_mut().for_each(|side| _ = side.splice(0..0, vec![0.0; 19_200]));
    let energy = |end: usize| -> f64 {
        heard.iter().map(|side| end as f64 * crate::k_weighting::mean_square(&side[..end])).sum()
    };
    let energies: Vec<f64> = (1..=heard[0].len() / 4800).map(|hop| energy(4800 * hop)).collect();
    let loudest =
        energies.windows(5).map(|hops| (hops[4] - hops[0]) / 19_200.0).fold(0.0, f64::max);
    -0.691 + 10.0 * loudest.log10() + HEADROOM_DB
}

/// The loudness after *Auto level*, at *Level* 0 dB, if it differs from the common one. Silence has
/// none: a strike on a fixed edge, or on a node of all modes.
fn fault(mut sound: Sound) -> Option<f64> {
    sound.patch.set(Param::Level, 0.0);
    sound.loudness_lufs()?;
    sound.set_trim();
    let lufs = loudness_lufs(&sound);
    ((lufs - COMMON_LUFS).abs() > BOUND_LU).then_some(lufs)
}

/// Ends of the ranges of audible parameters; all values of choices.
fn edits(preset: &Preset) -> Vec<(Param, f32)> {
    let patch = &preset.sound.patch;
    let is_heard =
        |param: &Param| relevance(*param, |other| patch.choice(other)) == Relevance::Heard;
    let values = |param: Param| -> Vec<f32> {
        let (min, max) = param.spec().range_stored();
        match param.spec().kind {
            ParamKind::Choice(names) => (0..names.len()).map(|index| index as f32).collect(),
            _ => vec![min, max],
        }
    };
    let levels = [Param::Level, Param::Trim, Param::Limiter, Param::AutoLevel, Param::ExternalMode];
    let params = Param::ALL.into_iter().filter(is_heard).filter(|param| !levels.contains(param));
    params.flat_map(|param| values(param).into_iter().map(move |value| (param, value))).collect()
}

fn edit_faults(every: usize) -> (usize, Vec<String>) {
    let (mut count, mut faults, mut number) = (0, Vec::new(), 0);
    for (key, _) in factory::ALL {
        let preset = factory::load(key).unwrap();
        for (param, value) in edits(&preset) {
            number += 1;
            if number % every != 0 {
                continue;
            }
            count += 1;
            let mut sound = preset.sound.clone();
            sound.patch.set_stored(param, value);
            if let Some(lufs) = fault(sound) {
                let spec = param.spec();
                faults.push(format!(
                    "{key}, {} at {}: {lufs:.1} LUFS",
                    spec.name,
                    spec.format_stored(value)
                ));
            }
        }
    }
    (count, faults)
}

fn throw_faults(count: u64) -> Vec<String> {
    let presets = ["ice", "marimba", "marble-roll"].map(|key| factory::load(key).unwrap().sound);
    let throw = |seed: u64| {
        let mut sound = presets[seed as usize % presets.len()].clone();
        sound.patch = randomise::randomise(&sound.patch, &Locks::default(), seed);
        assert!(sound.loudness_lufs().is_some(), "throw {seed} is silent");
        fault(sound).map(|lufs| format!("throw {seed}: {lufs:.1} LUFS"))
    };
    (0..count).filter_map(throw).collect()
}

#[test]
fn an_edited_sound_has_the_common_loudness() {
    let (count, faults) = edit_faults(331);
    println!("{count} edits");
    assert!(count > 20 && faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_randomised_sound_has_the_common_loudness_and_is_heard() {
    let faults = throw_faults(30);
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn factory_presets_have_the_common_loudness() {
    for (key, _) in factory::ALL.iter().step_by(7) {
        let sound = factory::load(key).unwrap().sound;
        let mut levelled = sound.clone();
        levelled.set_trim();
        let (kept, measured) = (sound.patch.get(Param::Trim), levelled.patch.get(Param::Trim));
        // With many contacts the sound is chaotic: the level varies with the smallest change.
        assert!(
            (kept - measured).abs() < 1.0,
            "{key}: its Trim is {kept} dB, and {measured} dB measured"
        );
    }
}

#[test]
#[ignore = "loudness after every single edit and 300 randomised sounds: cargo xtask measure level"]
fn every_single_edit_and_300_throws_have_the_common_loudness() {
    let (count, mut faults) = edit_faults(1);
    faults.extend(throw_faults(300));
    println!("{} faults in {count} edits and 300 throws:\n{}", faults.len(), faults.join("\n"));
    assert!(faults.is_empty());
}
