//! Search for the active constraints of an interval: starts with all and removes the most violated.

use super::impending_friction::{self, Gaps, Turns, turned};
use super::reduced::{Friction, Reduced};
use super::{Budget, Contacts, ImpactSettings, MAX_POINTS, MAX_ROWS, Outcome, Phase, Rows, length};

/// Violation, relative to the largest impulse, that counts as rounding.
const TOLERANCE: f64 = 1e-10;

/// Relative difference below which two violations count as equal, as in a symmetric body; equal
/// ones are removed together. A correction must also improve the result by more than this:
/// corrections may cycle, and rounding must not decide where they stop.
const TIE: f64 = 1e-7;

/// Residual above which corrections count as not converging. They then amplify rounding errors,
/// which depend on the frame of reference, so their steps are rounded to multiples of [`GRAIN`].
const WANDERS: f64 = 1e-3;
const GRAIN: f64 = 1.0 / (1 << 22) as f64;

/// Largest rotation of a direction by one correction, rad.
const LONGEST_TURN_RAD: f64 = 1.5;

/// Rotation of a slip above which friction counts as reversing it, rad.
const STRAIGHT_BACK_RAD: f64 = 3.0;

/// Smallest fraction of a rotation that is tried, and of a step in the friction disc.
const SHORTEST_TURN: f64 = 0.2;
const SHORTEST_STRIDE: f64 = 1e-3;

/// Number of corrections of a set with a pulling point, in case they make it push.
const TRIES_WHILE_PULLING: u32 = 4;

/// Largest number of iterations: each but the last changes the friction of a point or deactivates
/// it.
const MAX_ROUNDS: usize = 2 * MAX_POINTS + 1;

/// A solved interval.
pub struct Interval {
    /// Impulse of the full interval, N s.
    pub impulse: Rows,
    friction: [Friction; MAX_POINTS],
}

impl Interval {
    /// Finds the active set and its impulses; `None` if the budget is exhausted.
    ///
    /// Algorithm 1 of the paper: a rolling point that violates its cone becomes impending, any
    /// other point that would pull is deactivated. Each iteration removes a constraint, so there
    /// are at most two per point.
    pub fn solve(
        contacts: &Contacts,
        settings: &ImpactSettings,
        budget: &Budget,
        phase: [Phase; MAX_POINTS],
        give: [f64; MAX_POINTS],
        outcome: &mut Outcome,
        system: &mut Reduced,
    ) -> Option<Self> {
        let v = outcome.v_m_per_s;
        let active = phase.map(|phase| phase == Phase::Compressing);
        let mut trial =
            Trial { phase, give, active, friction: [Friction::None; MAX_POINTS], held: false };
        for k in 0..contacts.points {
            if phase[k] == Phase::Observing || contacts.mu[k] <= 0.0 {
                continue;
            }
            let slip = [v[3 * k], v[3 * k + 1]];
            let speed = length(slip);
            trial.friction[k] = if speed >= settings.v_transition_m_per_s && speed > 0.0 {
                Friction::Sliding(slip.map(|value| value / speed))
            } else {
                Friction::Rolling
            };
        }
        for _ in 0..MAX_ROUNDS {
            let (impulse, settled) = trial.settle(contacts, settings, budget, outcome, system)?;
            let violation = trial.violations(contacts, &impulse);
            let largest = largest(&impulse);
            let worst = violation.iter().fold(0.0f64, |max, &value| max.max(value));
            if worst <= TOLERANCE * largest {
                outcome.unsettled += u32::from(!settled);
                outcome.capped |= !settled;
                let interval = Self { impulse, friction: trial.friction };
                return Some(if largest > 0.0 {
                    interval
                } else {
                    interval.unjammed(contacts, &phase, &v)
                });
            }
            for k in 0..contacts.points {
                if violation[k] < worst * (1.0 - TIE) {
                    continue;
                }
                if trial.friction[k] == Friction::Rolling {
                    trial.friction[k] = Friction::Impending(first_guess(k, &v, &impulse));
                } else {
                    trial.active[k] = false;
                    trial.friction[k] = Friction::None;
                }
            }
        }
        None
    }

