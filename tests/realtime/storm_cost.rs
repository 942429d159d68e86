//! What storms of notes cost: `cargo xtask measure storms`.
//!
//! No time is asserted. The fastest run of every block counts, because this measures the code and
//! not the other programs of the machine. `SCENE` selects the scenes whose name contains it, `RUNS`
//! the number of runs and `BLOCKS` their length.

use std::time::Instant;

use crate::playing::{is_the_same_in_all_blocks, on, patch_of};
use ictus::engine::{Engine, NoteEnds};
use ictus::params::event::Event;

const BLOCK: usize = 64;
const NOTES: u8 = 32;

fn number(name: &str, otherwise: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// With a dot at its end the name must match exactly.
fn is_wanted(name: &str) -> bool {
    std::env::var("SCENE").map_or(true, |scene| match scene.strip_suffix('.') {
        Some(whole) => name == whole,
        None => name.contains(&scene),
    })
}

/// Many notes at once, in blocks of 64 at 48 kHz: prints the first block, the mean, the busiest 85
/// ms and the worst block after the first, in per cent of real time.
fn storm(name: &str, notes: u8, settings: &[&[(&str, &str)]]) {
    if !is_wanted(name) {
        return;
    }
    let patch = patch_of(&settings.concat(), &[]);
    let events: Vec<Event> = (0..notes).map(|n| on(0, 40 + n)).collect();
    let mut fastest = vec![f64::INFINITY; number("BLOCKS", 375)];
    for _ in 0..number("RUNS", 9) {
        let mut engine = Engine::new();
        let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
        let mut ends = NoteEnds::new();
        for (block, best) in fastest.iter_mut().enumerate() {
            let now: &[Event] = if block == 0 { &events } else { &[] };
            let start = Instant::now();
            engine.process(&patch, now, &mut left, &mut right, &mut ends);
            *best = best.min(start.elapsed().as_secs_f64());
            ends.clear();
        }
    }
    let share = |seconds: f64| 100.0 * seconds * 48_000.0 / BLOCK as f64;
    let mean = fastest.iter().sum::<f64>() / fastest.len() as f64;
    let window = 64.min(fastest.len());
    let busiest = fastest
        .windows(window)
        .map(|blocks| blocks.iter().sum::<f64>() / window as f64)
        .fold(0.0f64, f64::max);
    let (at, worst) = fastest
        .iter()
        .enumerate()
        .skip(1)
        .fold((0, 0.0), |worst, (i, &took)| if took > worst.1 { (i, took) } else { worst });
    println!(
        "{name}, {notes}: first block {:.0} %, mean {:.0} %, busiest 85 ms {:.0} %, worst block {:.0} % (number {at})",
        share(fastest[0]),
        share(mean),
        share(busiest),
        share(worst)
    );
}

const RESTITUTION: &[(&str, &str)] = &[("dmode", "Restitution")];

const TWO_WAY: &[(&str, &str)] = &[("coupl", "Two-way")];
const THROWN: [&str; 6] = ["Die", "Brick", "Coin", "Rod", "Bowling pin", "Stone"];
/// What the strikers hit: the default bar, and bodies with many modes close together.
const BODIES: [(&str, &[(&str, &str)]); 5] = [
    ("bar", &[]),
    ("bell", &[("body", "Church bell"), ("modes", "64")]),
    ("plate", &[("body", "Free plate"), ("modes", "256")]),
    ("membrane of 64", &[("body", "Membrane")]),
    ("membrane", &[("body", "Membrane"), ("modes", "256")]),
];

#[test]
#[ignore = "cost of storms of notes: cargo xtask measure storms"]
fn strikes() {
    for (name, body) in BODIES {
        storm(&format!("strikes on {name}"), NOTES, &[body]);
        storm(&format!("strikes on {name}, two-way"), NOTES, &[body, TWO_WAY]);
    }
}

#[test]
#[ignore = "cost of storms of notes: cargo xtask measure storms"]
fn tumbles() {
    for (name, body) in BODIES {
        // The thrown body matters less than the struck one.
        let thrown = if name == "bar" { &THROWN[..] } else { &["Coin"] };
        for what in thrown {
            let throw = [("gest", "Tumble"), ("thrown", what), ("rest", "0.7"), ("angle", "40")];
            storm(&format!("{what} on {name}"), NOTES, &[&throw, RESTITUTION, body]);
            storm(
                &format!("{what} on {name}, two-way"),
                NOTES,
                &[&throw, RESTITUTION, body, TWO_WAY],
            );
        }
    }
}

#[test]
#[ignore = "cost of storms of notes: cargo xtask measure storms"]
fn rows() {
    for notes in [16, 32] {
        for balls in ["5", "16"] {
            for (name, more) in [
                ("plain", &[("hard", "50 %"), ("bgap", "1 mm")][..]),
                ("hard, close", &[("hard", "100 %"), ("bgap", "0.01 mm")]),
                ("hard, touching", &[("hard", "100 %"), ("bgap", "0")]),
                ("soft, touching", &[("hard", "20 %"), ("bgap", "0")]),
                ("each rings", &[("hard", "50 %"), ("ballrg", "Each ball"), ("bsprd", "10 %")]),
                ("linear damper", &[("hard", "50 %"), ("law", "Hertz-damper")]),
            ] {
                let row = [
                    ("gest", "Chain"),
                    ("first", "On the note"),
                    ("balls", balls),
                    ("rest", "0.95"),
                    ("cord", "3 cm"),
                ];
                storm(
                    &format!("{notes} rows of {balls}, {name}"),
                    notes,
                    &[&row, RESTITUTION, more],
                );
            }
        }
    }
}

/// Work budgets follow the time of the stream: a storm is the same in blocks of any size.
#[test]
fn storms_are_the_same_in_all_blocks() {
    let rows = [
        ("gest", "Chain"),
        ("first", "On the note"),
        ("balls", "7"),
        ("rest", "0.95"),
        ("cord", "3 cm"),
    ];
    let tumbles = [
        ("gest", "Tumble"),
        ("thrown", "Die"),
        ("height", "1 cm"),
        ("rest", "0.7"),
        ("coupl", "Two-way"),
    ];
    // High enough to be levelled while they fall.
    let high = [
        ("gest", "Tumble"),
        ("thrown", "Coin"),
        ("height", "6 cm"),
        ("speed", "0.5"),
        ("coupl", "Two-way"),
    ];
    let strikes = [("coupl", "Two-way"), ("hard", "90 %")];
    // More than can be levelled at once.
    let large = [("coupl", "Two-way"), ("body", "Membrane"), ("modes", "256"), ("weight", "50 g")];
    for (name, settings, samples) in [
        ("rows", &rows[..], 2000),
        ("tumbles", &tumbles[..], 6000),
        ("tumbles from high", &high[..], 6000),
        ("strikes", &strikes[..], 1500),
        ("large", &large[..], 300),
    ] {
        // Some of them late, and so many that all but the first few have a limited budget.
        let mut events: Vec<Event> =
            (0..20).map(|n| on([0, 0, 0, 45, 130][n % 5], 40 + n as u8)).collect();
        events.sort_by_key(|event| event.offset);
        is_the_same_in_all_blocks(&patch_of(RESTITUTION, settings), &events, samples, name);
    }
}
