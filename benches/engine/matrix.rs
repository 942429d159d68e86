//! Every gesture at every number of voices.

use ictus_bench::{BLOCK, BenchEngine, GESTURES, Gesture, RATE_HZ, clock_cost_ns, now_ns};

/// Runs of a scene; the shortest time of each block counts.
const REPEATS: usize = 3;

/// Measured blocks after all voices have begun: half a second.
const COUNTED: usize = 375;

/// Length of a block, ns.
pub const BLOCK_NS: f64 = 1e9 * BLOCK as f64 / RATE_HZ;

/// Cost of a scene.
#[derive(Clone, Copy)]
pub struct Load {
    /// Mean time of a block, ns.
    pub mean_ns: f64,
    /// Longest time of a block over the mean.
    pub worst_over_mean: f64,
    /// Share of the time in which a voice is in contact, as reported by contact events.
    pub in_contact: f64,
    /// Mean number of active voices.
    pub voices: f64,
}

/// Plays a scene and measures its time.
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
    let clock_ns = clock_cost_ns();
    times.iter_mut().for_each(|ns| *ns -= clock_ns);
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
    let start_ns = now_ns();
    bench_engine.play(&events);
    now_ns() - start_ns
}

/// Share of the time of a block, %.
pub fn percent(ns: f64) -> f64 {
    100.0 * ns / BLOCK_NS
}

/// Numbers of voices of the table.
pub const VOICES: [usize; 5] = [1, 8, 16, 32, 64];

/// Prints the table, or the gestures whose name contains `only`.
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
            // Some voices fell silent: the figure is for the remaining number.
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
