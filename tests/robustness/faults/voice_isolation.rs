//! With NaN or infinity in one voice of an engine, the other voices and the next note sound as if
//! nothing had happened, to the bit.
//!
//! Keys of different groups go to separate outputs, so each voice can be heard alone. Everything
//! else is shared: the patch, the contact caches, the levelling budget, the voice pool, the
//! reported events. The note after the fault copies the caches of the damaged voice if that still
//! sounds, because it was started last.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ictus::cli::render::install_surface;
use ictus::engine::pool::fault::{slot, voices};
use ictus::engine::{Engine, NoteEnds};
use ictus::engine::{GroupOut, Io};
use ictus::exciter::external::Input;
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{KEY_GROUPS, Param, Patch};
use ictus::voice::Voice;
use ictus::voice::fault::regions;

use super::memory::{TargetWord, VALUES, damage, words};
use super::scenario::{BLOCK, RATE_HZ, SCENARIOS, Scenario};
use crate::patches::patch;

/// Words of one part that an ordinary run tries.
const TRIED: usize = 20;
/// -1 dBFS, rounded up to a float.
const CEILING: f64 = 0.891_250_97;

/// A key whose voice is free again when the fault is injected; the next note uses it.
const BEFORE: u8 = 40;
/// The key of the damaged voice, in the first group.
const DAMAGED: u8 = 57;
/// A neighbour in the second group, one in none, and the next note, in the third.
const NEAR: u8 = 60;
const FAR: u8 = 64;
const NEXT: u8 = 69;
/// The slot of the damaged voice, and the number of slots.
const DAMAGED_SLOT: usize = 1;
const SLOTS: usize = 4;

/// The outputs of a block: the groups, and the ungrouped keys.
#[derive(Clone, PartialEq)]
struct OutputBits([[[f64; BLOCK]; 2]; KEY_GROUPS + 1]);

impl GroupOut for OutputBits {
    fn write(&mut self, group: usize, start: usize, left: &[f64], right: &[f64]) {
        for (side, sound) in self.0[group].iter_mut().zip([left, right]) {
            side[start..start + sound.len()].copy_from_slice(sound);
        }
    }
}

impl OutputBits {
    /// All but the group of the damaged voice, as bits.
    fn others(&self) -> impl Iterator<Item = u64> + '_ {
        self.0[1..].iter().flatten().flatten().map(|x| x.to_bits())
    }

    fn is_sound(&self) -> bool {
        self.0.iter().flatten().flatten().all(|x| x.is_finite() && x.abs() <= CEILING)
    }
}

fn event(key: u8, kind: EventKind) -> Event {
    Event { offset: 0, note: NoteAddress { id: None, channel: Some(0), key: Some(key) }, kind }
}

const STRUCK: EventKind = EventKind::NoteOn { velocity: 0.8 };

fn block(engine: &mut Engine, patch: &Patch, events: &[Event]) -> OutputBits {
    let (mut left, mut right) = ([0.0f32; BLOCK], [0.0f32; BLOCK]);
    let mut heard = OutputBits([[[0.0; BLOCK]; 2]; KEY_GROUPS + 1]);
    let io = Io {
        input: Input::default(),
        left: &mut left,
        right: &mut right,
        groups: Some(&mut heard),
    };
    engine.process_io(patch, events, io, &mut NoteEnds::new());
    heard.0[KEY_GROUPS] = [left, right].map(|side| side.map(f64::from));
    heard
}

fn scene(scenario: &Scenario) -> Patch {
    let mut patch = patch(scenario.settings);
    let groups = [
        (Param::Group1Low, Param::Group1High, DAMAGED),
        (Param::Group2Low, Param::Group2High, NEAR),
        (Param::Group3Low, Param::Group3High, NEXT),
    ];
    for (low, high, key) in groups {
        patch.set(low, f64::from(key));
        patch.set(high, f64::from(key));
    }
    patch
}

/// Voices in the middle of a scenario: a free one, the one to damage, and two neighbours.
fn begin(engine: &mut Engine, patch: &Patch, samples: usize) -> Vec<Voice> {
    let mut events = vec![BEFORE, DAMAGED, NEAR, FAR]
        .into_iter()
        .map(|key| event(key, STRUCK))
        .collect::<Vec<_>>();
    for _ in 0..samples.div_ceil(BLOCK) {
        block(engine, patch, &events);
        events.clear();
    }
    let mut slots = copies(engine);
    assert!(
        slots
            .iter()
            .zip([BEFORE, DAMAGED, NEAR, FAR])
            .all(|(voice, key)| voice.key() == key && voice.is_playing())
    );
    // A voice that has never played has empty caches: all it copies comes from the damaged voice.
    slots[..1].swap_with_slice(&mut unplayed());
    slots
}

