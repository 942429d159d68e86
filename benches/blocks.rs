//! What the worst block costs: `cargo xtask bench --blocks [PART]`, PART being `presets`,
//! `two-way`, `random` or the name of a preset. `random 200` plays 200 patches instead of 1000.
//!
//! Blocks of 64 at 48 kHz. Every scene is the same every time; it is played several times over and
//! of each block the least thread time counts, so that the worst block is the scene's and not the
//! machine's.

#[path = "blocks/cost.rs"]
mod cost;
#[path = "blocks/scene.rs"]
mod scene;

use cost::Cost;
use ictus::io::presets::factory;
use ictus::params::{Param, Patch};
use scene::Scene;

/// Runs of which the least time of each block counts.
const CHORD_RUNS: usize = 5;
const RANDOM_RUNS: usize = 2;
/// Patches with every knob at random.
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

/// Chords on factory presets, dearest first.
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

/// Sixteen voices of a patch with every knob at random.
fn random(patches: u64) {
    println!(
        "### Sixteen voices, every knob at random\n\n| patch | worst % | mean % | set |\n|---|---|---|---|"
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
