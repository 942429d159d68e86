//! A number in a voice that is none: it costs at most that voice, within one block, and leaves nothing behind.
//!
//! Every word of a voice's memory that holds a float is made NaN or infinite, one at a time, while the voice is in the
//! middle of something. Words are found by what is in them: the bits of a float of ordinary size are those of no count,
//! pointer, switch or choice. In ordinary runs some hundred words of each part are tried, `ICTUS_FAULTS=all` tries all.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use assert_no_alloc::assert_no_alloc;
use ictus::body::UserModes;
use ictus::event::NoteAddress;
use ictus::gesture::surface::SurfaceTable;
use ictus::modulation::Onset;
use ictus::patch::{Param, Patch};
use ictus::surfaces::Request;
use ictus::tuning::Tuning;
use ictus::voice::fault::{put_nan, regions};
use ictus::voice::happening::Happenings;
use ictus::voice::{Voice, World};

const RATE_HZ: f64 = 48_000.0;
const BLOCK: usize = 128;
/// Words of one part that are tried in an ordinary run.
const TRIED: usize = 60;

const NOTE: NoteAddress = NoteAddress { id: None, channel: Some(0), key: Some(57) };

/// What is going on when the number breaks: settings by their texts, and samples since the note.
struct Scenario {
    name: &'static str,
    settings: &'static [(&'static str, &'static str)],
    samples: usize,
}

const SCENARIOS: [Scenario; 9] = [
    Scenario {
        name: "blow",
        settings: &[
            ("hard", "0%"),
            ("air", "30%"),
            ("lforat", "5"),
            ("s1src", "LFO"),
            ("s1dst", "Pitch"),
            ("s1amt", "10%"),
        ],
        samples: 40,
    },
    Scenario { name: "ringing", settings: &[], samples: 3000 },
    Scenario { name: "two-way blow", settings: &[("coupl", "Two-way"), ("hard", "0%")], samples: 40 },
    Scenario { name: "bounce", settings: &[("gest", "Bounce"), ("height", "0.002")], samples: 4000 },
    Scenario {
        name: "two-way bounce",
        settings: &[("gest", "Bounce"), ("coupl", "Two-way"), ("height", "0.002")],
        samples: 4000,
    },
    Scenario { name: "roll", settings: &[("gest", "Roll"), ("air", "30%")], samples: 4000 },
    Scenario {
        name: "scrape",
        settings: &[("gest", "Scrape"), ("s1src", "Envelope"), ("s1dst", "Volume"), ("s1amt", "50%")],
        samples: 4000,
    },
    Scenario { name: "tumble", settings: &[("gest", "Tumble"), ("height", "0.01")], samples: 6000 },
    Scenario {
        name: "row",
        settings: &[("gest", "Chain"), ("balls", "7"), ("swing", "Single shot"), ("hard", "20%")],
        samples: 300,
    },
];

fn patch(settings: &[(&str, &str)]) -> Patch {
    let mut patch = Patch::default();
    for (id, text) in settings {
        let param = Param::from_id(id).unwrap_or_else(|| panic!("{id}"));
        patch.set(param, param.spec().parse_si(text).unwrap_or_else(|| panic!("{id}={text}")));
    }
    patch
}

fn world<'a>(patch: &'a Patch, table: Option<&'a Arc<SurfaceTable>>, list: &'a UserModes) -> World<'a> {
    World { patch, table, list, list_number: 0, tuning: &Tuning::EQUAL, forces_n: &[], tempo_bpm: 120.0 }
}

/// Damage the word at `offset` bytes of part `part`: its exponent becomes that of what is no number.
#[allow(unsafe_code)]
fn damage(voice: &mut Voice, (part, offset): (usize, usize), value: f64) {
    let region = regions(voice)[part];
    assert!(offset + 8 <= region.bytes);
    // SAFETY: the word lies in the part, which is borrowed alone. It holds a float, or two short ones, of which all bits
    // are valid; a choice or a switch in its lower half becomes its first value.
    unsafe { region.start.add(offset).cast::<f64>().write_unaligned(value) };
}

/// Words that hold floats: part, and offset in it.
#[allow(unsafe_code)]
fn words(voice: &mut Voice) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (part, region) in regions(voice).into_iter().enumerate() {
        let is_float = |offset: &usize| {
            // SAFETY: it lies in the part. What was never written is read as it is, by a volatile read.
            let bits = unsafe { region.start.add(*offset).cast::<u64>().read_volatile() };
            // From about 1e-60 to 1e60, or a part that is one float, whatever is in it.
            region.bytes == 8 || ((bits >> 52) & 0x7ff).abs_diff(0x3ff) < 200
        };
        let mut all: Vec<usize> = (0..region.bytes / 8).map(|word| 8 * word).filter(is_float).collect();
        if std::env::var_os("ICTUS_FAULTS").is_none() {
            let step = (all.len() / TRIED).max(1);
            all = all.into_iter().step_by(step).collect();
        }
        found.extend(all.into_iter().map(|offset| (part, offset)));
    }
    found
}

