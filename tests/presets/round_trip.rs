//! A preset that is written and read is the same, to the last bit of every stored value.

use ictus::body::{UserModes, shape::UserMode};
use ictus::exciter::surface::UserSurface;
use ictus::io::presets::sound::{Extras, Sound};
use ictus::io::presets::{About, Preset, factory};
use ictus::io::tunings::{StoredTuning, TextFile};
use ictus::params::Param;
use proptest::prelude::*;
use std::sync::Arc;

fn any_sound() -> impl Strategy<Value = Sound> {
    prop::collection::vec(
        (0..Param::COUNT, prop_oneof![0.0..=1.0f64, Just(0.0), Just(1.0)]),
        0..Param::COUNT,
    )
    .prop_map(|positions| {
        let mut sound = Sound::default();
        for (index, position) in positions {
            let param = Param::ALL[index];
            sound.patch.set_stored(param, param.spec().position_to_stored(position));
        }
        sound
    })
}

fn any_about() -> impl Strategy<Value = About> {
    let line = "[^\\p{Cc}]{0,60}";
    (line, line, prop::collection::vec("[^\\p{Cc}]{0,20}", 0..5), line, line).prop_map(
        |(name, category, tags, author, description)| About {
            name: format!("x{name}"),
            category,
            tags,
            author,
            description,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_preset_comes_back(sound in any_sound(), about in any_about()) {
        let preset = Preset { about, sound };
        let text = preset.write();
        let back = Preset::read(&text, "").unwrap_or_else(|error| panic!("{error:#}\n{text}"));
        prop_assert_eq!(&back, &preset);
        prop_assert_eq!(back.write(), text, "written again it is the same text");
    }

    #[test]
    fn any_stored_bits_come_back(index in 0..Param::COUNT, bits in any::<u32>()) {
        // A logarithm closer to 0 than this represents 1 in any number of digits. No position of a
        // host leads there: next to 0 they are 1e-7 apart.
        prop_assume!(f32::from_bits(bits).abs() > 1e-8);
        let mut preset = Preset { about: About { name: "x".into(), ..About::default() }, ..Preset::default() };
        preset.sound.patch.set_stored(Param::ALL[index], f32::from_bits(bits));
        prop_assert_eq!(Preset::read(&preset.write(), "").unwrap(), preset);
    }
}

#[test]
fn modes_surface_and_tuning_come_back() {
    let modes =
        [1.0, 2.756, 5.404].map(|ratio| UserMode { ratio, left: -0.3, ..UserMode::default() });
    // In whole nanometres, as a surface is stored.
    let heights = (0..500).map(|n| (1e4 * f64::from(n).sin()).round() * 1e-9).collect();
    let scale = "! two.scl\ntwo\n 2\n3/2\n2/1\n";
    let extras = Extras {
        modes: Some(Arc::new(UserModes::new(&modes))),
        surface: Some(Arc::new(UserSurface::new(heights, 1.5).unwrap())),
        tuning: Some(Arc::new(StoredTuning {
            scl: Some(TextFile { name: "two.scl".into(), text: scale.into() }),
            kbm: None,
        })),
    };
    let about = About { name: "With all".into(), ..About::default() };
    let preset = Preset { about, sound: Sound { extras, ..Sound::default() } };
    assert_eq!(Preset::read(&preset.write(), "").unwrap(), preset);
}

#[test]
fn every_factory_preset_comes_back() {
    for (key, _) in factory::ALL {
        let preset = factory::load(key).unwrap();
        assert_eq!(Preset::read(&preset.write(), key).unwrap(), preset, "{key}");
    }
}

/// A file written by version 0.1.0, before files named their format. It must remain readable, and
/// sound the same.
#[test]
fn a_file_of_the_first_version_is_still_read() {
    let text = include_str!("../data/preset-0.1.0.json");
    let preset = Preset::read(text, "first-version").unwrap();
    assert_eq!(preset.about.name, "First version");
    let patch = &preset.sound.patch;
    for (param, si) in [
        (Param::Mass, 0.035),
        (Param::Position, 0.25),
        (Param::PositionY, 0.4),
        (Param::Stiffness, 1.1e9),
        (Param::Body, 3.0),
        (Param::Hybrid, 0.0),
        (Param::Seed, 17.0),
    ] {
        let found = patch.get(param);
        assert!((found - si).abs() <= 1e-6 * si.abs().max(1e-3), "{}: {found}", param.spec().id);
    }
    assert_eq!(preset.sound.extras.modes.as_ref().map(|modes| modes.modes().len()), Some(2));
    assert_ne!(patch.get(Param::Trim), 0.0, "what it did not know is measured");
    assert_eq!(patch.get(Param::Level), 0.0);
    assert!(preset.write().contains("\"format\": 2"), "and it is written in the new format");
}
