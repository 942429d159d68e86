//! Energy, friction cone, momentum and no approach, for random impacts and with every cap forced.

use super::common::{check, landing, some_settings};
use super::frames::Frames;
use ictus::random::Random;
use ictus::rigid_body::simultaneous::{Budget, ImpactSettings, solve};

#[test]
fn a_hundred_thousand_impacts_violate_no_law() {
    let mut chance = Random::new(21);
    let (mut capped, mut unsettled, mut max_solves, mut solves) = (0, 0, 0, 0u64);
    for _ in 0..100_000 {
        let contacts = landing(&mut chance, 4);
        let got = solve(&contacts, &some_settings(&mut chance), &Budget::REAL_TIME);
        check(&contacts, &got, "whole");
        capped += u32::from(got.capped);
        unsettled += u32::from(got.unsettled > 0);
        max_solves = max_solves.max(got.solves);
        solves += u64::from(got.solves);
    }
    println!(
        "capped {capped}, unsettled {unsettled}, solves mean {:.1} most {max_solves}",
        solves as f64 / 1e5
    );
    assert!(unsettled <= 1000, "friction of {unsettled} was not brought into line");
}

#[test]
fn eight_points_violate_no_law() {
    let mut chance = Random::new(22);
    let mut capped = 0;
    for _ in 0..10_000 {
        let contacts = landing(&mut chance, 8);
        let got = solve(&contacts, &some_settings(&mut chance), &Budget::REAL_TIME);
        check(&contacts, &got, "eight");
        capped += u32::from(got.capped);
    }
    println!("capped {capped} of 10000");
}

#[test]
fn no_cap_violates_a_law() {
    type Cap = fn(Budget) -> Budget;
    let caps: [(&str, Cap); 9] = [
        ("no solves", |full| Budget { solves: 0, ..full }),
        ("one solve", |full| Budget { solves: 1, ..full }),
        ("three solves", |full| Budget { solves: 3, ..full }),
        ("no rounds", |full| Budget { rounds: 0, ..full }),
        ("one round", |full| Budget { rounds: 1, ..full }),
        ("one interval", |full| Budget { intervals: 1, ..full }),
        ("two intervals", |full| Budget { intervals: 2, ..full }),
        ("no newton", |full| Budget { newton: 0, ..full }),
        ("one newton", |full| Budget { newton: 1, ..full }),
    ];
    for (seed, (name, cap)) in (50..).zip(caps) {
        let count = 100_000;
        let mut chance = Random::new(seed);
        let (mut capped, mut frames) = (0, Frames::default());
        for n in 0..count {
            let contacts = landing(&mut chance, 4);
            let settings = ImpactSettings { theta_max_rad: 0.1, ..some_settings(&mut chance) };
            // Alone, except for rounds that hardly end.
            let alone = cap(Budget { solves: 200, ..Budget::STUDY });
            let got = solve(&contacts, &settings, &alone);
            check(&contacts, &got, name);
            capped += u32::from(got.capped);
            if n % 4 == 0 {
                let budget = cap(Budget::REAL_TIME);
                let got = solve(&contacts, &settings, &budget);
                check(&contacts, &got, name);
                frames.compare(&contacts, &settings, &budget, &got, &mut chance);
            }
        }
        println!("{name}: {capped} of {count} were capped; {frames:?}");
        assert!(capped > 500, "{name} did not bite: {capped}");
        assert_eq!(frames.apart, 0, "{name}: {frames:?}");
    }
}

#[test]
fn invalid_and_separating_contacts_get_no_impulse() {
    let mut chance = Random::new(26);
    let good = landing(&mut chance, 1);
    let settings = some_settings(&mut chance);
    let mut apart = good.clone();
    apart.v_m_per_s[2] = 1.0;
    let mut non_finite = good.clone();
    non_finite.a[2][2] = f64::NAN;
    let mut too_many = good.clone();
    too_many.points = 0;
    for contacts in [apart, non_finite, too_many] {
        assert_eq!(solve(&contacts, &settings, &Budget::REAL_TIME).impulse_ns, [0.0; 24]);
    }
}
