//! Cost of the engine: `cargo bench --package ictus-bench --bench engine`; with `-- being`,
//! `-- gestures` or `-- growth` that part alone, and with `-- gestures tenth` the gestures whose
//! name contains this.
//!
//! Prints as Markdown: every gesture at 1 to 64 voices of 64 modes, the growth with modes and
//! voices, and an idle instance. Every scene is deterministic and is played several times; the
//! shortest time of each block counts.

#[path = "engine/matrix.rs"]
mod matrix;
#[path = "engine/scaling.rs"]
mod scaling;

use std::hint::black_box;

use ictus::engine::{Engine, NoteEnds, VoiceRoom};
use ictus::params::Patch;
use ictus_bench::{BLOCK, RATE_HZ, now_ns};

use matrix::percent;

fn main() {
    let named: Vec<_> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |part: &str| named.is_empty() || named.iter().any(|name| name == part);
    let only = named.iter().find(|name| !["being", "gestures", "growth"].contains(&name.as_str()));
    if is_wanted("being") {
        println!("### Being there\n");
        print_instance();
    }
    if is_wanted("gestures") {
        println!("\n### The engine, by gesture and voices\n");
        matrix::print(only.map(String::as_str));
    }
    if is_wanted("growth") {
        println!("\n### How cost grows\n");
        scaling::print();
    }
}

const INSTANCES: usize = 4;
const IDLE_BLOCKS: usize = 2000;

/// Prints start-up time, memory and idle cost of an instance.
fn print_instance() {
    let before = resident_bytes();
    let mut start_ms = f64::MAX;
    let mut engines: Vec<Engine> = (0..INSTANCES)
        .map(|_| {
            let start_ns = now_ns();
            let mut engine = Engine::with_room(VoiceRoom::USUAL);
            engine.prepare(RATE_HZ);
            start_ms = start_ms.min(1e-6 * (now_ns() - start_ns));
            engine
        })
        .collect();
    let grown = before.zip(resident_bytes()).map(|(before, after)| after.saturating_sub(before));
    let instance = grown.map_or("unknown".into(), |bytes| {
        format!("{:.1} MB", bytes as f64 / INSTANCES as f64 / 1e6)
    });
    println!("| | |\n|---|---|");
    println!("| a new instance, ready to play | {start_ms:.1} ms |");
    println!("| memory of an instance | {instance} |");
    println!("| an idle instance | {:.4} % of a core |", percent(idle_ns(&mut engines[0])));
}

/// Shortest mean time of a block without notes, ns.
fn idle_ns(engine: &mut Engine) -> f64 {
    let patch = Patch::default();
    let (mut left, mut right, mut ends) = ([0.0; BLOCK], [0.0; BLOCK], NoteEnds::new());
    let mut run = || {
        let start_ns = now_ns();
        for _ in 0..IDLE_BLOCKS {
            black_box(engine.process(&patch, &[], &mut left, &mut right, &mut ends));
        }
        (now_ns() - start_ns) / IDLE_BLOCKS as f64
    };
    (0..20).map(|_| run()).fold(f64::MAX, f64::min)
}

/// Resident memory, where the system reports it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}
