//! `ictus soak`: minutes or hours of whatever an instrument may be put through, and whether
//! anything gets worse.
//!
//! Time is cut into ten parts that play the same programme (presets, notes, automation,
//! controllers) on the same engine. The first and the last begin where a host's stop leaves it, and
//! are the same to the bit: so their figures may be compared, memory must stay, and a block must
//! not take longer. Those in the middle are played in one go, of which nothing may be left in the
//! last. Time is that of the processor, where the system tells it, which other programs do not
//! lengthen.

mod checks;
mod random_player;
mod system;

use std::time::Instant;

use anyhow::{Result, ensure};

use crate::params::MAX_VOICES;
use checks::{Memory, PARTS, Part, Times};
use random_player::RandomPlayer;

/// Nothing may leave beyond this: -1 dBFS, rounded up to a float.
const CEILING: f32 = 0.891_250_97;

/// Parts before which the engine is not stopped.
const CONTINUOUS_PARTS: std::ops::RangeInclusive<usize> = 5..=7;

/// By which blocks are compared (FNV-1a, 64 bits, of samples).
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
    /// What chance begins from.
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

/// Carry it out.
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
    // Written to, so that the memory is held from the start.
    let (mut times_us, mut times) = (vec![1.0f32; blocks], Times::new(blocks));
    println!("part  median us    99.9 %      worst    all s in use bytes  held kB  voices full %");
    let (mut parts, began) = (Vec::with_capacity(PARTS), Instant::now());
    // What part 2 is heard as, block by block.
    let mut second = vec![0u64; blocks];
    for number in 1..=PARTS {
        let is_stopped = !CONTINUOUS_PARTS.contains(&number);
        random_player.begin(args.seed, is_stopped);
        let (mut voices, mut full) = (0, 0);
        for (index, time_us) in times_us.iter_mut().enumerate() {
            random_player.prepare();
            let before_s = system::time_s(began);
            let status = random_player.play();
            *time_us = ((system::time_s(began) - before_s) * 1e6) as f32;
            times.take(number - 1, index, *time_us);
            voices += status.voices;
            full += usize::from(status.voices == MAX_VOICES);
            let sound = random_player.sound();
            let wrong = sound.iter().flatten().find(|x| !(x.is_finite() && x.abs() <= CEILING));
            ensure!(wrong.is_none(), "part {number}: a sample is {}", wrong.unwrap_or(&0.0));
            let heard = digest(sound);
            // The very first has neither the surface nor the list of modes that the last sound of
            // the programme leaves behind.
            match number {
                2 => second[index] = heard,
                3.. if is_stopped => ensure!(
                    heard == second[index],
                    "part {number} is heard otherwise than part 2 from {:.3} s on: something outlives a stop",
                    (index * block) as f64 / args.rate
                ),
                _ => {}
            }
        }
        let share = |count: usize| count as f64 / blocks as f64;
        let part = Part::of(&mut times_us, system::memory(), share(voices), share(full));
        part.print(number);
        parts.push(part);
    }
    checks::compare(&parts, &times)?;
    println!(
        "{} minutes, {} notes: no sample out of bounds, every part to the bit, memory and time as they were",
        args.minutes,
        random_player.notes()
    );
    Ok(())
}
