//! Several points at once (PLUS), against published counts, converged vectors, and what no impact may break.

#![cfg(feature = "cli")]

use ictus::rigid::inertia::{Inertia, mobility_per_kg};
use ictus::rigid::motion::quaternion::Quaternion;
use ictus::rigid::shape::Chance;
use ictus::rigid::simultaneous::{Budget, Contacts, Cor, MOST_POINTS, Outcome, Phase, Settings, solve, solve_watched};
use ictus::rigid::single_point::{self, Accuracy, Impact, Restitution};
use ictus::rigid::vector::{Mat3, Vec3, add, cross, dot, mul};
use serde_json::Value;

fn vectors() -> Vec<Value> {
    let text = include_str!("data/impact3d_plus_vectors.json");
    let all: Value = serde_json::from_str(text).expect("JSON");
    all["cases"].as_array().expect("cases").clone()
}

fn vector(name: &str) -> Value {
    vectors().into_iter().find(|case| case["name"] == name).expect("a case of this name")
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => vec![other.as_f64().expect("a number")],
    }
}

fn contacts(case: &Value) -> Contacts {
    let mut contacts = Contacts::new();
    contacts.points = case["n_points"].as_u64().unwrap() as usize;
    let rows = contacts.rows();
    for (i, a) in numbers(&case["A"]).into_iter().enumerate() {
        contacts.a[i / rows][i % rows] = a;
    }
    for (i, v) in numbers(&case["v_minus"]).into_iter().enumerate() {
        contacts.v_m_per_s[i] = v;
    }
    contacts.mu = [case["mu"].as_f64().unwrap(); 8];
    contacts
}

fn settings(case: &Value) -> Settings {
    let number = |name: &str| case[name].as_f64().unwrap();
    Settings {
        cor: Cor {
            e_min: number("e_min"),
            v_capture_m_per_s: number("v_capture"),
            v_plastic_m_per_s: number("v_plastic"),
        },
        v_transition_m_per_s: number("v_transition"),
        theta_max_rad: number("theta_max"),
        alpha_min: number("alpha_min"),
    }
}

fn deviation(got: &[f64], expected: &[f64]) -> f64 {
    let size = expected.iter().map(|x| x * x).sum::<f64>().sqrt();
    got.iter().zip(expected).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt() / size
}

/// What no impact may break, whatever ended it.
fn check(contacts: &Contacts, got: &Outcome, what: &str) {
    let rows = contacts.rows();
    let fastest = contacts.v_m_per_s[..rows].iter().fold(0.0f64, |most, v| most.max(v.abs()));
    let describe = || format!("{what}: {contacts:?} {got:?}");
    for k in 0..contacts.points {
        let [x, y, z] = [0, 1, 2].map(|axis| got.impulse_ns[3 * k + axis]);
        let largest = got.impulse_ns.iter().fold(0.0f64, |most, i| most.max(i.abs()));
        assert!(x.is_finite() && y.is_finite() && z >= -1e-9 * largest, "pull {z:e} {}", describe());
        let outside = x.hypot(y) - contacts.mu[k] * z;
        assert!(outside <= 1e-9 * largest * (1.0 + contacts.mu[k]), "cone by {outside:e} {}", describe());
        let v_z = got.v_m_per_s[3 * k + 2];
        assert!(v_z >= -1e-8 * fastest, "approaching {v_z:e} {}", describe());
    }
    for row in 0..rows {
        let v = contacts.v_m_per_s[row] + contacts.response(row, &got.impulse_ns);
        assert!((v - got.v_m_per_s[row]).abs() <= 1e-10 * fastest, "momentum {}", describe());
    }
    let before: f64 = (0..rows).map(|row| contacts.v_m_per_s[row] * got.impulse_ns[row]).sum();
    let gain = contacts.energy_j(&got.impulse_ns);
    assert!(gain <= 1e-10 * before.abs(), "energy {gain:e} of {before:e} {}", describe());
}

