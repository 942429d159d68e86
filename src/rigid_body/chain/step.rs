//! One step of a chain.

use super::newton::sweep;
use super::newton::{self, Row};
use super::{Ball, Chain, ChainDamping, Forces, MAX_BALLS, MAX_CONTACTS};
use super::{Set, members, runs};
use crate::contact::restitution::damping_unit_n_s_per_m;
use crate::contact::{HuntCrossley, Law};

/// Smallest onset speed, as a share of the fastest ball's speed. It bounds the damping, which grows
/// without limit as the onset speed falls to zero.
const MIN_ONSET: f64 = 0.01;

/// Largest number of iterations of a step: each but the last adds a contact to the solved set or
/// fixes the damping of one.
const MAX_TURNS: usize = 2 * MAX_CONTACTS + 1;

/// Inputs of a step with closed or closing contacts.
struct Meeting {
    /// Contacts that are closed, or close in the absence of forces.
    shut: Set,
    /// Compressions at the start of the step, m.
    x_m: Forces,
    /// Changes of the compressions in the absence of forces, m.
    free_m: Forces,
    /// Displacement of each ball within the step per force, m/N.
    mobility: [f64; MAX_BALLS],
    /// Length of the step, s.
    h_s: f64,
}

/// Motion of the balls in a step without contact forces.
struct Free {
    h_s: f64,
    pull_per_s2: f64,
    /// Factor on displacements that accounts for the restoring force of the strings.
    soft: f64,
}

impl Free {
    fn way_m(&self, ball: &Ball) -> f64 {
        self.soft * self.h_s * (ball.v_m_per_s - 0.5 * self.pull_per_s2 * self.h_s * ball.u_m)
    }

    /// Moves a ball by `moved_m` while a force accelerates it by `faster`, m/s^2.
    fn pass(&self, ball: &mut Ball, moved_m: f64, faster: f64) {
        ball.v_m_per_s += self.h_s * (faster - self.pull_per_s2 * (ball.u_m + 0.5 * moved_m));
        ball.u_m += moved_m;
    }
}

impl Chain {
    fn free(&self, h_s: f64) -> Free {
        let pull_per_s2 = self.pull_per_s2();
        Free { h_s, pull_per_s2, soft: 1.0 / (1.0 + 0.25 * pull_per_s2 * h_s * h_s) }
    }

    /// Advances by `steps` steps without contacts; see [`busy_contacts`](Self::busy_contacts).
    pub fn fly(&mut self, h_s: f64, steps: usize) {
        let free = self.free(h_s);
        for ball in &mut self.balls[..self.settings.balls] {
            for _ in 0..steps {
                let way_m = free.way_m(ball);
                free.pass(ball, way_m, 0.0);
            }
        }
    }

    /// Advances all balls by one step.
    ///
    /// Shorter steps are more accurate. For any step length momentum is conserved and energy never
    /// rises.
    pub fn step(&mut self, h_s: f64) {
        let free = self.free(h_s);
        let contacts = self.settings.balls - 1;
        let mut ways_m = [0.0; MAX_BALLS];
        for (way_m, ball) in ways_m.iter_mut().zip(self.balls()) {
            *way_m = free.way_m(ball);
        }
        let (mut x_m, mut free_m, mut shut) = ([0.0; MAX_CONTACTS], [0.0; MAX_CONTACTS], 0);
        let near = self.balls().windows(2).zip(ways_m.windows(2)).zip(&self.forces);
        for (i, ((pair, ways_m), &force)) in near.enumerate() {
            x_m[i] = pair[0].u_m - pair[1].u_m - self.settings.gap_m;
            free_m[i] = ways_m[0] - ways_m[1];
            shut |= Set::from(force != 0.0 || x_m[i] + free_m[i].max(0.0) > 0.0) << i;
        }
        if shut == 0 {
            for (ball, way_m) in self.balls[..=contacts].iter_mut().zip(ways_m) {
                free.pass(ball, way_m, 0.0);
            }
            return;
        }
        // Displacement of each ball within the step per force, m/N.
        let mut mobility = [0.0; MAX_BALLS];
        for (mobility, per_kg) in mobility[..=contacts].iter_mut().zip(&self.per_mass_per_kg) {
            *mobility = 0.5 * h_s * h_s * free.soft * per_kg;
        }
        self.forces = self.meet(&Meeting { shut, x_m, free_m, mobility, h_s });
        let mut from_left = 0.0;
        for (j, ball) in self.balls[..=contacts].iter_mut().enumerate() {
            let from_right = if j < contacts { self.forces[j] } else { 0.0 };
            let net = from_left - from_right;
            free.pass(ball, ways_m[j] + mobility[j] * net, net * self.per_mass_per_kg[j]);
            from_left = from_right;
        }
    }

