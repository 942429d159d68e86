//! One step of a row.

use super::newton::sweep;
use super::newton::{self, Row};
use super::{Ball, Chain, ChainDamping, Forces, MAX_BALLS, MAX_CONTACTS};
use super::{Set, members, runs};
use crate::contact::restitution::damping_unit_n_s_per_m;
use crate::contact::{HuntCrossley, Law};

/// Share of the fastest ball's speed that counts as least onset speed: below it the damping would
/// have no bounds.
const MIN_ONSET: f64 = 0.01;

/// Most turns of a step: each but the last brings in another contact, or settles one.
const MAX_TURNS: usize = 2 * MAX_CONTACTS + 1;

/// A step in which balls may meet.
struct Meeting {
    /// Which contacts are closed, or close if no force keeps them open.
    shut: Set,
    /// Compressions at its start, m.
    x_m: Forces,
    /// What they would change by without any force, m.
    free_m: Forces,
    /// What a newton moves each ball, m/N.
    mobility: [f64; MAX_BALLS],
    /// Its length, s.
    h_s: f64,
}

/// How far balls get in a step by themselves.
struct Free {
    h_s: f64,
    pull_per_s2: f64,
    /// What the strings leave of any way.
    soft: f64,
}

impl Free {
    fn way_m(&self, ball: &Ball) -> f64 {
        self.soft * self.h_s * (ball.v_m_per_s - 0.5 * self.pull_per_s2 * self.h_s * ball.u_m)
    }

    /// Move a ball by `moved_m`, while a force makes it faster by `faster` per second.
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

    /// As many steps in which no balls touch: see [`busy_contacts`](Self::busy_contacts).
    pub fn fly(&mut self, h_s: f64, steps: usize) {
        let free = self.free(h_s);
        for ball in &mut self.balls[..self.settings.balls] {
            for _ in 0..steps {
                let way_m = free.way_m(ball);
                free.pass(ball, way_m, 0.0);
            }
        }
    }

    /// One step of all balls together. Shorter ones are more exact; energy and momentum are kept by
    /// steps of any length.
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
        // What a newton moves each ball within the step.
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

    /// The forces of a step. Only contacts that take part are solved: those that are closed or
    /// closing. If a force shuts another, or one whose damping is not settled yet, it is done again
    /// with more.
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
        // Those beside them that are so near that they will be.
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

    /// Settle the damping of a contact that is about to begin, from the speed with which it does;
    /// says whether it is.
    ///
    /// A contact that others press on may get faster than it began: in a touching row it begins
    /// with no speed at all. It is then damped by the fastest it has been.
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
