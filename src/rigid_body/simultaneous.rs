//! Simultaneous impact at several points: PLUS, the model of Uchida, Sherman and Delp (Proc. R.
//! Soc. A 471, 2015).
//!
//! An impact consists of rounds. In each round, approaching points compress, points that compressed
//! in the previous round expand by Poisson's hypothesis, and the others observe. Points that the
//! impulses cause to approach compress in the next round. A round consists of intervals, in which
//! every point slides in a fixed direction, rolls, or is about to slip. Table 1 of the paper gives
//! the equations of an interval. If points are redundant, the solution of least norm is used, which
//! distributes the load like springs.
//!
//! A budget bounds the work. When it is exhausted, or if Poisson's hypothesis increased the energy,
//! a [gate] ends the impact such that momentum is conserved, every impulse stays in its friction
//! cone, no point approaches, and energy does not rise.

mod active_set;
pub mod gate;
mod impending_friction;
pub mod least_squares;
mod reduced;

use active_set::Interval;
use reduced::Reduced;

/// Largest number of points of one impact.
pub const MAX_POINTS: usize = 8;

/// Largest number of rows: three per point.
pub const MAX_ROWS: usize = 3 * MAX_POINTS;

/// One vector entry per row: x, y, z of point 0, then of point 1, and so on.
pub type Rows = [f64; MAX_ROWS];

/// Speed, relative to the fastest approach, below which a point counts as stationary.
const STILL: f64 = 1e-9;

/// The points of an impact and their mutual mobility.
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts {
    /// Number of points, at most [`MAX_POINTS`].
    pub points: usize,
    /// `A = G M^-1 G^T`, 1/kg: velocity in one row per impulse in another. Symmetric and positive
    /// semidefinite.
    pub a: [[f64; MAX_ROWS]; MAX_ROWS],
    /// Velocities before the impact, m/s; z is negative for an approaching point.
    pub v_m_per_s: Rows,
    /// Coefficient of friction of each point.
    pub mu: [f64; MAX_POINTS],
}

impl Contacts {
    /// A set without points.
    pub fn new() -> Self {
        Self {
            points: 0,
            a: [[0.0; MAX_ROWS]; MAX_ROWS],
            v_m_per_s: [0.0; MAX_ROWS],
            mu: [0.0; MAX_POINTS],
        }
    }

    /// Number of rows in use.
    #[inline]
    pub fn rows(&self) -> usize {
        3 * self.points
    }

    /// One row of `A pi`.
    #[inline]
    pub fn response(&self, row: usize, impulse: &Rows) -> f64 {
        self.a[row][..self.rows()].iter().zip(impulse).map(|(a, pi)| a * pi).sum()
    }

    /// Kinetic energy added by an impulse, J: `pi.(v + A pi/2)`.
    pub fn energy_j(&self, impulse: &Rows) -> f64 {
        (0..self.rows())
            .map(|row| impulse[row] * (self.v_m_per_s[row] + 0.5 * self.response(row, impulse)))
            .sum()
    }

    fn is_sound(&self) -> bool {
        let rows = self.rows();
        self.points <= MAX_POINTS
            && self.v_m_per_s[..rows].iter().all(|v| v.is_finite())
            && self.a[..rows].iter().all(|row| row[..rows].iter().all(|a| a.is_finite()))
            && (0..self.points).all(|k| self.a[3 * k + 2][3 * k + 2] > 0.0 && self.mu[k] >= 0.0)
    }
}

impl Default for Contacts {
    fn default() -> Self {
        Self::new()
    }
}

/// The parameters of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactSettings {
    /// Restitution as a function of speed (Fig. 2).
    pub cor: Cor,
    /// Slip below which a point may roll, m/s (Fig. 4).
    pub v_transition_m_per_s: f64,
    /// Largest rotation of a slip within one interval, rad, below pi/2 (Fig. 5).
    pub theta_max_rad: f64,
    /// Smallest fraction of an interval that is applied.
    pub alpha_min: f64,
}

