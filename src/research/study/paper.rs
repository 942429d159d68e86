//! What the paper printed.

use crate::contact::{HuntCrossley, Integrator};

/// A setting of the paper: the law and the speed at onset. The mass is 10 g, the rate 44.1 kHz
/// throughout.
#[derive(Clone, Copy)]
pub struct Case {
    /// Name in the paper.
    pub name: &'static str,
    /// The law.
    pub law: HuntCrossley,
    /// Speed at onset, m/s.
    pub v_in_m_per_s: f64,
}

/// The paper's mass, kg.
pub const MASS_KG: f64 = 0.01;
/// The paper's sample rate, Hz.
pub const RATE_HZ: f64 = 44_100.0;

const fn case(
    name: &'static str,
    stiffness: f64,
    mu_s_per_m: f64,
    alpha: f64,
    v_in_m_per_s: f64,
) -> Case {
    Case { name, law: HuntCrossley { stiffness, mu_s_per_m, alpha }, v_in_m_per_s }
}

/// Table I, Fig. 6.
pub const SAFE: Case = case("non-critical", 1e3, 0.5, 1.5, 0.5);
/// Tables II(a) and III(a), Figs. 7 and 9.
pub const CASE_1: Case = case("case 1, low dissipation", 1e7, 0.01, 1.3, 0.5);
/// Tables II(b) and III(b), Figs. 8, 10 and 12.
pub const CASE_2: Case = case("case 2, hard impact", 1e9, 0.5, 1.5, 1.0);
/// Figs. 1, 2, 4 and 5.
pub const SHOWN: Case = case("Fig. 1", 1e7, 0.5, 1.5, 0.5);

/// The paper's four, with their names.
pub const FOUR: [(&str, Integrator); 4] = [
    ("AM1", Integrator::Am1),
    ("Verlet", Integrator::Verlet),
    ("Heun", Integrator::Heun),
    ("RK4", Integrator::Rk4),
];

/// Tables I, II(a) and II(b) as printed: dev(x), err(v_out), dev(H) in %, in the order of [`FOUR`].
pub const SINGLE: [(Case, [[&str; 3]; 4]); 3] = [
    (
        SAFE,
        [
            ["0.255", "2e-5", "3e-4"],
            ["0.018", "2e-6", "0.052"],
            ["0.319", "-3e-5", "4e-4"],
            ["0.005", "2e-6", "1e-5"],
        ],
    ),
    (
        CASE_1,
        [
            ["1.011", "0.039", "61.302"],
            ["1.083", "0.073", "59.542"],
            ["1.136", "0.067", "63.042"],
            ["0.052", "0.006", "1.427"],
        ],
    ),
    (
        CASE_2,
        [
            ["4.381", "2.551", "7.885"],
            ["4.418", "0.839", "9.475"],
            ["19.506", "-4.692", "23.387"],
            ["0.412", "-0.105", "0.410"],
        ],
    ),
];

/// Tables III(a) and III(b) as printed: accumulated error, largest deviation in %, in the order of
/// [`FOUR`].
pub const TRAINS: [(Case, [[&str; 2]; 4]); 2] = [
    (
        CASE_1,
        [["12.022", "72.962"], ["10.059", "72.107"], ["147.036", "63.043"], ["0.907", "14.466"]],
    ),
    (
        CASE_2,
        [["24.285", "69.156"], ["15.780", "43.966"], ["946.600", "27.418"], ["2.153", "6.255"]],
    ),
];

/// Table IV(a), totals with reads and writes: per sample, in the order of [`FOUR`]; AM1 as it would
/// be with two Newton steps.
pub const OPERATIONS: [u32; 4] = [33 + 2 * 68, 44, 47, 154];
/// Table IV(b): hybrid correction per sample, v~_out once per contact.
pub const HYBRID_OPERATIONS: u32 = 26;
