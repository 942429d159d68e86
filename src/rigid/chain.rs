//! A row of balls that touch or all but touch: Newton's cradle, a handful of beads.
//!
//! Contacts are resolved in time, each a spring between two neighbours with the damping of either law: Hunt and
//! Crossley's, or a linear damper that lets go at zero force. Damping is fixed, or follows from a wanted restitution at
//! the onset speed of every contact. Impact rounds would not do: for a restitution below 1 their number explodes with
//! the length of the row, while a compression wave in time costs what it costs.
//!
//! One step solves all contacts together under forces constant over the step, each the discrete gradient of its
//! spring (see [`passive`]). Every force acts on two balls alike, so momentum is kept; its work is what the spring
//! stores, so energy cannot rise; a pendulum's pull is taken at the middle of the step, which keeps its energy too.
//!
//! Only balls with gaps between them pass a blow on whole. In a touching row of Hertz springs the wave spreads over
//! several balls, and the last one leaves with 98 to 99 % of the speed while the others keep a little.

use arrayvec::ArrayVec;

mod newton;
mod settings;

use newton::Row;
pub use settings::{Damping, Settings};

use crate::contact::closed_form::Curve;
use crate::contact::integrator::passive::{self, Reach};
use crate::contact::law::Spring;
use crate::contact::restitution::damping_unit_n_s_per_m;
use crate::contact::{HuntCrossley, Law, contact_time};

/// Most balls.
pub const MOST_BALLS: usize = 16;

/// Most contacts.
pub const MOST_CONTACTS: usize = MOST_BALLS - 1;

/// Steps in the shortest contact that the row's energy allows.
const STEPS_PER_CONTACT: f64 = 20.0;

/// Most steps of one call of [`Chain::advance`].
pub const MOST_STEPS: u32 = 512;

/// Most sweeps over the contacts in one step, where Newton's method did not settle.
pub const MOST_SWEEPS: u32 = 24;

/// Share of the fastest ball's speed that counts as least onset speed: below it the damping would have no bounds.
const LEAST_ONSET: f64 = 0.01;

/// One ball: how far from its place, and how fast, along the row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ball {
    /// Displacement, m.
    pub u_m: f64,
    /// Velocity, m/s.
    pub v_m_per_s: f64,
}

/// Mean force of each contact over a stretch of time, N.
pub type Forces = [f64; MOST_CONTACTS];

/// A row of balls.
#[derive(Clone, Debug)]
pub struct Chain {
    settings: Settings,
    balls: ArrayVec<Ball, MOST_BALLS>,
    masses_kg: [f64; MOST_BALLS],
    /// See [`Settings::bare_damping`].
    bare_damping: Option<f64>,
    springs: [Spring; MOST_CONTACTS],
    /// Speed by which each contact is damped, m/s.
    onsets_m_per_s: [f64; MOST_CONTACTS],
    forces: Forces,
    /// Longest step that resolves a contact, s.
    step_s: f64,
    unsettled: bool,
}

impl Chain {
    /// A row at rest in its places.
    pub fn new(settings: &Settings) -> Self {
        let settings = settings.within_limits();
        let mut balls = ArrayVec::new();
        for _ in 0..settings.balls {
            balls.push(Ball::default());
        }
        Self {
            settings,
            balls,
            masses_kg: std::array::from_fn(|ball| settings.ball_kg(ball)),
            bare_damping: settings.bare_damping(),
            springs: std::array::from_fn(|contact| settings.elastic(contact).prepare()),
            onsets_m_per_s: [0.0; MOST_CONTACTS],
            forces: [0.0; MOST_CONTACTS],
            step_s: f64::INFINITY,
            unsettled: false,
        }
    }

    /// What it was told.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The balls.
    pub fn balls(&self) -> &[Ball] {
        &self.balls
    }

    /// Put the first `count` balls `back_m` back from their places and let them go at `v_m_per_s`.
    pub fn launch(&mut self, count: usize, back_m: f64, v_m_per_s: f64) {
        let keep = |value: f64, most: f64| if value.is_nan() { 0.0 } else { value.clamp(0.0, most) };
        for ball in self.balls.iter_mut().take(count) {
            *ball = Ball { u_m: -keep(back_m, 1.0), v_m_per_s: keep(v_m_per_s, 50.0) };
        }
        self.step_s = self.shortest_contact_s() / STEPS_PER_CONTACT;
    }