/// Limits on the work of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Largest number of linear systems in the whole impact; the plastic stop of the [gate]
    /// follows.
    pub solves: u32,
    /// Largest number of rounds; the plastic stop of the [gate] follows.
    pub rounds: u32,
    /// Largest number of intervals of a round; the last one completes the round without a change of
    /// direction.
    pub intervals: u32,
    /// Largest number of Newton corrections of impending friction per active set; the best result
    /// so far is then used.
    pub newton: u32,
}

impl Budget {
    /// Budget of the audio thread.
    pub const REAL_TIME: Self = Self { solves: 48, rounds: 8, intervals: 16, newton: 12 };
    /// Budget for studies; sufficient for the examples of the papers.
    pub const STUDY: Self = Self { solves: 100_000, rounds: 10_000, intervals: 10_000, newton: 60 };
}

/// State of a point in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The point approaches and is stopped.
    Compressing,
    /// The point returns the impulse stored in compression.
    Expanding,
    /// The point has no impulse.
    Observing,
}

/// Result of an impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Total impulse, N s, row by row.
    pub impulse_ns: Rows,
    /// Velocities afterwards, m/s.
    pub v_m_per_s: Rows,
    /// Rounds taken.
    pub rounds: u32,
    /// Intervals taken.
    pub intervals: u32,
    /// Linear systems solved.
    pub solves: u32,
    /// Newton corrections of impending directions.
    pub newton: u32,
    /// Intervals in which the friction of impending points did not converge.
    pub unsettled: u32,
    /// True if a limit ended or shortened a part of the solution.
    pub capped: bool,
}

/// Length of a vector in the plane.
///
/// `hypot` guards against overflow, which speeds do not reach, and is slower.
#[inline]
fn length(v: [f64; 2]) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

/// Solves one impact.
pub fn solve(contacts: &Contacts, settings: &ImpactSettings, budget: &Budget) -> Outcome {
    solve_watched(contacts, settings, budget, |_| {})
}

/// Solves one impact with the restitution `cor` instead of that of the settings.
///
/// `cor` returns the restitution of a point for its approach speed, m/s.
pub fn solve_by(
    contacts: &Contacts,
    settings: &ImpactSettings,
    budget: &Budget,
    cor: impl Fn(usize, f64) -> f64,
) -> Outcome {
    run(contacts, settings, budget, cor, |_| {})
}

/// Solves one impact and reports the phases of every round to `watch`.
pub fn solve_watched(
    contacts: &Contacts,
    settings: &ImpactSettings,
    budget: &Budget,
    watch: impl FnMut(&[Phase]),
) -> Outcome {
    run(contacts, settings, budget, |_, speed| settings.cor.at(speed), watch)
}

fn run(
    contacts: &Contacts,
    settings: &ImpactSettings,
    budget: &Budget,
    cor: impl Fn(usize, f64) -> f64,
    mut watch: impl FnMut(&[Phase]),
) -> Outcome {
    let mut outcome = Outcome {
        impulse_ns: [0.0; MAX_ROWS],
        v_m_per_s: contacts.v_m_per_s,
        rounds: 0,
        intervals: 0,
        solves: 0,
        newton: 0,
        unsettled: 0,
        capped: false,
    };
    if !contacts.is_sound() {
        outcome.capped = true;
        return outcome;
    }
    let points = contacts.points;
    let fastest = (0..points).map(|k| -contacts.v_m_per_s[3 * k + 2]).fold(0.0, f64::max);
    let still = STILL * fastest;
    // Impulse that each point returns in the next round.
    let mut held = [0.0; MAX_POINTS];
    const ROOM: Reduced = Reduced::new();
    let mut system = ROOM;
    // The budget bounds the number of rounds and of linear systems.
    loop {
        let mut round =
            Round { phase: [Phase::Observing; MAX_POINTS], give: held, cor: [0.0; MAX_POINTS] };
        let mut idle = true;
        for k in 0..points {
            let v_z = outcome.v_m_per_s[3 * k + 2];
            if held[k] > 0.0 {
                round.phase[k] = Phase::Expanding;
                idle = false;
            } else if v_z < -still {
                round.phase[k] = Phase::Compressing;
                round.cor[k] = cor(k, -v_z);
                idle = false;
            }
        }
        if idle {
            break;
        }
        if outcome.rounds >= budget.rounds || outcome.solves >= budget.solves {
            outcome.capped = true;
            break;
        }
        outcome.rounds += 1;
        watch(&round.phase[..points]);
        held = [0.0; MAX_POINTS];
        if !round.run(contacts, settings, budget, &mut outcome, &mut held, &mut system) {
            break;
        }
    }
    gate::close(contacts, still, &mut outcome);
    outcome
}

