//! A whole sound on its way to the audio thread, which looks on all the time: it has what was, or
//! all of what is new.

use super::*;
use crate::body::UserModes;
use crate::body::shape::UserMode;
use crate::io::presets::Preset;
use crate::plugin::preset_loading;

/// Miri is a thousand times slower, and makes up for it by trying orders that no processor would.
const ROUNDS: usize = if cfg!(miri) { 2 } else { 1000 };

/// One of each kind, and the first and last of the table.
const CHANGED: [Row; 6] =
    [Row::Mass, Row::Speed, Row::Gesture, Row::Hybrid, Row::Seed, Row::ALL[Row::COUNT - 1]];

/// What the framework does when a host or a hand sets a parameter.
#[allow(unsafe_code)]
fn set(params: &HostParams, row: Row, stored: f32) {
    let slot = params.slot(row);
    let position = slot.knob.position_of(stored);
    // SAFETY: the slot outlives the call.
    unsafe { slot.as_ptr()._internal_set_normalized_value(position) };
}

/// A sound with the changed parameters at the lower or upper ends of their ranges, and so many
/// modes.
fn sound(is_high: bool) -> Sound {
    let mut sound = Sound::default();
    for row in CHANGED {
        let (low, high) = row.spec().range_stored();
        sound.patch.set_stored(row, if is_high { high } else { low });
    }
    let modes = vec![UserMode { ratio: 1.5, ..UserMode::default() }; if is_high { 3 } else { 2 }];
    sound.extras.modes = Some(Arc::new(UserModes::new(&modes)));
    sound
}

/// What is told apart of a patch.
type Values = [f32; CHANGED.len()];

fn values(patch: &Patch) -> Values {
    CHANGED.map(|row| patch.stored(row))
}

/// As the audio thread has it when all of it has come.
fn loaded_values(params: &HostParams, sound: &Sound) -> Values {
    CHANGED.into_iter().for_each(|row| set(params, row, sound.patch.stored(row)));
    let mut patch = Patch::default();
    params.write_to(&mut patch);
    values(&patch)
}

/// The two sounds, of which the first is there, and what the audio thread has of them.
fn two(params: &HostParams) -> ([Sound; 2], [Values; 2]) {
    let sounds = [sound(false), sound(true)];
    let second = loaded_values(params, &sounds[1]);
    let whole = [loaded_values(params, &sounds[0]), second];
    assert!(
        whole[0].iter().zip(whole[1]).all(|(first, second)| *first != second),
        "nothing would be seen"
    );
    (sounds, whole)
}

/// The audio thread's look, again and again until the other thread is done: each time it has one of
/// the two.
fn read_meanwhile(
    params: &HostParams,
    whole: &[Values; 2],
    is_done: impl Fn() -> bool,
) -> [usize; 2] {
    let (mut patch, mut seen) = (sound(false).patch, [0; 2]);
    loop {
        let is_last = is_done();
        params.follow(&mut patch, 0.0);
        let which =
            whole.iter().position(|whole| *whole == values(&patch)).expect("a part of a sound");
        seen[which] += 1;
        if let Some(list) = params.extras().take_list() {
            assert!([2, 3].contains(&list.modes().len()), "half a list");
        }
        if is_last {
            return seen;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_preset_from_a_host_s_browser_arrives_whole() {
    let params = Arc::new(HostParams::new(Arc::new(Extras::default())));
    let (sounds, whole) = two(&params);
    std::thread::scope(|scope| {
        let loader = scope.spawn(|| {
            for round in 1..=ROUNDS {
                let sound = sounds[round % 2].clone();
                let preset = Preset { sound, ..Preset::default() };
                preset_loading::load(&params, &preset, |_| {
                    CHANGED
                        .into_iter()
                        .for_each(|row| set(&params, row, preset.sound.patch.stored(row)));
                    true
                });
                std::thread::yield_now();
            }
        });
        let seen = read_meanwhile(&params, &whole, || loader.is_finished());
        assert!(seen[0] > 0, "{seen:?}");
    });
    let mut patch = Patch::default();
    assert!(
        params.follow(&mut patch, 0.0) && values(&patch) == whole[ROUNDS % 2],
        "the last one is there"
    );
}

#[test]
fn a_sound_from_the_editor_arrives_whole_though_its_parameters_come_one_by_one() {
    let params = HostParams::new(Arc::new(Extras::default()));
    let (sounds, whole) = two(&params);
    std::thread::scope(|scope| {
        let editor = scope.spawn(|| {
            for round in 1..=ROUNDS {
                let step = Step::between("Preset", &sounds[(round + 1) % 2], &sounds[round % 2]);
                params.expect(&step);
                for change in &step.changes {
                    set(&params, change.param, change.after);
                    std::thread::yield_now();
                }
            }
        });
        read_meanwhile(&params, &whole, || editor.is_finished());
    });
    let mut patch = Patch::default();
    assert!(
        params.follow(&mut patch, 0.0) && values(&patch) == whole[ROUNDS % 2],
        "the last one is there"
    );
}
