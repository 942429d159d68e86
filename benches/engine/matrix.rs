//! Every gesture at every number of voices.

use super::clock;
use ictus_bench::bench_engine::{BLOCK, BenchEngine, RATE_HZ};
use ictus_bench::gestures::{GESTURES, Gesture};

/// How often a scene is played; of each block the shortest time counts.
const REPEATS: usize = 3;

/// Blocks that count, after all voices have begun: half a second.
const COUNTED: usize = 375;

/// Length of a block, ns.
pub const BLOCK_NS: f64 = 1e9 * BLOCK as f64 / RATE_HZ;

/// What a scene takes.
#[derive(Clone, Copy)]
pub struct Load {
    /// Mean time of a block, ns.
    pub mean_ns: f64,
    /// Longest time of a block over the mean.
    pub worst_over_mean: f64,
    /// Part of the time that a voice is in contact, as far as contacts are told.
    pub in_contact: f64,
    /// Voices that sounded, on the mean.
    pub voices: f64,
}

/// Play a scene and take its time.
pub fn load(gesture: &'static Gesture, voices: usize, more: &[(&str, &str)]) -> Load {
    let mut times = vec![f64::MAX; COUNTED];
    let (mut contact_s, mut sounding) = (0.0, 0);
    for repeat in 0..REPEATS {
        let mut bench_engine = BenchEngine::new(gesture, voices, more, false);
        for _ in 0..gesture.period {
            let events = bench_engine.events();
            bench_engine.play(&events);
        }
        for time in &mut times {
            let ns = timed(&mut bench_engine);
            *time = time.min(ns);
            if repeat == 0 {
                let played = bench_engine.played();
                contact_s += played.contact_s;
                sounding += played.voices;
            }
        }
    }
    let asking_ns = clock::asking_ns();
    times.iter_mut().for_each(|ns| *ns -= asking_ns);
    let mean_ns = times.iter().sum::<f64>() / COUNTED as f64;
    let worst = times.iter().fold(0.0f64, |worst, &ns| worst.max(ns));
    Load {
        mean_ns,
        worst_over_mean: worst / mean_ns,
        in_contact: contact_s / (1e-9 * BLOCK_NS * (COUNTED * voices) as f64),
        voices: sounding as f64 / COUNTED as f64,
    }
}

/// Time of the block in which all voices begin at once, ns.
fn chord_ns(gesture: &'static Gesture, voices: usize) -> f64 {
    (0..REPEATS)
        .map(|_| timed(&mut BenchEngine::new(gesture, voices, &[], true)))
        .fold(f64::MAX, f64::min)
}

fn timed(bench_engine: &mut BenchEngine) -> f64 {
    let events = bench_engine.events();
    let start_ns = clock::now_ns();
    bench_engine.play(&events);
    clock::now_ns() - start_ns
}

/// Part of a block's time, %.
pub fn percent(ns: f64) -> f64 {
    100.0 * ns / BLOCK_NS
}

/// Numbers of voices of the table.
pub const VOICES: [usize; 5] = [1, 8, 16, 32, 64];

/// Print the table, or the gestures whose name has `only` in it.
pub fn print(only: Option<&str>) {
    println!(
        "Per cent of one core at 48 kHz in blocks of 64 samples, 64 modes a voice; in brackets the worst block over"
    );
    println!(
        "the mean. The last column is the block in which 32 keys begin at once, in per cent of its time.\n"
    );
    let head = VOICES.map(|voices| format!(" {voices}")).join(" |");
    println!(
        "| gesture |{head} | in contact | all at once, 32 |\n|---|{}",
        "---|".repeat(VOICES.len() + 2)
    );
    for gesture in
        GESTURES.iter().filter(|gesture| only.is_none_or(|only| gesture.name.contains(only)))
    {
        let loads = VOICES.map(|voices| (voices, load(gesture, voices, &[])));
        let cells = loads.map(|(voices, load)| {
            // Fewer than were played: some fell silent, and the figure is for those that did not.
            let note = if load.voices < 0.98 * voices as f64 {
                format!(" [{:.0}]", load.voices)
            } else {
                String::new()
            };
            format!(" {:.2} ({:.1}){note}", percent(load.mean_ns), load.worst_over_mean)
        });
        let contact = 100.0 * loads[3].1.in_contact;
        let chord = percent(chord_ns(gesture, 32));
        println!("| {} |{} | {contact:.1} % | {chord:.0} % |", gesture.name, cells.join(" |"));
    }
}
