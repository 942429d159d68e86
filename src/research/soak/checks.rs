//! Compares the last parts of a soak with the first ones. Part 1 is left out: it touches memory for
//! the first time.

use anyhow::{Result, ensure};

/// Number of parts.
pub const PARTS: usize = 10;
/// Number of parts that are compared, at the beginning and at the end.
const COMPARED: usize = 3;
/// Largest growth of resident memory. The allocator keeps freed memory, so that it varies by a few
/// per cent. Memory in use may not grow at all.
const MAX_HELD: f64 = 1.1;
/// Largest growth of the total, median, 99.9 % and longest block time.
const MAX_SLOWER: f64 = 1.25;

/// Memory of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Allocated memory, bytes.
    pub in_use_bytes: usize,
    /// Resident memory, kB, where the system reports it.
    pub held_kb: Option<u64>,
}

/// Figures of one part.
#[derive(Clone, Debug)]
pub struct Part {
    /// Median block time, us.
    pub median_us: f64,
    /// Block time that one block in a thousand exceeds, us.
    pub max_us: f64,
    /// Longest block time, which other programs may lengthen, us.
    pub worst_us: f64,
    /// Time of all blocks, s.
    pub all_s: f64,
    /// Memory at its end.
    pub memory: Memory,
    /// Mean number of active voices.
    pub voices: f64,
    /// Share of blocks with the maximum number of voices.
    pub full: f64,
}

impl Part {
    /// Computes the figures from block times, us, which it sorts.
    pub fn of(times_us: &mut [f32], memory: Memory, voices: f64, full: f64) -> Self {
        times_us.sort_unstable_by(f32::total_cmp);
        let at = |share: f64| f64::from(times_us[((times_us.len() - 1) as f64 * share) as usize]);
        let all_s = times_us.iter().map(|time_us| 1e-6 * f64::from(*time_us)).sum();
        Self {
            median_us: at(0.5),
            max_us: at(0.999),
            worst_us: at(1.0),
            all_s,
            memory,
            voices,
            full,
        }
    }
}

/// The shortest time of each block of the programme over several parts.
///
/// All parts play the same blocks. Another program or an interrupt delays different blocks in
/// different parts, so the longest of these times is that of the instrument.
pub struct ShortestTimes(Vec<f32>);

impl ShortestTimes {
    /// Space for this number of blocks.
    pub fn new(blocks: usize) -> Self {
        // Filled, so that the memory is resident from the start.
        Self(vec![f32::INFINITY; blocks])
    }

    /// Adds the time of a block, us.
    pub fn add(&mut self, block: usize, time_us: f32) {
        self.0[block] = self.0[block].min(time_us);
    }

    /// The longest of the shortest times, us.
    fn longest_us(&self) -> f64 {
        f64::from(self.0.iter().copied().fold(0.0, f32::max))
    }
}

/// Block times of the first and of the last parts.
pub struct Times {
    first: ShortestTimes,
    last: ShortestTimes,
}

impl Times {
    /// Space for parts with this number of blocks.
    pub fn new(blocks: usize) -> Self {
        Self { first: ShortestTimes::new(blocks), last: ShortestTimes::new(blocks) }
    }

    /// Adds the time of a block of the part with this index, us.
    pub fn add(&mut self, part: usize, block: usize, time_us: f32) {
        if (1..=COMPARED).contains(&part) {
            self.first.add(block, time_us);
        } else if part >= PARTS - COMPARED {
            self.last.add(block, time_us);
        }
    }
}

/// Prints the comparison of the parts and fails if a figure grows.
pub fn compare(parts: &[Part], times: &Times) -> Result<()> {
    type Figure = fn(&Part) -> f64;
    let (first, last) = (&parts[1..=COMPARED], &parts[PARTS - COMPARED..]);
    let mean =
        |parts: &[Part], figure: Figure| parts.iter().map(figure).sum::<f64>() / parts.len() as f64;
    let figures: [(&str, Figure); 3] = [
        ("all blocks, s", |part| part.all_s),
        ("a median block, us", |part| part.median_us),
        ("the block that one in a thousand exceeds, us", |part| part.max_us),
    ];
    for (name, figure) in figures {
        check_time(name, mean(first, figure), mean(last, figure))?;
    }
    check_time("the longest block, us", times.first.longest_us(), times.last.longest_us())?;
    let max_in_use =
        |parts: &[Part]| parts.iter().map(|part| part.memory.in_use_bytes).max().unwrap_or(0);
    let (before, after) = (max_in_use(first), max_in_use(last));
    println!("memory in use, last parts less first: {} bytes", after as i64 - before as i64);
    ensure!(before > 0, "the program has no counting allocator");
    ensure!(after <= before, "memory grows: from {before} to {after} bytes in use");
    let min_held = |parts: &[Part]| parts.iter().map(|part| part.memory.held_kb).min().flatten();
    if let (Some(before), Some(after)) = (min_held(first), min_held(last)) {
        let more = after as f64 / before as f64;
        println!(
            "memory held: first parts {before}, last parts {after} kB, ratio {more:.3} (at most {MAX_HELD})"
        );
        ensure!(more <= MAX_HELD, "memory grows: from {before} to {after} kB held");
    }
    Ok(())
}

