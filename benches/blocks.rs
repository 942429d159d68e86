//! The worst block: `cargo xtask bench --blocks [PART]`, with PART `presets`, `two-way`,
//! `random` or the name of a preset. `random 200` plays 200 patches instead of 1000.
//!
//! Blocks of 64 at 48 kHz. Every scene is deterministic and is played several times; the shortest
//! thread time of each block counts.

#[path = "blocks/scene.rs"]
mod scene;

use ictus::io::presets::factory;
use ictus::params::{Param, Patch};
use ictus_bench::{clock_cost_ns, now_ns};

use scene::{BLOCK, RATE_HZ, Scene};

/// Runs of a scene; the shortest time of each block counts.
const CHORD_RUNS: usize = 5;
const RANDOM_RUNS: usize = 2;
/// Number of random patches.
const RANDOM_PATCHES: u64 = 1000;

fn main() {
    let named: Vec<_> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |part: &str| named.is_empty() || named.iter().any(|name| name == part);
    let is_named = |key: &str| named.iter().any(|name| name == key);
    if is_wanted("presets") || factory::ALL.iter().any(|(key, _)| is_named(key)) {
        println!("### Eight-note chords every 125 ms\n");
        presets("As shipped", |key| is_wanted("presets") || is_named(key), |_| ());
    }
    if is_wanted("two-way") || factory::ALL.iter().any(|(key, _)| is_named(key)) {
        presets(
            "Two-way",
            |key| is_wanted("two-way") || is_named(key),
            |patch| {
                patch.set(Param::Coupling, 1.0);
            },
        );
    }
    if let Some(seed) = named.iter().find_map(|name| name.strip_prefix("patch")?.parse().ok()) {
        let cost = Cost::of(RANDOM_RUNS, || Scene::random(seed));
        println!("{seed}: {:.1} {:.2} {}", cost.worst, cost.mean, scene::described(seed));
    }
    if is_wanted("random") {
        random(named.iter().find_map(|name| name.parse().ok()).unwrap_or(RANDOM_PATCHES));
    }
}

/// Chords on factory presets, most expensive first.
fn presets(title: &str, is_wanted: impl Fn(&str) -> bool, change: impl Fn(&mut Patch)) {
    let mut costs: Vec<(&str, Cost)> = Vec::new();
    for (key, _) in factory::ALL.iter().filter(|(key, _)| is_wanted(key)) {
        let mut sound = factory::load(key).expect("a factory preset").sound;
        change(&mut sound.patch);
        costs.push((key, Cost::of(CHORD_RUNS, || Scene::chords(&sound))));
    }
    costs.sort_by(|a, b| b.1.worst.total_cmp(&a.1.worst));
    println!("{title}, % of a block:\n\n| preset | worst | mean | worst/mean |\n|---|---|---|---|");
    for (key, cost) in &costs {
        println!(
            "| {key} | {:.1} | {:.2} | {:.1} |",
            cost.worst,
            cost.mean,
            cost.worst / cost.mean
        );
    }
    let above = |limit: f64| costs.iter().filter(|(_, cost)| cost.worst > limit).count();
    println!(
        "\nAbove 35 %: {}. Above 60 %: {}. Above 100 %: {}.\n",
        above(35.0),
        above(60.0),
        above(100.0)
    );
}

/// Sixteen voices of random patches.
fn random(patches: u64) {
    println!(
        "### Sixteen voices, every parameter at random\n\n| patch | worst % | mean % | set |\n|---|---|---|---|"
    );
    let mut costs: Vec<(u64, Cost)> =
        (0..patches).map(|seed| (seed, Cost::of(RANDOM_RUNS, || Scene::random(seed)))).collect();
    costs.sort_by(|a, b| b.1.worst.total_cmp(&a.1.worst));
    for (seed, cost) in costs.iter().take(20) {
        println!("| {seed} | {:.1} | {:.2} | {} |", cost.worst, cost.mean, scene::described(*seed));
    }
    let above = |limit: f64| costs.iter().filter(|(_, cost)| cost.worst > limit).count();
    println!(
        "\nAbove 50 %: {}. Above 100 %: {}. Above 200 %: {}.",
        above(50.0),
        above(100.0),
        above(200.0)
    );
}

/// Cost of a scene, in % of the time of a block.
struct Cost {
    worst: f64,
    mean: f64,
}

impl Cost {
    /// Plays the scene `runs` times.
    fn of(runs: usize, scene: impl Fn() -> Scene) -> Self {
        let mut least_ns: Vec<f64> = Vec::new();
        for _ in 0..runs {
            let mut scene = scene();
            for block in 0..scene.blocks {
                let start_ns = now_ns();
                scene.play(block);
                let ns = now_ns() - start_ns;
                match least_ns.get_mut(block) {
                    Some(least_ns) => *least_ns = least_ns.min(ns),
                    None => least_ns.push(ns),
                }
            }
        }
        let clock_ns = clock_cost_ns();
        let percent = |ns: f64| 100.0 * (ns - clock_ns) * 1e-9 * RATE_HZ / BLOCK as f64;
        let worst = least_ns.iter().copied().fold(0.0, f64::max);
        let mean = least_ns.iter().sum::<f64>() / least_ns.len() as f64;
        Self { worst: percent(worst), mean: percent(mean) }
    }
}
