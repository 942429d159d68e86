//! In a storm of notes not every body can be levelled in full. What the estimate makes of the others, beside what they should be.

use ictus::body::loudness::{Leveller, MOST_REHEARSED};
use ictus::body::{Kind, UserModes};
use ictus::patch::{Param, Patch};
use ictus::voice::object::Object;
use ictus::voice::settings::Settings;

const RATE_HZ: f64 = 48_000.0;
/// Keys of the storm, in semitones from A4, in the order in which they come; the first is levelled in full.
const KEYS: std::ops::Range<i32> = -24..12;

fn patch(kind: Kind, modes: f64, two_way: bool, weight_kg: f64) -> Patch {
    let mut patch = Patch::default();
    patch.set(Param::Body, Kind::ALL.iter().position(|other| *other == kind).expect("a kind") as f64);
    patch.set(Param::Modes, modes);
    patch.set(Param::Coupling, f64::from(u8::from(two_way)));
    patch.set(Param::Weight, weight_kg);
    patch
}

fn object(patch: &Patch, key_st: i32) -> Object {
    let mut object = Object::new();
    object.prepare(RATE_HZ);
    object.make(Settings::new(patch, f64::from(key_st), 0.0, false, 0), &UserModes::default());
    object.modes.arrive();
    object
}

/// How far each key is off if only the first is levelled in full, dB.
fn off_db(patch: &Patch) -> Vec<f64> {
    let mut hurried = Leveller::default();
    KEYS.map(|key_st| {
        let object = object(patch, key_st);
        let blow = &object.settings.blow;
        let (gain, work) = hurried.gain_within(&object.modes, blow, 0);
        let whole = Leveller::default().gain(&object.modes, blow);
        if key_st == KEYS.start {
            assert_eq!(gain, whole, "the first has all the work it takes");
        } else {
            assert!(work <= 100 * object.modes.len as u32, "{work}");
        }
        20.0 * (gain / whole).log10()
    })
    .collect()
}

#[test]
fn the_estimate_is_near_over_three_octaves() {
    for two_way in [false, true] {
        let (mut all, mut worst) = (Vec::new(), (0.0f64, String::new()));
        for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::User) {
            for (modes, weight_kg) in [(64.0, 0.4), (256.0, 0.4), (256.0, 0.05)] {
                for off in off_db(&patch(kind, modes, two_way, weight_kg)) {
                    all.push(off.abs());
                    if off.abs() > worst.0 {
                        worst = (off.abs(), format!("{kind:?}, {modes} modes, {weight_kg} kg"));
                    }
                }
            }
        }
        all.sort_by(f64::total_cmp);
        let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize];
        let (half, most) = (at(0.5), at(0.95));
        println!("two-way {two_way}: half within {half:.2} dB, 95 % within {most:.2} dB, worst {worst:?}");
        // A light body that strikes back does so otherwise on every key.
        let limits = if two_way { (0.5, 7.0) } else { (0.1, 0.5) };
        assert!(half < limits.0 && most < limits.1, "two-way {two_way}: {half} {most}");
    }
}

#[test]
fn a_rehearsal_that_does_not_fit_is_broken_off() {
    let patch = patch(Kind::Membrane, 256.0, true, 0.05);
    let (first, next) = (object(&patch, -24), object(&patch, -20));
    let mut leveller = Leveller::default();
    leveller.gain(&first.modes, &first.settings.blow);
    let (whole, work) = leveller.clone().gain_within(&next.modes, &next.settings.blow, MOST_REHEARSED);
    assert_eq!(whole, Leveller::default().gain(&next.modes, &next.settings.blow));
    for most in [1, 1000, work / 4] {
        let (gain, took) = leveller.clone().gain_within(&next.modes, &next.settings.blow, most);
        assert!(took <= most + 100 * next.modes.len as u32, "{most}: {took} of {work}");
        assert!(gain != whole && (gain / whole).log10().abs() < 0.3, "{most}: {gain} {whole}");
    }
}