#[test]
fn every_vector_is_met() {
    let (mut worst_i, mut worst_v) = (0.0f64, 0.0f64);
    for case in vectors() {
        let name = case["name"].as_str().unwrap();
        let contacts = contacts(&case);
        let rows = contacts.rows();
        let got = solve(&contacts, &settings(&case), &Budget::STUDY);
        check(&contacts, &got, name);
        assert_eq!(u64::from(got.rounds), case["n_rounds"].as_u64().unwrap(), "{name}");
        assert_eq!(u64::from(got.intervals), case["n_intervals"].as_u64().unwrap(), "{name}");
        // Two impulses of these are not determined by the model: a slip without direction.
        if name == "rand03_4pt" || name == "rand06_4pt" {
            continue;
        }
        let off_i = deviation(&got.impulse_ns[..rows], &numbers(&case["total_impulse"]));
        let off_v = deviation(&got.v_m_per_s[..rows], &numbers(&case["v_plus"]));
        assert!(off_i < 1e-8 && off_v < 1e-8, "{name}: I {off_i:e} v {off_v:e}");
        assert!(!got.capped, "{name}");
        assert_eq!(u64::from(got.solves), case["active_set_solves"].as_u64().unwrap(), "{name}");
        (worst_i, worst_v) = (worst_i.max(off_i), worst_v.max(off_v));
    }
    println!("worst: impulse {worst_i:e}, velocity {worst_v:e}");
}

#[test]
fn the_figure_with_three_angles_has_its_intervals() {
    for (name, expected) in [("ex1_mu0.325_th0.010", 116), ("ex1_mu0.325_th0.150", 11), ("ex1_mu0.325_th0.250", 8)] {
        let case = vector(name);
        assert_eq!(solve(&contacts(&case), &settings(&case), &Budget::STUDY).intervals, expected, "{name}");
    }
}

#[test]
fn a_cradle_goes_through_the_rounds_of_table_2() {
    use Phase::{Compressing as C, Expanding as E, Observing as O};
    let case = vector("ex3_cradle");
    let mut rounds = Vec::new();
    let got = solve_watched(&contacts(&case), &settings(&case), &Budget::STUDY, |phases| rounds.push(phases.to_vec()));
    let table = [[C, O, O, O], [E, C, O, O], [O, E, C, O], [O, O, E, C], [O, O, O, E]];
    assert_eq!(rounds, table.map(|round| round.to_vec()));
    assert!((got.v_m_per_s[11] - 2.0).abs() < 1e-12, "the last ball leaves with all of it");
}

#[test]
fn rounds_of_chains_explode_below_full_restitution() {
    for (name, rounds) in [("chain5_e1", 5), ("chain5_e0.9", 49), ("chain8_e0.9", 151), ("chain8_e0.5", 15)] {
        let case = vector(name);
        assert_eq!(solve(&contacts(&case), &settings(&case), &Budget::STUDY).rounds, rounds, "{name}");
    }
}

