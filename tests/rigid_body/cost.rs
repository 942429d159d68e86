//! What impacts cost: `cargo xtask measure impacts`.
//!
//! No time is asserted. The fastest of five runs counts, because this measures the code and not the
//! other programs of the machine; "worst" is the slowest case. `tests/realtime/storm_cost.rs`
//! measures impacts with sound.

use std::hint::black_box;
use std::time::Instant;

use ictus::random::Random;
use ictus::rigid_body::chain::{Chain, ChainSettings};
use ictus::rigid_body::inertia::{Inertia, mobility_per_kg};
use ictus::rigid_body::motion::Quaternion;
use ictus::rigid_body::shape::{RigidShape, RigidShapeKind};
use ictus::rigid_body::simultaneous::{self, Budget, Contacts, Cor, ImpactSettings};
use ictus::rigid_body::single_point::{self, Accuracy, Impact, Restitution};
use ictus::rigid_body::tumble::{self, Strikes, TICK_S, Tumble, TumbleThrow};
use ictus::rigid_body::vector::{Mat3, Vec3, add, cross};

/// Microseconds of the fastest of five runs.
fn micros(mut work: impl FnMut()) -> f64 {
    (0..5)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e6
        })
        .fold(f64::INFINITY, f64::min)
}

fn landing(chance: &mut Random, points: usize) -> Contacts {
    let edges = [0; 3].map(|_: i32| chance.between(0.02, 0.2));
    let inertia = Inertia::cuboid(1.0, edges);
    let axes = Quaternion([0; 4].map(|_: i32| chance.between(-1.0, 1.0))).normalised().matrix();
    let spin: Vec3 = [0; 3].map(|_: i32| chance.between(-30.0, 30.0));
    let velocity = [chance.between(-3.0, 3.0), chance.between(-3.0, 3.0), -3.0];
    let mut contacts = Contacts::new();
    contacts.points = points;
    contacts.mu = [chance.between(0.1, 1.0); 8];
    let arms: [Vec3; 8] =
        [0; 8].map(|_: i32| [chance.between(-0.1, 0.1), chance.between(-0.1, 0.1), -0.05]);
    for i in 0..points {
        contacts.v_m_per_s[3 * i..3 * i + 3].copy_from_slice(&add(velocity, cross(spin, arms[i])));
        for j in 0..points {
            let block = mobility_per_kg(&inertia, &axes, arms[i], arms[j]);
            for (row, entries) in block.iter().enumerate() {
                contacts.a[3 * i + row][3 * j..3 * j + 3].copy_from_slice(entries);
            }
        }
    }
    contacts
}

#[test]
#[ignore = "cost of impacts: cargo xtask measure impacts"]
fn impacts() {
    let mut chance = Random::new(41);
    let settings = ImpactSettings {
        cor: Cor { e_min: 0.5, v_capture_m_per_s: 0.02, v_plastic_m_per_s: 0.1 },
        v_transition_m_per_s: 0.01,
        theta_max_rad: 0.35,
        alpha_min: 0.01,
    };
    for (name, accuracy) in [("default", Accuracy::DEFAULT), ("fine", Accuracy::FINE)] {
        let (mut sum, mut worst, mut most) = (0.0, 0.0f64, 0);
        for _ in 0..5000 {
            let contacts = landing(&mut chance, 1);
            let w: Mat3 = std::array::from_fn(|i| std::array::from_fn(|j| contacts.a[i][j]));
            let v = [0, 1, 2].map(|axis| contacts.v_m_per_s[axis]);
            let impact = Impact {
                w,
                v_m_per_s: v,
                mu: contacts.mu[0],
                restitution: Restitution::Stronge(0.5),
            };
            let took = micros(|| {
                black_box(single_point::solve(black_box(&impact), &accuracy));
            });
            most = most.max(single_point::solve(&impact, &accuracy).steps);
            sum += took;
            worst = worst.max(took);
        }
        println!(
            "single point, {name}: mean {:.2} us, worst {worst:.1} us, most steps {most}",
            sum / 5000.0
        );
    }
    for points in [1, 2, 4, 8] {
        let (mut sum, mut worst, mut solves, mut most) = (0.0, 0.0f64, 0, 0);
        for _ in 0..3000 {
            let contacts = landing(&mut chance, points);
            let took = micros(|| {
                black_box(simultaneous::solve(black_box(&contacts), &settings, &Budget::REAL_TIME));
            });
            let got = simultaneous::solve(&contacts, &settings, &Budget::REAL_TIME);
            solves += got.solves;
            most = most.max(got.solves);
            sum += took;
            worst = worst.max(took);
        }
        println!(
            "{points} points: mean {:.1} us, worst {worst:.1} us, {:.2} us a solve, solves mean {:.1} most {most}",
            sum / 3000.0,
            sum / f64::from(solves),
            f64::from(solves) / 3000.0
        );
    }
}

