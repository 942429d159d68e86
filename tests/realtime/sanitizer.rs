//! The engine under RealtimeSanitizer, which stops the program at the first call that may wait:
//! memory, locks, files, clocks that are system calls. `cargo xtask rtsan` builds and runs this
//! with a nightly toolchain that has it.
//!
//! Plays every gesture, law, integrator, kind of body and coupling, with notes, pedals and changing
//! parameters.

use std::sync::Arc;

use ictus::engine::{Engine, NoteEnds, Status};
use ictus::exciter::surface::{Feeler, Recipe, SurfaceTable};
use ictus::params::event::{Event, EventKind, NoteAddress};
use ictus::params::{Param, Patch};

/// Set in the child process that waits on purpose.
const CHILD: &str = "ICTUS_TEST_WAITS";

/// Parameters of which every choice is tried.
const CHOICES: [&str; 7] = ["gest", "coupl", "law", "integ", "body", "thrown", "ballrg"];

struct Block<'a> {
    patch: &'a Patch,
    events: &'a [Event],
    left: &'a mut [f32],
    right: &'a mut [f32],
}

/// The one function that must not wait.
#[inline(never)]
#[sanitize(realtime = "nonblocking")]
fn play(engine: &mut Engine, block: Block, ends: &mut NoteEnds) -> Status {
    engine.process(block.patch, block.events, block.left, block.right, ends)
}

fn event(offset: usize, key: u8, kind: EventKind) -> Event {
    Event { offset, note: NoteAddress { id: None, channel: Some(0), key: Some(key) }, kind }
}

/// Plays some blocks of notes with these settings.
fn plays(settings: &[(Param, f64)], rate_hz: f64, table: &Arc<SurfaceTable>) -> f32 {
    let mut patch = Patch::default();
    for &(param, value) in settings {
        patch.set(param, value);
    }
    let mut engine = Engine::new();
    engine.prepare(rate_hz);
    assert!(engine.set_surface(Arc::clone(table)).is_ok());
    let (mut left, mut right, mut ends) = ([0.0; 300], [0.0; 300], NoteEnds::new());
    let mut loudest = 0.0f32;
    for block in 0..60usize {
        let key = 40 + (5 * block % 40) as u8;
        let events = [
            event(0, key, EventKind::NoteOn { velocity: 0.8 }),
            event(3, key, EventKind::Bend { value: 0.3 }),
            event(7, 40, EventKind::Controller { number: 64, value: (block % 2) as f32 }),
            event(9, 45, EventKind::NoteOff),
        ];
        // Parameters change all the time, and blocks differ in length.
        let param = Param::ALL[7 * block % Param::COUNT];
        if settings.iter().all(|(set, _)| *set != param) {
            patch.set_stored(param, param.spec().position_to_stored((block % 10) as f64 / 10.0));
        }
        let n = [1, 64, 300][block % 3];
        let events = if block % 4 == 0 { &events[..] } else { &[] };
        let events: Vec<_> = events.iter().copied().filter(|event| event.offset < n).collect();
        ends.clear();
        let block =
            Block { patch: &patch, events: &events, left: &mut left[..n], right: &mut right[..n] };
        loudest = loudest.max(play(&mut engine, block, &mut ends).peak[0]);
    }
    loudest
}

#[test]
fn the_engine_never_blocks() {
    let table = Arc::new(SurfaceTable::build(
        &Recipe::default(),
        &Feeler { radius_m: 0.01, patch_m: 5e-5 },
    ));
    let mut heard = [0; 6];
    let mut tried = 0;
    let param = |id: &str| Param::from_id(id).expect("known");
    let (gesture, coupling) = (param("gest"), param("coupl"));
    for first in CHOICES.map(param) {
        for value in 0..=first.spec().range_si().1 as usize {
            for played in 0..=gesture.spec().range_si().1 as usize {
                // Short falls, so that bodies land soon.
                let soon = [(param("height"), 2e-3), (param("first"), 1.0)];
                let all = [
                    soon[0],
                    soon[1],
                    (gesture, played as f64),
                    (coupling, (played % 2) as f64),
                    (first, value as f64),
                ];
                let rate_hz = [44_100.0, 96_000.0][value % 2];
                heard[played] += usize::from(plays(&all, rate_hz, &table) > 1e-6);
                tried += usize::from(played == 0);
            }
        }
    }
    assert!(
        heard.iter().all(|heard| 10 * heard > 9 * tried),
        "{heard:?} of {tried} of each gesture were heard"
    );
}

#[inline(never)]
#[sanitize(realtime = "nonblocking")]
fn waits() -> Vec<u8> {
    std::hint::black_box(vec![0u8; 64])
}

#[test]
fn the_sanitizer_catches_a_blocking_call() {
    if std::env::var_os(CHILD).is_some() {
        std::hint::black_box(waits());
        return;
    }
    let itself = std::env::current_exe().expect("this program has a file");
    let args = ["--exact", "sanitizer::the_sanitizer_catches_a_blocking_call"];
    let child =
        std::process::Command::new(itself).args(args).env(CHILD, "1").output().expect("it starts");
    assert!(!child.status.success(), "{child:?}");
    assert!(String::from_utf8_lossy(&child.stderr).contains("RealtimeSanitizer"), "{child:?}");
}