    /// Handles a jam, in which the search has deactivated every approaching point.
    ///
    /// In a jam, which the paper does not treat, friction accelerates a point towards the plane
    /// faster than its normal impulse stops it.
    ///
    /// The impulse continues at the point that approaches fastest, until its slip stops or rotates.
    /// In a jam the slip always decreases, because the block of A of a point is positive definite.
    /// The hodograph of a single contact behaves in the same way.
    fn unjammed(mut self, contacts: &Contacts, phase: &[Phase; MAX_POINTS], v: &Rows) -> Self {
        let approaching = (0..contacts.points).filter(|&k| phase[k] == Phase::Compressing);
        let Some(k) =
            approaching.reduce(|best, k| if v[3 * k + 2] < v[3 * best + 2] { k } else { best })
        else {
            return self;
        };
        let slip = [v[3 * k], v[3 * k + 1]];
        let speed = length(slip);
        if speed <= 0.0 {
            return self;
        }
        let s = slip.map(|value| value / speed);
        let mut push = [0.0; MAX_ROWS];
        push[3 * k] = -contacts.mu[k] * s[0];
        push[3 * k + 1] = -contacts.mu[k] * s[1];
        push[3 * k + 2] = 1.0;
        let fall =
            -(s[0] * contacts.response(3 * k, &push) + s[1] * contacts.response(3 * k + 1, &push));
        if fall > 0.0 {
            // Twice the impulse that stops the slip: the length of the interval then ends where it
            // stops.
            self.impulse = push.map(|value| 2.0 * speed / fall * value);
            self.friction[k] = Friction::Sliding(s);
        }
        self
    }

    /// Fraction of the interval to apply, eqs. (2.13) and (2.14).
    pub fn length(&self, contacts: &Contacts, settings: &ImpactSettings, v: &Rows) -> f64 {
        let mut alpha = 1.0f64;
        for k in 0..contacts.points {
            if let Friction::Sliding(_) = self.friction[k] {
                let from = [v[3 * k], v[3 * k + 1]];
                let change = [0, 1].map(|i| contacts.response(3 * k + i, &self.impulse));
                alpha = alpha.min(share(from, change, settings));
            }
        }
        alpha
    }
}

/// The largest magnitude of a point's impulse, N s; independent of the frame of reference.
fn largest(impulse: &Rows) -> f64 {
    let (points, _) = impulse.as_chunks::<3>();
    points.iter().map(|[x, y, z]| x * x + y * y + z * z).fold(0.0, f64::max).sqrt()
}

/// Initial direction of an impending slip: opposite to the friction of the rolling solution, or
/// else along the present slip.
fn first_guess(k: usize, v: &Rows, impulse: &Rows) -> [f64; 2] {
    for (way, sign) in [(impulse, -1.0), (v, 1.0)] {
        let length = length([way[3 * k], way[3 * k + 1]]);
        if length > 0.0 {
            return [0, 1].map(|i| sign * way[3 * k + i] / length);
        }
    }
    [1.0, 0.0]
}

/// An active set under test.
struct Trial {
    phase: [Phase; MAX_POINTS],
    give: [f64; MAX_POINTS],
    active: [bool; MAX_POINTS],
    friction: [Friction; MAX_POINTS],
    /// True once the iteration on directions has failed for a set; later sets use the friction
    /// disc, which also represents a point without slip.
    held: bool,
}

/// The best directions so far, with the Newton step from them.
struct Best {
    worst: f64,
    friction: [Friction; MAX_POINTS],
    impulse: Rows,
    by: [[f64; 2]; MAX_POINTS],
}

impl Best {
    /// A step or one of its components, rounded to [`GRAIN`] while corrections do not converge.
    fn stationary(&self, step: f64) -> f64 {
        if self.worst > WANDERS { (step / GRAIN).round() * GRAIN } else { step }
    }

    /// Rounds a step along and across the friction `s`, which makes it independent of the frame.
    fn stationary_step(&self, s: [f64; 2], by: [f64; 2]) -> [f64; 2] {
        let long = length(s);
        if long < 0.5 {
            return by;
        }
        let s = s.map(|value| value / long);
        let [along, across] = [s[0] * by[0] + s[1] * by[1], s[0] * by[1] - s[1] * by[0]]
            .map(|part| self.stationary(part));
        [along * s[0] - across * s[1], along * s[1] + across * s[0]]
    }
}

