//! What an instance takes before a note is played: time, memory, and the blocks in which nothing
//! sounds.

use std::hint::black_box;

use ictus::engine::{Engine, NoteEnds, VoiceRoom};
use ictus::params::Patch;

use super::clock::now_ns;
use super::matrix::percent;
use ictus_bench::bench_engine::{BLOCK, RATE_HZ};

const INSTANCES: usize = 4;
const IDLE_BLOCKS: usize = 2000;

/// Print the three.
pub fn print() {
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

/// Shortest mean of some hundred blocks without a note, ns.
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

/// Memory that is really taken, where the system tells.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}
