//! After `prepare` the engine neither allocates nor frees memory, whatever is played or changed, in
//! blocks of any size. An allocator may take a lock or a page fault, and the sound card does not
//! wait.
//!
//! The guard aborts the process at the first allocation. A child process that allocates on purpose
//! verifies this.

use assert_no_alloc::assert_no_alloc;
use ictus::body::material::Material;
use ictus::body::{BodyKind, Geometry, Listening, Modes, Point, UserModes};
use ictus::contact::ContactSettings;
use ictus::engine::Io;
use ictus::engine::{Engine, NoteEnds};
use ictus::exciter::external::Input;
use ictus::levelling::ReferenceBlow;
use ictus::params::event::{Event, EventQueue, NoteAddress};
use ictus::params::{Param, Patch};
use ictus::tuning::{Keyboard, ScalaScale, Tuning};

use crate::storm::{next, some_kind};

/// Set in the child process that allocates on purpose.
const CHILD: &str = "ICTUS_TEST_ALLOCATES";

fn some_event(state: &mut u64, block: usize) -> Event {
    let note = NoteAddress {
        id: next(state).is_multiple_of(2).then_some((next(state) % 50) as i32),
        channel: Some((next(state) % 16) as u8),
        key: Some((next(state) % 128) as u8),
    };
    let kind = some_kind(state);
    Event { offset: next(state) as usize % block, note, kind }
}

#[test]
fn a_storm_of_notes_and_settings_allocates_nothing() {
    let mut state = 1;
    let mut heard = 0.0f32;
    let keys = Keyboard::parse("2\n0\n127\n60\n60\n261.6\n1\n0\nx\n").unwrap();
    let white = Tuning::new(&ScalaScale::default(), &keys).unwrap();
    for rate in [8000.0, 48_000.0, 192_000.0] {
        for block in [1, 17, 512, 8192] {
            let mut engine = Engine::new();
            let mut patch = Patch::default();
            let (mut left, mut right, mut input) =
                (vec![0.0; block], vec![0.0; block], vec![0.0; block]);
            let (mut queue, mut ends) = (EventQueue::default(), NoteEnds::new());
            engine.prepare(rate);
            for _ in 0..(24_000 / block).clamp(4, 2000) {
                let status = assert_no_alloc(|| {
                    queue.clear();
                    // Sometimes more than fits: the queue must refuse, not grow.
                    let count = if next(&mut state).is_multiple_of(50) {
                        600
                    } else {
                        next(&mut state) % 4
                    };
                    for _ in 0..count {
                        let _ = queue.push(some_event(&mut state, block));
                    }
                    let param = Param::ALL[next(&mut state) as usize % Param::COUNT];
                    patch.set_stored(
                        param,
                        param.spec().position_to_stored((next(&mut state) % 1001) as f64 / 1000.0),
                    );
                    ends.clear();
                    input
                        .iter_mut()
                        .for_each(|x| *x = (next(&mut state) % 2001) as f32 / 1000.0 - 1.0);
                    engine.set_tuning(if next(&mut state).is_multiple_of(2) {
                        &Tuning::EQUAL
                    } else {
                        &white
                    });
                    let from = Input { left: &input, right: &input };
                    let io = Io { input: from, left: &mut left, right: &mut right, groups: None };
                    // With recording for the editor at times.
                    engine.watch(state & 0x300 != 0);
                    let status = engine.process_io(&patch, queue.as_slice(), io, &mut ends);
                    std::hint::black_box(engine.snapshot());
                    status
                });
                heard = heard.max(status.peak[0]);
            }
            assert_no_alloc(|| engine.reset());
        }
    }
    assert!(heard > 0.1, "nothing was played");
}

#[test]
fn the_guard_catches_an_allocation() {
    if std::env::var_os(CHILD).is_some() {
        assert_no_alloc(|| std::hint::black_box(vec![0u8; 64]));
        return;
    }
    let itself = std::env::current_exe().expect("this program has a file");
    let child = std::process::Command::new(itself)
        .args(["--exact", "no_alloc::the_guard_catches_an_allocation"])
        .env(CHILD, "1")
        .output()
        .expect("it starts");
    assert_eq!(child.status.success(), !cfg!(debug_assertions), "{child:?}");
}

#[test]
fn changing_bodies_allocates_nothing() {
    let mut modes = Modes::default();
    let user = UserModes::default();
    let damping = Material::ALL[0].damping;
    let mut gains = 0.0;
    assert_no_alloc(|| {
        for kind in BodyKind::ALL {
            for n in 0..20 {
                let t = f64::from(n) / 20.0;
                let geometry =
                    Geometry { aspect: 1.0 + 1.5 * t, split: 0.02 * t, ..Geometry::of(kind) };
                modes.set_body(&geometry, &user);
                let listening =
                    Listening { left: Point::new(t, 1.0 - t), right: Point::new(1.0 - t, t) };
                modes.set(100.0 + 1000.0 * t, &damping, listening, 48_000.0);
                let point = Point::new(t, t);
                let contact = ContactSettings::default();
                gains +=
                    ReferenceBlow::new(&contact, 3.0 + t, 0.4, point, n % 2 == 0).gain(&mut modes);
                gains += modes.drive_gains(point, 0.4)[0];
            }
        }
    });
    assert!(gains.is_finite());
}