impl Trial {
    /// Solves for impulses and impending directions; `None` if the budget is exhausted.
    ///
    /// If no consistent directions are found, friction in the disc is tried. Also returns whether
    /// either iteration converged.
    fn settle(
        &mut self,
        contacts: &Contacts,
        settings: &ImpactSettings,
        budget: &Budget,
        outcome: &mut Outcome,
        system: &mut Reduced,
    ) -> Option<(Rows, bool)> {
        let v = outcome.v_m_per_s;
        let until = outcome.newton + budget.newton;
        if self.held {
            return self.hold(contacts, budget, until, outcome, system);
        }
        let mut best: Option<Best> = None;
        let mut stride = 1.0;
        for newton in 0..=budget.newton {
            let impulse = self.impulses(contacts, budget, outcome, system)?;
            let turns =
                Turns::new(contacts, &self.friction, &v, &impulse, settings.v_transition_m_per_s);
            if turns.settled() {
                return Some((impulse, true));
            }
            let worst = turns.worst();
            if best.as_ref().is_none_or(|best| worst < best.worst * (1.0 - TIE)) {
                let by = turns
                    .newton(contacts, system, &self.friction, &impulse)
                    .map(|by_rad| [by_rad, 0.0]);
                best = Some(Best { worst, friction: self.friction, impulse, by });
                stride = 1.0;
            } else {
                // The step did not improve the residual: halve it, starting from the best result so
                // far.
                stride *= 0.5;
            }
            // A reversal has no preferred sense of rotation: use the friction disc instead.
            if worst > STRAIGHT_BACK_RAD {
                break;
            }
            if stride < SHORTEST_TURN
                || (newton >= TRIES_WHILE_PULLING && self.pulls(contacts, &impulse))
            {
                break;
            }
            if newton < budget.newton {
                outcome.newton += 1;
                let from = best.as_ref()?;
                for k in 0..contacts.points {
                    if let Friction::Impending(s) = from.friction[k] {
                        let by_rad = from.by[k][0].clamp(-LONGEST_TURN_RAD, LONGEST_TURN_RAD);
                        self.friction[k] =
                            Friction::Impending(turned(s, from.stationary(stride * by_rad)));
                    }
                }
            }
        }
        let best = best?;
        self.friction = best.friction;
        if self.pulls(contacts, &best.impulse) {
            return Some((best.impulse, false));
        }
        self.held = true;
        let mut found = self.hold(contacts, budget, until, outcome, system)?;
        if !found.1 && outcome.newton < until {
            // Restart from zero friction, where no jam occurs.
            let before = self.friction;
            for friction in &mut self.friction {
                if let Friction::Impending(s) = friction {
                    *s = [0.0; 2];
                }
            }
            let again = self.hold(contacts, budget, until, outcome, system)?;
            if again.1 {
                found = again;
            } else {
                self.friction = before;
            }
        }
        Some(found)
    }

    /// Solves with the friction of impending points anywhere in the friction disc.
    ///
    /// `until` bounds the total number of corrections of the outcome.
    fn hold(
        &mut self,
        contacts: &Contacts,
        budget: &Budget,
        until: u32,
        outcome: &mut Outcome,
        system: &mut Reduced,
    ) -> Option<(Rows, bool)> {
        let v = outcome.v_m_per_s;
        let mut best: Option<Best> = None;
        let mut stride = 1.0;
        for _ in 0..=budget.newton {
            let impulse = self.impulses(contacts, budget, outcome, system)?;
            let gaps = Gaps::new(contacts, &self.friction, &v, &impulse);
            if gaps.settled() {
                return Some((impulse, true));
            }
            let worst = gaps.worst();
            if best.as_ref().is_none_or(|best| worst < best.worst * (1.0 - TIE)) {
                let by = gaps.newton(contacts, system, &self.friction, &impulse);
                best = Some(Best { worst, friction: self.friction, impulse, by });
                stride = 1.0;
            } else {
                stride *= 0.5;
            }
            if stride < SHORTEST_STRIDE || outcome.newton >= until {
                break;
            }
            outcome.newton += 1;
            let from = best.as_ref()?;
            for k in 0..contacts.points {
                if let Friction::Impending(s) = from.friction[k] {
                    let by = from.stationary_step(s, from.by[k].map(|by| stride * by));
                    self.friction[k] =
                        Friction::Impending(impending_friction::kept([0, 1].map(|i| s[i] + by[i])));
                }
            }
        }
        let best = best?;
        self.friction = best.friction;
        Some((best.impulse, false))
    }

    /// Solves with the present friction; `None` if the budget is exhausted or a result is not
    /// finite.
    fn impulses(
        &self,
        contacts: &Contacts,
        budget: &Budget,
        outcome: &mut Outcome,
        system: &mut Reduced,
    ) -> Option<Rows> {
        if outcome.solves >= budget.solves {
            return None;
        }
        outcome.solves += 1;
        system.set(contacts, &self.phase, &self.active, &self.friction, &self.give);
        let impulse = system.impulses(contacts, &outcome.v_m_per_s);
        impulse.iter().all(|pi| pi.is_finite()).then_some(impulse)
    }

