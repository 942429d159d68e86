//! Final projection of an impact: no point approaches, and energy does not rise.
//!
//! The projection uses the plastic stop of a velocity: the frictionless impulse that leaves the
//! least kinetic energy among all non-negative normal impulses. It ends an impact from any state.
//! The friction cone, the constraints on the normal velocities, and the energy are convex in the
//! impulse, and momentum is linear in it. An impact that increased the energy is therefore mixed
//! with the plastic stop of its initial velocity until the energy gain is zero.

use arrayvec::ArrayVec;

use super::least_squares::{Factor, ROUNDING};
use super::{Contacts, MAX_POINTS, MAX_ROWS, Outcome, Rows};

/// Largest number of iterations of the plastic stop. Each removes energy, so that an early end is
/// safe; ten are typical.
pub const MAX_TURNS: u32 = 64;

/// Largest number of successive plastic stops. For points that are collinear up to rounding, the
/// first stop is accurate to 1e-7 and the second to rounding.
pub const MAX_STOPS: u32 = 3;

/// Plastic stop, N s: the frictionless impulse after which no point approaches and the kinetic
/// energy is least.
pub fn plastic_stop(contacts: &Contacts, v: &Rows, still: f64) -> Rows {
    let mut impulse = [0.0; MAX_ROWS];
    let mut now = *v;
    for _ in 0..MAX_STOPS {
        if (0..contacts.points).all(|k| now[3 * k + 2] >= -still) {
            break;
        }
        let more = stop_once(contacts, &now, still);
        for row in 0..contacts.rows() {
            impulse[row] += more[row];
        }
        for row in 0..contacts.rows() {
            now[row] = v[row] + contacts.response(row, &impulse);
        }
    }
    impulse
}

/// Non-negative least squares by the active-set method of Lawson and Hanson.
fn stop_once(contacts: &Contacts, v: &Rows, still: f64) -> Rows {
    let points = contacts.points;
    let mut impulse = [0.0; MAX_ROWS];
    let mut pushing = [false; MAX_POINTS];
    let mut refused = [false; MAX_POINTS];
    let mut factor = Factor::new();
    for _ in 0..MAX_TURNS {
        // Add the point that approaches fastest.
        let v_z = |k: usize| v[3 * k + 2] + contacts.response(3 * k + 2, &impulse);
        let next = (0..points)
            .filter(|&k| !pushing[k] && !refused[k] && v_z(k) < -1e-3 * still)
            .reduce(|best, k| if v_z(k) < v_z(best) { k } else { best });
        let Some(next) = next else { break };
        pushing[next] = true;
        // Then remove the points that would have to pull, one at a time.
        for _ in 0..=points {
            let wanted = stop_of(contacts, v, &pushing, &mut factor);
            let mut share = 1.0;
            let mut leaves = None;
            for k in (0..points).filter(|&k| pushing[k]) {
                let (from, to) = (impulse[3 * k + 2], wanted[3 * k + 2]);
                if to <= 0.0 && from / (from - to) <= share {
                    // The point added last pulls at once only if rounding selected it.
                    (share, leaves) = (if from > to { from / (from - to) } else { 0.0 }, Some(k));
                }
            }
            for k in 0..points {
                impulse[3 * k + 2] += share * (wanted[3 * k + 2] - impulse[3 * k + 2]);
            }
            let Some(k) = leaves else {
                refused = [false; MAX_POINTS];
                break;
            };
            pushing[k] = false;
            impulse[3 * k + 2] = 0.0;
            refused[k] |= k == next;
        }
    }
    impulse
}

