//! Every factory preset sounds as when its golden was written.
//!
//! `tests/data/goldens.json` has, for each preset, its levels in time and in thirds of an octave.
//! They must match within 0.1 dB, or within `spread_db` for sounds that magnify the last bit: the
//! change of the levels when the note is harder by one part in ten million.
//!
//! `cargo xtask goldens --update "reason"` rewrites the file, with the reason in it.

#![cfg(feature = "cli")]

mod fingerprint;
mod phrase;

use std::collections::BTreeMap;
use std::path::PathBuf;

use fingerprint::Fingerprint;
use ictus::io::presets::factory;
use serde::{Deserialize, Serialize};

/// Set to the reason for new goldens, to write them.
const UPDATE: &str = "ICTUS_GOLDENS";
/// Allowed difference of levels, dB.
const TOLERANCE_DB: f64 = 0.1;

#[derive(Deserialize, Serialize)]
struct Goldens {
    /// Why the goldens were last written.
    reason: String,
    /// Version that wrote them.
    ictus: String,
    presets: BTreeMap<String, Golden>,
}

#[derive(Deserialize, Serialize)]
struct Golden {
    spread_db: f64,
    #[serde(flatten)]
    levels: Fingerprint,
}

impl Golden {
    fn of(key: &str) -> Self {
        let sound = phrase::play(key, phrase::VELOCITY);
        let levels = Fingerprint::of(&sound);
        let harder = Fingerprint::of(&phrase::play(key, phrase::VELOCITY * (1.0 + f32::EPSILON)));
        let spread_db = (100.0 * levels.distance_db(&harder)).ceil() / 100.0;
        Self { spread_db, levels }
    }
}

/// Applies `work` to each factory preset, on two threads.
fn of_each<T: Send>(work: impl Fn(&str) -> T + Sync) -> BTreeMap<String, T> {
    let half = |first: usize| {
        let keys = factory::ALL.iter().skip(first).step_by(2);
        keys.map(|(key, _)| (key.to_string(), work(key))).collect::<BTreeMap<_, _>>()
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let mut all = half(0);
        all.extend(other.join().expect("no preset panics"));
        all
    })
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/goldens.json")
}

fn update(reason: &str) {
    assert!(reason.trim().len() >= 8, "a reason says something: {reason:?}");
    let presets = of_each(Golden::of);
    let ictus = env!("CARGO_PKG_VERSION").to_string();
    let goldens = Goldens { reason: reason.trim().to_string(), ictus, presets };
    let value = serde_json::to_value(&goldens).unwrap();
    // One preset per line, so that a diff shows which sounds differ.
    let mut text = String::from("{\n");
    for field in ["reason", "ictus"] {
        text += &format!("\"{field}\": {},\n", value[field]);
    }
    let rows: Vec<_> =
        goldens.presets.keys().map(|key| format!("\"{key}\": {}", value["presets"][key])).collect();
    text += &format!("\"presets\": {{\n{}\n}}\n}}\n", rows.join(",\n"));
    std::fs::write(file(), text).unwrap();
    let wide: Vec<_> =
        goldens.presets.iter().filter(|(_, golden)| golden.spread_db > TOLERANCE_DB).collect();
    println!(
        "{} presets; {} magnify the last bit beyond {TOLERANCE_DB} dB:",
        goldens.presets.len(),
        wide.len()
    );
    wide.iter().for_each(|(key, golden)| println!("{key} {} dB", golden.spread_db));
}

#[test]
fn every_factory_preset_sounds_as_it_did() {
    if let Ok(reason) = std::env::var(UPDATE) {
        update(&reason);
        return;
    }
    let goldens: Goldens = serde_json::from_str(&std::fs::read_to_string(file()).unwrap()).unwrap();
    let known: Vec<_> = goldens.presets.keys().map(String::as_str).collect();
    let mut ours: Vec<_> = factory::ALL.iter().map(|(key, _)| *key).collect();
    ours.sort_unstable();
    assert_eq!(known, ours, "presets have come or gone");
    let found = of_each(|key| {
        let golden = &goldens.presets[key];
        let off_db =
            Fingerprint::of(&phrase::play(key, phrase::VELOCITY)).distance_db(&golden.levels);
        let is_another = off_db > TOLERANCE_DB.max(golden.spread_db);
        is_another.then(|| format!("{key}: levels off by up to {off_db:.2} dB"))
    });
    let faults: Vec<String> = found.into_values().flatten().collect();
    assert!(
        faults.is_empty(),
        "{} presets sound otherwise than when the goldens were made ({}). If they should: `cargo xtask goldens --update \
         \"reason\"`\n{}",
        faults.len(),
        goldens.reason,
        faults.join("\n")
    );
}

/// An audible difference changes the levels.
#[test]
fn levels_distinguish_sounds() {
    let sound = phrase::play("church-bell", phrase::VELOCITY);
    let levels = Fingerprint::of(&sound);
    let louder = sound.each_ref().map(|side| side.iter().map(|x| 1.02 * x).collect::<Vec<_>>());
    assert!((levels.distance_db(&Fingerprint::of(&louder)) - 0.172).abs() < 0.01);
    let rounded =
        sound.each_ref().map(|side| side.iter().map(|x| x * (1.0 + 1e-6)).collect::<Vec<_>>());
    assert!(levels.distance_db(&Fingerprint::of(&rounded)) <= 0.01);
    assert!(
        levels.distance_db(&Fingerprint::of(&phrase::play("church-bell", 0.8 * phrase::VELOCITY)))
            > TOLERANCE_DB
    );
}
