//! Sample rates, block sizes and every choice that the table of parameters offers, each with each: finite, below the
//! ceiling, the same every time and in any blocks, and without memory.
//!
//! The whole product would take years. A covering array has every pair of choices in at least one row: faults that need
//! three things at once are left to chance, which draws all other knobs of each row. `ICTUS_MATRIX=N` adds N rows that
//! chance draws alone.

#![cfg(feature = "cli")]

mod covering;
mod factors;
mod playing;
#[path = "../support/storm.rs"]
mod storm;

use covering::Covering;
use factors::{Factors, Row};

// The crate leaves it out where there are no debug assertions, and with it the guard.
#[cfg(debug_assertions)]
#[global_allocator]
static GUARD: assert_no_alloc::AllocDisabler = assert_no_alloc::AllocDisabler;

/// Two threads, since that is what the smallest machines have: each takes every second row.
const THREADS: usize = 2;

/// What is wrong, and in how many rows something was heard.
fn play_all(rows: &[Row]) -> (Vec<String>, usize) {
    std::thread::scope(|scope| {
        let play = |first: usize| {
            let mut player = playing::Player::new();
            let mut faults = Vec::new();
            for (n, row) in rows.iter().enumerate().skip(first).step_by(THREADS) {
                faults.extend(player.fault(row).map(|what| format!("row {n}: {what}: {row:?}")));
            }
            (faults, player.heard)
        };
        let threads: Vec<_> = (0..THREADS).map(|first| scope.spawn(move || play(first))).collect();
        let all = threads.into_iter().map(|thread| thread.join().expect("no row panics"));
        all.fold((Vec::new(), 0), |(mut faults, heard), (more, also)| {
            faults.extend(more);
            (faults, heard + also)
        })
    })
}

#[test]
fn every_pair_of_choices_at_some_rate_and_block() {
    let factors = Factors::new();
    let covering = Covering::new(&factors.levels());
    assert_eq!(covering.missing(), 0, "pairs that are in no row");
    let more = std::env::var("ICTUS_MATRIX").ok().and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
    let rows: Vec<Row> = covering
        .rows()
        .iter()
        .map(|levels| factors.row(levels))
        .chain((0..more).map(|n| factors.random(n as u64)))
        .enumerate()
        .map(|(n, row)| Row { seed: n as u64, ..row })
        .collect();
    println!("{} factors, {} pairs, {} rows", factors.levels().len(), covering.pairs(), rows.len());
    let (faults, heard) = play_all(&rows);
    assert!(faults.is_empty(), "{} of {} rows:\n{}", faults.len(), rows.len(), faults.join("\n"));
    println!("something is heard in {heard} rows");
    // 233 of 257 when this was written: chance may still choke a note, or strike a body where it does not move.
    assert!(5 * heard > 4 * rows.len(), "only {heard} of {} rows are heard", rows.len());
}
