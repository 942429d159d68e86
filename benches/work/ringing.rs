//! The bank alone, and a struck voice.

use std::hint::black_box;

use ictus::body::{Kernel, UserModes};
use ictus::exciter::Blow;
use ictus::params::Patch;
use ictus::params::event::NoteAddress;
use ictus::tuning::Tuning;
use ictus::voice::events::ContactEvents;
use ictus::voice::{Voice, VoiceContext};
use ictus_bench::{BLOCK, RATE_HZ, ringing};

use crate::Work;

const MODES: usize = 64;
/// Counted blocks of the bank.
const BANK_BLOCKS: usize = 1000;
/// Counted blocks of a voice: a tenth of a second after a strike.
const VOICE_BLOCKS: usize = 75;
/// Key at which a bar has 64 modes.
const KEY: u8 = 6;

/// Blocks before the counted tenth of a second of a ring-down. The later ones may cost at most 1.2
/// times the loud one (`cargo xtask bench --gate`).
const RING_DOWN: [(&str, usize); 3] =
    [("ring-down, loud", 75), ("ring-down, after 1 s", 750), ("ring-down, after 5 s", 3750)];

/// Names of the work in this file.
pub fn names() -> Vec<String> {
    ["bank portable", "bank best", "voice"]
        .into_iter()
        .map(String::from)
        .chain(RING_DOWN.map(|(name, _)| name.into()))
        .collect()
}

/// Sets up the work with this name.
pub fn set_up(name: &str) -> Work {
    match name {
        "bank portable" => bank(Kernel::portable()),
        "bank best" => bank(Kernel::best()),
        "voice" => voice(),
        _ => ring_down(
            RING_DOWN.into_iter().find(|(known, _)| *known == name).expect("a known name").1,
        ),
    }
}

fn bank(kernel: Kernel) -> Work {
    let (mut modes, mut bank) = ringing(kernel, MODES);
    Box::new(move || {
        let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
        for _ in 0..BANK_BLOCKS {
            bank.process(&mut modes, &mut left, &mut right);
            black_box((&left, &right));
        }
    })
}

/// A voice with its context.
struct Played {
    patch: Patch,
    list: UserModes,
    voice: Voice,
    reported: ContactEvents,
}

impl Played {
    fn new() -> Self {
        let mut voice = Voice::new();
        voice.prepare(RATE_HZ);
        Self {
            patch: Patch::default(),
            list: UserModes::default(),
            voice,
            reported: ContactEvents::new(),
        }
    }

    fn play(&mut self, is_struck: bool, blocks: usize) {
        let Self { patch, list, voice, reported } = self;
        let context = VoiceContext {
            patch,
            knobs: patch,
            table: None,
            list,
            list_number: 0,
            tuning: &Tuning::EQUAL,
            forces_n: &[],
            tempo_bpm: 120.0,
        };
        if is_struck {
            voice.begin(NoteAddress { id: None, channel: Some(0), key: Some(KEY) }, KEY, &context);
            voice.strike(&Blow::of_note(patch, &patch.scale(), 0.8, 0), patch);
        }
        let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
        for _ in 0..blocks {
            black_box(voice.process(&context, &mut left, &mut right, reported));
        }
    }
}

fn voice() -> Work {
    let mut played = Played::new();
    Box::new(move || played.play(true, VOICE_BLOCKS))
}

fn ring_down(before: usize) -> Work {
    let mut played = Played::new();
    played.play(true, before);
    Box::new(move || played.play(false, VOICE_BLOCKS))
}
