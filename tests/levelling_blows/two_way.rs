//! Bodies that give way.

use super::chance::Chance;
use super::{Case, Damping, REFERENCE, hear_all, kinds, spread_db};

const DAMPINGS: [Damping; 8] = [
    Damping::Mu(0.0),
    Damping::Mu(0.3),
    Damping::Mu(1.0),
    Damping::Damper(2.0),
    Damping::Damper(50.0),
    Damping::Restitution(0.5),
    Damping::Restitution(0.8),
    Damping::DampedRestitution(0.8),
];

/// Every body with every damping; sizes, materials, weights and strikers take turns.
fn grid_of(turns: usize) -> impl Iterator<Item = Case> {
    let (sizes, materials, keys) = ([0.25, 1.0, 4.0], ["Steel", "Wood", "Glass", "Plastic"], [36, 48, 60, 72, 84]);
    let (weights, strikers) = ([0.01, 0.05, 0.4, 5.0], [0.001, 0.02, 0.1, 1.0]);
    let mut n: usize = 0;
    kinds().flat_map(move |kind| DAMPINGS.map(|damping| (kind, damping))).flat_map(move |(kind, damping)| {
        let own = (0..turns).map(move |turn| {
            let m = n + turn;
            Case {
                kind,
                damping,
                size: sizes[m % 3],
                material: materials[(m / 3) % 4],
                key: keys[m % 5],
                weight_kg: weights[(m / 2) % 4],
                striker_kg: strikers[(m / 7) % 4],
                hardness: REFERENCE,
                is_two_way: true,
            }
        });
        n += turns;
        own
    })
}

#[test]
fn bodies_of_all_weights_under_strikers_of_all_weights_are_within_3_db() {
    let all = hear_all(grid_of(4));
    let spread = spread_db(&all, 0.0);
    assert!(spread <= 3.0, "{spread} dB");
}

#[test]
#[ignore = "the whole grid"]
fn the_whole_grid() {
    let all = hear_all(grid_of(40));
    println!("{:.2} dB; without the outermost per cent {:.2} dB", spread_db(&all, 0.0), spread_db(&all, 0.01));
}

/// Settings that nothing was fitted to.
#[test]
fn settings_at_random_are_within_3_db() {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let all = hear_all((0..500).map(|_| chance.case()));
    let spread = spread_db(&all, 0.0);
    assert!(spread <= 3.0, "{spread} dB");
    // No setting is dangerous: nothing is far louder than the rest.
    let (middle, loudest) = (all[all.len() / 2].level_db, all[all.len() - 1].level_db);
    assert!(loudest <= middle + 3.0, "{loudest} dB over {middle} dB");
}
/// Over many settings a few blows of a heavy striker on a light body turn on single touches, which a coarse rehearsal misses: one
/// in three thousand is off by more than 1.5 dB.
#[test]
fn hardly_any_of_thousands_at_random_leaves_3_db() {
    let count = std::env::var("ICTUS_BLOWS").ok().and_then(|count| count.parse().ok()).unwrap_or(4_000);
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let all = hear_all((0..count).map(|_| chance.case()));
    let middle = all[all.len() / 2].level_db;
    let outside = all.iter().filter(|heard| (heard.level_db - middle).abs() > 1.5).count();
    println!("{outside} of {} are more than 1.5 dB off the middle", all.len());
    assert!(outside as f64 <= 1e-3 * all.len() as f64, "{outside} of {}", all.len());
    let loudest = all[all.len() - 1].level_db;
    assert!(loudest <= middle + 4.0, "{loudest} dB over {middle} dB");
}