#[test]
#[ignore = "cost of impacts: cargo xtask measure impacts"]
fn tumbles() {
    let mut strikes = Strikes::new();
    for kind in RigidShapeKind::ALL {
        let (mut busy_us, mut ticks, mut worst) = (0.0, 0u32, 0.0f64);
        for seed in 0..40 {
            let throw =
                TumbleThrow { seed, spin_rad_per_s: [20.0, 40.0, -10.0], ..TumbleThrow::default() };
            let mut tumble = Tumble::new(
                RigidShape::new(kind, 0.1, 0.3, seed),
                &tumble::TumbleSettings::default(),
                &throw,
            );
            while !tumble.is_resting() && tumble.time_s() < 10.0 {
                let before = tumble.clone();
                let took = micros(|| {
                    tumble = before.clone();
                    tumble.tick(&mut strikes);
                });
                busy_us += took;
                worst = worst.max(took);
                ticks += 1;
            }
        }
        let mean = busy_us / f64::from(ticks);
        let load = 32.0 * mean / (TICK_S * 1e6) * 100.0;
        println!(
            "{:>12}: tick mean {mean:.2} us, worst {worst:.1} us; 32 at once take {load:.0} % of one core",
            kind.name()
        );
    }
}

/// As fast, as spinning and as rough as allowed, on a plane with almost no capture.
#[test]
#[ignore = "cost of impacts: cargo xtask measure impacts"]
fn extreme_tumbles() {
    let mut strikes = Strikes::new();
    let mut chance = Random::new(42);
    let (mut sum, mut worst, mut most) = (0.0, 0.0f64, 0);
    for n in 0..120 {
        let settings = tumble::TumbleSettings {
            mu: chance.between(0.0, 10.0),
            cor: Cor { e_min: chance.unit(), v_capture_m_per_s: 1e-3, v_plastic_m_per_s: 1.0 },
            v_transition_m_per_s: 1e-3,
            gravity_m_per_s2: if n % 3 == 0 { 1000.0 } else { 9.81 },
            ..tumble::TumbleSettings::default()
        };
        let spin_rad_per_s = [0; 3].map(|_: i32| chance.between(-1000.0, 1000.0));
        let throw = TumbleThrow {
            height_m: 0.0,
            velocity_m_per_s: [50.0, -50.0, -50.0],
            spin_rad_per_s,
            seed: n,
        };
        let mut tumble = Tumble::new(
            RigidShape::new(RigidShapeKind::ALL[n as usize % 6], 0.05, 0.1, n),
            &settings,
            &throw,
        );
        for _ in 0..1000 {
            let before = tumble.clone();
            let took = micros(|| {
                tumble = before.clone();
                tumble.tick(&mut strikes);
            });
            sum += took;
            worst = worst.max(took);
            most = most.max(tumble.last_solves());
        }
    }
    println!(
        "mad throws: tick mean {:.2} us, worst {worst:.1} us, most solves {most}",
        sum / 120_000.0
    );
}

#[test]
#[ignore = "cost of impacts: cargo xtask measure impacts"]
fn chains() {
    for balls in [2, 5, 16] {
        for gap_m in [0.0, 1e-4] {
            let mut chain = Chain::new(&ChainSettings { balls, gap_m, ..ChainSettings::default() });
            chain.launch(1, 1e-3, 1.0);
            let (mut sum, mut worst) = (0.0, 0.0f64);
            for _ in 0..480 {
                let before = chain.clone();
                let took = micros(|| {
                    chain = before.clone();
                    black_box(chain.advance(1.0 / 48_000.0));
                });
                sum += took;
                worst = worst.max(took);
            }
            println!(
                "{balls} balls, gap {gap_m}: sample mean {:.2} us, worst {worst:.1} us",
                sum / 480.0
            );
        }
    }
}
