//! Bodies that give way.

use super::chance::Chance;
use super::{Case, Damping, REFERENCE, hear_all, kinds, spread_db};
use ictus::body::Kind;

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

/// Nothing was fitted to the next set of them, which `ICTUS_BLOWS_SEED` chooses.
#[test]
fn thousands_at_random_are_within_3_db() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let mut chance = Chance(number("ICTUS_BLOWS_SEED").unwrap_or(0x2545_f491_4f6c_dd1d));
    let count = number("ICTUS_BLOWS").unwrap_or(4_000);
    let all = hear_all((0..count).map(|_| chance.case()));
    let middle = all[all.len() / 2].level_db;
    let outside = all.iter().filter(|heard| (heard.level_db - middle).abs() > 1.5).count();
    println!("{outside} of {} are more than 1.5 dB off the middle", all.len());
    let spread = spread_db(&all, 0.0);
    assert!(spread <= 3.0, "{spread} dB");
}

/// Blows that were off by 1.5 to 4 dB, each for a reason of its own. A bar of a few modes under a striker of many times its weight touches
/// dozens of times, and where that ends no steps but its own tell. On the plate and the xylophone the striker takes all back that it gave,
/// and was thought to be heard as if it had not. The ring's contact lasts until its steps get scarce. On the bowl a second touch was
/// missed. The tubular bell, 24 dB off, was still under its striker when the rehearsal ended.
#[test]
fn blows_that_turn_on_a_touch_are_level_with_the_others() {
    let steel = Case {
        kind: Kind::FreeBar,
        material: "Steel",
        size: 1.0,
        key: 60,
        weight_kg: 0.4,
        striker_kg: 0.02,
        damping: Damping::Mu(0.0),
        hardness: REFERENCE,
        is_two_way: true,
    };
    let case = |kind, material, size, key, (weight_kg, striker_kg), damping| Case {
        kind,
        material,
        size,
        key,
        weight_kg,
        striker_kg,
        damping,
        ..steel
    };
    let elastic = Damping::DampedRestitution(1.0);
    let damped = Damping::DampedRestitution(0.3);
    let cases = [
        steel,
        case(Kind::ClampedBar, "Own", 0.658346909607278, 55, (0.010543614346823061, 0.38929819334844545), elastic),
        case(
            Kind::ClampedBar,
            "Steel",
            0.796701345210927,
            52,
            (0.05413045045233594, 0.40466070227967577),
            Damping::Mu(0.0),
        ),
        case(
            Kind::ClampedBar,
            "Ceramic",
            0.638638161221838,
            45,
            (0.035281701208880654, 0.14134341138491047),
            Damping::Restitution(1.0),
        ),
        case(Kind::Ring, "Steel", 0.9952847943781585, 75, (0.010986237094845173, 0.3328534072485168), damped),
        case(Kind::Bowl, "Tin", 1.5775696732715316, 77, (0.011199192198041634, 0.01766492628184702), damped),
        case(
            Kind::SupportedPlate,
            "Polycarbonate",
            1.0772990627502803,
            79,
            (0.1298825078470561, 0.8722186488420006),
            Damping::Damper(32.339204009319964),
        ),
        case(
            Kind::Xylophone,
            "Polycarbonate",
            0.7148948485477394,
            83,
            (0.07742289245490384, 0.4105585203079524),
            Damping::Restitution(1.0),
        ),
        case(
            Kind::TubularBell,
            "Wood",
            0.2872987833683535,
            36,
            (0.01045263988130655, 0.9605816564839761),
            Damping::Restitution(0.9),
        ),
    ];
    let all = hear_all(cases.into_iter());
    assert_eq!(all.len(), cases.len());
    let spread = spread_db(&all, 0.0);
    assert!(spread <= 1.5, "{spread} dB");
}