    /// Duration of the shortest contact that the row's energy allows, s; with a strong damper, the time in which it acts.
    fn shortest_contact_s(&self) -> f64 {
        let contacts = self.balls.len() - 1;
        let lightest_kg = self.masses_kg[..=contacts].iter().fold(f64::INFINITY, |least, &mass| least.min(mass));
        let stiffest = (0..contacts).fold(0.0f64, |most, i| most.max(self.springs[i].stiffness()));
        // No ball can be faster than all energy in one, and no two approach faster than twice that.
        let approach = 2.0 * (2.0 * self.energy_j() / lightest_kg).sqrt().max(1e-3);
        let reduced_kg = 0.5 * lightest_kg;
        let elastic = HuntCrossley { stiffness: stiffest, mu_s_per_m: 0.0, alpha: self.settings.alpha };
        // Exact, as nothing is lost in it.
        let whole_s = contact_time::predict(&Curve::new(&elastic, reduced_kg, approach)).total_s();
        let bare = match (self.settings.law, self.settings.damping) {
            (Law::HuntCrossley, _) => 0.0,
            (Law::HertzDamper, Damping::Fixed(c)) => {
                c / damping_unit_n_s_per_m(stiffest, elastic.alpha, reduced_kg, approach)
            }
            (Law::HertzDamper, Damping::Restitution(..)) => self.bare_damping.unwrap_or(0.0),
        };
        whole_s / (1.0 + bare)
    }

    /// Some step did not settle within its bound; energy may then be off by its residue.
    pub fn is_unsettled(&self) -> bool {
        self.unsettled
    }

    fn pull_per_s2(&self) -> f64 {
        self.settings.string_m.map_or(0.0, |length_m| self.settings.gravity_m_per_s2 / length_m)
    }

    /// How far two neighbours are pressed into each other, m; a gap below 0.
    pub fn compression_m(&self, contact: usize) -> f64 {
        self.balls[contact].u_m - self.balls[contact + 1].u_m - self.settings.gap_m
    }

    /// Energy of motion, of the springs and of the strings, J.
    pub fn energy_j(&self) -> f64 {
        let pull = self.pull_per_s2();
        let each = |(ball, mass_kg): (&Ball, f64)| {
            0.5 * mass_kg * (ball.v_m_per_s * ball.v_m_per_s + pull * ball.u_m * ball.u_m)
        };
        let balls = self.balls.iter().zip(self.masses_kg).map(each).sum::<f64>();
        let contacts = self.balls.len() - 1;
        balls + (0..contacts).map(|i| self.springs[i].potential_j(self.compression_m(i))).sum::<f64>()
    }

    /// Momentum along the row, N s.
    pub fn momentum_ns(&self) -> f64 {
        self.balls.iter().zip(self.masses_kg).map(|(ball, mass_kg)| mass_kg * ball.v_m_per_s).sum::<f64>()
    }

    /// Mass with which two neighbours meet each other, kg.
    pub fn reduced_kg(&self, contact: usize) -> f64 {
        let (one, other) = (self.masses_kg[contact], self.masses_kg[contact + 1]);
        one * other / (one + other)
    }

    /// How many contacts are closed, or might close within `time_s`.
    pub fn busy_contacts(&self, time_s: f64) -> usize {
        let pull = self.pull_per_s2() * time_s;
        let busy = |pair: &[Ball]| {
            let approach = pair[0].v_m_per_s - pair[1].v_m_per_s + pull * (pair[1].u_m - pair[0].u_m).abs();
            pair[0].u_m - pair[1].u_m - self.settings.gap_m + approach.max(0.0) * time_s > 0.0
        };
        self.balls.windows(2).filter(|pair| busy(pair)).count()
    }

    /// How fast two neighbours approach each other, m/s.
    pub fn approach_m_per_s(&self, contact: usize) -> f64 {
        self.balls[contact].v_m_per_s - self.balls[contact + 1].v_m_per_s
    }

    /// The forces of the last step, N.
    pub fn forces_n(&self) -> &Forces {
        &self.forces
    }

