//! A phrase that uses every parameter, played on the engine with a patch of the editor.

use ictus::cli::render::install_surface;
use ictus::engine::Io;
use ictus::engine::{Engine, NoteEnds};
use ictus::exciter::external::Input;
use ictus::params::Patch;
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::voice::events::{ContactEventKind, FinishedContact};

use crate::host::TestEditor;

const RATE_HZ: f64 = 48_000.0;
const LENGTH: usize = 36_000;
/// Channel of the second note: with MPE each note has its own.
const CHANNEL: u8 = 1;

/// One engine for all: building it takes longer than many a note.
pub struct Player {
    engine: Engine,
}

impl Player {
    pub fn new() -> Self {
        let mut engine = Engine::new();
        engine.prepare(RATE_HZ);
        Self { engine }
    }

    /// A bent key struck twice, its neighbour, all released, and two external impulses.
    pub fn play(&mut self, patch: &Patch) -> Vec<f32> {
        self.engine.reset();
        // Removes the surfaces of former patches, as the plug-in's worker would.
        while self.engine.take_retired_surface().is_some() {}
        install_surface(&mut self.engine, patch, None);
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

/// Largest difference of two sounds, relative to the peak of the louder one.
pub fn difference(a: &[f32], b: &[f32]) -> f32 {
    let peak = a.iter().chain(b).fold(0.0f32, |peak, x| peak.max(x.abs()));
    let most = a.iter().zip(b).fold(0.0f32, |most, (a, b)| most.max((a - b).abs()));
    if peak > 0.0 { most / peak } else { 0.0 }
}

/// Notes that ring while the editor shows them.
pub struct RingingEngine {
    engine: Box<Engine>,
    patch: Patch,
    /// Contacts that the engine reported.
    pub reported: Vec<FinishedContact>,
}

impl RingingEngine {
    /// The editor's sound, struck on some keys.
    pub fn new(editor: &TestEditor, keys: &[u8]) -> Self {
        let (mut engine, patch) = (Box::new(Engine::new()), editor.params.sound().patch);
        engine.prepare(RATE_HZ);
        engine.watch(true);
        install_surface(&mut engine, &patch, None);
        let note = |key| NoteAddress { id: None, channel: Some(0), key: Some(key) };
        let on = |key: &u8| Event {
            offset: 0,
            note: note(*key),
            kind: EventKind::NoteOn { velocity: 0.8 },
        };
        let events: Vec<_> = keys.iter().map(on).collect();
        engine.process(&patch, &events, &mut [0.0; 8], &mut [0.0; 8], &mut NoteEnds::new());
        let mut ringing = Self { engine, patch, reported: Vec::new() };
        ringing.collect_contacts(editor);
        ringing
    }

    /// Continues to play, and applies requests and updates meters as the plug-in does. Returns the
    /// peak.
    pub fn pass(&mut self, editor: &TestEditor, samples: usize) -> f32 {
        let (mut left, mut right) = (vec![0.0; samples], vec![0.0; samples]);
        let choke = Event { offset: 0, note: NoteAddress::default(), kind: EventKind::Choke };
        let events: Vec<_> =
            editor.telemetry.take_silence_request().then_some(choke).into_iter().collect();
        let status =
            self.engine.process(&self.patch, &events, &mut left, &mut right, &mut NoteEnds::new());
        editor.telemetry.report(&status);
        self.collect_contacts(editor);
        editor.telemetry.publish_snapshot(self.engine.snapshot());
        left.iter().chain(&right).fold(0.0, |peak: f32, x| peak.max(x.abs()))
    }

    fn collect_contacts(&mut self, editor: &TestEditor) {
        editor.telemetry.report_contacts(self.engine.contact_events());
        let contacts = self.engine.contact_events().iter().filter_map(|contact_event| {
            match contact_event.what {
                ContactEventKind::Contact(contact) => Some(contact),
                ContactEventKind::Rest => None,
            }
        });
        self.reported.extend(contacts);
    }
}
