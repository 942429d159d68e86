//! Impacts at several points.

use ictus::random::Random;
use ictus::rigid_body::inertia::mobility_per_kg;
use ictus::rigid_body::simultaneous::{self, Budget, Contacts, Cor, MAX_POINTS, Phase, gate};
use ictus::rigid_body::vector::{add, cross};

/// Points of one body in a plane, or nearly on a line; some of them above others.
fn contacts(seed: usize, nudge: f64) -> Contacts {
    let mut chance = Random::new(5000 + seed as u64);
    let inertia = super::inertia(&mut chance, seed);
    let axes = super::attitude(&mut chance).matrix();
    let fast = [1.0, 0.2, 5.0, 0.05][seed % 4];
    let spin = super::vector(&mut chance, 10.0 * fast);
    let way = super::vector(&mut chance, 2.0 * fast);
    let velocity = [way[0] * (1.0 + nudge), way[1], -fast];
    let mut contacts = Contacts::new();
    contacts.points = 1 + seed % MAX_POINTS;
    let below = -chance.between(0.02, 0.2);
    let mut arms = [[0.0; 3]; MAX_POINTS];
    for arm in &mut arms {
        *arm = [chance.between(-0.15, 0.15), chance.between(-0.15, 0.15), below];
    }
    if seed % 6 == 5 {
        // The corners of a square, as when a box lands.
        for (k, arm) in arms.iter_mut().enumerate() {
            *arm = [[-0.1, 0.1][k & 1], [-0.1, 0.1][k >> 1 & 1], below];
        }
    }
    for i in 0..contacts.points {
        contacts.mu[i] = [0.3, 0.8, 0.05, 1.5, 0.0][seed % 5] * if i % 2 == 1 { 0.7 } else { 1.0 };
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

fn plus(seed: usize) -> simultaneous::ImpactSettings {
    simultaneous::ImpactSettings {
        cor: Cor {
            e_min: [0.5, 0.0, 0.9, 1.0][seed % 4],
            v_capture_m_per_s: 0.02,
            v_plastic_m_per_s: 0.5,
        },
        v_transition_m_per_s: [0.01, 0.3][seed / 2 % 2],
        theta_max_rad: [0.35, 0.1, 0.6][seed % 3],
        alpha_min: [0.01, 0.1][seed / 3 % 2],
    }
}

fn of_outcome(contacts: &Contacts, got: &simultaneous::Outcome) -> Vec<f64> {
    let rows = contacts.rows();
    let mut numbers = got.impulse_ns[..rows].to_vec();
    numbers.extend(&got.v_m_per_s[..rows]);
    numbers
        .extend([got.rounds, got.intervals, got.solves, got.newton, got.unsettled].map(f64::from));
    numbers.push(f64::from(u8::from(got.capped)));
    numbers
}

#[test]
fn several_points() {
    crate::number_snapshots::check(
        "rigid_several_points.txt",
        &super::names("landing", 240),
        |seed, nudge| {
            let (contacts, settings) = (contacts(seed, nudge), plus(seed));
            let mut numbers =
                of_outcome(&contacts, &simultaneous::solve(&contacts, &settings, &Budget::STUDY));
            if seed % 4 == 1 {
                let by = |k: usize, speed: f64| 0.9 / (1.0 + speed + k as f64);
                let got = simultaneous::solve_by(&contacts, &settings, &Budget::REAL_TIME, by);
                numbers.extend(of_outcome(&contacts, &got));
            }
            if seed % 4 == 2 {
                let mut phases = Vec::new();
                simultaneous::solve_watched(&contacts, &settings, &Budget::REAL_TIME, |round| {
                    phases.extend(round.iter().map(|phase| match phase {
                        Phase::Compressing => 0.0,
                        Phase::Expanding => 1.0,
                        Phase::Observing => 2.0,
                    }));
                });
                numbers.extend(phases);
            }
            numbers
        },
    );
}

#[test]
fn several_points_with_few_steps() {
    crate::number_snapshots::check(
        "rigid_in_a_hurry.txt",
        &super::names("landing", 120),
        |seed, nudge| {
            let (contacts, settings) = (contacts(seed + 300, nudge), plus(seed / 2));
            let budget = [
                Budget { solves: 1, ..Budget::REAL_TIME },
                Budget { solves: 5, ..Budget::REAL_TIME },
                Budget { rounds: 1, ..Budget::REAL_TIME },
                Budget { intervals: 1, ..Budget::REAL_TIME },
                Budget { newton: 0, ..Budget::REAL_TIME },
                Budget { newton: 2, ..Budget::REAL_TIME },
                Budget { rounds: 2, intervals: 2, ..Budget::REAL_TIME },
                Budget { solves: 0, ..Budget::REAL_TIME },
            ][seed / 8 % 8];
            let mut numbers =
                of_outcome(&contacts, &simultaneous::solve(&contacts, &settings, &budget));
            let stop = gate::plastic_stop(&contacts, &contacts.v_m_per_s, 1e-9);
            numbers.extend(&stop[..contacts.rows()]);
            numbers
        },
    );
}