    /// Steps that the contacts ask for in the next `time_s`, up to [`MOST_STEPS`].
    pub fn steps_wanted(&self, time_s: f64) -> u32 {
        if self.busy_contacts(time_s) == 0 {
            return 1;
        }
        (time_s / self.step_s).ceil().clamp(1.0, f64::from(MOST_STEPS)) as u32
    }

    /// Go on by `time_s` in as many steps as the contacts ask for; the mean forces over that time come back.
    pub fn advance(&mut self, time_s: f64) -> Forces {
        let mut mean = [0.0; MOST_CONTACTS];
        let steps = f64::from(self.steps_wanted(time_s));
        let h_s = time_s / steps;
        for _ in 0..steps as u32 {
            self.step(h_s);
            for (sum, force) in mean.iter_mut().zip(self.forces) {
                *sum += force / steps;
            }
        }
        mean
    }

    /// One step of all balls together. Shorter ones are more exact; energy and momentum are kept by steps of any length.
    pub fn step(&mut self, h_s: f64) {
        let count = self.balls.len();
        let pull = self.pull_per_s2();
        let soft = 1.0 / (1.0 + 0.25 * pull * h_s * h_s);
        // What a newton moves each ball within the step, and where it would go without any.
        let mobility = self.masses_kg.map(|mass| 0.5 * h_s * h_s / mass * soft);
        let free = |ball: &Ball| soft * h_s * (ball.v_m_per_s - 0.5 * pull * h_s * ball.u_m);
        let contacts = count - 1;
        let mut f = self.forces;
        let free_ways: [f64; MOST_BALLS] = std::array::from_fn(|j| self.balls.get(j).map_or(0.0, free));
        // Contacts that are open and stay so unless a neighbour is pushed into them.
        let open: [bool; MOST_CONTACTS] = std::array::from_fn(|i| {
            i >= contacts || (f[i] == 0.0 && self.compression_m(i) + (free_ways[i] - free_ways[i + 1]).max(0.0) <= 0.0)
        });
        if open.iter().any(|&open| !open) {
            let x_m = std::array::from_fn(|i| if i < contacts { self.compression_m(i) } else { 0.0 });
            let free_m = std::array::from_fn(|i| if i < contacts { free_ways[i] - free_ways[i + 1] } else { 0.0 });
            f = self.meet(&Meeting { open, x_m, free_m, mobility, h_s });
        }
        for j in 0..count {
            let from_left = if j > 0 { f[j - 1] } else { 0.0 };
            let from_right = if j < contacts { f[j] } else { 0.0 };
            let ball = &mut self.balls[j];
            let net = from_left - from_right;
            let moved = free_ways[j] + mobility[j] * net;
            ball.v_m_per_s += h_s * (net / self.masses_kg[j] - pull * (ball.u_m + 0.5 * moved));
            ball.u_m += moved;
        }
        self.forces = f;
    }