/// Points of one body in one plane, by chance.
fn landing(chance: &mut Chance, most: usize) -> Contacts {
    let size = 10f64.powf(chance.between(-2.0, 0.0));
    let edges = [0; 3].map(|_: i32| size * chance.between(0.1, 1.0));
    let inertia = Inertia::cuboid(10f64.powf(chance.between(-3.0, 1.0)), edges);
    let axes = Quaternion([0; 4].map(|_: i32| chance.between(-1.0, 1.0))).normalised().matrix();
    let fast = 10f64.powf(chance.between(-1.0, 1.0));
    let spin: Vec3 = [0; 3].map(|_: i32| chance.between(-1.0, 1.0) * fast / size);
    let push = chance.between(0.0, 2.0);
    let velocity = [push * chance.between(-1.0, 1.0) * fast, push * chance.between(-1.0, 1.0) * fast, -fast];
    let below = -chance.between(0.1, 0.6) * size;
    let mut contacts = Contacts::new();
    contacts.points = 1 + (chance.unit() * most as f64) as usize;
    let mu = if chance.unit() < 0.05 { 0.0 } else { chance.between(0.05, 1.2) };
    let arms: [Vec3; MOST_POINTS] =
        [0; MOST_POINTS].map(|_: i32| [chance.between(-0.5, 0.5) * size, chance.between(-0.5, 0.5) * size, below]);
    for i in 0..contacts.points {
        contacts.mu[i] = mu;
        let v = add(velocity, cross(spin, arms[i]));
        contacts.v_m_per_s[3 * i..3 * i + 3].copy_from_slice(&v);
        for j in 0..contacts.points {
            let block = mobility_per_kg(&inertia, &axes, arms[i], arms[j]);
            for (row, entries) in block.iter().enumerate() {
                contacts.a[3 * i + row][3 * j..3 * j + 3].copy_from_slice(entries);
            }
        }
    }
    contacts
}

fn some_settings(chance: &mut Chance) -> Settings {
    let e_min = match (chance.unit() * 10.0) as u32 {
        0 => 0.0,
        1 => 1.0,
        _ => chance.unit(),
    };
    Settings {
        cor: Cor { e_min, v_capture_m_per_s: 0.01, v_plastic_m_per_s: 0.1 },
        v_transition_m_per_s: if chance.unit() < 0.5 { 0.01 } else { 0.1 },
        theta_max_rad: chance.between(0.1, 0.6),
        alpha_min: 0.01,
    }
}

#[test]
fn a_hundred_thousand_impacts_break_no_law() {
    let mut chance = Chance::new(21);
    let (mut capped, mut unsettled, mut most_solves, mut solves) = (0, 0, 0, 0u64);
    for _ in 0..100_000 {
        let contacts = landing(&mut chance, 4);
        let got = solve(&contacts, &some_settings(&mut chance), &Budget::REAL_TIME);
        check(&contacts, &got, "whole");
        capped += u32::from(got.capped);
        unsettled += u32::from(got.unsettled > 0);
        most_solves = most_solves.max(got.solves);
        solves += u64::from(got.solves);
    }
    println!("capped {capped}, unsettled {unsettled}, solves mean {:.1} most {most_solves}", solves as f64 / 1e5);
    assert!(unsettled <= 1000, "friction of {unsettled} was not brought into line");
}

