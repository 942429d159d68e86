//! `ictus soak`: plays at random for minutes or hours and fails if memory or time grows.
//!
//! Time is divided into ten parts that play the same programme (presets, notes, automation,
//! controllers) on the same engine. Most parts start after a reset of the engine and must be equal
//! to the bit, so that their times and memory can be compared. The middle parts continue without a
//! reset, and must leave no trace in the last ones. Time is processor time where the system
//! provides it.

mod checks;
mod random_player;

use std::time::Instant;

use anyhow::{Result, ensure};
use stats_alloc::INSTRUMENTED_SYSTEM;

use crate::params::MAX_VOICES;
use checks::{Memory, PARTS, Part, Times};
use random_player::RandomPlayer;

/// Largest sample: -1 dBFS, rounded up to a float.
const CEILING: f32 = 0.891_250_97;

/// Parts that start without a reset.
const CONTINUOUS_PARTS: std::ops::RangeInclusive<usize> = 5..=7;

/// Digest of a block (FNV-1a, 64 bits).
fn digest(sound: &[Vec<f32>; 2]) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    sound
        .iter()
        .flatten()
        .fold(START, |digest, x| (digest ^ u64::from(x.to_bits())).wrapping_mul(PRIME))
}

/// Arguments of `ictus soak`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Minutes of sound.
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Sample rate, Hz.
    #[arg(long, default_value_t = 48_000.0)]
    rate: f64,
    /// Samples per block.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=16_384))]
    block: u32,
    /// Seed of the random programme.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Part {
    fn print(&self, number: usize) {
        let Memory { in_use_bytes, held_kb } = self.memory;
        let held_kb = held_kb.map_or_else(|| "-".into(), |kb| kb.to_string());
        let Self { median_us, max_us, worst_us, all_s, voices, full, .. } = self;
        let full = 100.0 * full;
        println!(
            "{number:>4} {median_us:>10.1} {max_us:>10.1} {worst_us:>10.1} {all_s:>8.1} {in_use_bytes:>12} {held_kb:>8} {voices:>7.1} {full:>6.1}"
        );
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    ensure!(
        args.minutes > 0.0 && args.minutes <= 6000.0,
        "--minutes {}: allowed is up to 6000",
        args.minutes
    );
    ensure!(
        (8000.0..=768_000.0).contains(&args.rate),
        "--rate {}: allowed is 8000 to 768000",
        args.rate
    );
    let block = args.block as usize;
    let blocks = ((60.0 * args.minutes * args.rate / block as f64 / PARTS as f64) as usize).max(1);
    let mut random_player = RandomPlayer::new(args.rate, block, args.seed);
    // Filled, so that the memory is resident from the start.
    let (mut times_us, mut times) = (vec![1.0f32; blocks], Times::new(blocks));
    println!("part  median us    99.9 %      worst    all s in use bytes  held kB  voices full %");
    let (mut parts, began) = (Vec::with_capacity(PARTS), Instant::now());
    let mut second_part = vec![0u64; blocks];
    for number in 1..=PARTS {
        let is_reset = !CONTINUOUS_PARTS.contains(&number);
        random_player.begin(args.seed, is_reset);
        let (mut voices, mut full) = (0, 0);
        for (index, time_us) in times_us.iter_mut().enumerate() {
            random_player.prepare();
            let before_s = time_s(began);
            let status = random_player.play();
            *time_us = ((time_s(began) - before_s) * 1e6) as f32;
            times.add(number - 1, index, *time_us);
            voices += status.voices;
            full += usize::from(status.voices == MAX_VOICES);
            let sound = random_player.sound();
            let out_of_range =
                sound.iter().flatten().find(|x| !(x.is_finite() && x.abs() <= CEILING));
            ensure!(
                out_of_range.is_none(),
                "part {number}: a sample is {}",
                out_of_range.unwrap_or(&0.0)
            );
            let digest = digest(sound);
            // Part 1 starts without the surface and the list of modes that the last sound of the
            // programme leaves.
            match number {
                2 => second_part[index] = digest,
                3.. if is_reset => ensure!(
                    digest == second_part[index],
                    "part {number} differs from part 2 from {:.3} s on: state survives a reset",
                    (index * block) as f64 / args.rate
                ),
                _ => {}
            }
        }
        let share = |count: usize| count as f64 / blocks as f64;
        let part = Part::of(&mut times_us, memory(), share(voices), share(full));
        part.print(number);
        parts.push(part);
    }
    checks::compare(&parts, &times)?;
    println!(
        "{} minutes, {} notes: all samples in range, equal parts to the bit, no growth of memory or time",
        args.minutes,
        random_player.notes()
    );
    Ok(())
}

/// Memory now. The allocator of the program (`bin/ictus.rs`) counts what is in use.
fn memory() -> Memory {
    let counted = INSTRUMENTED_SYSTEM.stats();
    Memory {
        in_use_bytes: counted.bytes_allocated.saturating_sub(counted.bytes_deallocated),
        held_kb: held_kb(),
    }
}

fn held_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Processor time of this thread, s.
#[cfg(unix)]
fn time_s(_since: Instant) -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Wall-clock time, s.
#[cfg(not(unix))]
fn time_s(since: Instant) -> f64 {
    since.elapsed().as_secs_f64()
}