    /// The forces of a step. Only contacts that take part are solved: those that are closed or closing, and their
    /// neighbours. If a force shuts one of these, or one whose damping is not settled yet, it is done again with more.
    fn meet(&mut self, meeting: &Meeting) -> Forces {
        let contacts = self.balls.len() - 1;
        let Meeting { open, x_m, free_m, mobility, h_s } = meeting;
        let mut f = self.forces;
        let mut settled = [false; MOST_CONTACTS];
        let mut wanted = [false; MOST_CONTACTS];
        for i in (0..contacts).filter(|&i| !open[i]) {
            wanted[i.saturating_sub(1)..(i + 2).min(contacts)].fill(true);
            settled[i] = self.latch(i, meeting, &f);
        }
        // Every turn but the last brings in another contact, or settles one.
        for _ in 0..=2 * MOST_CONTACTS {
            for (first, last) in runs(&wanted[..contacts]) {
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
            let mut again = false;
            for i in (0..contacts).filter(|&i| f[i] > 0.0) {
                for beside in &mut wanted[i.saturating_sub(1)..(i + 2).min(contacts)] {
                    again |= !*beside;
                    *beside = true;
                }
                if x_m[i] <= 0.0 && !settled[i] {
                    settled[i] = self.latch(i, meeting, &f);
                    again |= settled[i];
                }
            }
            if !again {
                break;
            }
        }
        f
    }

    /// Settle the damping of a contact that is about to begin, from the speed with which it does; says whether it is.
    ///
    /// A contact that others press on may get faster than it began: in a touching row it begins with no speed at all. It is
    /// then damped by the fastest it has been.
    fn latch(&mut self, contact: usize, meeting: &Meeting, f: &Forces) -> bool {
        let (x_m, h_s) = (meeting.x_m[contact], meeting.h_s);
        let way_m = meeting.free_m[contact] + newton::pushed_m(&meeting.mobility[..self.balls.len()], f, contact);
        let onset = if x_m > 0.0 {
            let now = self.approach_m_per_s(contact);
            if self.bare_damping.is_none() || now <= self.onsets_m_per_s[contact] {
                return false;
            }
            now
        } else if x_m + way_m > 0.0 {
            let fastest = self.balls.iter().fold(0.0f64, |most, ball| most.max(ball.v_m_per_s.abs()));
            (way_m / h_s).max(LEAST_ONSET * fastest)
        } else {
            return false;
        };
        self.onsets_m_per_s[contact] = onset;
        let elastic = self.settings.elastic(contact);
        let damping = match (self.bare_damping, self.settings.damping) {
            (Some(bare), _) if onset > 0.0 => match self.settings.law {
                Law::HuntCrossley => bare / onset,
                Law::HertzDamper => {
                    bare * damping_unit_n_s_per_m(elastic.stiffness, elastic.alpha, self.reduced_kg(contact), onset)
                }
            },
            (None, Damping::Fixed(coefficient)) => coefficient,
            _ => 0.0,
        };
        self.springs[contact] = match self.settings.law {
            Law::HuntCrossley => HuntCrossley { mu_s_per_m: damping, ..elastic }.prepare(),
            Law::HertzDamper => elastic.prepare().with_damper(damping),
        };
        true
    }
}

/// A step in which balls may meet.
struct Meeting {
    /// Which contacts are open and stay so if no force shuts them.
    open: [bool; MOST_CONTACTS],
    /// Compressions at its start, m.
    x_m: Forces,
    /// What they would change by without any force, m.
    free_m: Forces,
    /// What a newton moves each ball, m/N.
    mobility: [f64; MOST_BALLS],
    /// Its length, s.
    h_s: f64,
}

/// First and last of each run of contacts that are wanted.
fn runs(wanted: &[bool]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let begins = |&i: &usize| wanted[i] && (i == 0 || !wanted[i - 1]);
    let last = |first: usize| (first..wanted.len()).take_while(|&i| wanted[i]).last().unwrap_or(first);
    (0..wanted.len()).filter(begins).map(move |first| (first, last(first)))
}

/// The forces contact by contact, over and over, and whether they settled: slower than Newton's method, but sure where
/// that wanders.
fn sweep(row: &Row, guess_n: &[f64]) -> (Forces, bool) {
    let mut f = [0.0; MOST_CONTACTS];
    f[..guess_n.len()].copy_from_slice(guess_n);
    let (contacts, b) = (row.springs.len(), row.mobility_m_per_n);
    let mut unsettled = false;
    for sweep in 0..MOST_SWEEPS {
        let mut change = 0.0f64;
        // A force below this share of the motion is lost in its rounding.
        let mut noise = 0.0f64;
        let mut largest = 0.0f64;
        for i in 0..contacts {
            let reach = Reach {
                x_m: row.x_m[i],
                free_m: row.free_m[i] + newton::pushed_m(b, &f, i),
                mobility_m_per_n: b[i] + b[i + 1],
                h_s: row.h_s,
                guess_n: f[i],
            };
            let push = passive::solve(&row.springs[i], &reach);
            unsettled |= !push.settled;
            change = change.max((push.force_n - f[i]).abs());
            largest = largest.max(push.force_n);
            noise = noise.max(4.0 * f64::EPSILON * reach.free_m.abs() / reach.mobility_m_per_n);
            f[i] = push.force_n;
        }
        if change <= 1e-14 * largest + noise {
            break;
        }
        unsettled |= sweep + 1 == MOST_SWEEPS && change > 1e-9 * largest + noise;
    }
    (f, !unsettled)
}
