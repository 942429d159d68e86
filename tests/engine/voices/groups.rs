//! Keys that choke each other.

use super::common::{NONE, note, on, patch, play};
use ictus::params::Param;

#[test]
fn a_key_ends_the_others_of_its_group_and_no_more() {
    let group = |low: f64, high: f64, chokes: f64| {
        patch(&[(Param::Group2Low, low), (Param::Group2High, high), (Param::Group2Chokes, chokes)])
    };
    let events = [
        on(0, note(1, 42), 0.8),
        on(0, note(2, 46), 0.8),
        on(0, note(3, 50), 0.8),
        on(4800, note(4, 44), 0.8),
    ];
    let choked = play(&group(42.0, 46.0, 1.0), &events, 9600);
    // The second ended the first, and the fourth the second.
    assert_eq!(choked.ended(), [1, 2]);
    assert!(
        choked.ends.iter().all(|(offset, _)| offset % 4800 < 250),
        "within 5 ms: {:?}",
        choked.ends
    );
    assert_eq!(choked.voices, 2);
    assert_eq!(
        play(&group(46.0, 42.0, 1.0), &events, 9600).ended(),
        [1, 2],
        "entered the wrong way round"
    );
    assert_eq!(play(&group(42.0, 46.0, 0.0), &events, 9600).ended(), NONE, "not switched on");
    assert_eq!(play(&patch(&[]), &events, 9600).ended(), NONE);
}

#[test]
fn a_key_does_not_end_itself() {
    let patch = patch(&[
        (Param::Group4Low, 40.0),
        (Param::Group4High, 50.0),
        (Param::Group4Chokes, 1.0),
        (Param::Restrike, 1.0),
    ]);
    let twice = [on(0, note(1, 45), 0.8), on(4800, note(2, 45), 0.8)];
    assert_eq!(play(&patch, &twice, 9600).voices, 2);
}
