//! Cost of a whole voice: contact, control, bank.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

use ictus::body::UserModes;
use ictus::exciter::Blow;
use ictus::params::Patch;
use ictus::params::event::NoteAddress;
use ictus::voice::events::ContactEvents;
use ictus::voice::{Voice, VoiceContext};

use crate::{BLOCK, RATE_HZ};

/// Key at which a bar has 64 modes at 48 kHz.
const KEY: u8 = 6;
const MODES: usize = 64;
const EVERY_SAMPLES: usize = RATE_HZ as usize / 10;
/// Blocks of a part of a ring-down that is timed as a whole.
const PIECE: usize = 64;
const PIECES: usize = 400;

fn context(patch: &Patch) -> VoiceContext<'_> {
    static LIST: LazyLock<UserModes> = LazyLock::new(UserModes::default);
    VoiceContext {
        patch,
        knobs: patch,
        table: None,
        list: &LIST,
        list_number: 0,
        tuning: &ictus::tuning::Tuning::EQUAL,
        forces_n: &[],
        tempo_bpm: 120.0,
    }
}

fn voice(patch: &Patch) -> Voice {
    let mut voice = Voice::new();
    voice.prepare(RATE_HZ);
    voice.begin(NoteAddress { id: None, channel: Some(0), key: Some(KEY) }, KEY, &context(patch));
    voice
}

/// Prints the cost of a struck voice, and of its ring-down.
pub fn print() {
    let patch = Patch::default();
    let blow = Blow::of_note(&patch, &patch.scale(), 0.8, 0);
    let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
    // Never drained: it fills up once.
    let mut reported = ContactEvents::new();

    let mut struck = voice(&patch);
    let ns = crate::shortest(|| {
        struck.strike(&blow, &patch);
        for _ in 0..EVERY_SAMPLES / BLOCK {
            black_box(struck.process(&context(&patch), &mut left, &mut right, &mut reported));
        }
    });
    let samples = EVERY_SAMPLES / BLOCK * BLOCK;
    println!("\n### A voice of {MODES} modes\n\n| | ns per mode and sample |\n|---|---|");
    println!("| struck every 100 ms | {:.3} |", ns / (samples * MODES) as f64);

    let mut times = [f64::MAX; PIECES];
    for _ in 0..20 {
        let mut voice = voice(&patch);
        voice.strike(&blow, &patch);
        // The contact is not measured.
        for _ in 0..PIECE {
            voice.process(&context(&patch), &mut left, &mut right, &mut reported);
        }
        for time in &mut times {
            let start = Instant::now();
            for _ in 0..PIECE {
                black_box(voice.process(&context(&patch), &mut left, &mut right, &mut reported));
            }
            *time = time.min(start.elapsed().as_nanos() as f64);
        }
    }
    let most = times.iter().fold(0.0f64, |most, time| most.max(*time));
    let per = |ns: f64| ns / (PIECE * BLOCK * MODES) as f64;
    println!("| between blows: bank, control, mixing | {:.3} |", per(times[0]));
    let seconds = (PIECES * PIECE * BLOCK) as f64 / RATE_HZ;
    println!(
        "| most expensive 85 ms of {seconds:.0} s of ringing down | {:.3} ({:.2} of loud) |",
        per(most),
        most / times[0]
    );
}
