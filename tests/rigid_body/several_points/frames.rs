//! The same impact rotated, mirrored, from the other body, and with its points in another order.

use super::common::{landing, some_settings};
use ictus::random::Random;
use ictus::rigid_body::simultaneous::{Budget, Contacts, ImpactSettings, Outcome, solve};
use ictus::rigid_body::vector::{Mat3, dot, mul};

fn turned(contacts: &Contacts, turn: &Mat3) -> Contacts {
    let mut other = contacts.clone();
    for i in 0..contacts.points {
        let v = [0, 1, 2].map(|axis| contacts.v_m_per_s[3 * i + axis]);
        other.v_m_per_s[3 * i..3 * i + 3].copy_from_slice(&mul(turn, v));
        for j in 0..contacts.points {
            let block: Mat3 =
                std::array::from_fn(|r| std::array::from_fn(|c| contacts.a[3 * i + r][3 * j + c]));
            for r in 0..3 {
                for c in 0..3 {
                    other.a[3 * i + r][3 * j + c] = dot(turn[r], mul(&block, turn[c]));
                }
            }
        }
    }
    other
}

/// The same points in reverse order.
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

/// Differences of the same impact when rotated, mirrored, and with its points in another order.
#[derive(Debug, Default)]
pub struct Frames {
    pub worst: f64,
    /// The number of impacts that differ.
    pub apart: u32,
}

impl Frames {
    pub fn compare(
        &mut self,
        contacts: &Contacts,
        settings: &ImpactSettings,
        budget: &Budget,
        got: &Outcome,
        chance: &mut Random,
    ) {
        let rows = contacts.rows();
        let (sin, cos) = chance.between(0.0, std::f64::consts::TAU).sin_cos();
        let about = [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]];
        let mirror = [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut differ = |again: &Outcome, expected: &dyn Fn(usize) -> f64| {
            let square = |v: f64| v * v;
            let before = contacts.v_m_per_s[..rows].iter().map(|&v| square(v)).sum::<f64>().sqrt();
            let off = (0..rows)
                .map(|row| square(again.v_m_per_s[row] - expected(row)))
                .sum::<f64>()
                .sqrt()
                / before;
            if off > 1e-6 {
                self.apart += 1;
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
    let mut chance = Random::new(24);
    let mut frames = Frames::default();
    for _ in 0..count {
        let contacts = landing(&mut chance, 4);
        let settings = some_settings(&mut chance);
        let got = solve(&contacts, &settings, &Budget::REAL_TIME);
        frames.compare(&contacts, &settings, &Budget::REAL_TIME, &got, &mut chance);
    }
    println!("{frames:?} of {}", 3 * count);
    assert_eq!(frames.apart, 0, "{frames:?}");
}

#[test]
fn bodies_may_swap() {
    // From the other body's side: half a turn about x, and all relative velocities reversed. PLUS
    // knows the bodies by A alone, so this equals a mirror.
    let count = 100_000;
    let mut chance = Random::new(27);
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
            apart += 1;
        } else {
            worst = worst.max(off);
        }
    }
    println!("swapped: worst {worst:e}, {apart} apart of {count}");
    assert_eq!(apart, 0);
}

fn norm_of(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}