#[test]
fn eight_points_break_no_law() {
    let mut chance = Chance::new(22);
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
fn no_cap_breaks_a_law() {
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
        let mut chance = Chance::new(seed);
        let (mut capped, mut frames) = (0, Frames::default());
        for n in 0..count {
            let contacts = landing(&mut chance, 4);
            let settings = Settings { theta_max_rad: 0.1, ..some_settings(&mut chance) };
            // Alone, but for rounds that hardly end.
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
        assert!(frames.apart <= 3 * count / 4 / 5000, "{name}: {frames:?}");
    }
}

fn turned(contacts: &Contacts, turn: &Mat3) -> Contacts {
    let mut other = contacts.clone();
    for i in 0..contacts.points {
        let v = [0, 1, 2].map(|axis| contacts.v_m_per_s[3 * i + axis]);
        other.v_m_per_s[3 * i..3 * i + 3].copy_from_slice(&mul(turn, v));
        for j in 0..contacts.points {
            let block: Mat3 = std::array::from_fn(|r| std::array::from_fn(|c| contacts.a[3 * i + r][3 * j + c]));
            for r in 0..3 {
                for c in 0..3 {
                    other.a[3 * i + r][3 * j + c] = dot(turn[r], mul(&block, turn[c]));
                }
            }
        }
    }
    other
}

/// The same points, the last one first.
fn reversed(contacts: &Contacts) -> Contacts {
    let mut other = contacts.clone();
    let from = |row: usize| 3 * (contacts.points - 1 - row / 3) + row % 3;
    for i in 0..contacts.rows() {
        other.v_m_per_s[i] = contacts.v_m_per_s[from(i)];
        for j in 0..contacts.rows() {
            other.a[i][j] = contacts.a[from(i)][from(j)];
        }
    }
    other
}

/// How far the same impact comes out differently, seen turned, mirrored, and with its points in another order.
#[derive(Debug, Default)]
struct Frames {
    worst: f64,
    /// How many differ altogether, and how many of these met no cap.
    apart: u32,
    without_cap: u32,
}

impl Frames {
    fn compare(
        &mut self,
        contacts: &Contacts,
        settings: &Settings,
        budget: &Budget,
        got: &Outcome,
        chance: &mut Chance,
    ) {
        let rows = contacts.rows();
        let (sin, cos) = chance.between(0.0, std::f64::consts::TAU).sin_cos();
        let about = [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]];
        let mirror = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut differ = |again: &Outcome, expected: &dyn Fn(usize) -> f64| {
            let square = |v: f64| v * v;
            let before = contacts.v_m_per_s[..rows].iter().map(|&v| square(v)).sum::<f64>().sqrt();
            let off = (0..rows).map(|row| square(again.v_m_per_s[row] - expected(row))).sum::<f64>().sqrt() / before;
            if off > 1e-6 {
                self.apart += 1;
                self.without_cap += u32::from(!got.capped && !again.capped);
            } else {
                self.worst = self.worst.max(off);
            }
        };
        for turn in [about, mirror] {
            let again = solve(&turned(contacts, &turn), settings, budget);
            differ(&again, &|row| {
                let k = row / 3;
                dot(turn[row % 3], [0, 1, 2].map(|axis| got.v_m_per_s[3 * k + axis]))
            });
        }
        let again = solve(&reversed(contacts), settings, budget);
        differ(&again, &|row| got.v_m_per_s[3 * (contacts.points - 1 - row / 3) + row % 3]);
    }
}

#[test]
fn frame_mirror_and_order_do_not_matter() {
    let count = 100_000;
    let mut chance = Chance::new(24);
    let mut frames = Frames::default();
    for _ in 0..count {
        let contacts = landing(&mut chance, 4);
        let settings = some_settings(&mut chance);
        let got = solve(&contacts, &settings, &Budget::REAL_TIME);
        frames.compare(&contacts, &settings, &Budget::REAL_TIME, &got, &mut chance);
    }
    println!("{frames:?} of {}", 3 * count);
    // Only where friction is not brought into line, and corrections wander off, may a frame show.
    assert_eq!(frames.without_cap, 0);
    assert!(frames.apart <= 3 * count / 5000, "{frames:?}");
}

#[test]
fn bodies_may_swap() {
    // From the other body's side, half a turn about x, and all relative velocities the other way. PLUS knows the bodies
    // by A alone, so this comes to a mirror.
    let count = 100_000;
    let mut chance = Chance::new(27);
    let flip = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let (mut worst, mut apart) = (0.0f64, 0);
    for _ in 0..count {
        let contacts = landing(&mut chance, 4);
        let settings = some_settings(&mut chance);
        let got = solve(&contacts, &settings, &Budget::REAL_TIME);
        let mut other = contacts.clone();
        let over = [1.0, -1.0, -1.0];
        for i in 0..contacts.rows() {
            other.v_m_per_s[i] = -over[i % 3] * contacts.v_m_per_s[i];
            for j in 0..contacts.rows() {
                other.a[i][j] = over[i % 3] * over[j % 3] * contacts.a[i][j];
            }
        }
        let again = solve(&other, &settings, &Budget::REAL_TIME);
        let size = norm_of(&contacts.v_m_per_s);
        let off: Vec<f64> = (0..contacts.rows())
            .map(|row| again.v_m_per_s[row] - flip[row % 3][row % 3] * got.v_m_per_s[row])
            .collect();
        let off = norm_of(&off) / size;
        if off > 1e-6 {
            assert!(got.capped || again.capped, "off by {off:e}: {contacts:?} {settings:?}");
            apart += 1;
        } else {
            worst = worst.max(off);
        }
    }
    println!("swapped: worst {worst:e}, {apart} apart of {count}");
    assert!(apart <= count / 5000, "{apart}");
}

