//! No setting is dangerous: however hard the striker, a blow is no more than 3 dB louder than one of the reference hardness. What is
//! soft may be as soft as it is.

use super::chance::Chance;
use super::{Case, Damping, Hardness, Heard, REFERENCE, hear_all, spread_db};

const CASES: usize = 150;

fn at(hardness: Hardness, is_two_way: bool) -> Vec<Heard> {
    let mut chance = Chance(0x0dd0_b1e5_5ca1_ab1e);
    // Against a wall the level holds what dissipation makes of the push; without it hardness is alone.
    let damping = |case: Case| if is_two_way { case.damping } else { Damping::Mu(0.0) };
    hear_all((0..CASES).map(|_| chance.case()).map(|case| Case {
        hardness,
        is_two_way,
        damping: damping(case),
        weight_kg: chance_weight_kg(&case),
        ..case
    }))
}

/// From 10 g to 50 kg.
fn chance_weight_kg(case: &Case) -> f64 {
    0.01 * (case.weight_kg / 0.01).powf(5000f64.ln() / 1000f64.ln())
}

fn middle_db(all: &[Heard]) -> f64 {
    all[all.len() / 2].level_db
}

#[test]
fn against_a_wall_bodies_of_all_weights_are_within_3_db() {
    let spread = spread_db(&at(REFERENCE, false), 0.0);
    assert!(spread <= 3.0, "{spread} dB");
}

#[test]
fn no_hardness_is_more_than_3_db_louder_against_a_wall() {
    no_hardness_is_louder(false);
}

#[test]
fn no_hardness_is_more_than_3_db_louder_where_the_body_gives_way() {
    no_hardness_is_louder(true);
}

fn no_hardness_is_louder(is_two_way: bool) {
    let reference_db = middle_db(&at(REFERENCE, is_two_way));
    let knob = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0].map(Hardness::Knob);
    let typed = [1e3, 1e5, 1e7, 1e9, 1e11].map(Hardness::Typed);
    for hardness in knob.into_iter().chain(typed) {
        let all = at(hardness, is_two_way);
        let loudest_db = all[all.len() - 1].level_db;
        println!("{hardness:?}: {:.2} dB over the reference", loudest_db - reference_db);
        assert!(loudest_db <= reference_db + 3.0, "{hardness:?}: {loudest_db} over {reference_db} dB");
    }
}
