//! With all 64 voices in use, stolen, choked and struck again, nothing is allocated.

use super::common::{TestRng, choke, note, on, patch, turn};
use assert_no_alloc::assert_no_alloc;
use ictus::engine::{Engine, MAX_VOICES, NoteEnds};
use ictus::params::Param;
use ictus::params::event::Event;

#[test]
fn with_all_voices_in_use_nothing_is_allocated() {
    let mut dice = TestRng(3);
    // Strike, Bounce, Tumble, Chain; rolling needs a surface.
    for gesture in [0.0, 1.0, 4.0, 5.0] {
        let patch = patch(&[
            (Param::Voices, 64.0),
            (Param::Gesture, gesture),
            (Param::Restrike, 1.0),
            (Param::Modes, 16.0),
            (Param::FirstHit, 1.0),
        ]);
        // All at once; as many again at once; then one after the other, with all chokes and pedals.
        let mut blocks: Vec<Vec<Event>> = Vec::new();
        let mut id = 0;
        for block in 0..24 {
            let count = if block < 2 { MAX_VOICES } else { 12 };
            let mut events: Vec<_> = (0..count)
                .map(|i| {
                    id += 1;
                    on(if block < 2 { 0 } else { 10 * i }, note(id, 24 + dice.below(80) as u8), 0.7)
                })
                .collect();
            events.push(turn(128, [64, 66, 67, 120, 121, 123][block % 6], (block % 2) as f32));
            events.push(choke(128, note(id, 0)));
            blocks.push(events);
        }
        let mut engine = Engine::new();
        engine.prepare(48_000.0);
        let (mut left, mut right) = ([0.0; 256], [0.0; 256]);
        let mut ends = NoteEnds::new();
        let mut most = 0;
        for events in &blocks {
            let status = assert_no_alloc(|| {
                ends.clear();
                engine.process(&patch, events, &mut left, &mut right, &mut ends)
            });
            most = most.max(status.voices);
        }
        assert!(most >= MAX_VOICES - 2, "only {most} voices played");
    }
}
