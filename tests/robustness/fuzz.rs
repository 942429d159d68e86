//! Input from outside: damaged, random, or with non-finite numbers. `fuzz/` gives the same targets
//! to libFuzzer (`cargo xtask fuzz`); its findings are kept in `tests/data/corpus` and played here.

mod mutation;
mod targets;

use std::path::PathBuf;

use mutation::damaged;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The corpus files of a target.
fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus").join(target);
    let files =
        std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

#[test]
fn the_corpus_does_no_harm() {
    for &(name, run) in targets::ALL {
        let files = corpus(name);
        assert!(!files.is_empty(), "{name} has no corpus");
        for (path, data) in files {
            assert!(data.len() <= 1 << 16, "{}: a corpus is small", path.display());
            println!("{}", path.display());
            run(&data);
        }
    }
}

/// Verifies that the corpus reaches beyond the first check: some file of each target is accepted.
#[test]
fn the_corpus_holds_good_files_too() {
    let some = |target: &str, is_good: &dyn Fn(&[u8]) -> bool| {
        assert!(
            corpus(target).iter().any(|(_, data)| is_good(data)),
            "{target}: no file is accepted"
        );
    };
    let text = |data: &[u8]| String::from_utf8_lossy(data).into_owned();
    some("preset", &|data| ictus::io::presets::Preset::read(&text(data), "x").is_ok());
    some("recipe", &|data| ictus::io::surfaces::SurfaceFile::parse(&text(data)).is_ok());
    some("scala", &|data| ictus::tuning::ScalaScale::parse(&text(data)).is_ok());
    some("keyboard", &|data| ictus::tuning::Keyboard::parse(&text(data)).is_ok());
    #[cfg(feature = "plugin")]
    some("state", &|data| serde_json::from_slice::<nice_plug::plugin::PluginState>(data).is_ok());
    some("midi", &|data| ictus::io::midi_file::parse(data, 48_000.0).is_ok());
    let scale = ictus::io::surfaces::SurfaceScale {
        length_m: 0.3,
        height: ictus::io::surfaces::Height::Rms(1e-5),
        row: None,
    };
    some("surface", &|data| ictus::io::surfaces::parse(data, &scale).is_ok());
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(10),
        ..ProptestConfig::default()
    }
}

/// A damaged file of the target.
fn some_damage(target: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let files: Vec<Vec<u8>> = corpus(target).into_iter().map(|(_, data)| data).collect();
    (proptest::sample::select(files), any::<u64>()).prop_map(|(data, seed)| damaged(&data, seed))
}

macro_rules! damage {
    ($($name:ident: $target:literal, $run:path, $cases:literal;)*) => {$(
        proptest! {
            #![proptest_config(cases($cases))]
            #[test]
            fn $name(data in some_damage($target)) {
                $run(&data);
            }
        }
    )*};
}

damage! {
    damaged_presets: "preset", targets::preset, 3000;
    damaged_surfaces: "surface", targets::surface, 1500;
    damaged_recipes: "recipe", targets::recipe, 3000;
    damaged_lists: "list", targets::list, 3000;
    damaged_scales: "scala", targets::scala, 3000;
    damaged_keyboards: "keyboard", targets::keyboard, 3000;
    damaged_midi_files: "midi", targets::midi_file, 3000;
    hostile_parameters: "parameters", targets::parameters, 1500;
    hostile_events: "events", targets::events, 100;
}

#[cfg(feature = "plugin")]
damage! {
    damaged_states: "state", targets::state, 2000;
}
