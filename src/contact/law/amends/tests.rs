use super::super::HuntCrossley;
use super::*;

const H_S: f64 = 1e-6;
const X_M: f64 = 3e-5;
/// Changes as shares of the compression: on both sides of what is [`TINY`], and out of contact.
const SHARES: [f64; 11] = [-1.5, -0.9, -0.02, -2e-6, -5e-7, 1e-9, 5e-7, 2e-6, 1e-3, 0.3, 0.9];

/// Amends a thousand times as large as those of a contact, so that they are seen.
fn spring(alpha: f64, mu_s_per_m: f64) -> Spring {
    let plain = HuntCrossley { stiffness: 1e8, mu_s_per_m, alpha }.prepare();
    let force_n = plain.elastic_n(X_M);
    let square_m_per_n = 1e-3 * X_M / force_n;
    let cube_per_n2 = 0.1 * square_m_per_n / (force_n * X_M);
    plain.amended(Amends { square_m_per_n, cube_per_n2, fading_per_n2: FADING * (3.0 * alpha + 1.0) * cube_per_n2 })
}

/// A contact that is pressed in until both parts fade: at [`X_M`] `8 z` is `w`, and `32 y` is `stiffening`.
fn pressed_in(alpha: f64, w: f64, stiffening: f64) -> Spring {
    let plain = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.2, alpha }.prepare();
    let fading_per_n2 = w / plain.elastic_n(X_M).powi(2);
    let cube_per_n2 = fading_per_n2 / (FADING * (3.0 * alpha + 1.0));
    let square_m_per_n = stiffening / STIFFENING * X_M / plain.elastic_n(X_M);
    plain.amended(Amends { square_m_per_n, cube_per_n2, fading_per_n2 })
}

/// How far contacts are pressed in, as `8 z` and `32 y`.
fn pressed(alpha: f64) -> impl Iterator<Item = Spring> {
    const FAR: [f64; 9] = [1e-3, 0.1, 0.3, 0.7, 1.0, 2.0, 5.0, 30.0, 1e4];
    FAR.into_iter().flat_map(move |w| FAR.into_iter().map(move |stiffening| pressed_in(alpha, w, stiffening)))
}

#[test]
fn both_parts_are_as_large_as_they_are_said_to_be() {
    let amends = Amends::new(H_S, 150.0, 0.4, 1.5);
    let twelfth_s2 = H_S * H_S / 12.0;
    assert!((amends.square_m_per_n / (twelfth_s2 * 150.0) - 1.0).abs() < 1e-12);
    assert!((amends.cube_per_n2 / (twelfth_s2 * 3600.0 / 5.5) - 1.0).abs() < 1e-12);
    assert!((amends.fading_per_n2 / (8.0 * twelfth_s2 * 3600.0) - 1.0).abs() < 1e-12);
    assert!(Amends::default().is_none() && !amends.is_none());
}

#[test]
fn the_work_of_an_amended_step_is_what_is_stored() {
    for alpha in [1.0, 1.5, 2.0, 2.7, 3.5] {
        let plain = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.0, alpha }.prepare();
        let spring = plain.amended(spring(alpha, 0.5).amends);
        assert!(spring.potential_j(X_M) > plain.potential_j(X_M));
        for x_m in [X_M, -X_M] {
            for share in SHARES {
                let d_m = share * X_M;
                let (before_j, after_j) = (spring.potential_j(x_m), spring.potential_j(x_m + d_m));
                let work_j = spring.mean_force_n(x_m, d_m, H_S) * d_m;
                let off = (work_j - (after_j - before_j)).abs() / (before_j + after_j).max(f64::MIN_POSITIVE);
                assert!(off < 1e-15, "alpha {alpha}, from {x_m:e} by {share}: {off:e}");
            }
        }
    }
}

#[test]
fn a_search_is_told_force_and_slope_with_amends() {
    let pressed = [1.0, 1.5, 2.7].into_iter().flat_map(pressed);
    for spring in [1.0, 1.5, 2.7].map(|alpha| spring(alpha, 0.2)).into_iter().chain(pressed) {
        let alpha = spring.alpha();
        let from = spring.from(X_M);
        for share in SHARES.into_iter().filter(|share| *share > -1.0) {
            let d_m = share * X_M;
            let Some(grade) = from.grade(d_m, 1.0 / H_S) else { continue };
            assert!((grade.force_n / from.mean_force_n(d_m, H_S) - 1.0).abs() < 1e-12, "alpha {alpha} {share}");
            let step_m = 1e-4 * X_M;
            let slope = (from.mean_force_n(d_m + step_m, H_S) - from.mean_force_n(d_m - step_m, H_S)) / (2.0 * step_m);
            assert!((grade.slope_n_per_m / slope - 1.0).abs() < 1e-5, "alpha {alpha} {share}");
        }
    }
}

/// A law whose force falls would let a ball through.
#[test]
fn however_far_it_is_pressed_in_a_contact_pushes_back() {
    let (mut least, mut most) = (f64::MAX, 0.0f64);
    for alpha in [1.0, 1.5, 2.0, 2.7, 3.5] {
        for spring in pressed(alpha) {
            let (mut last_n, mut last_square_n) = (0.0, 0.0);
            for n in 1..200 {
                let x_m = 0.02 * f64::from(n) * X_M;
                let (share, energy) = {
                    let force_n = spring.mean_force_n(x_m, 1e-9 * x_m, f64::INFINITY);
                    assert!(force_n > last_n, "{spring:?} {n}");
                    last_n = force_n;
                    (force_n / spring.elastic_n(x_m), spring.potential_j(x_m) / spring.plain_j(x_m))
                };
                // Damping comes twice to the first part, which therefore has to grow by itself.
                let square_n = spring.from(x_m).gradients(1e-9 * x_m).0.force_n;
                assert!(square_n > last_square_n, "{spring:?} {n}");
                last_square_n = square_n;
                (least, most) = (least.min(share), most.max(share));
                assert!(
                    share > 0.95 && share < 1.09 && energy > 0.95 && energy < 1.09,
                    "{spring:?} {n} {share} {energy}"
                );
            }
        }
    }
    assert!(least < 0.98 && most > 1.05, "none was pressed in that far: {least} {most}");
}

#[test]
fn out_of_contact_amends_are_none() {
    let spring = spring(1.5, 0.3);
    for (x_m, d_m) in [(0.0, 0.0), (-X_M, 0.0), (0.0, -X_M), (-X_M, X_M), (-X_M, 0.5 * X_M)] {
        assert_eq!(spring.mean_force_n(x_m, d_m, H_S), 0.0, "{x_m} {d_m}");
    }
    assert_eq!(spring.potential_j(0.0), 0.0);
}

#[test]
fn damping_takes_energy_with_amends_too() {
    let spring = spring(1.5, 0.5);
    for share in SHARES {
        let d_m = share * X_M;
        let stored_j = spring.potential_j(X_M + d_m) - spring.potential_j(X_M);
        let rounding_j = 1e-15 * spring.potential_j(X_M);
        assert!(spring.mean_force_n(X_M, d_m, H_S) * d_m >= stored_j - rounding_j, "{share}");
    }
}
