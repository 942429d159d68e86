//! The solved forces satisfy the contact laws for any initial guess.

use super::*;
use crate::contact::HuntCrossley;
use crate::random::Random;
use crate::rigid_body::chain::newton::sweep;

const H_S: f64 = 1e-5;

/// Contacts with several exponents, with and without damping, lightly and strongly compressed.
fn springs() -> [Spring; 5] {
    let law = |alpha, mu_s_per_m| HuntCrossley { stiffness: 2e7, mu_s_per_m, alpha }.prepare();
    [law(1.5, 0.0), law(1.5, 0.4), law(2.0, 0.1), law(1.0, 0.0).with_damper(2.0), law(1.5, 0.0)]
}

const X_M: [f64; 5] = [4e-5, -1e-7, 2e-5, 1e-6, -3e-6];
const FREE_M: [f64; 5] = [6e-6, 5e-6, -4e-6, 8e-6, 9e-6];
const MOBILITY_M_PER_N: [f64; 6] = [2.5e-9, 5e-9, 2.5e-9, 1e-9, 5e-9, 2.5e-9];

fn row(springs: &[Spring]) -> Row<'_> {
    let count = springs.len();
    Row {
        springs,
        x_m: &X_M[..count],
        free_m: &FREE_M[..count],
        mobility_m_per_n: &MOBILITY_M_PER_N[..=count],
        h_s: H_S,
    }
}

/// Each force equals the mean force for the change of compression that the forces cause.
#[test]
fn every_contact_keeps_its_law() {
    let springs = springs();
    for count in 1..=springs.len() {
        let row = row(&springs[..count]);
        let f = row.solve(&[0.0; 5][..count]).expect("Newton's method settles");
        let b = row.mobility_m_per_n;
        for i in 0..count {
            let d_m = row.free_m[i] + pushed_m(b, &f, i) - (b[i] + b[i + 1]) * f[i];
            let own_n = springs[i].mean_force_n(row.x_m[i], d_m, H_S);
            assert!(
                (own_n - f[i]).abs() <= 1e-10 * f[i],
                "{count} contacts, {i}: {own_n} N, not {} N",
                f[i]
            );
        }
        assert!(f[0] > 0.0 && f[count..].iter().all(|f| *f == 0.0));
    }
}

/// Regression: a guess far above the solution opened the contact, and the solver returned zero
/// force.
#[test]
fn a_strong_guess_does_not_hide_a_contact_that_closes() {
    let spring = HuntCrossley { stiffness: 2e7, mu_s_per_m: 3.0, alpha: 1.5 }.prepare();
    let (springs, mobility_m_per_n) = ([spring; 3], [1.6e-7, 5.4e-7, 1.6e-7, 5.4e-7]);
    for count in 1..=3 {
        let row = Row {
            springs: &springs[..count],
            x_m: &[0.0, -1e-9, 0.0][..count],
            free_m: &[7.1e-8, 6e-8, 5e-8][..count],
            mobility_m_per_n: &mobility_m_per_n[..=count],
            h_s: H_S,
        };
        let (weak, strong) = (row.solve(&[0.0; 3][..count]), row.solve(&[30.0; 3][..count]));
        let (weak, strong) = (weak.expect("it settles"), strong.expect("it settles"));
        for i in 0..count {
            assert!(weak[i] > 1e-5, "{count} contacts, {i}: it closes, with {} N", weak[i]);
            assert!(
                (strong[i] / weak[i] - 1.0).abs() < 1e-9,
                "{count} contacts, {i}: {} {}",
                strong[i],
                weak[i]
            );
        }
    }
}

/// The slope equals the numerical derivative of the force, as quadratic convergence requires.
#[test]
fn the_slope_is_that_of_the_force() {
    for (spring, d) in springs().iter().flat_map(|spring| [3e-6, -4e-7].map(|d| (spring, d))) {
        let (x, step) = (1e-5, 1e-10);
        let from = spring.from(x);
        let (force, slope) = force_and_slope(spring, &from, x, d, H_S);
        let ahead = force_and_slope(spring, &from, x, d + step, H_S).0;
        let behind = force_and_slope(spring, &from, x, d - step, H_S).0;
        let measured = (ahead - behind) / (2.0 * step);
        assert!(
            force > 0.0 && (slope / measured - 1.0).abs() < 1e-4,
            "d {d} m: {slope}, measured {measured} N/m"
        );
    }
}

#[test]
fn sweeps_end_at_the_same_forces() {
    let springs = springs();
    for count in 1..=springs.len() {
        let row = row(&springs[..count]);
        let at_once = row.solve(&[0.0; 5][..count]).expect("Newton's method settles");
        let (f, settled) = sweep(&row, &[0.0; 5][..count]);
        let largest = at_once.iter().fold(0.0f64, |max, f| max.max(*f));
        assert!(settled, "{count} contacts");
        for i in 0..count {
            assert!(
                (f[i] - at_once[i]).abs() <= 1e-9 * largest,
                "{count} contacts, {i}: {} {}",
                f[i],
                at_once[i]
            );
        }
    }
}