struct Round {
    phase: [Phase; MAX_POINTS],
    /// Impulse that expansion still returns, N s.
    give: [f64; MAX_POINTS],
    cor: [f64; MAX_POINTS],
}

impl Round {
    /// Runs the round to its end; returns false if the budget ended it.
    fn run(
        &mut self,
        contacts: &Contacts,
        settings: &ImpactSettings,
        budget: &Budget,
        outcome: &mut Outcome,
        held: &mut [f64; MAX_POINTS],
        system: &mut Reduced,
    ) -> bool {
        for interval in 1..=budget.intervals.max(1) {
            let Some(found) =
                Interval::solve(contacts, settings, budget, self.phase, self.give, outcome, system)
            else {
                outcome.capped = true;
                return false;
            };
            outcome.intervals += 1;
            let mut alpha = found.length(contacts, settings, &outcome.v_m_per_s);
            if alpha < 1.0 && interval >= budget.intervals {
                outcome.capped = true;
                alpha = 1.0;
            }
            for (row, pi) in found.impulse.iter().enumerate().take(contacts.rows()) {
                outcome.impulse_ns[row] += alpha * pi;
            }
            for row in 0..contacts.rows() {
                outcome.v_m_per_s[row] += alpha * contacts.response(row, &found.impulse);
            }
            for k in 0..contacts.points {
                match self.phase[k] {
                    Phase::Expanding => self.give[k] *= 1.0 - alpha,
                    Phase::Compressing => {
                        held[k] += self.cor[k] * (alpha * found.impulse[3 * k + 2]).max(0.0)
                    }
                    Phase::Observing => {}
                }
            }
            if alpha >= 1.0 {
                break;
            }
        }
        true
    }
}

/// Restitution as a function of speed (Fig. 2 of the paper).
///
/// It is 0 below the capture speed, then falls linearly to `e_min` at the speed of plastic
/// deformation on a line that starts at 1 for zero speed, and is constant beyond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cor {
    /// Restitution of fast impacts, 0...1.
    pub e_min: f64,
    /// Speed below which restitution is 0, m/s.
    pub v_capture_m_per_s: f64,
    /// Speed from which restitution is `e_min`, m/s.
    pub v_plastic_m_per_s: f64,
}

impl Cor {
    /// Restitution at an approach speed, m/s.
    pub fn at(&self, v_m_per_s: f64) -> f64 {
        if v_m_per_s < self.v_capture_m_per_s {
            0.0
        } else if v_m_per_s >= self.v_plastic_m_per_s {
            self.e_min
        } else {
            1.0 - (1.0 - self.e_min) * v_m_per_s / self.v_plastic_m_per_s
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference is the change of kinetic energy of a mass of 2 kg.
    #[test]
    fn an_impulse_adds_the_energy_that_it_changes_the_velocity_by() {
        let (mass_kg, v_m_per_s, impulse_ns) = (2.0, [0.5, -0.3, -1.2], [0.4, 0.1, 3.0]);
        let mut contacts = Contacts::new();
        contacts.points = 1;
        let mut impulse = [0.0; MAX_ROWS];
        let mut gained_j = 0.0;
        for row in 0..3 {
            contacts.a[row][row] = 1.0 / mass_kg;
            contacts.v_m_per_s[row] = v_m_per_s[row];
            impulse[row] = impulse_ns[row];
            let after: f64 = v_m_per_s[row] + impulse_ns[row] / mass_kg;
            gained_j += 0.5 * mass_kg * (after.powi(2) - v_m_per_s[row].powi(2));
        }
        assert!((contacts.energy_j(&impulse) - gained_j).abs() < 1e-14, "{gained_j} J");
    }
}
