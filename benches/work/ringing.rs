//! The bank alone, and one voice that is struck.

use std::hint::black_box;

use ictus::body::{Kernel, UserModes};
use ictus::event::NoteAddress;
use ictus::gesture::Blow;
use ictus::patch::Patch;
use ictus::tuning::Tuning;
use ictus::voice::happening::Happenings;
use ictus::voice::{Voice, World};

use crate::Work;
use ictus_bench::ringing::ringing;
use ictus_bench::stage::{BLOCK, RATE_HZ};

const MODES: usize = 64;
/// Blocks of a bank's ringing.
const BANK_BLOCKS: usize = 1000;
/// Blocks of a voice: a tenth of a second, and a blow at their beginning.
const VOICE_BLOCKS: usize = 75;
/// A bar of this key has 64 modes below the top of the band.
const KEY: u8 = 6;

/// What can be counted here.
pub fn names() -> Vec<String> {
    ["bank portable", "bank best", "voice"].map(String::from).to_vec()
}

/// The work of this name.
pub fn set_up(name: &str) -> Work {
    match name {
        "bank portable" => bank(Kernel::portable()),
        "bank best" => bank(Kernel::best()),
        _ => voice(),
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

fn voice() -> Work {
    let (patch, list) = (Patch::default(), UserModes::default());
    let mut voice = Voice::new();
    voice.prepare(RATE_HZ);
    let mut told = Happenings::new();
    Box::new(move || {
        let world = World {
            patch: &patch,
            table: None,
            list: &list,
            list_number: 0,
            tuning: &Tuning::EQUAL,
            forces_n: &[],
            tempo_bpm: 120.0,
        };
        voice.begin(NoteAddress { id: None, channel: Some(0), key: Some(KEY) }, KEY, &world);
        voice.strike(&Blow::of_note(&patch, &patch.scale(), 0.8, 0), &patch);
        let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
        for _ in 0..VOICE_BLOCKS {
            black_box(voice.process(&world, &mut left, &mut right, &mut told));
        }
    })
}
