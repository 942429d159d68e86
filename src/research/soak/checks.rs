//! Whether anything gets worse: the last parts against the first, less the very first, in which
//! memory is touched for the first time.

use anyhow::{Result, ensure};

/// Parts whose figures are compared.
pub const PARTS: usize = 10;
/// How many of them are compared, at the beginning and at the end.
const COMPARED: usize = 3;
/// How much more memory the program may hold, as a share: the system's allocator keeps what is
/// freed, for the next table of a surface, and with the same memory in use holds a few percent more
/// or less. In use there may be no more at all.
const MAX_HELD: f64 = 1.1;
/// How much more time the last parts may take than the first: of the processor, of a median block,
/// of the longest.
const MAX_SLOWER: f64 = 1.25;

/// Memory of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Asked for and not yet given back, bytes.
    pub in_use_bytes: usize,
    /// What the system has given for it and all else, kB, where the system says it.
    pub held_kb: Option<u64>,
}

/// Figures of one part.
#[derive(Clone, Debug)]
pub struct Part {
    /// Time of a median block, us.
    pub median_us: f64,
    /// Time that one block of a thousand exceeds, us.
    pub max_us: f64,
    /// The longest block as it was, whatever else the machine did meanwhile, us.
    pub worst_us: f64,
    /// Time of all blocks, s.
    pub all_s: f64,
    /// Memory at its end.
    pub memory: Memory,
    /// Voices that sound, on average.
    pub voices: f64,
    /// Share of blocks in which as many sound as may.
    pub full: f64,
}

impl Part {
    /// From the times of its blocks, us, which it sorts.
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

/// The least that each block of the programme took in some of the parts.
///
/// All parts play the same blocks. What holds up one of them in one part (another program, an
/// interrupt, a cold cache) hits another block in the next; what a block itself needs, it needs
/// every time. So the longest of these is the longest block of the instrument, not of the machine.
pub struct ShortestTimes(Vec<f32>);

impl ShortestTimes {
    /// Of so many blocks.
    pub fn new(blocks: usize) -> Self {
        // Written to, so that the memory is held from the start.
        Self(vec![f32::INFINITY; blocks])
    }

    /// A block took so long, us.
    pub fn take(&mut self, block: usize, time_us: f32) {
        self.0[block] = self.0[block].min(time_us);
    }

    /// The longest block, us.
    fn longest_us(&self) -> f64 {
        f64::from(self.0.iter().copied().fold(0.0, f32::max))
    }
}

/// Times of the blocks of the first and of the last parts.
pub struct Times {
    first: ShortestTimes,
    last: ShortestTimes,
}

impl Times {
    /// Of parts of so many blocks.
    pub fn new(blocks: usize) -> Self {
        Self { first: ShortestTimes::new(blocks), last: ShortestTimes::new(blocks) }
    }

    /// A block of the part with this index took so long, us.
    pub fn take(&mut self, part: usize, block: usize, time_us: f32) {
        if (1..=COMPARED).contains(&part) {
            self.first.take(block, time_us);
        } else if part >= PARTS - COMPARED {
            self.last.take(block, time_us);
        }
    }
}

/// Says how the parts compare, and fails where anything grows.
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
        not_slower(name, mean(first, figure), mean(last, figure))?;
    }
    not_slower("the longest block, us", times.first.longest_us(), times.last.longest_us())?;
    let most_in_use =
        |parts: &[Part]| parts.iter().map(|part| part.memory.in_use_bytes).max().unwrap_or(0);
    let (before, after) = (most_in_use(first), most_in_use(last));
    println!("memory in use, last parts less first: {} bytes", after as i64 - before as i64);
    ensure!(before > 0, "nothing is counted: the program has another allocator");
    ensure!(after <= before, "memory grows: from {before} to {after} bytes in use");
    let least_held = |parts: &[Part]| parts.iter().map(|part| part.memory.held_kb).min().flatten();
    if let (Some(before), Some(after)) = (least_held(first), least_held(last)) {
        let more = after as f64 / before as f64;
        println!(
            "memory held: first parts {before}, last parts {after} kB, ratio {more:.3} (at most {MAX_HELD})"
        );
        ensure!(more <= MAX_HELD, "memory grows: from {before} to {after} kB held");
    }
    Ok(())
}

fn not_slower(name: &str, first: f64, last: f64) -> Result<()> {
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
                    .for_each(|(block, time_us)| times.take(part, block, *time_us));
                Part::of(&mut all, memory(50_000_000, 60_000), 64.0, 1.0)
            })
            .collect();
        compare(&parts, &times)
    }

    fn refused(change: impl Fn(usize, usize, f32) -> f32) -> String {
        check(change).expect_err("something grows").to_string()
    }

    #[test]
    fn what_stays_as_it_was_passes() {
        check(|_, _, time_us| time_us).expect("nothing grows");
        // The very first part may be slow, and the rest a little slower.
        check(|part, _, time_us| if part == 0 { 9.0 * time_us } else { time_us })
            .expect("memory is new");
        check(|part, _, time_us| time_us * (1.0 + 0.02 * part as f32)).expect("a little");
    }

    #[test]
    fn a_block_that_is_held_up_once_does_not_count() {
        check(|part, block, time_us| if (part, block) == (8, 31) { 30_000.0 } else { time_us })
            .expect("by chance");
        // Nor do others in other parts.
        let held_up = |part, block| part > 6 && block == 10 * part;
        check(|part, block, time_us| if held_up(part, block) { 5000.0 } else { time_us })
            .expect("by chance");
    }

    #[test]
    fn a_longest_block_that_grows_alone_is_refused() {
        // All other figures stay: it is one block of four thousand.
        let error =
            refused(|part, block, time_us| if part > 6 && block == 31 { 510.0 } else { time_us });
        assert!(error.contains("the longest block") && error.contains("1.27"), "{error}");
        check(|part, block, time_us| if part > 6 && block == 31 { 490.0 } else { time_us })
            .expect("within bounds");
        // Even if it is another block that was the longest before.
        let error = refused(
            |part, block, time_us| if block == 700 && part > 6 { 2.0 * time_us } else { time_us },
        );
        assert!(error.contains("the longest block"), "{error}");
    }

    #[test]
    fn blocks_that_grow_together_are_refused() {
        let error = refused(|part, _, time_us| time_us * (1.0 + 0.05 * part as f32));
        assert!(error.contains("all blocks"), "{error}");
        // A hundredth of the blocks: neither the median nor the longest.
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
        (0..PARTS).for_each(|part| times.take(part, 0, 100.0));
        let check = |from: usize, later: Memory| {
            let at = |n: usize| if n >= from { later } else { memory(50_000_000, 60_000) };
            let parts: Vec<_> =
                (0..PARTS).map(|n| Part::of(&mut [100.0; 10], at(n), 64.0, 1.0)).collect();
            compare(&parts, &times).map_err(|error| error.to_string())
        };
        check(PARTS, memory(0, 0)).expect("as it was");
        // A few bytes that nobody gives back, in the last part alone: the allocator may have had it
        // already.
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