fn norm_of(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[test]
fn what_is_no_impact_gives_no_impulse() {
    let mut chance = Chance::new(26);
    let good = landing(&mut chance, 1);
    let settings = some_settings(&mut chance);
    let mut apart = good.clone();
    apart.v_m_per_s[2] = 1.0;
    let mut no_number = good.clone();
    no_number.a[2][2] = f64::NAN;
    let mut too_many = good.clone();
    too_many.points = 0;
    for contacts in [apart, no_number, too_many] {
        assert_eq!(solve(&contacts, &settings, &Budget::REAL_TIME).impulse_ns, [0.0; 24]);
    }
}

#[test]
fn one_point_agrees_with_the_hodograph() {
    // Both with Poisson's coefficient, PLUS without its thresholds: it must converge to the exact path as its
    // intervals shrink.
    let mut chance = Chance::new(25);
    let mut worst = [0.0f64; 2];
    for _ in 0..300 {
        let contacts = landing(&mut chance, 1);
        let e = chance.unit();
        let cor = Cor { e_min: e, v_capture_m_per_s: 0.0, v_plastic_m_per_s: 0.0 };
        let w: Mat3 = std::array::from_fn(|i| std::array::from_fn(|j| contacts.a[i][j]));
        let v = [0, 1, 2].map(|axis| contacts.v_m_per_s[axis]);
        let impact = Impact { w, v_m_per_s: v, mu: contacts.mu[0], restitution: Restitution::Poisson(e) };
        if v[2] >= 0.0 {
            continue;
        }
        let exact = single_point::solve(&impact, &Accuracy::FINE);
        for (slot, theta) in [0.02, 0.002].into_iter().enumerate() {
            let settings = Settings { cor, v_transition_m_per_s: 1e-4, theta_max_rad: theta, alpha_min: 1e-6 };
            let got = solve(&contacts, &settings, &Budget::STUDY);
            let off = deviation(&got.impulse_ns[..3], &exact.impulse_ns);
            worst[slot] = worst[slot].max(off);
        }
    }
    println!("theta 0.02: {:e}, 0.002: {:e}", worst[0], worst[1]);
    assert!(worst[0] < 0.02 && worst[1] < 0.002, "{worst:?}");
}

#[test]
fn example_1_agrees_with_the_hodograph_at_matched_restitution() {
    // Stronge's e that gives the same normal speed as Poisson's: .392 -> .388, .387 -> .388, .373 -> .379.
    for (name, e) in [("ex1_mu0.125_th0.010", 0.388), ("ex1_mu0.225_th0.010", 0.388), ("ex1_mu0.325_th0.010", 0.379)] {
        let case = vector(name);
        let contacts = contacts(&case);
        let w: Mat3 = std::array::from_fn(|i| std::array::from_fn(|j| contacts.a[i][j]));
        let v = [0, 1, 2].map(|axis| contacts.v_m_per_s[axis]);
        let impact = Impact { w, v_m_per_s: v, mu: contacts.mu[0], restitution: Restitution::Stronge(e) };
        let exact = single_point::solve(&impact, &Accuracy::FINE);
        let off = deviation(&numbers(&case["total_impulse"]), &exact.impulse_ns);
        let v_z = numbers(&case["v_plus"])[2];
        println!("{name}: impulse {off:e}, v_z {} against {v_z}", exact.v_m_per_s[2]);
        assert!((exact.v_m_per_s[2] / v_z - 1.0).abs() < 5e-3, "{name}");
        assert!(off < 1e-2, "{name}: {off:e}");
    }
}
