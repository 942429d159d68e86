//! Cost of a mode: `cargo bench --package ictus-bench --bench bank`; with `-- voice` that part
//! alone, with `-- scenes` scenes that the whole engine plays.
//!
//! Prints, as Markdown and in one run: the FMA peak of the machine, the bank at every instruction
//! set it has, the same work as a plain vectorised loop, a contact by each integrator, a whole
//! voice that is struck again and again, and a ring-down against a loud block. Every figure is the
//! shortest of many short runs, so that what else the machine does counts little.

#[path = "bank/contact.rs"]
mod contact;
#[path = "bank/peak.rs"]
mod peak;
#[path = "bank/plain.rs"]
mod plain;
#[path = "bank/scenes.rs"]
mod scenes;
#[path = "bank/voice.rs"]
mod voice;

use std::hint::black_box;
use std::time::Instant;

use ictus::body::Kernel;
use ictus_bench::{BLOCK, RATE_HZ, ringing};

const RUNS: usize = 400;
const MODES: [usize; 4] = [32, 64, 128, 256];

fn main() {
    if std::env::args().any(|arg| arg == "scenes") {
        return scenes::print();
    }
    if std::env::args().any(|arg| arg == "voice") {
        return voice::print();
    }
    println!("Machine: {}.\n", cpu());
    println!("### The bank\n\nns per mode and sample, two pickups, blocks of {BLOCK} samples.\n");
    println!(
        "| | 32 modes | 64 modes | 128 modes | 256 modes | FMA peak, `f32` | share of it at 64 / 128 |"
    );
    println!("|---|---|---|---|---|---|---|");
    for kernel in Kernel::all() {
        let peak_ns = peak::ns_per_lane_f32(kernel.level());
        let bank = MODES.map(|modes| bank_ns(kernel, modes, false));
        // Two for the value and one for each pickup.
        let [share_64, share_128] = [1, 2].map(|column| 400.0 * peak_ns / bank[column]);
        println!(
            "| {kernel:?} |{} {:.0} GFLOP/s | {share_64:.0} / {share_128:.0} % |",
            cells(&bank),
            2.0 / peak_ns
        );
        println!(
            "| {kernel:?}, and settling |{} | |",
            cells(&MODES.map(|modes| bank_ns(kernel, modes, true)))
        );
        let plain = MODES.map(|modes| plain::ns_f32(kernel.level(), modes));
        println!("| plain loop, {kernel:?}, `f32` |{} | |", cells(&plain));
        let plain = MODES.map(|modes| plain::ns_f64(kernel.level(), modes));
        println!("| plain loop, {kernel:?}, `f64` |{} | |", cells(&plain));
    }
    contact::print();
    voice::print();
}

/// As columns of a table.
fn cells(ns: &[f64]) -> String {
    ns.iter().map(|ns| format!(" {ns:.3} |")).collect()
}

/// Shortest time of one call, ns.
fn shortest(mut run: impl FnMut()) -> f64 {
    let once = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed().as_nanos() as f64
    };
    (0..RUNS).map(|_| once(&mut run)).fold(f64::MAX, f64::min)
}

fn bank_ns(kernel: Kernel, count: usize, settling: bool) -> f64 {
    let (mut modes, mut bank) = ringing(kernel, count);
    let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
    let blocks = 64 * 64 / count;
    let ns = shortest(|| {
        for _ in 0..blocks {
            bank.process(&mut modes, &mut left, &mut right);
            if settling {
                // As a voice does, twice per block.
                black_box(bank.settle(&modes, 1.0));
                black_box(bank.settle(&modes, 1.0));
            }
            black_box((&mut left, &mut right));
        }
    });
    ns / (blocks * BLOCK * count) as f64
}

fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info
        .lines()
        .find(|line| line.starts_with("model name"))
        .and_then(|line| line.split(": ").nth(1));
    line.unwrap_or("unknown").to_string()
}
