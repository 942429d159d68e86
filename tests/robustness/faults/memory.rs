//! The words of a voice's memory that hold floats, and their damage.
//!
//! Words are found by their content: the bits of a float of ordinary size differ from those of
//! counts, pointers, switches and choices. An ordinary run tries some words of each part;
//! `ICTUS_FAULTS=all` tries all, and the name of a scenario all of that scenario.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ictus::voice::Voice;
use ictus::voice::fault::regions;

/// The values that a word is set to.
pub const VALUES: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// Part, and offset in it, bytes.
pub type Word = (usize, usize);

/// Damages a word: its exponent becomes that of NaN or infinity.
#[allow(unsafe_code)]
pub fn damage(voice: &mut Voice, (part, offset): Word, value: f64) {
    let region = regions(voice)[part];
    assert!(offset + 8 <= region.bytes);
    // SAFETY: the word lies in the part, which is borrowed mutably. It holds a float, or two short
    // ones, of which all bits are valid; a choice or a switch in its lower half becomes its first
    // value.
    unsafe { region.start.add(offset).cast::<f64>().write_unaligned(value) };
}

/// Words that hold floats; in an ordinary run at most `tried` of each part.
#[allow(unsafe_code)]
pub fn words(voice: &mut Voice, tried: usize) -> Vec<Word> {
    let mut found = Vec::new();
    for (part, region) in regions(voice).into_iter().enumerate() {
        let is_float = |offset: &usize| {
            // SAFETY: the word lies in the part. A volatile read covers bytes that were never
            // written.
            let bits = unsafe { region.start.add(*offset).cast::<u64>().read_volatile() };
            // From about 1e-60 to 1e60, or a part that is a single float, with any value.
            region.bytes == 8 || ((bits >> 52) & 0x7ff).abs_diff(0x3ff) < 200
        };
        let mut all: Vec<usize> =
            (0..region.bytes / 8).map(|word| 8 * word).filter(is_float).collect();
        if std::env::var_os("ICTUS_FAULTS").is_none() {
            let step = (all.len() / tried).max(1);
            all = all.into_iter().step_by(step).collect();
        }
        found.extend(all.into_iter().map(|offset| (part, offset)));
    }
    found
}

/// Aborts with a message if the number does not change for ten minutes.
pub struct TargetWord(Arc<AtomicUsize>);

impl TargetWord {
    pub fn new() -> Self {
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
                std::thread::sleep(Duration::from_secs(600));
            }
        });
        Self(watched)
    }

    pub fn is_at(&self, word: Word) {
        self.0.store(1000 * word.1 + word.0, Ordering::Relaxed);
    }
}
