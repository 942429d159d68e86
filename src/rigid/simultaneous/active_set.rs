//! Which constraints an interval has: all that may hold at first, then without the one that is violated most.

use super::impending::{Turns, turned};
use super::reduced::{Friction, Reduced};
use super::{Budget, Contacts, MOST_POINTS, MOST_ROWS, Outcome, Phase, Rows, Settings, step_length};

/// Violation, relative to the largest impulse, that is rounding.
const TOLERANCE: f64 = 1e-10;

/// Violations this close to the largest are the same one, seen in a symmetric body: they go together.
const TIE: f64 = 1e-7;

/// A solved interval.
pub struct Interval {
    /// Impulse of the whole interval, N s.
    pub impulse: Rows,
    friction: [Friction; MOST_POINTS],
}

impl Interval {
    /// Find the active set and its impulses; `None` when the budget is used up.
    ///
    /// Algorithm 1 of the paper: a rolling point that violates its cone begins to slip, another point that would
    /// pull is let go. Each turn takes a constraint away, so there are at most two to a point.
    pub fn solve(
        contacts: &Contacts,
        settings: &Settings,
        budget: &Budget,
        phase: [Phase; MOST_POINTS],
        give: [f64; MOST_POINTS],
        outcome: &mut Outcome,
    ) -> Option<Self> {
        let v = outcome.v_m_per_s;
        let mut active = phase.map(|phase| phase == Phase::Compressing);
        let mut friction = [Friction::None; MOST_POINTS];
        for k in 0..contacts.points {
            if phase[k] == Phase::Observing || contacts.mu[k] <= 0.0 {
                continue;
            }
            let slip = [v[3 * k], v[3 * k + 1]];
            let speed = slip[0].hypot(slip[1]);
            friction[k] = if speed >= settings.v_transition_m_per_s && speed > 0.0 {
                Friction::Sliding(slip.map(|value| value / speed))
            } else {
                Friction::Rolling
            };
        }
        for _ in 0..=2 * MOST_POINTS {
            let impulse = settle(contacts, settings, budget, &phase, &active, &mut friction, &give, outcome)?;
            let violation = violations(contacts, &phase, &active, &friction, &impulse);
            let largest = impulse.iter().fold(0.0f64, |most, pi| most.max(pi.abs()));
            let worst = violation.iter().fold(0.0f64, |most, &value| most.max(value));
            if worst <= TOLERANCE * largest {
                return Some(Self { impulse, friction });
            }
            for k in 0..contacts.points {
                if violation[k] < worst * (1.0 - TIE) {
                    continue;
                }
                if friction[k] == Friction::Rolling {
                    friction[k] = Friction::Impending(first_guess(contacts, k, &v, &impulse));
                } else {
                    active[k] = false;
                    friction[k] = Friction::None;
                }
            }
        }
        None
    }

    /// Share of the interval to be taken, eqs. (2.13) and (2.14).
    pub fn length(&self, contacts: &Contacts, settings: &Settings, v: &Rows) -> f64 {
        let mut alpha = 1.0f64;
        for k in 0..contacts.points {
            if let Friction::Sliding(_) = self.friction[k] {
                let from = [v[3 * k], v[3 * k + 1]];
                let change = [0, 1].map(|i| contacts.response(3 * k + i, &self.impulse));
                alpha = alpha.min(step_length::share(from, change, settings));
            }
        }
        alpha
    }
}

/// Where an impending slip may go: on as it does, or against the friction that would have held it.
fn first_guess(_contacts: &Contacts, k: usize, v: &Rows, impulse: &Rows) -> [f64; 2] {
    let slip = [v[3 * k], v[3 * k + 1]];
    let speed = slip[0].hypot(slip[1]);
    if speed > 1e-12 {
        return slip.map(|value| value / speed);
    }
    let held = [-impulse[3 * k], -impulse[3 * k + 1]];
    let strength = held[0].hypot(held[1]);
    if strength > 0.0 { held.map(|value| value / strength) } else { [1.0, 0.0] }
}

/// How far each point is from what it may do, N s.
fn violations(
    contacts: &Contacts,
    phase: &[Phase; MOST_POINTS],
    active: &[bool; MOST_POINTS],
    friction: &[Friction; MOST_POINTS],
    impulse: &Rows,
) -> [f64; MOST_POINTS] {
    let mut violation = [0.0; MOST_POINTS];
    for k in 0..contacts.points {
        let z = impulse[3 * k + 2];
        if friction[k] == Friction::Rolling {
            violation[k] = impulse[3 * k].hypot(impulse[3 * k + 1]) - contacts.mu[k] * z;
        }
        if phase[k] == Phase::Compressing && active[k] {
            violation[k] = violation[k].max(-z);
        }
    }
    violation
}

/// Solve for one active set, with the directions of impending slip brought into line.
#[allow(clippy::too_many_arguments)]
fn settle(
    contacts: &Contacts,
    settings: &Settings,
    budget: &Budget,
    phase: &[Phase; MOST_POINTS],
    active: &[bool; MOST_POINTS],
    friction: &mut [Friction; MOST_POINTS],
    give: &[f64; MOST_POINTS],
    outcome: &mut Outcome,
) -> Option<Rows> {
    let v = outcome.v_m_per_s;
    let mut best: Option<(f64, [Friction; MOST_POINTS], Rows)> = None;
    let mut stride = 1.0;
    let mut newton = 0;
    loop {
        if outcome.solves >= budget.solves {
            return None;
        }
        outcome.solves += 1;
        let system = Reduced::new(contacts, phase, active, friction, give);
        let impulse = system.impulses(contacts, &v);
        if !impulse.iter().all(|pi| pi.is_finite()) {
            return None;
        }
        let turns = Turns::new(contacts, friction, &v, &impulse, settings.v_transition_m_per_s);
        let worst = turns.worst();
        if turns.settled() {
            return Some(impulse);
        }
        if best.as_ref().is_none_or(|(least, ..)| worst < *least) {
            best = Some((worst, *friction, impulse));
            stride = 1.0;
        } else {
            // The step led astray: half as far from the best so far.
            stride *= 0.5;
        }
        let (_, from, there) = best.as_ref()?;
        if newton >= budget.newton {
            outcome.capped = true;
            *friction = *from;
            return Some(*there);
        }
        newton += 1;
        outcome.newton += 1;
        let (base, base_impulse) = (*from, *there);
        let (system, turns) = if stride < 1.0 {
            let system = Reduced::new(contacts, phase, active, &base, give);
            let turns = Turns::new(contacts, &base, &v, &base_impulse, settings.v_transition_m_per_s);
            (system, turns)
        } else {
            (system, turns)
        };
        let by = turns.newton(contacts, &system, &base, &base_impulse);
        for k in 0..contacts.points {
            if let Friction::Impending(s) = base[k] {
                friction[k] = Friction::Impending(turned(s, stride * by[k].clamp(-1.5, 1.5)));
            }
        }
    }
}

const _: () = assert!(MOST_ROWS == 3 * MOST_POINTS);