fn check_time(name: &str, first: f64, last: f64) -> Result<()> {
    let slower = last / first;
    println!(
        "{name}: first parts {first:.1}, last parts {last:.1}, ratio {slower:.3} (at most {MAX_SLOWER})"
    );
    ensure!(slower <= MAX_SLOWER, "time grows: {name} takes {slower:.2} times as long at the end");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCKS: usize = 4000;

    fn memory(in_use_bytes: usize, held_kb: u64) -> Memory {
        Memory { in_use_bytes, held_kb: Some(held_kb) }
    }

    /// Parts of blocks of 100 us and one of 400, as `change` has it of part, block and time.
    fn check(change: impl Fn(usize, usize, f32) -> f32) -> Result<()> {
        let mut times = Times::new(BLOCKS);
        let parts: Vec<_> = (0..PARTS)
            .map(|part| {
                let mut all: Vec<f32> = (0..BLOCKS)
                    .map(|block| change(part, block, if block == 700 { 400.0 } else { 100.0 }))
                    .collect();
                all.iter()
                    .enumerate()
                    .for_each(|(block, time_us)| times.add(part, block, *time_us));
                Part::of(&mut all, memory(50_000_000, 60_000), 64.0, 1.0)
            })
            .collect();
        compare(&parts, &times)
    }

    fn refused(change: impl Fn(usize, usize, f32) -> f32) -> String {
        check(change).expect_err("something grows").to_string()
    }

    #[test]
    fn constant_times_pass() {
        check(|_, _, time_us| time_us).expect("nothing grows");
        // Part 1 may be slow, and later parts a little slower.
        check(|part, _, time_us| if part == 0 { 9.0 * time_us } else { time_us })
            .expect("memory is new");
        check(|part, _, time_us| time_us * (1.0 + 0.02 * part as f32)).expect("a little");
    }

    #[test]
    fn a_single_delay_is_ignored() {
        check(|part, block, time_us| if (part, block) == (8, 31) { 30_000.0 } else { time_us })
            .expect("by chance");
        // Delays of different blocks in different parts are ignored, too.
        let held_up = |part, block| part > 6 && block == 10 * part;
        check(|part, block, time_us| if held_up(part, block) { 5000.0 } else { time_us })
            .expect("by chance");
    }

    #[test]
    fn a_longest_block_that_grows_alone_is_refused() {
        // One block in four thousand changes no other figure.
        let error =
            refused(|part, block, time_us| if part > 6 && block == 31 { 510.0 } else { time_us });
        assert!(error.contains("the longest block") && error.contains("1.27"), "{error}");
        check(|part, block, time_us| if part > 6 && block == 31 { 490.0 } else { time_us })
            .expect("within bounds");
        // The block was the longest already.
        let error = refused(
            |part, block, time_us| if block == 700 && part > 6 { 2.0 * time_us } else { time_us },
        );
        assert!(error.contains("the longest block"), "{error}");
    }

    #[test]
    fn blocks_that_grow_together_are_refused() {
        let error = refused(|part, _, time_us| time_us * (1.0 + 0.05 * part as f32));
        assert!(error.contains("all blocks"), "{error}");
        // A hundredth of the blocks changes neither the median nor the longest.
        let error = refused(
            |part, block, time_us| {
                if part > 6 && block % 100 == 5 { 3.0 * time_us } else { time_us }
            },
        );
        assert!(error.contains("one in a thousand"), "{error}");
    }

    #[test]
    fn memory_that_grows_is_refused() {
        let mut times = Times::new(1);
        (0..PARTS).for_each(|part| times.add(part, 0, 100.0));
        let check = |from: usize, later: Memory| {
            let at = |n: usize| if n >= from { later } else { memory(50_000_000, 60_000) };
            let parts: Vec<_> =
                (0..PARTS).map(|n| Part::of(&mut [100.0; 10], at(n), 64.0, 1.0)).collect();
            compare(&parts, &times).map_err(|error| error.to_string())
        };
        check(PARTS, memory(0, 0)).expect("as it was");
        // A leak of a few bytes in the last part.
        assert!(check(PARTS - 1, memory(50_000_016, 60_000)).expect_err("lost").contains("in use"));
        check(PARTS - COMPARED, memory(50_000_000, 65_000)).expect("kept by the allocator");
        assert!(
            check(PARTS - COMPARED, memory(50_000_000, 67_000))
                .expect_err("more and more")
                .contains("held")
        );
        check(PARTS - 1, memory(50_000_000, 90_000)).expect("what came last may go again");
    }
}
