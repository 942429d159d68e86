//! What the benches share: the engine under a steady load, a ringing bank, and a clock.

use std::hint::black_box;
use std::sync::Arc;

use ictus::body::material::Damping;
use ictus::body::shape::bar;
use ictus::body::{Bank, Drive, Kernel, Listening, Modes, Point, Steps};
use ictus::contact::Surface;
use ictus::engine::{Engine, NoteEnds};
use ictus::exciter::surface::{Feeler, Recipe, SurfaceTable};
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};
use ictus::tuning::{Keyboard, ScalaScale, Tuning};
use ictus::voice::events::ContactEventKind;

/// Sample rate of every figure, Hz.
pub const RATE_HZ: f64 = 48_000.0;
/// Samples per block.
pub const BLOCK: usize = 64;

/// Highest pitch at which a bar has 64 modes below the band limit at [`RATE_HZ`], Hz.
const LOW_HZ: f64 = 11.5;

/// An engine that plays a gesture on a number of keys.
pub struct BenchEngine {
    engine: Engine,
    patch: Patch,
    gesture: &'static Gesture,
    voices: usize,
    /// Whether all keys are played in the first block.
    at_once: bool,
    block: usize,
    left: [f32; BLOCK],
    right: [f32; BLOCK],
    ends: NoteEnds,
}

/// Activity in a block.
#[derive(Clone, Copy, Default)]
pub struct Played {
    /// Active voices at its end.
    pub voices: usize,
    /// Total time of the contacts that ended in it, s.
    pub contact_s: f64,
}

impl BenchEngine {
    /// A gesture on `voices` keys, with additional settings.
    pub fn new(
        gesture: &'static Gesture,
        voices: usize,
        more: &[(&str, &str)],
        at_once: bool,
    ) -> Self {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        engine.set_tuning(&low());
        if gesture.held {
            // Only held gestures need a surface, and building it takes time.
            let table =
                SurfaceTable::build(&Recipe::default(), &Feeler { radius_m: 0.01, patch_m: 5e-5 });
            assert!(engine.set_surface(Arc::new(table)).is_ok());
        }
        let voices_text = voices.to_string();
        let mut patch = Patch::default();
        for (id, text) in
            gesture.settings.iter().chain(more).chain(&[("voices", voices_text.as_str())])
        {
            let param = Param::from_id(id).unwrap_or_else(|| panic!("{id}"));
            patch.set(param, param.spec().parse_si(text).unwrap_or_else(|| panic!("{id} {text}")));
        }
        let (left, right) = ([0.0; BLOCK], [0.0; BLOCK]);
        Self {
            engine,
            patch,
            gesture,
            voices,
            at_once,
            block: 0,
            left,
            right,
            ends: NoteEnds::new(),
        }
    }

    /// The notes of the next block.
    pub fn events(&self) -> Vec<Event> {
        let Gesture { period, held, .. } = *self.gesture;
        let is_due = |voice: &usize| {
            let first = if self.at_once { 0 } else { voice * period / self.voices };
            if held { self.block == first } else { self.block % period == first }
        };
        let on = |voice: usize| Event {
            // Spread over the block.
            offset: if self.at_once { 0 } else { voice * 29 % BLOCK },
            note: NoteAddress { id: None, channel: Some(0), key: Some(voice as u8) },
            kind: EventKind::NoteOn { velocity: 0.8 },
        };
        let mut events: Vec<_> = (0..self.voices).filter(is_due).map(on).collect();
        events.sort_by_key(|event| event.offset);
        events
    }

    /// Plays one block.
    pub fn play(&mut self, events: &[Event]) {
        self.ends.clear();
        let status = self.engine.process(
            &self.patch,
            events,
            &mut self.left,
            &mut self.right,
            &mut self.ends,
        );
        black_box((status, &self.left, &self.right));
        self.block += 1;
    }

