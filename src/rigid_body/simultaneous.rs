//! Several points at once: PLUS, the impact model of Uchida, Sherman and Delp (Proc. R. Soc. A 471,
//! 2015).
//!
//! An impact goes in rounds. In each, points that approach compress, points that compressed in the
//! round before expand by Poisson's hypothesis, and the others observe; what the impulses set
//! approaching compresses in the next round. A round goes in intervals, on which every point slides
//! in a fixed direction, rolls, or is about to slip. Table 1 of the paper gives the equations of an
//! interval; where points are redundant the impulses of least norm are taken, which spreads the
//! load as springs would.
//!
//! A budget bounds the work. When it is used up, or if Poisson's hypothesis made energy, a [gate]
//! ends the impact so that momentum is kept, no impulse leaves its cone, no point approaches, and
//! energy does not rise.

mod active_set;
pub mod gate;
mod impending_friction;
pub mod least_squares;
mod reduced;

use active_set::Interval;
use reduced::Reduced;

/// Most points of one impact.
pub const MAX_POINTS: usize = 8;

/// Most rows: three to a point.
pub const MAX_ROWS: usize = 3 * MAX_POINTS;

/// One vector entry per row: x, y, z of point 0, then of point 1, and so on.
pub type Rows = [f64; MAX_ROWS];

/// Speed, relative to the fastest approach, that counts as standing still.
const STILL: f64 = 1e-9;

/// The points of an impact and how they move each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts {
    /// How many points, at most [`MAX_POINTS`].
    pub points: usize,
    /// `A = G M^-1 G^T`, 1/kg: what an impulse at one row does to the velocity at another.
    /// Symmetric, not negative.
    pub a: [[f64; MAX_ROWS]; MAX_ROWS],
    /// Velocities before the impact, m/s; z below 0 while a point approaches.
    pub v_m_per_s: Rows,
    /// Coefficient of friction of each point.
    pub mu: [f64; MAX_POINTS],
}

impl Contacts {
    /// No points yet.
    pub fn new() -> Self {
        Self {
            points: 0,
            a: [[0.0; MAX_ROWS]; MAX_ROWS],
            v_m_per_s: [0.0; MAX_ROWS],
            mu: [0.0; MAX_POINTS],
        }
    }

    /// Rows in use.
    #[inline]
    pub fn rows(&self) -> usize {
        3 * self.points
    }

    /// `A pi` in one row.
    #[inline]
    pub fn response(&self, row: usize, impulse: &Rows) -> f64 {
        self.a[row][..self.rows()].iter().zip(impulse).map(|(a, pi)| a * pi).sum()
    }

    /// Kinetic energy that an impulse adds, J: `pi.(v + A pi/2)`.
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
    /// Restitution against speed (Fig. 2).
    pub cor: Cor,
    /// Slip below which a point may roll, m/s (Fig. 4).
    pub v_transition_m_per_s: f64,
    /// Largest turn of a slip within one interval, rad, below pi/2 (Fig. 5).
    pub theta_max_rad: f64,
    /// Least share of an interval that is taken.
    pub alpha_min: f64,
}

/// How much work an impact may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Most linear systems in the whole impact; then the plastic stop of the [gate].
    pub solves: u32,
    /// Most rounds; then the same.
    pub rounds: u32,
    /// Most intervals of a round; the last one then goes to the round's end in one direction.
    pub intervals: u32,
    /// Most corrections of impending friction for one active set; then the best so far is taken.
    pub newton: u32,
}

impl Budget {
    /// For sound.
    pub const REAL_TIME: Self = Self { solves: 48, rounds: 8, intervals: 16, newton: 12 };
    /// For study: enough for the papers' examples.
    pub const STUDY: Self = Self { solves: 100_000, rounds: 10_000, intervals: 10_000, newton: 60 };
}

/// What a point does in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It approaches and is stopped.
    Compressing,
    /// It gives back what compression left.
    Expanding,
    /// It takes no part.
    Observing,
}

/// What an impact comes to.
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
    /// Corrections of impending directions among them.
    pub newton: u32,
    /// Intervals in which the friction of points about to slip was not brought into line.
    pub unsettled: u32,
    /// A cap ended it, or shortened something.
    pub capped: bool,
}

/// Length of a vector in the plane, without the guard against overflow of `hypot`: speeds are far
/// from it.
#[inline]
fn length(v: [f64; 2]) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

/// Solve one impact.
pub fn solve(contacts: &Contacts, settings: &ImpactSettings, budget: &Budget) -> Outcome {
    solve_watched(contacts, settings, budget, |_| {})
}

/// Solve one impact in which `cor` says how much a point gives back that approaches at a speed
/// (m/s), instead of the settings.
pub fn solve_by(
    contacts: &Contacts,
    settings: &ImpactSettings,
    budget: &Budget,
    cor: impl Fn(usize, f64) -> f64,
) -> Outcome {
    run(contacts, settings, budget, cor, |_| {})
}

/// Solve one impact and be told the phases of every round.
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
    // Impulse that each point gives back in the round to come.
    let mut held = [0.0; MAX_POINTS];
    const ROOM: Reduced = Reduced::new();
    let mut system = ROOM;
    // No more rounds, nor solutions in all of them, than the budget has.
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
    /// What is still to be given back, N s.
    give: [f64; MAX_POINTS],
    cor: [f64; MAX_POINTS],
}

impl Round {
    /// Carry the round through; false if the budget ended it.
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

/// Restitution against speed (Fig. 2 of the paper): 0 below capture, then falling in a straight
/// line from what would be 1 at rest to `e_min` at the speed of plastic deformation, and constant
/// beyond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cor {
    /// Restitution of fast impacts, 0...1.
    pub e_min: f64,
    /// Below this speed nothing comes back, m/s.
    pub v_capture_m_per_s: f64,
    /// From this speed on e is `e_min`, m/s.
    pub v_plastic_m_per_s: f64,
}

impl Cor {
    /// e at a speed of approach, m/s.
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

    /// A mass of 2 kg: the energy of its velocity after, less that before.
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
