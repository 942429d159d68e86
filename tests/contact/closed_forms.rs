//! The closed forms against values computed with sixty digits, at both ends of every range. The
//! textbook forms lose all digits for small mu v_in and near release; a wrong branch fails here
//! first.

use ictus::contact::closed_form::Curve;
use ictus::contact::release::{
    approximate_restitution, approximation_error_pct, exact, v_lim, v_out_exact,
};
use ictus::contact::{HuntCrossley, contact_time};

// Given with more digits than an f64 has, as computed.
#[allow(clippy::excessive_precision)]
/// `(u, E)`: E = (1 + W0(-(1+u) e^-(1+u)))/u.
const RESTITUTION: [(f64, f64); 19] = [
    (1e-9, 0.99999999933333333378),
    (1e-7, 0.99999993333333777778),
    (1e-5, 0.99999333337777745185),
    (1e-3, 0.99933377745210843051),
    (0.01, 0.9933774543987673634),
    (0.1, 0.93747557994990506377),
    (0.25, 0.85685101751526659882),
    (0.3, 0.83286979226560166503),
    (0.5, 0.74843493159743415812),
    (0.9, 0.61973646608197513484),
    (1.0, 0.59362426004004009232),
    (1.1, 0.56939656657448704031),
    (2.0, 0.4107196860610394467),
    (6.0, 0.16559594778802581069),
    (20.0, 0.049999999203831142392),
    (37.0, 0.027027027027026994787),
    (100.0, 0.01),
    (300.0, 0.0033333333333333333333),
    (1000.0, 0.001),
];

/// k, mu, alpha, m, v_in, contact time.
const TIMES: [(f64, f64, f64, f64, f64, f64); 8] = [
    (1e3, 0.5, 1.5, 0.01, 0.5, 0.03762359319146388),
    (1e7, 0.01, 1.3, 0.01, 0.5, 0.0004283360733786132),
    (1e9, 0.5, 1.5, 0.01, 1.0, 0.0001328982359258666),
    (1e8, 1e-6, 2.0, 0.02, 3.0, 0.00130167099444436),
    (1e5, 0.0, 2.5, 0.1, 0.2, 0.1219857454078279),
    (1e10, 5.0, 3.5, 1.0, 4.0, 0.042175148615401),
    (1e6, 5.0, 1.0, 0.001, 20.0, 0.0004525673524181301),
    (1e11, 0.0, 1.0, 1e-4, 20.0, 9.934588265796101e-8),
];

#[test]
fn release_is_exact_from_no_damping_to_all_damping() {
    for (u, restitution) in RESTITUTION {
        let got = exact(u).restitution;
        assert!((got / restitution - 1.0).abs() < 1e-14, "u {u}: {got} against {restitution}");
    }
    assert_eq!(exact(0.0).restitution, 1.0);
    assert_eq!(v_out_exact(0.0, 3.0), -3.0);
}

#[test]
fn release_has_no_seam() {
    let mut before = exact(1e-9).restitution;
    for n in 1..40_000 {
        let u = 1e-9 * 10f64.powf(12.0 * f64::from(n) / 40_000.0);
        let now = exact(u).restitution;
        assert!(now < before || u < 1e-12, "E rises at u = {u}");
        before = now;
    }
}

#[test]
fn the_approximation_has_its_published_errors() {
    assert!(
        (approximation_error_pct(0.005) / 3e-10 - 1.0).abs() < 0.1,
        "{:e}",
        approximation_error_pct(0.005)
    );
    assert!((approximation_error_pct(0.5) - 0.0125).abs() < 1e-4);
    assert!((approximation_error_pct(6.0) - 0.51).abs() < 0.01);
    // Order n is correct to u^n: the error falls by 2^(n+1) when u is halved (order 0 by 2).
    for order in 1..=4 {
        let error = |u: f64| (approximate_restitution(u, order) - exact(u).restitution).abs();
        let fall = (error(0.02) / error(0.01)).log2();
        assert!((fall - f64::from(order as u32)).abs() < 0.2, "order {order}: {fall}");
    }
    assert_eq!(approximate_restitution(0.0, 4), 1.0);
}

#[test]
fn contact_time_is_the_integral() {
    for (k, mu, alpha, m, v, time) in TIMES {
        let law = HuntCrossley { stiffness: k, mu_s_per_m: mu, alpha };
        let got = contact_time::exact(&law, m, v);
        assert!(
            (got / time - 1.0).abs() < 1e-10,
            "k {k} mu {mu} alpha {alpha}: {got:e} against {time:e}"
        );
        let predicted = contact_time::predict(&Curve::new(&law, m, v)).total_s();
        // Within a few per cent up to u = 1; at u = 100 still good enough to choose a step size.
        let good = if mu * v <= 1.0 { 0.05 } else { 0.6 };
        assert!((predicted / time - 1.0).abs() < good, "prediction {predicted:e} against {time:e}");
    }
}

#[test]
fn the_curve_is_closed_and_continuous_at_zero_damping() {
    for mu in [0.0, 1e-12, 1e-6, 1e-3, 0.5, 5.0] {
        for alpha in [1.0, 1.5, 3.5] {
            let curve =
                Curve::new(&HuntCrossley { stiffness: 1e7, mu_s_per_m: mu, alpha }, 0.01, 2.0);
            let spring = HuntCrossley { stiffness: 1e7, mu_s_per_m: mu, alpha }.prepare();
            assert_eq!(curve.compression_m(2.0), 0.0);
            assert!(curve.compression_m(curve.v_out_m_per_s) < 1e-4 * curve.x_max_m());
            assert!((curve.compression_m(0.0) / curve.x_max_m() - 1.0).abs() < 1e-14);
            // H(v), kinetic plus elastic energy along the curve, decreases monotonically.
            let mut before = f64::INFINITY;
            for n in 0..=1000 {
                let v = 2.0 + (curve.v_out_m_per_s - 2.0) * f64::from(n) / 1000.0;
                let x = curve.compression_m(v);
                let h = curve.hamiltonian_j(v);
                let sum = 0.005 * v * v + spring.potential_j(x);
                assert!((h - sum).abs() < 1e-13 * 0.02, "mu {mu} v {v}: {h:e} {sum:e}");
                assert!(h <= before * (1.0 + 1e-14), "energy rises at mu {mu} v {v}");
                assert!(v >= v_lim(mu));
                before = h;
            }
            assert!(((0.02 - before) - curve.loss_j()).abs() < 1e-15);
        }
    }
    // Continuous: the compression for mu = 1e-9 equals that for mu = 0 to 1e-8.
    let at =
        |mu| Curve::new(&HuntCrossley { stiffness: 1e7, mu_s_per_m: mu, alpha: 1.5 }, 0.01, 2.0);
    for v in [1.999, 1.0, 0.0, -1.0, -1.999] {
        assert!((at(1e-9).compression_m(v) / at(0.0).compression_m(v) - 1.0).abs() < 2e-6);
    }
}