    /// Activity in the last block.
    pub fn played(&mut self) -> Played {
        let contact = |what: &ContactEventKind| {
            if let ContactEventKind::Contact(contact) = what { contact.duration_s } else { 0.0 }
        };
        let contact_s = self
            .engine
            .contact_events()
            .iter()
            .map(|contact_event| contact(&contact_event.what))
            .sum();
        let voices = self.engine.process(&self.patch, &[], &mut [], &mut [], &mut self.ends).voices;
        Played { voices, contact_s }
    }
}

/// A tuning in which a bar has 64 modes at every key.
fn low() -> Tuning {
    let scale = ScalaScale::parse("low\n1\n10.0\n").expect("a scale of one step");
    let keys = Keyboard::parse(&format!("0\n0\n127\n63\n63\n{LOW_HZ}\n0\n")).expect("a keyboard");
    Tuning::new(&scale, &keys).expect("every key has a pitch")
}

/// A gesture and its repetition.
pub struct Gesture {
    /// Name in the table.
    pub name: &'static str,
    /// Settings that differ from the default.
    pub settings: &'static [(&'static str, &'static str)],
    /// Blocks between two notes of a key.
    pub period: usize,
    /// Whether the key is played once and held.
    pub held: bool,
}

const fn played(
    name: &'static str,
    settings: &'static [(&'static str, &'static str)],
    period: usize,
) -> Gesture {
    Gesture { name, settings, period, held: false }
}

const fn held(name: &'static str, settings: &'static [(&'static str, &'static str)]) -> Gesture {
    Gesture { name, settings, period: TENTH, held: true }
}

/// Blocks of 64 samples in a tenth and in half a second at 48 kHz.
const TENTH: usize = 75;
const HALF: usize = 375;

/// All gestures.
pub static GESTURES: [Gesture; 8] = [
    played("strike", &[], TENTH),
    played("strike, two-way", &[("coupl", "Two-way")], TENTH),
    // Contacts of 2 ms every 20 ms.
    played(
        "strike, two-way, a tenth in contact",
        &[("coupl", "Two-way"), ("hard", "33 %")],
        TENTH / 5,
    ),
    played("bounce", &[("gest", "Bounce"), ("first", "On the note")], HALF),
    held("roll", &[("gest", "Roll")]),
    held("scrape", &[("gest", "Scrape")]),
    played("tumble", &[("gest", "Tumble"), ("first", "On the note")], HALF),
    played("chain", &[("gest", "Chain"), ("first", "On the note")], HALF),
];

/// A struck bar with exactly `count` modes below the band limit, and its bank.
///
/// It hardly decays, so that all modes stay active.
pub fn ringing(kernel: Kernel, count: usize) -> (Modes, Bank) {
    let mut modes = Modes::default();
    modes.kernel = kernel;
    let damping = Damping { support_per_s: 1e-3, loss_factor: 0.0, viscous_s: 0.0 };
    let listening = Listening { left: Point::along(0.1), right: Point::along(0.8) };
    modes.set(0.4485 * RATE_HZ / bar::ratio(count - 1), &damping, listening, RATE_HZ);
    modes.arrive();
    assert_eq!(modes.len, count);
    let mut drive = Drive::default();
    drive.set_gains(&modes.drive_gains(0.07, 1.0));
    drive.begin_sample();
    drive.on(&modes, &mut Steps::default()).push(1e6, 1.0 / RATE_HZ);
    let mut bank = Bank::default();
    bank.take(&modes, &drive);
    (modes, bank)
}

/// Processor time of this thread, ns.
#[cfg(unix)]
pub fn now_ns() -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::ThreadCPUTime);
    1e9 * now.tv_sec as f64 + now.tv_nsec as f64
}

/// Wall-clock time, ns.
#[cfg(not(unix))]
pub fn now_ns() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as f64
}

/// Shortest cost of reading the clock, ns.
pub fn clock_cost_ns() -> f64 {
    let ask = || {
        let start = now_ns();
        now_ns() - start
    };
    (0..10_000).map(|_| ask()).fold(f64::MAX, f64::min)
}
