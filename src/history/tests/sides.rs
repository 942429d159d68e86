//! Names, what is no parameter, sides and locks.

use std::sync::Arc;

use crate::body::UserModes;
use crate::history::{AbCompare, History, Locks, Side, Step, randomise};
use crate::io::presets::sound::Sound;
use crate::params::{Group, Param, Patch};

fn tuned(semitones: f64) -> Sound {
    let mut sound = Sound::default();
    sound.patch.set(Param::Tune, semitones);
    sound
}

fn listed() -> Sound {
    let mut sound = Sound::default();
    sound.extras.modes = Some(Arc::new(UserModes::default()));
    sound
}

#[test]
fn what_is_no_parameter_is_taken_back_with_the_name() {
    let (plain, listed) = (Sound::default(), listed());
    let step = Step::between("Modes", &plain, &listed).titled("Anvil", "Anvil of mine");
    assert!(!step.is_empty() && step.changes.is_empty());
    let mut history = History::default();
    history.record(step);
    let back = history.undo().expect("a step");
    assert_eq!(back.title, Some(("Anvil of mine".into(), "Anvil".into())));
    let mut sound = listed.clone();
    back.apply(&mut sound);
    assert_eq!(sound, plain);
    assert_eq!(history.next_redo(), Some("Modes"));
    history.redo().expect("a step").apply(&mut sound);
    assert_eq!(sound, listed);
    // The same name is no change, and a change of name alone is a step.
    assert!(Step::between("Name", &plain, &plain).titled("a", "a").is_empty());
    assert!(!Step::between("Name", &plain, &plain).titled("a", "b").is_empty());
    assert!(!Step::between("List", &plain, &listed).is_empty());
}

#[test]
fn a_project_keeps_the_side_that_is_not_heard() {
    let mut ab_compare = AbCompare::default();
    ab_compare.title = "One".into();
    assert_eq!(
        (ab_compare.side(), ab_compare.side().name(), ab_compare.other()),
        (Side::A, "A", None)
    );
    ab_compare.switch(tuned(1.0));
    assert_eq!((ab_compare.side().name(), ab_compare.side().other()), ("B", Side::A));
    ab_compare.title = "Two".into();
    let (sound, title) = ab_compare.other().expect("A was heard");
    assert_eq!((sound, title), (&tuned(1.0), "One"));
    let kept = Some((sound.clone(), title.to_owned()));
    let mut restore = AbCompare::restore(ab_compare.side(), ab_compare.title.clone(), kept);
    assert_eq!(
        (restore.side(), restore.title.as_str(), restore.history.next_undo()),
        (Side::B, "Two", None)
    );
    assert_eq!(restore.switch(tuned(2.0)), tuned(1.0));
    assert_eq!((restore.side(), restore.title.as_str()), (Side::A, "One"));
    // A project that knows of one side alone: the other begins as this one is.
    let mut alone = AbCompare::restore(Side::A, "One".into(), None);
    assert!(alone.other().is_none());
    assert_eq!(alone.switch(tuned(3.0)), tuned(3.0));
    assert_eq!(alone.title, "One");
}

#[test]
fn a_copy_to_a_side_that_was_never_heard_is_that_side_from_now_on() {
    let mut ab_compare = AbCompare::default();
    ab_compare.title = "One".into();
    ab_compare.copy(&tuned(5.0));
    assert_eq!(ab_compare.other(), Some((&tuned(5.0), "One")));
    assert_eq!(ab_compare.switch(tuned(1.0)), tuned(5.0));
    // Its name is all that it changed.
    assert_eq!(ab_compare.history.next_undo(), Some("Copy of A"));
    let back = ab_compare.history.undo().expect("a step");
    assert!(back.changes.is_empty() && back.title == Some(("One".into(), String::new())));
}

#[test]
fn locks_are_kept_by_their_identifiers() {
    let mut locks = Locks::default();
    assert!(locks.ids().is_empty());
    locks.set(Param::Mass, true);
    locks.set_group(Group::Material, true);
    assert!(locks.is_group_locked(Group::Material) && !locks.is_group_locked(Group::Striker));
    let ids = locks.ids();
    assert!(ids.contains(&Param::Mass.spec().id) && ids.len() > 2);
    let again = Locks::of_ids(ids.into_iter().chain(["of another version"]));
    assert_eq!(again, locks);
    locks.set_group(Group::Material, false);
    locks.set(Param::Mass, false);
    assert_eq!(locks, Locks::default());
}

/// A mutation of nothing, or by what is no number, changes nothing; a full one stays in range.
#[test]
fn a_mutation_goes_as_far_as_it_is_reported() {
    let (patch, locks) = (Patch::default(), Locks::default());
    for amount in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(randomise::mutate(&patch, &locks, amount, 3).is_same(&patch), "{amount}");
    }
    let far = |amount: f64| -> f64 {
        let way = |param: Param, patch: &Patch| {
            let (min, max) = param.spec().range_stored();
            f64::from(patch.stored(param) - min) / f64::from(max - min)
        };
        let moved = |seed: u64| {
            let next = randomise::mutate(&patch, &locks, amount, seed);
            Param::ALL
                .into_iter()
                .map(|param| (way(param, &next) - way(param, &patch)).abs())
                .sum::<f64>()
        };
        (0..20).map(moved).sum()
    };
    let (little, half, full) = (far(0.05), far(0.5), far(1.0));
    assert!(
        little > 0.0 && half > 3.0 * little && full > half && far(7.0) == full,
        "{little} {half} {full}"
    );
}
