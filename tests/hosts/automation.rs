//! A parameter changes at its sample, in the middle of a block as well as at its start. Otherwise
//! the sound would depend on the user's buffer size.

use crate::common::{assert_same, first_difference, guarded, playing};
use crate::support::clap_host::{Event, Param, Rendered, Score};

const AT: u64 = 777;
/// The next note.
const STRUCK: u64 = 790;
const WHOLE: [u32; 2] = [2048, 2048];
const SPLIT: [u32; 3] = [777, 2048 - 777, 2048];

/// Without the limiter, whose look-ahead adds a delay.
fn play(score: &Score, blocks: &[u32]) -> Rendered {
    let mut host = guarded();
    let limiter = host.param("Limiter").expect("it has a limiter").id;
    host.set(&[(limiter, 0.0)]).expect("sets");
    host.activate(48_000.0, 2048).expect("it can be activated");
    host.render(score, blocks).expect("plays")
}

/// Two notes that ring at the change, and one that is struck after it.
fn notes() -> Score {
    Score::new().note(5, 800, 57, 0.9).note(700, 900, 64, 0.5).on(790, 57, 0.7)
}

/// The end of the range that is farther from the default.
fn far_end(param: &Param) -> f64 {
    if param.default - param.min > param.max - param.default { param.min } else { param.max }
}

fn params() -> Vec<Param> {
    playing(48_000.0, 64).params().expect("parameters")
}

#[test]
fn a_level_change_acts_at_its_sample() {
    let level = params().into_iter().find(|p| p.name == "Level").expect("it has a level");
    let changed = play(&notes().param(AT, level.id, level.min), &WHOLE);
    assert_eq!(first_difference(&changed, &play(&notes(), &WHOLE)), Some(AT as usize));
    assert_same(
        "in a block cut there",
        &changed,
        &play(&notes().param(AT, level.id, level.min), &SPLIT),
    );
}

/// A parameter that affects these notes acts at its own sample if it affects ringing notes, and
/// else from the next note on, which is struck 13 samples later. An inaudible one changes nothing.
#[test]
fn every_parameter_acts_at_its_sample() {
    let untouched = play(&notes(), &WHOLE);
    let (mut ringing, mut struck, mut unheard) = (Vec::new(), Vec::new(), Vec::new());
    for param in params() {
        let score = notes().param(AT, param.id, far_end(&param));
        let changed = play(&score, &WHOLE);
        assert_same(&param.name, &changed, &play(&score, &SPLIT));
        match first_difference(&changed, &untouched).map(|sample| sample as u64) {
            // The first sample of a fade is still unchanged.
            Some(sample) if (AT..=AT + 1).contains(&sample) => ringing.push(param.name),
            Some(sample) if sample >= STRUCK => struck.push(param.name),
            Some(sample) => panic!("{} acts at {sample}; it was moved at {AT}", param.name),
            None => unheard.push(param.name),
        }
    }
    println!("at once: {ringing:?}\nfrom the next note on: {struck:?}\nnot at all: {unheard:?}");
    for name in ["Level", "Tune", "Body", "Size", "Left pickup"] {
        assert!(ringing.iter().any(|known| known == name), "{name} does not act on what rings");
    }
}

#[test]
fn a_note_and_a_change_at_the_same_sample_do_not_depend_on_the_block() {
    let mass = params().into_iter().find(|p| p.name == "Mass").expect("it has a mass");
    let change = Event::Param { id: mass.id, value: mass.max };
    let note = Event::NoteOn { key: 50, velocity: 0.8, channel: 0, id: None };
    for (order, events) in
        [("the change first", [change, note]), ("the note first", [note, change])]
    {
        let score = events.into_iter().fold(notes(), |score, event| score.with(AT, event));
        assert_same(order, &play(&score, &WHOLE), &play(&score, &SPLIT));
    }
}