    /// Solves the contact forces of a step.
    ///
    /// Only closed or closing contacts are solved. If their forces close another contact, or one
    /// whose damping is not fixed yet, the solution is repeated with the larger set.
    fn meet(&mut self, meeting: &Meeting) -> Forces {
        let contacts = self.settings.balls - 1;
        let all: Set = (1 << contacts) - 1;
        let beside = |set: Set| (set | set << 1 | set >> 1) & all;
        let Meeting { shut, x_m, free_m, mobility, h_s } = meeting;
        let mut f = self.forces;
        let mut settled: Set = 0;
        for i in members(*shut) {
            settled |= Set::from(self.latch(i, meeting, &f)) << i;
        }
        // Neighbouring contacts that the forces are likely to close.
        let mut wanted = *shut;
        for i in members(beside(*shut) & !shut) {
            let way_m =
                |j: Option<usize>| j.and_then(|j| free_m.get(j)).map_or(0.0, |way_m| way_m.abs());
            let reach_m = way_m(i.checked_sub(1)).max(way_m(Some(i + 1)));
            wanted |= Set::from(x_m[i] + free_m[i] + reach_m > 0.0) << i;
        }
        for _ in 0..MAX_TURNS {
            for (first, last) in runs(wanted) {
                let part = Row {
                    springs: &self.springs[first..=last],
                    x_m: &x_m[first..=last],
                    free_m: &free_m[first..=last],
                    mobility_m_per_n: &mobility[first..=last + 1],
                    h_s: *h_s,
                };
                let guess = &f[first..=last];
                let found = part.solve(guess).unwrap_or_else(|| {
                    let (found, settled) = sweep(&part, guess);
                    self.unsettled |= !settled;
                    found
                });
                f[first..=last].copy_from_slice(&found[..=last - first]);
            }
            self.pushing =
                members(wanted).fold(0, |pushing, i| pushing | Set::from(f[i] > 0.0) << i);
            let before = (wanted, settled);
            for i in members(beside(self.pushing) & !wanted) {
                let way_m = free_m[i] + newton::pushed_m(&mobility[..=contacts], &f, i);
                wanted |= Set::from(x_m[i] + way_m > 0.0) << i;
            }
            for i in members(self.pushing & !settled).filter(|&i| x_m[i] <= 0.0) {
                settled |= Set::from(self.latch(i, meeting, &f)) << i;
            }
            if (wanted, settled) == before {
                break;
            }
        }
        f
    }

    /// Sets the damping of a starting contact from its onset speed. Returns true if it was set.
    ///
    /// Neighbours may accelerate a contact beyond its onset speed: in a touching chain it starts at
    /// zero speed. The damping then follows from the highest speed so far.
    fn latch(&mut self, contact: usize, meeting: &Meeting, f: &Forces) -> bool {
        let onset = if meeting.x_m[contact] > 0.0 {
            let now = self.approach_m_per_s(contact);
            if self.bare_damping.is_none() || now <= self.onsets_m_per_s[contact] {
                return false;
            }
            now
        } else {
            let pushed_m = newton::pushed_m(&meeting.mobility[..self.settings.balls], f, contact);
            let way_m = meeting.free_m[contact] + pushed_m;
            if meeting.x_m[contact] + way_m <= 0.0 {
                return false;
            }
            let fastest =
                self.balls().iter().fold(0.0f64, |max, ball| max.max(ball.v_m_per_s.abs()));
            (way_m / meeting.h_s).max(MIN_ONSET * fastest)
        };
        self.onsets_m_per_s[contact] = onset;
        let spring = &self.springs[contact];
        let elastic =
            HuntCrossley { stiffness: spring.stiffness(), mu_s_per_m: 0.0, alpha: spring.alpha() };
        let damping = match (self.bare_damping, self.settings.damping) {
            (Some(bare), _) if onset > 0.0 => match self.settings.law {
                Law::HuntCrossley => bare / onset,
                Law::HertzDamper => {
                    bare * damping_unit_n_s_per_m(
                        elastic.stiffness,
                        elastic.alpha,
                        self.reduced_kg(contact),
                        onset,
                    )
                }
            },
            (None, ChainDamping::Fixed(coefficient)) => coefficient,
            _ => 0.0,
        };
        self.springs[contact] = match self.settings.law {
            Law::HuntCrossley => HuntCrossley { mu_s_per_m: damping, ..elastic }.prepare(),
            Law::HertzDamper => elastic.prepare().with_damper(damping),
        };
        true
    }
}