/// Random chains: soft and stiff, open and closed, with zero, rough and nearly exact guesses.
fn by_chance(each: &mut impl FnMut(&Row, &[f64])) {
    let mut chance = Random::new(3);
    for case in 0..3000 {
        let count = 1 + case % 5;
        let springs: [Spring; 5] = std::array::from_fn(|i| {
            let (alpha, mu) =
                ([1.5, 1.0, 2.0, 1.5, 2.5][(case + i) % 5], [0.0, 0.4, 3.0][(case / 5 + i) % 3]);
            let law = HuntCrossley { stiffness: 2e7, mu_s_per_m: mu, alpha }.prepare();
            if (case + i) % 7 == 3 { law.with_damper(2.0) } else { law }
        });
        let x_m: [f64; 5] = std::array::from_fn(|i| {
            [4e-5, -1e-6, 1e-6, 0.0, 1e-5][(case / 3 + i) % 5] * chance.unit()
        });
        let free_m: [f64; 5] =
            std::array::from_fn(|_| chance.between(-1.0, 1.0) * [1e-5, 1e-7, 4e-5][case % 3]);
        let mobility_m_per_n: [f64; 6] =
            std::array::from_fn(|_| chance.unit() * [5e-9, 1e-6, 1e-11][case / 15 % 3]);
        let row = Row {
            springs: &springs[..count],
            x_m: &x_m[..count],
            free_m: &free_m[..count],
            mobility_m_per_n: &mobility_m_per_n[..=count],
            h_s: H_S,
        };
        each(&row, &[0.0; 5][..count]);
        if let Some(near) = row.solve(&[0.0; 5][..count]) {
            each(&row, &near[..count]);
            each(&row, &near.map(|f| 0.7 * f)[..count]);
            each(&row, &near.map(|f| f * (1.0 + 1e-5))[..count]);
            each(&row, &near.map(|f| f * (1.0 - 1e-9) + 1e-9)[..count]);
        }
    }
}

#[test]
fn by_chance_every_contact_keeps_its_law() {
    let (mut settled, mut all) = (0, 0);
    by_chance(&mut |row, guess| {
        all += 1;
        let Some(f) = row.solve(guess) else { return };
        settled += 1;
        let (count, b) = (row.springs.len(), row.mobility_m_per_n);
        let largest = f.iter().fold(0.0f64, |max, f| max.max(*f));
        for i in 0..count {
            let d_m = row.free_m[i] + pushed_m(b, &f, i) - (b[i] + b[i + 1]) * f[i];
            let off_n = row.springs[i].mean_force_n(row.x_m[i], d_m, H_S) - f[i];
            // A stiff law magnifies the rounding error of the displacement.
            let (ahead, slope) = (row.springs[i].from(row.x_m[i]), 1e-9);
            let steep = (ahead.mean_force_n(d_m + slope, H_S)
                - ahead.mean_force_n(d_m - slope, H_S))
                / (2.0 * slope);
            let way_m = row.free_m[i].abs() + b[i] * largest + b[i + 1] * largest;
            let allowed = 1e-12 * largest + 1e-14 * steep.max(0.0) * way_m;
            assert!(off_n.abs() <= allowed, "{row:?} {guess:?}: {i} is off by {off_n} N of {f:?}");
        }
    });
    assert!(settled * 100 > 95 * all, "{settled} of {all}");
}

/// Every iteration affects the digest.
///
/// No library function is involved, so every machine computes the same bits. A deliberate change of
/// the algorithm may change the digest; update it and give the reason.
#[test]
fn a_search_takes_the_same_way_as_ever() {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    let mut put = |value: f64| digest = (digest ^ value.to_bits()).wrapping_mul(0x100_0000_01b3);
    by_chance(&mut |row, guess| {
        for f in row.solve(guess).unwrap_or([-1.0; MAX_CONTACTS]) {
            put(f);
        }
        let (swept, settled) = sweep(row, guess);
        swept.iter().for_each(|f| put(*f));
        put(f64::from(u8::from(settled)));
    });
    assert_eq!(digest, 0xe3a7_0681_a8ca_a106, "{digest:#x}");
}

#[test]
fn nan_has_no_forces() {
    let springs = springs();
    for count in 1..=springs.len() {
        for arbitrary in [f64::NAN, f64::INFINITY] {
            let free_m = [arbitrary; 5];
            let row = Row { free_m: &free_m[..count], ..row(&springs[..count]) };
            assert_eq!(row.solve(&[0.0; 5][..count]), None, "{count} contacts, {arbitrary}");
        }
    }
}

/// Forces only compress neighbouring contacts, and there is no force beyond the ends.
#[test]
fn neighbours_push_a_contact_and_nothing_else_does() {
    let mut f = [0.0; MAX_CONTACTS];
    f[..4].copy_from_slice(&[1.0, 10.0, 100.0, 1000.0]);
    let b = [0.1, 0.2, 0.3, 0.4, 0.5];
    let pushed = [0, 1, 2, 3].map(|i| pushed_m(&b, &f, i));
    for (got, wanted) in pushed.iter().zip([2.0, 0.2 + 30.0, 3.0 + 400.0, 40.0]) {
        assert!((got - wanted).abs() < 1e-12, "{pushed:?}");
    }
}