/// Let a voice play some blocks; `None` if it gave what is no number, else whether it ended.
fn play(voice: &mut Voice, world: &World, samples: usize, sound: &mut Vec<f64>) -> Option<bool> {
    let mut ended = false;
    for _ in 0..samples.div_ceil(BLOCK) {
        let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
        ended |= voice.process(world, &mut left, &mut right, &mut Happenings::new()).is_some();
        if !left.iter().chain(&right).all(|x| x.is_finite()) {
            return None;
        }
        sound.extend(left.iter().chain(&right));
    }
    Some(ended)
}

/// A new note on a voice, and what is heard of it.
fn afresh(voice: &mut Voice, world: &World) -> Vec<f64> {
    let mut sound = Vec::new();
    voice.begin(NOTE, 57, world);
    voice.play(Onset { velocity: 0.8, count: 3 }, world);
    play(voice, world, 4 * BLOCK, &mut sound);
    sound
}

/// Parts that keep what was worked out for one body until there is another. What breaks there while nobody hears it may
/// sound otherwise in later notes, but it sounds; as soon as it is heard as no number the voice is made anew.
const KEPT: [&str; 3] = ["object", "level", "riders"];

/// What went wrong after one word was damaged.
fn trial(sick: &mut Voice, part: &str, world: &World, wanted: &[f64]) -> Result<(), String> {
    let mut sound = Vec::new();
    let ended = play(sick, world, 4 * BLOCK, &mut sound).ok_or("what is no number is heard")?;
    if !ended {
        if sound.iter().any(|x| x.abs() > 1e6) {
            return Err("it is loud beyond measure".into());
        }
        // What lives on can be sent off.
        sick.choke();
        let ended = play(sick, world, 4 * BLOCK, &mut sound).ok_or("what is no number is heard in the fade")?;
        if !ended {
            return Err("it cannot be sent off".into());
        }
    }
    let next = afresh(sick, world);
    let goes_on = next.len() == wanted.len() && next.iter().all(|x| x.abs() < 1e6);
    let is_like_new = next == wanted;
    if is_like_new || (goes_on && !ended && KEPT.contains(&part)) {
        Ok(())
    } else {
        Err("the next note on the voice is another".into())
    }
}

/// A number that is to change: where it does not for a minute, the process ends and says where it was.
fn watched() -> Arc<AtomicUsize> {
    let watched = Arc::new(AtomicUsize::new(usize::MAX));
    let under_way = Arc::downgrade(&watched);
    std::thread::spawn(move || {
        let mut last = usize::MAX - 1;
        while let Some(now) = under_way.upgrade().map(|now| now.load(Ordering::Relaxed)) {
            if now == last {
                eprintln!("no end at part {}, word {}", now % 1000, now / 1000);
                std::process::abort();
            }
            last = now;
            std::thread::sleep(Duration::from_secs(60));
        }
    });
    watched
}

#[test]
fn a_voice_that_is_made_anew_takes_no_memory() {
    let (patch, list) = (Patch::default(), UserModes::default());
    let world = world(&patch, None, &list);
    let mut voice = Voice::new();
    voice.prepare(RATE_HZ);
    voice.begin(NOTE, 57, &world);
    voice.play(Onset { velocity: 0.8, count: 1 }, &world);
    let (mut left, mut right, mut told) = ([0.0; BLOCK], [0.0; BLOCK], Happenings::new());
    assert!(voice.process(&world, &mut left, &mut right, &mut told).is_none());
    put_nan(&mut voice);
    let ended = assert_no_alloc(|| voice.process(&world, &mut left, &mut right, &mut told));
    assert_eq!(ended.map(|(_, note)| note), Some(NOTE));
}

#[test]
fn no_number_in_a_voice_that_breaks_harms_more_than_that_voice() {
    let list = UserModes::default();
    let mut faults = Vec::new();
    let under_way = watched();
    for scenario in &SCENARIOS {
        let patch = patch(scenario.settings);
        let table = Request::of(&patch).map(|request| request.build(None));
        let world = world(&patch, table.as_ref(), &list);
        let fresh = || {
            let mut voice = Voice::new();
            voice.prepare(RATE_HZ);
            voice
        };
        let mut voice = fresh();
        voice.begin(NOTE, 57, &world);
        voice.play(Onset { velocity: 0.8, count: 1 }, &world);
        let mut sound = Vec::new();
        assert_eq!(play(&mut voice, &world, scenario.samples, &mut sound), Some(false), "{}", scenario.name);
        assert!(sound.iter().any(|x| *x != 0.0), "{}: silent", scenario.name);
        let wanted = afresh(&mut fresh(), &world);
        assert!(wanted == afresh(&mut voice.clone(), &world), "{}: a voice remembers", scenario.name);
        let words = words(&mut voice);
        println!("{}: {} words", scenario.name, words.len());
        for word in words {
            under_way.store(1000 * word.1 + word.0, Ordering::Relaxed);
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let mut sick = voice.clone();
                damage(&mut sick, word, value);
                let part = regions(&mut voice)[word.0].name;
                let result = catch_unwind(AssertUnwindSafe(|| trial(&mut sick, part, &world, &wanted)));
                let result = result.unwrap_or_else(|_| Err("it panics".into()));
                if let Err(what) = result {
                    faults.push(format!("{}: {part} + {}: {value}: {what}", scenario.name, word.1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