/// Impulses at the pushing points that stop all of them.
fn stop_of(
    contacts: &Contacts,
    v: &Rows,
    pushing: &[bool; MAX_POINTS],
    factor: &mut Factor,
) -> Rows {
    let mut b = [0.0; MAX_ROWS];
    let mut points: ArrayVec<usize, MAX_POINTS> = ArrayVec::new();
    points.extend((0..contacts.points).filter(|&k| pushing[k]));
    for (i, &k) in points.iter().enumerate() {
        b[i] = -v[3 * k + 2];
    }
    factor.set(points.len(), ROUNDING, |i, j| contacts.a[3 * points[i] + 2][3 * points[j] + 2]);
    let x = factor.solve(b);
    let mut impulse = [0.0; MAX_ROWS];
    for (i, &k) in points.iter().enumerate() {
        impulse[3 * k + 2] = x[i];
    }
    impulse
}

/// Projects an outcome onto the admissible ones.
pub fn close(contacts: &Contacts, still: f64, outcome: &mut Outcome) {
    let rows = contacts.rows();
    let approaching = (0..contacts.points).any(|k| outcome.v_m_per_s[3 * k + 2] < -still);
    if approaching {
        let stop = plastic_stop(contacts, &outcome.v_m_per_s, still);
        for row in 0..rows {
            outcome.impulse_ns[row] += stop[row];
        }
    }
    let gained = contacts.energy_j(&outcome.impulse_ns);
    if gained > 0.0 || gained.is_nan() {
        outcome.capped = true;
        let stop = plastic_stop(contacts, &contacts.v_m_per_s, still);
        let min = contacts.energy_j(&stop);
        let apart: Rows = std::array::from_fn(|row| outcome.impulse_ns[row] - stop[row]);
        // The gain along the segment is `a s^2 + b s + min`: negative at s = 0, positive at s = 1.
        let (mut a, mut b) = (0.0, 0.0);
        for row in 0..rows {
            a += 0.5 * apart[row] * contacts.response(row, &apart);
            b += apart[row] * (contacts.v_m_per_s[row] + contacts.response(row, &stop));
        }
        let root = (b * b - 4.0 * a * min).max(0.0).sqrt();
        let share = if b > 0.0 { -2.0 * min / (b + root) } else { (root - b) / (2.0 * a) };
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        for row in 0..rows {
            outcome.impulse_ns[row] = stop[row] + share * apart[row];
        }
    }
    for row in 0..rows {
        outcome.v_m_per_s[row] =
            contacts.v_m_per_s[row] + contacts.response(row, &outcome.impulse_ns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::rigid_body::inertia::{Inertia, mobility_per_kg};
    use crate::rigid_body::motion::Quaternion;
    use crate::rigid_body::vector::{add, cross};

    /// Random points of a body, approaching or receding.
    fn some(seed: u64, points: usize) -> Contacts {
        let mut chance = Random::new(seed);
        let axes = Quaternion::from_turn([0; 3].map(|_: i32| chance.between(-2.0, 2.0))).matrix();
        let inertia = Inertia::cuboid(0.5, [0.2, 0.1, 0.06]);
        let spin = [0; 3].map(|_: i32| chance.between(-15.0, 15.0));
        let arms = [0; MAX_POINTS].map(|_: i32| [0; 3].map(|_: i32| chance.between(-0.1, 0.1)));
        let mut contacts = Contacts { points, ..Contacts::new() };
        for i in 0..points {
            let v = add([0.3, -0.2, -1.0], cross(spin, arms[i]));
            contacts.v_m_per_s[3 * i..3 * i + 3].copy_from_slice(&v);
            for j in 0..points {
                let block = mobility_per_kg(&inertia, &axes, arms[i], arms[j]);
                for row in 0..3 {
                    contacts.a[3 * i + row][3 * j..3 * j + 3].copy_from_slice(&block[row]);
                }
            }
        }
        contacts
    }

    /// Least energy over all subsets of stopped points in which no point pulls.
    fn min_j(contacts: &Contacts) -> f64 {
        let mut min = 0.0f64;
        for set in 1..1usize << contacts.points {
            let pushing = std::array::from_fn(|k| set >> k & 1 == 1);
            let impulse = stop_of(contacts, &contacts.v_m_per_s, &pushing, &mut Factor::new());
            if (0..contacts.points).all(|k| impulse[3 * k + 2] >= 0.0) {
                min = min.min(contacts.energy_j(&impulse));
            }
        }
        min
    }

    #[test]
    fn the_plastic_stop_leaves_the_least_energy_of_all_that_only_push() {
        let mut seen = [0; 4];
        for seed in 0..400 {
            let contacts = some(seed, 1 + seed as usize % 4);
            let stop = plastic_stop(&contacts, &contacts.v_m_per_s, 1e-9);
            let pushing = (0..contacts.points).filter(|&k| stop[3 * k + 2] > 0.0).count();
            seen[pushing.min(3)] += 1;
            for k in 0..contacts.points {
                let v_z = contacts.v_m_per_s[3 * k + 2] + contacts.response(3 * k + 2, &stop);
                assert!(stop[3 * k + 2] >= 0.0 && v_z >= -2e-9, "{seed}: {v_z}");
                assert!(stop[3 * k] == 0.0 && stop[3 * k + 1] == 0.0, "no friction");
                assert!(
                    stop[3 * k + 2] * v_z.abs() < 1e-9,
                    "{seed}: a point that is not stopped is not pushed"
                );
            }
            let (got_j, min_j) = (contacts.energy_j(&stop), min_j(&contacts));
            assert!(
                (got_j - min_j).abs() <= 1e-9 * min_j.abs(),
                "{seed}: {got_j} J, not {min_j} J"
            );
        }
        assert!(seen[1] > 20 && seen[2] > 20 && seen[3] > 5, "{seen:?}");
    }

    /// An impact that increases the energy is mixed with the plastic stop until the gain is zero.
    #[test]
    fn what_made_energy_makes_none() {
        for seed in 0..100 {
            let contacts = some(seed, 1 + seed as usize % 4);
            let stop = plastic_stop(&contacts, &contacts.v_m_per_s, 1e-9);
            if contacts.energy_j(&stop) == 0.0 {
                continue;
            }
            let mut outcome = Outcome {
                impulse_ns: std::array::from_fn(|row| {
                    3.0 * stop[row] + if row % 3 == 2 { 0.2 } else { 0.0 }
                }),
                v_m_per_s: contacts.v_m_per_s,
                rounds: 0,
                intervals: 0,
                solves: 0,
                newton: 0,
                unsettled: 0,
                capped: false,
            };
            outcome.impulse_ns[contacts.rows()..].fill(0.0);
            let arbitrary = outcome.impulse_ns;
            outcome.v_m_per_s = std::array::from_fn(|row| {
                contacts.v_m_per_s[row] + contacts.response(row, &arbitrary)
            });
            let stopped = outcome
                .v_m_per_s
                .iter()
                .skip(2)
                .step_by(3)
                .take(contacts.points)
                .all(|v| *v >= -1e-9);
            assert!(contacts.energy_j(&arbitrary) > 0.0);
            close(&contacts, 1e-9, &mut outcome);
            assert!(outcome.capped);
            let energy_j = contacts.energy_j(&outcome.impulse_ns);
            assert!(energy_j.abs() <= 1e-9 * contacts.energy_j(&stop).abs(), "{seed}: {energy_j}");
            if stopped {
                // The mixing ratio is the same for all rows.
                let share = |row: usize| {
                    (outcome.impulse_ns[row] - stop[row]) / (arbitrary[row] - stop[row])
                };
                for k in 0..contacts.points {
                    assert!(
                        (share(3 * k + 2) - share(2)).abs() < 1e-9
                            && (0.0..1.0).contains(&share(2)),
                        "{seed}"
                    );
                }
            }
            for row in 0..contacts.rows() {
                let v = contacts.v_m_per_s[row] + contacts.response(row, &outcome.impulse_ns);
                assert!((v - outcome.v_m_per_s[row]).abs() < 1e-12);
            }
        }
    }
}