// Each in a frame of its own: a voice takes half a megabyte of stack, several times in debug
// builds, and a test's thread has two.
#[inline(never)]
fn copies(engine: &mut Engine) -> Vec<Voice> {
    voices(engine, SLOTS).to_vec()
}

#[inline(never)]
fn unplayed() -> Vec<Voice> {
    let mut voices = vec![Voice::new()];
    voices[0].prepare(RATE_HZ);
    voices
}

/// Plays four blocks after the fault was injected; the next note begins in the second.
fn play(engine: &mut Engine, patch: &Patch) -> [OutputBits; 4] {
    let next = [event(NEXT, STRUCK)];
    [&[][..], &next, &[], &[]].map(|events| block(engine, patch, events))
}

/// The first error, if any.
fn fault(heard: &[OutputBits; 4], well: &[OutputBits; 4]) -> Option<String> {
    heard.iter().zip(well).enumerate().find_map(|(n, (heard, well))| {
        if !heard.is_sound() {
            return Some(format!("block {n}: the output is non-finite or above the ceiling"));
        }
        let is_alike = |group: usize| heard.0[group] == well.0[group];
        (!heard.others().eq(well.others())).then(|| {
            let others = [("near", 1), ("next", 2), ("far", KEY_GROUPS)];
            let harmed: Vec<_> = others
                .iter()
                .filter(|(_, group)| !is_alike(*group))
                .map(|(name, _)| *name)
                .collect();
            format!("block {n}: others sound otherwise: {harmed:?}")
        })
    })
}

#[test]
fn nan_in_a_voice_is_not_heard_in_its_neighbours() {
    let mut faults = Vec::new();
    let under_way = TargetWord::new();
    for scenario in SCENARIOS.iter().filter(|scenario| scenario.is_tried()) {
        let patch = scene(scenario);
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        install_surface(&mut engine, &patch, None);
        let mut slots = begin(&mut engine, &patch, scenario.samples);
        slot(&mut engine, &slots, DAMAGED_SLOT);
        let well = play(&mut engine, &patch);
        let sounds = |group: usize| {
            well.iter().any(|heard| heard.0[group].iter().flatten().any(|x| *x != 0.0))
        };
        assert!([0, 1, 2, KEY_GROUPS].into_iter().all(sounds), "{}: silent", scenario.name);
        slot(&mut engine, &slots, DAMAGED_SLOT);
        assert!(play(&mut engine, &patch) == well, "{}: an engine remembers", scenario.name);
        let words = words(&mut slots[DAMAGED_SLOT], TRIED);
        println!("{}: {} words", scenario.name, words.len());
        for word in words {
            under_way.is_at(word);
            for value in VALUES {
                slot(&mut engine, &slots, DAMAGED_SLOT);
                damage(&mut voices(&mut engine, SLOTS)[DAMAGED_SLOT], word, value);
                let heard = catch_unwind(AssertUnwindSafe(|| play(&mut engine, &patch)));
                let what =
                    heard.map_or_else(|_| Some("it panics".into()), |heard| fault(&heard, &well));
                if let Some(what) = what {
                    let part = regions(&mut slots[DAMAGED_SLOT])[word.0].name;
                    faults.push(format!("{}: {part} + {}: {value}: {what}", scenario.name, word.1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Verifies that the comparison can fail: a change in a neighbour is heard.
#[test]
fn a_change_in_a_neighbour_is_detected() {
    let patch = scene(&SCENARIOS[1]);
    let mut engine = Engine::new();
    engine.prepare(RATE_HZ);
    let slots = begin(&mut engine, &patch, SCENARIOS[1].samples);
    slot(&mut engine, &slots, DAMAGED_SLOT);
    let well = play(&mut engine, &patch);
    slot(&mut engine, &slots, DAMAGED_SLOT);
    ictus::voice::fault::put_nan(&mut voices(&mut engine, SLOTS)[DAMAGED_SLOT + 1]);
    let what = fault(&play(&mut engine, &patch), &well).expect("the neighbour is lost");
    assert_eq!(what, "block 0: others sound otherwise: [\"near\"]");
    let is_lost = voices(&mut engine, SLOTS)[DAMAGED_SLOT + 1].note().is_none();
    assert!(is_lost, "within the block");
}
