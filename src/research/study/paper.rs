//! The paper on Hunt–Crossley contacts: its cases, its printed tables, and our figures beside them.

use crate::contact::rigid::RigidContact;
use crate::contact::trial::RigidTrial;
use crate::contact::{ContactSettings, HuntCrossley, Integrator, Oversampling, Release};

/// A case of the paper: force law and onset speed. The mass is 10 g and the rate 44.1 kHz.
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

/// The four methods of the paper.
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

/// Table IV(a): operations per sample with reads and writes, in the order of [`FOUR`]; AM1 with two
/// Newton steps.
pub const OPERATIONS: [u32; 4] = [33 + 2 * 68, 44, 47, 154];
/// Table IV(b): hybrid correction per sample, v~_out once per contact.
pub const HYBRID_OPERATIONS: u32 = 26;

/// Settings without corrections, at one step per sample.
pub fn plain(case: &Case, integrator: Integrator) -> ContactSettings {
    ContactSettings {
        law: case.law,
        mass_kg: MASS_KG,
        integrator,
        hybrid: false,
        release: Release::Free,
        ..ContactSettings::default()
    }
}

/// Settings with the hybrid correction and a release.
pub fn corrected(case: &Case, integrator: Integrator, release: Release) -> ContactSettings {
    ContactSettings { hybrid: true, release, ..plain(case, integrator) }
}

/// A trial at the paper's rate.
fn trial(case: &Case, settings: ContactSettings, rebounds: u32) -> RigidTrial {
    RigidTrial { rebounds, ..RigidTrial::single(settings, case.v_in_m_per_s, RATE_HZ) }
}

/// One step of a contact.
#[derive(Clone, Copy)]
pub struct Point {
    /// Compression, m.
    pub x_m: f64,
    /// Velocity, m/s.
    pub v_m_per_s: f64,
    /// Energy, J.
    pub energy_j: f64,
}

/// Every step of one contact that begins on a sample.
pub fn trajectory(settings: &ContactSettings, v_in_m_per_s: f64, rate_hz: f64) -> Vec<Point> {
    let mut contact = RigidContact::begin(settings, v_in_m_per_s, 1.0 / rate_hz);
    let h_s = 1.0 / (rate_hz * f64::from(contact.steps_per_sample()));
    let point = |contact: &RigidContact| Point {
        x_m: contact.motion().x_m,
        v_m_per_s: contact.motion().v_m_per_s,
        energy_j: contact.energy_j(),
    };
    let mut points = vec![point(&contact)];
    for _ in 0..1_000_000 {
        let released = contact.step(h_s).released;
        points.push(point(&contact));
        if released {
            break;
        }
    }
    points
}

/// Error of the release velocity (%) with `steps` steps per contact and an `onset` within a step.
pub fn release_error_pct(case: &Case, settings: ContactSettings, steps: f64, onset: f64) -> f64 {
    let settings = ContactSettings { steps_per_sample: Oversampling::Times(1), ..settings };
    let mut trial = RigidTrial::single(settings, case.v_in_m_per_s, RATE_HZ);
    trial.sample_rate_hz = steps / trial.contact_time_exact_s();
    trial.onset = onset;
    100.0 * (trial.run().v_out / trial.v_out_exact() - 1.0)
}

/// A figure with its significant digits.
fn short(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 { format!("{value:.2e}") } else { format!("{value:.4}") }
}

/// Prints a row: our figures, each beside the printed one.
fn row(name: &str, width: usize, printed: &[&str], ours: &[f64]) {
    let cells: Vec<String> = printed
        .iter()
        .chain(std::iter::repeat(&""))
        .zip(ours)
        .map(|(printed, ours)| format!("{printed:>9} |{:>10}", short(*ours)))
        .collect();
    println!("{name:>width$}  {}", cells.join(" "));
}

/// Prints tables I to III.
pub fn print() {
    for ((case, printed), table) in SINGLE.iter().zip(["I", "II(a)", "II(b)"]) {
        println!("\nTable {table}: {} (printed | ours), %", case.name);
        println!("{:>18}  {:>20} {:>20} {:>20}", "", "dev(x)", "err(v_out)", "dev(H)");
        let single = |name: &str, settings: ContactSettings, printed: &[&str]| {
            let trial = trial(case, settings, 1);
            let got = trial.run();
            let error_pct = 100.0 * (got.v_out / trial.v_out_exact() - 1.0);
            row(name, 18, printed, &[got.dev_x_pct, error_pct, got.dev_h_pct]);
        };
        for ((name, integrator), printed) in FOUR.into_iter().zip(printed) {
            single(name, plain(case, integrator), printed);
        }
        single("Verlet corrected", corrected(case, Integrator::Verlet, Release::Exact), &[]);
        single("Exact", corrected(case, Integrator::Exact, Release::Exact), &[]);
        single("Passive", plain(case, Integrator::Passive), &[]);
    }
    println!(
        "\nerr(v_out) of Table II(b) was printed against v~_out, ours is against the root of (6)."
    );
    for ((case, printed), table) in TRAINS.iter().zip(["III(a)", "III(b)"]) {
        println!("\nTable {table}: 100 rebounds, {} (printed | ours), %", case.name);
        println!("{:>26}  {:>20} {:>20}", "", "accumulated err", "max dev(H)");
        let train = |name: &str, settings: ContactSettings, printed: &[&str]| {
            let got = trial(case, settings, 100).run();
            row(name, 26, printed, &[got.accumulated_err_pct, got.max_dev_h_pct]);
        };
        for ((name, integrator), printed) in FOUR.into_iter().zip(printed) {
            train(name, plain(case, integrator), printed);
        }
        for (name, integrator, release) in [
            ("Verlet, hybrid, v~_out", Integrator::Verlet, Release::Approximate),
            ("Verlet, hybrid, exact", Integrator::Verlet, Release::Exact),
            ("Exact, hybrid, exact", Integrator::Exact, Release::Exact),
        ] {
            train(name, corrected(case, integrator, release), &[]);
        }
    }
    println!(
        "\nThe Heun row of Table III and RK4's max dev there do not follow from the printed equations."
    );
}
