//! `ictus soak`: minutes or hours of whatever an instrument may be put through, and whether anything gets worse.
//!
//! Time is cut into ten parts that play the same programme (presets, notes, automation, controllers) on the same engine,
//! which is never reset. So their figures may be compared: memory must stay, and a block must not take longer.

mod programme;
mod system;

use std::time::Instant;

use anyhow::{Result, ensure};

use programme::Programme;

/// Parts whose figures are compared.
const PARTS: usize = 10;
/// Nothing may leave beyond this: -1 dBFS, rounded up to a float.
const CEILING: f32 = 0.891_250_97;
/// How much more memory the last part may hold than the second, kB.
const MOST_GROWTH_KB: u64 = 1024;
/// How much more of the processor's time, or of a median block's, the last parts may take than the first.
const MOST_SLOWER: f64 = 1.25;

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

/// Blocks take so much longer than the processor works on them where other programs have their turn in between: then the longest say
/// nothing of this one.
const BUSY: f64 = 1.05;

/// Figures of one part.
struct Part {
    all_s: f64,
    median_us: f64,
    most_us: f64,
    worst_us: f64,
    cpu_s: Option<f64>,
    memory_kb: Option<u64>,
    voices: f64,
}

impl Part {
    fn of(times_us: &mut [f32], cpu_s: Option<f64>, voices: f64) -> Self {
        times_us.sort_unstable_by(f32::total_cmp);
        let at = |share: f64| f64::from(times_us[((times_us.len() - 1) as f64 * share) as usize]);
        let memory_kb = system::memory_kb();
        let all_s = times_us.iter().map(|time_us| 1e-6 * f64::from(*time_us)).sum();
        Self { all_s, median_us: at(0.5), most_us: at(0.999), worst_us: at(1.0), cpu_s, memory_kb, voices }
    }

    fn print(&self, number: usize) {
        let or_none = |value: Option<String>| value.unwrap_or_else(|| "-".into());
        println!(
            "{number:>4} {:>10.1} {:>10.1} {:>10.1} {:>8} {:>10} {:>7.1}",
            self.median_us,
            self.most_us,
            self.worst_us,
            or_none(self.cpu_s.map(|s| format!("{s:.1}"))),
            or_none(self.memory_kb.map(|kb| kb.to_string())),
            self.voices
        );
    }
}

/// Carry it out.
pub fn run(args: Args) -> Result<()> {
    ensure!(args.minutes > 0.0 && args.minutes <= 6000.0, "--minutes {}: allowed is up to 6000", args.minutes);
    ensure!((8000.0..=768_000.0).contains(&args.rate), "--rate {}: allowed is 8000 to 768000", args.rate);
    let block = args.block as usize;
    let blocks = ((60.0 * args.minutes * args.rate / block as f64 / PARTS as f64) as usize).max(1);
    let mut programme = Programme::new(args.rate, block, args.seed);
    let mut times_us = vec![0.0f32; blocks];
    println!("part  median us    99.9 %      worst    cpu s  memory kB  voices");
    let mut parts = Vec::with_capacity(PARTS);
    for number in 1..=PARTS {
        programme.begin(args.seed);
        let (mut cpu_s, mut voices) = (0.0, 0);
        for time_us in &mut times_us {
            programme.prepare();
            let (before_s, began) = (system::cpu_s(), Instant::now());
            let status = programme.play();
            *time_us = began.elapsed().as_secs_f32() * 1e6;
            cpu_s += system::cpu_s().zip(before_s).map_or(f64::NAN, |(after_s, before_s)| after_s - before_s);
            voices += status.voices;
            let sound = programme.sound();
            let wrong = sound.iter().flatten().find(|x| !(x.is_finite() && x.abs() <= CEILING));
            ensure!(wrong.is_none(), "part {number}: a sample is {}", wrong.unwrap_or(&0.0));
        }
        let cpu_s = Some(cpu_s).filter(|s| s.is_finite());
        let part = Part::of(&mut times_us, cpu_s, voices as f64 / blocks as f64);
        part.print(number);
        parts.push(part);
    }
    compare(&parts)?;
    println!(
        "{} minutes, {} notes: no sample out of bounds, memory and time as they were",
        args.minutes,
        programme.notes()
    );
    Ok(())
}

/// The last parts against the first, less the very first, in which memory is touched for the first time.
fn compare(parts: &[Part]) -> Result<()> {
    let (first, last) = (&parts[1..4], &parts[PARTS - 3..]);
    not_slower("a median block", first, last, |part| part.median_us)?;
    not_slower("the processor", first, last, |part| part.cpu_s.unwrap_or(1.0))?;
    let is_quiet = |part: &Part| part.cpu_s.is_some_and(|cpu_s| part.all_s <= BUSY * cpu_s);
    if first.iter().chain(last).all(is_quiet) {
        not_slower("one block of a thousand", first, last, |part| part.most_us)?;
    } else {
        println!("the longest blocks are not compared: other programs had their turn in them");
    }
    if let (Some(first), Some(last)) = (parts[1].memory_kb, parts[PARTS - 1].memory_kb) {
        println!("memory, last part less second: {} kB", last as i64 - first as i64);
        ensure!(last <= first + MOST_GROWTH_KB, "memory grows: from {first} to {last} kB");
    }
    Ok(())
}

fn not_slower(name: &str, first: &[Part], last: &[Part], figure: impl Fn(&Part) -> f64) -> Result<()> {
    let mean = |parts: &[Part]| parts.iter().map(&figure).sum::<f64>() / parts.len() as f64;
    let slower = mean(last) / mean(first);
    println!("time of {name}, last parts over first: {slower:.3}");
    ensure!(slower <= MOST_SLOWER, "time grows: {name} takes {slower:.2} times as long at the end");
    Ok(())
}
