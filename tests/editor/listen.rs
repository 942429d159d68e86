//! A phrase in which everything has its turn, played on the engine with a patch of the editor's.

use ictus::engine::io::Io;
use ictus::engine::{Engine, NoteEnds};
use ictus::event::{Event, EventKind, NoteAddress};
use ictus::external::Input;
use ictus::patch::Patch;
use ictus::surfaces;
use ictus::voice::happening::{Contact, What};

use crate::host::Desk;

const RATE_HZ: f64 = 48_000.0;
const LENGTH: usize = 36_000;
/// Of the second one: with MPE the notes' own.
const CHANNEL: u8 = 1;

/// One engine for all: making it takes longer than many a note.
pub struct Player {
    engine: Engine,
}

impl Player {
    pub fn new() -> Self {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        Self { engine }
    }

    /// A bent key struck twice, its neighbour, all let go, and two knocks from outside.
    pub fn play(&mut self, patch: &Patch) -> Vec<f32> {
        self.engine.reset();
        // Nobody else takes away the surfaces of the patches before.
        while self.engine.take_retired_surface().is_some() {}
        surfaces::furnish(&mut self.engine, patch, None);
        let at = |offset: usize, key: Option<u8>, kind: EventKind| Event {
            offset,
            note: NoteAddress { id: None, channel: Some(CHANNEL), key },
            kind,
        };
        let on = |velocity| EventKind::NoteOn { velocity };
        let events = [
            at(0, None, EventKind::Bend { value: 0.4 }),
            at(0, Some(62), on(0.6)),
            at(7_000, Some(62), on(0.5)),
            at(11_000, Some(63), on(0.7)),
            at(17_000, Some(62), EventKind::NoteOff),
            at(17_000, Some(63), EventKind::NoteOff),
        ];
        let mut knocks = vec![0.0f32; LENGTH];
        for (start, level) in [(2_000, 0.5f32), (6_000, 0.3)] {
            for (i, x) in knocks[start..start + 400].iter_mut().enumerate() {
                *x = level * (1.0 - i as f32 / 400.0) * if i % 48 < 24 { 1.0 } else { -1.0 };
            }
        }
        let (mut left, mut right) = (vec![0.0; LENGTH], vec![0.0; LENGTH]);
        let input = Input { left: &knocks, right: &knocks };
        let io = Io { input, left: &mut left, right: &mut right, groups: None };
        self.engine.process_io(patch, &events, io, &mut NoteEnds::new());
        left.extend(right);
        left
    }
}

/// By how much two sounds differ at most, in units of the louder one's peak.
pub fn difference(a: &[f32], b: &[f32]) -> f32 {
    let peak = a.iter().chain(b).fold(0.0f32, |peak, x| peak.max(x.abs()));
    let most = a.iter().zip(b).fold(0.0f32, |most, (a, b)| most.max((a - b).abs()));
    if peak > 0.0 { most / peak } else { 0.0 }
}

/// Notes that ring while the editor looks on.
pub struct Ringing {
    engine: Box<Engine>,
    patch: Patch,
    /// Contacts that the engine told of.
    pub told: Vec<Contact>,
}

impl Ringing {
    /// The editor's sound, struck on some keys.
    pub fn new(desk: &Desk, keys: &[u8]) -> Self {
        let (mut engine, patch) = (Box::new(Engine::new()), desk.params.sound().patch);
        engine.prepare(RATE_HZ);
        engine.watch(true);
        surfaces::furnish(&mut engine, &patch, None);
        let note = |key| NoteAddress { id: None, channel: Some(0), key: Some(key) };
        let on = |key: &u8| Event { offset: 0, note: note(*key), kind: EventKind::NoteOn { velocity: 0.8 } };
        let events: Vec<_> = keys.iter().map(on).collect();
        engine.process(&patch, &events, &mut [0.0; 8], &mut [0.0; 8], &mut NoteEnds::new());
        let mut ringing = Self { engine, patch, told: Vec::new() };
        ringing.tell(desk);
        ringing
    }

    /// Play on, obey and show it as the plug-in does; how loud it was at most.
    pub fn pass(&mut self, desk: &Desk, samples: usize) -> f32 {
        let (mut left, mut right) = (vec![0.0; samples], vec![0.0; samples]);
        let choke = Event { offset: 0, note: NoteAddress::default(), kind: EventKind::Choke };
        let events: Vec<_> = desk.telemetry.take_silence().then_some(choke).into_iter().collect();
        let status = self.engine.process(&self.patch, &events, &mut left, &mut right, &mut NoteEnds::new());
        desk.telemetry.report(&status);
        self.tell(desk);
        desk.telemetry.show(self.engine.view());
        left.iter().chain(&right).fold(0.0, |peak: f32, x| peak.max(x.abs()))
    }

    fn tell(&mut self, desk: &Desk) {
        desk.telemetry.tell(self.engine.happenings());
        let contacts = self.engine.happenings().iter().filter_map(|happening| match happening.what {
            What::Contact(contact) => Some(contact),
            What::Rest => None,
        });
        self.told.extend(contacts);
    }
}