    /// True if a point of the set would pull, so that it will be deactivated for any friction.
    fn pulls(&self, contacts: &Contacts, impulse: &Rows) -> bool {
        (0..contacts.points).any(|k| {
            self.phase[k] == Phase::Compressing
                && self.active[k]
                && self.friction[k] != Friction::Rolling
                && impulse[3 * k + 2] < 0.0
        })
    }

    /// Violation of the constraints of each point, N s.
    fn violations(&self, contacts: &Contacts, impulse: &Rows) -> [f64; MAX_POINTS] {
        let mut violation = [0.0; MAX_POINTS];
        for k in 0..contacts.points {
            let z = impulse[3 * k + 2];
            if self.friction[k] == Friction::Rolling {
                violation[k] = length([impulse[3 * k], impulse[3 * k + 1]]) - contacts.mu[k] * z;
            }
            if self.phase[k] == Phase::Compressing && self.active[k] {
                violation[k] = violation[k].max(-z);
            }
        }
        violation
    }
}

/// Fraction of an interval, 0...1, after which a slip must be classified again.
///
/// The slip starts at `from` and changes by `change` over the interval. The fraction ends at the
/// closest approach to zero, eq. (2.13), if that is below the transition speed; else at a rotation
/// by `theta_max`, eq. (2.14). A slip that ends below the transition speed uses the full interval.
fn share(from: [f64; 2], change: [f64; 2], settings: &ImpactSettings) -> f64 {
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let at = |alpha: f64| [from[0] + alpha * change[0], from[1] + alpha * change[1]];
    let speed_at = |alpha: f64| length(at(alpha));
    if speed_at(1.0) < settings.v_transition_m_per_s {
        return 1.0;
    }
    let square = dot(change, change);
    if square > 0.0 {
        let closest = -dot(from, change) / square;
        if closest > 0.0 && closest < 1.0 && speed_at(closest) < settings.v_transition_m_per_s {
            return closest.max(settings.alpha_min);
        }
    }
    let speed = length(from);
    let forward = dot(from, change) / speed;
    let sideways = ((from[0] * change[1] - from[1] * change[0]) / speed).abs();
    let tangent = settings.theta_max_rad.tan();
    // tan(theta) = alpha sideways/(speed + alpha forward), solved for alpha.
    let rest = sideways - forward * tangent;
    if rest <= 0.0 {
        return 1.0;
    }
    (speed * tangent / rest).clamp(settings.alpha_min, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid_body::simultaneous::Cor;

    const COR: Cor = Cor { e_min: 0.5, v_capture_m_per_s: 0.0, v_plastic_m_per_s: 1.0 };
    const SETTINGS: ImpactSettings = ImpactSettings {
        cor: COR,
        v_transition_m_per_s: 1e-2,
        theta_max_rad: 0.3,
        alpha_min: 1e-3,
    };

    #[test]
    fn a_slip_is_looked_at_where_it_has_turned_as_far_as_it_may() {
        for (from, change) in
            [([1.0, 0.0], [0.0, 2.0]), ([1.0, 0.5], [1.5, -3.0]), ([-0.2, 0.4], [-1.0, -0.3])]
        {
            let alpha = share(from, change, &SETTINGS);
            let to = [from[0] + alpha * change[0], from[1] + alpha * change[1]];
            let turn = (from[0] * to[1] - from[1] * to[0]).atan2(from[0] * to[0] + from[1] * to[1]);
            assert!(
                alpha < 1.0 && (turn.abs() - 0.3).abs() < 1e-12,
                "{from:?} {change:?}: {turn} rad at {alpha}"
            );
        }
    }

    #[test]
    fn a_slip_is_looked_at_where_it_all_but_stops() {
        // The closest approach to zero is 5 mm/s, at half of the interval.
        assert!((share([1.0, 5e-3], [-2.0, 0.0], &SETTINGS) - 0.5).abs() < 1e-12);
        assert!((share([3e-3, 0.8], [4e-3, -3.2], &SETTINGS) - 0.25).abs() < 1e-2);
        // The slip ends near zero, or keeps its direction.
        assert_eq!(share([1.0, 0.0], [-0.995, 0.0], &SETTINGS), 1.0);
        assert_eq!(share([1.0, 0.5], [2.0, 1.0], &SETTINGS), 1.0);
    }
}
