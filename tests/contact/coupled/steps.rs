//! The number of sub-steps of contacts while the instrument is played.
//!
//! A single contact has the predicted 48. Glancing contacts, which end because the surface swings
//! back, are shorter; they, and those in a storm of notes that share a work budget, may have fewer
//! than 24. The bound is on the impulse of such contacts.

use crate::playing::{event, patch_of};
use ictus::body::BodyKind;
use ictus::engine::{Engine, NoteEnds};
use ictus::params::Patch;
use ictus::params::event::{Event, EventKind};

use ictus::voice::events::ContactEventKind;

const BLOCK: usize = 64;
/// Of 1.33 ms each at 48 kHz.
const BLOCKS: usize = 60;
const MIN_SUBSTEPS: u32 = 24;

/// Statistics of contacts with vibrating bodies: the number of contacts, how many had too few
/// sub-steps, and the impulse of all and of those, N s.
#[derive(Clone, Copy, Debug, Default)]
struct ContactStats {
    contacts: usize,
    short: usize,
    impulse_ns: f64,
    short_ns: f64,
}

impl ContactStats {
    fn with(self, other: Self) -> Self {
        Self {
            contacts: self.contacts + other.contacts,
            short: self.short + other.short,
            impulse_ns: self.impulse_ns + other.impulse_ns,
            short_ns: self.short_ns + other.short_ns,
        }
    }

    /// Share of the impulse from contacts with too few sub-steps.
    fn short_share(&self) -> f64 {
        self.short_ns / self.impulse_ns
    }
}

/// Plays events block by block from the start.
fn play(patch: &Patch, rate_hz: f64, events: &[Event]) -> ContactStats {
    let mut engine = Engine::new();
    engine.prepare(rate_hz);
    let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
    let mut ends = NoteEnds::new();
    let mut seen = ContactStats::default();
    for start in (0..BLOCKS).map(|block| block * BLOCK) {
        let now: Vec<_> = events
            .iter()
            .filter(|event| (start..start + BLOCK).contains(&event.offset))
            .map(|event| Event { offset: event.offset - start, ..*event })
            .collect();
        engine.process(patch, &now, &mut left, &mut right, &mut ends);
        ends.clear();
        for contact_event in engine.contact_events() {
            if let ContactEventKind::Contact(contact) = contact_event.what {
                let is_short = contact.steps < MIN_SUBSTEPS;
                let impulse_ns =
                    contact.mass_kg * (contact.own_in_m_per_s + contact.speed_out_m_per_s).abs();
                let short_ns = if is_short { impulse_ns } else { 0.0 };
                seen = seen.with(ContactStats {
                    contacts: 1,
                    short: usize::from(is_short),
                    impulse_ns,
                    short_ns,
                });
            }
        }
    }
    seen
}

/// A uniform number in [0, 1).
struct TestRng(u64);

impl TestRng {
    fn roll(&mut self) -> f64 {
        crate::storm::next(&mut self.0) as f64 / (1u64 << 31) as f64
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.roll() * from.len() as f64) as usize]
    }

    /// Any body of any weight, struck by any mass of any hardness.
    fn patch(&mut self) -> Patch {
        // The user's list is empty here.
        let from_law: Vec<_> =
            BodyKind::ALL.into_iter().filter(|kind| !kind.is_mode_list()).collect();
        let body = self.pick(&from_law).name();
        let hard = format!("{:.1} %", 100.0 * self.roll());
        let weight = format!("{:.4}", 10f64.powf(3.0 * self.roll() - 2.0));
        let mass = format!("{:.3} g", 10f64.powf(2.5 * self.roll() - 0.5));
        let modes = self.pick(&["8", "16", "32", "64", "128"]);
        let gesture = self.pick(&["Strike", "Strike", "Strike", "Strike", "Bounce"]);
        let law = self.pick(&["Hunt-Crossley", "Hertz-damper"]);
        let settings = [
            ("body", body),
            ("hard", &hard),
            ("weight", &weight),
            ("mass", &mass),
            ("modes", modes),
            ("gest", gesture),
            ("law", law),
            ("height", "2 cm"),
        ];
        patch_of(&[("coupl", "Two-way")], &settings)
    }

    fn note(&mut self, offset: usize, key: u8) -> Event {
        event(offset, key, EventKind::NoteOn { velocity: self.roll() as f32 })
    }
}

/// Plays `count` random patches, each with its own notes.
fn at_random(
    seed: u64,
    rate_hz: f64,
    patches: usize,
    notes: impl Fn(&mut TestRng) -> Vec<Event>,
) -> ContactStats {
    let mut dice = TestRng(seed);
    let mut all = ContactStats::default();
    for _ in 0..patches {
        let patch = dice.patch();
        all = all.with(play(&patch, rate_hz, &notes(&mut dice)));
    }
    println!("{all:?}: {:.1e} of the impulse", all.short_share());
    all
}

#[test]
fn one_blow() {
    for (rate_hz, patches, fewest) in
        [(48_000.0, 400, 1000), (44_100.0, 150, 400), (96_000.0, 150, 300), (192_000.0, 100, 130)]
    {
        let seen = at_random(7, rate_hz, patches, |dice| {
            let key = 30 + (50.0 * dice.roll()) as u8;
            vec![dice.note(0, key)]
        });
        assert!(seen.contacts > fewest && seen.short_share() < 0.01, "{rate_hz} Hz: {seen:?}");
    }
}

/// More notes than the step budget can serve at the target sub-steps.
#[test]
fn a_storm() {
    let seen = at_random(8, 48_000.0, 24, |dice| {
        let lowest = 30 + (40.0 * dice.roll()) as u8;
        (0..24).map(|n| dice.note(0, lowest + n)).collect()
    });
    assert!(seen.contacts > 1000 && seen.short_share() < 0.5, "{seen:?}");
}

/// Several strikers on one body that still rings from the first.
#[test]
fn blow_upon_blow() {
    let seen = at_random(9, 48_000.0, 60, |dice| {
        let key = 30 + (50.0 * dice.roll()) as u8;
        (0..5).map(|n| dice.note(29 * n, key)).collect()
    });
    assert!(seen.contacts > 200 && seen.short_share() < 0.05, "{seen:?}");
}
