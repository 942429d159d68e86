//! A chain of balls that touch or nearly touch: Newton's cradle, a string of beads.
//!
//! Contacts are resolved in time. Each is a spring between two neighbours with one of two damping
//! laws: Hunt and Crossley's, or a linear damper that separates at zero force. The damping is
//! fixed, or follows from a target restitution at the onset speed of each contact. Successive
//! impact rounds are not used, because for a restitution below 1 their number grows explosively
//! with the length of the chain, while the cost of a compression wave resolved in time is bounded.
//!
//! One step solves all contacts together under forces constant over the step, each the discrete
//! gradient of its spring (see [`crate::contact::integrator::passive`]). Each force acts on two
//! balls with opposite signs, so momentum is conserved. Its work equals the energy that the spring
//! stores, so energy cannot rise. The restoring force of a pendulum is evaluated at the midpoint of
//! the step, which conserves its energy as well.
//!
//! Only balls separated by gaps transmit an impact completely. In a touching chain of Hertz springs
//! the wave spreads over several balls: the last one leaves with 98 to 99 % of the speed, and the
//! others keep the rest.

mod newton;
mod settings;
mod step;

pub use newton::MAX_SWEEPS;
pub use settings::{ChainDamping, ChainSettings};

use crate::contact::closed_form::Curve;
use crate::contact::law::Spring;
use crate::contact::restitution::damping_unit_n_s_per_m;
use crate::contact::{ContactSettings, HuntCrossley, Law, contact_time};

/// Largest number of balls.
pub const MAX_BALLS: usize = 16;

/// Largest number of contacts.
pub const MAX_CONTACTS: usize = MAX_BALLS - 1;

/// Steps per shortest contact that the energy of the chain allows.
const STEPS_PER_CONTACT: f64 = 20.0;

/// Largest number of steps of one call of [`Chain::advance`].
pub const MAX_STEPS: u32 = 512;

/// Displacement from the rest position and velocity of a ball, along the chain.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ball {
    /// Displacement, m.
    pub u_m: f64,
    /// Velocity, m/s.
    pub v_m_per_s: f64,
}

/// Mean force of each contact over an interval, N.
pub type Forces = [f64; MAX_CONTACTS];

/// A chain of balls.
#[derive(Clone, Debug)]
pub struct Chain {
    settings: ChainSettings,
    /// The first `settings.balls` entries are in use.
    balls: [Ball; MAX_BALLS],
    masses_kg: [f64; MAX_BALLS],
    /// Inverse mass of each ball.
    per_mass_per_kg: [f64; MAX_BALLS],
    /// See [`ChainSettings::bare_damping`].
    bare_damping: Option<f64>,
    springs: [Spring; MAX_CONTACTS],
    /// Onset speed from which the damping of each contact follows, m/s.
    onsets_m_per_s: [f64; MAX_CONTACTS],
    forces: Forces,
    /// Contacts with a non-zero force.
    pushing: Set,
    /// Longest step that resolves the shortest contact, s.
    step_s: f64,
    unsettled: bool,
}

impl Chain {
    /// A chain with all balls at rest in their rest positions.
    pub fn new(settings: &ChainSettings) -> Self {
        let settings = settings.within_limits();
        Self {
            settings,
            balls: [Ball::default(); MAX_BALLS],
            masses_kg: std::array::from_fn(|ball| settings.ball_kg(ball)),
            per_mass_per_kg: std::array::from_fn(|ball| 1.0 / settings.ball_kg(ball)),
            bare_damping: settings.bare_damping(),
            springs: std::array::from_fn(|contact| settings.elastic(contact).prepare()),
            onsets_m_per_s: [0.0; MAX_CONTACTS],
            forces: [0.0; MAX_CONTACTS],
            pushing: 0,
            step_s: f64::INFINITY,
            unsettled: false,
        }
    }

    /// The settings, clamped to their ranges.
    pub fn settings(&self) -> &ChainSettings {
        &self.settings
    }

    /// The balls.
    pub fn balls(&self) -> &[Ball] {
        &self.balls[..self.settings.balls]
    }

    /// Releases the first `count` balls `back_m` behind their rest positions at `v_m_per_s`.
    pub fn launch(&mut self, count: usize, back_m: f64, v_m_per_s: f64) {
        let keep = |value: f64, max: f64| if value.is_nan() { 0.0 } else { value.clamp(0.0, max) };
        for ball in self.balls[..self.settings.balls].iter_mut().take(count) {
            *ball = Ball { u_m: -keep(back_m, 1.0), v_m_per_s: keep(v_m_per_s, 50.0) };
        }
        self.step_s = self.shortest_contact_s() / STEPS_PER_CONTACT;
    }

    /// Duration of the shortest contact that the energy of the chain allows, s.
    ///
    /// With a strong damper, the time in which the damper acts.
    fn shortest_contact_s(&self) -> f64 {
        let contacts = self.settings.balls - 1;
        let lightest_kg =
            self.masses_kg[..=contacts].iter().fold(f64::INFINITY, |min, &mass| min.min(mass));
        let stiffest = (0..contacts).fold(0.0f64, |max, i| max.max(self.springs[i].stiffness()));
        // A ball is fastest with all energy in it; no two balls approach faster than twice that
        // speed.
        let approach = 2.0 * (2.0 * self.energy_j() / lightest_kg).sqrt().max(1e-3);
        let reduced_kg = 0.5 * lightest_kg;
        let elastic =
            HuntCrossley { stiffness: stiffest, mu_s_per_m: 0.0, alpha: self.settings.alpha };
        // The prediction is exact, because this contact is lossless.
        let whole_s = contact_time::predict(&Curve::new(&elastic, reduced_kg, approach)).total_s();
        let bare = match (self.settings.law, self.settings.damping) {
            (Law::HuntCrossley, _) => 0.0,
            (Law::HertzDamper, ChainDamping::Fixed(c)) => {
                c / damping_unit_n_s_per_m(stiffest, elastic.alpha, reduced_kg, approach)
            }
            (Law::HertzDamper, ChainDamping::Restitution(..)) => self.bare_damping.unwrap_or(0.0),
        };
        whole_s / (1.0 + bare)
    }

    /// True if a step did not converge within its iteration limit.
    ///
    /// The energy error is then of the size of the residual.
    pub fn is_unsettled(&self) -> bool {
        self.unsettled
    }

    fn pull_per_s2(&self) -> f64 {
        self.settings.string_m.map_or(0.0, |length_m| self.settings.gravity_m_per_s2 / length_m)
    }

    /// Compression between two neighbours, m; negative for a gap.
    pub fn compression_m(&self, contact: usize) -> f64 {
        self.balls[contact].u_m - self.balls[contact + 1].u_m - self.settings.gap_m
    }

    /// Compression (m) and approach speed (m/s) of two neighbours in the given states.
    pub fn between(&self, one: &Ball, next: &Ball) -> (f64, f64) {
        (one.u_m - next.u_m - self.settings.gap_m, one.v_m_per_s - next.v_m_per_s)
    }

    /// Kinetic energy plus the potential energy of the springs and of the strings, J.
    pub fn energy_j(&self) -> f64 {
        let pull = self.pull_per_s2();
        let each = |(ball, mass_kg): (&Ball, f64)| {
            0.5 * mass_kg * (ball.v_m_per_s * ball.v_m_per_s + pull * ball.u_m * ball.u_m)
        };
        let balls = self.balls().iter().zip(self.masses_kg).map(each).sum::<f64>();
        let contacts = self.settings.balls - 1;
        balls
            + (0..contacts).map(|i| self.springs[i].potential_j(self.compression_m(i))).sum::<f64>()
    }

    /// Momentum along the chain, N s.
    pub fn momentum_ns(&self) -> f64 {
        self.balls()
            .iter()
            .zip(self.masses_kg)
            .map(|(ball, mass_kg)| mass_kg * ball.v_m_per_s)
            .sum::<f64>()
    }

    /// Reduced mass of two neighbours, kg.
    pub fn reduced_kg(&self, contact: usize) -> f64 {
        let (one, other) = (self.masses_kg[contact], self.masses_kg[contact + 1]);
        one * other / (one + other)
    }

    /// Settings of a contact in isolation.
    ///
    /// Two balls without other neighbours move like a mass of [`reduced_kg`](Self::reduced_kg)
    /// against a wall. The damping is that of the last contact.
    pub fn alone(&self, contact: usize) -> ContactSettings {
        let spring = &self.springs[contact];
        ContactSettings {
            kind: self.settings.law,
            law: HuntCrossley {
                stiffness: spring.stiffness(),
                mu_s_per_m: spring.mu_s_per_m(),
                alpha: spring.alpha(),
            },
            damper_n_s_per_m: spring.damper_n_s_per_m(),
            mass_kg: self.reduced_kg(contact),
            ..ContactSettings::default()
        }
    }

    /// Potential energy of a contact's spring plus the kinetic energy of the relative motion, J.
    pub fn energy_between_j(&self, contact: usize) -> f64 {
        let approach = self.approach_m_per_s(contact);
        0.5 * self.reduced_kg(contact) * approach * approach
            + self.springs[contact].potential_j(self.compression_m(contact))
    }

    /// Number of contacts that are closed or may close within `time_s`.
    pub fn busy_contacts(&self, time_s: f64) -> usize {
        let (pull, gap_m) = (self.pull_per_s2() * time_s, self.settings.gap_m);
        let busy = |pair: &[Ball]| {
            let apart_m = pair[0].u_m - pair[1].u_m;
            let approach = pair[0].v_m_per_s - pair[1].v_m_per_s + pull * apart_m.abs();
            apart_m - gap_m + approach.max(0.0) * time_s > 0.0
        };
        self.balls().windows(2).map(|pair| usize::from(busy(pair))).sum()
    }

    /// Approach speed of two neighbours, m/s.
    pub fn approach_m_per_s(&self, contact: usize) -> f64 {
        self.balls[contact].v_m_per_s - self.balls[contact + 1].v_m_per_s
    }

    /// Contact forces of the last step, N.
    pub fn forces_n(&self) -> &Forces {
        &self.forces
    }

    /// Contacts with a positive force in the last step.
    pub fn pushing(&self) -> Set {
        self.pushing
    }

    /// Longest step that resolves the shortest contact, s.
    pub fn step_s(&self) -> f64 {
        self.step_s
    }

    /// Number of steps that the contacts require in the next `time_s`, up to [`MAX_STEPS`].
    pub fn target_substeps(&self, time_s: f64) -> u32 {
        if self.busy_contacts(time_s) == 0 {
            return 1;
        }
        (time_s / self.step_s).ceil().clamp(1.0, f64::from(MAX_STEPS)) as u32
    }

    /// Advances by `time_s` in [`target_substeps`](Self::target_substeps) steps. Returns the mean
    /// forces.
    pub fn advance(&mut self, time_s: f64) -> Forces {
        let mut mean = [0.0; MAX_CONTACTS];
        let steps = f64::from(self.target_substeps(time_s));
        let h_s = time_s / steps;
        for _ in 0..steps as u32 {
            self.step(h_s);
            for (sum, force) in mean.iter_mut().zip(self.forces) {
                *sum += force / steps;
            }
        }
        mean
    }
}

/// A set of contacts, one bit each.
pub type Set = u32;

/// The contacts of a set in ascending order.
pub fn members(set: Set) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let first = (left != 0).then(|| left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(first)
    })
}

/// First and last contact of each run of consecutive contacts in a set.
pub fn runs(set: Set) -> impl Iterator<Item = (usize, usize)> {
    let mut left = set;
    std::iter::from_fn(move || {
        let first = (left != 0).then(|| left.trailing_zeros())?;
        let end = first + (left >> first).trailing_ones();
        left &= !((1 << end) - 1);
        Some((first as usize, end as usize - 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_is_busy_if_the_gap_can_close_in_time() {
        let settings =
            ChainSettings { balls: 4, gap_m: 1e-3, string_m: None, ..ChainSettings::default() };
        let mut row = Chain::new(&settings);
        assert_eq!(row.busy_contacts(1.0), 0, "all at rest");
        row.launch(1, 0.0, 2.0);
        // 1 mm at 2 m/s takes half a millisecond.
        assert_eq!((row.busy_contacts(0.4e-3), row.busy_contacts(0.6e-3)), (0, 1));
        row.launch(2, 0.0, 2.0);
        assert_eq!(row.busy_contacts(0.6e-3), 1, "the two in front fly along");
        // A start 1 mm farther back doubles the time.
        row.launch(2, 1e-3, 2.0);
        assert_eq!((row.busy_contacts(0.9e-3), row.busy_contacts(1.1e-3)), (0, 1));
    }

    #[test]
    fn neighbours_are_as_far_and_as_fast_as_their_difference() {
        let row = Chain::new(&ChainSettings { gap_m: 1e-3, ..ChainSettings::default() });
        let (one, next) = (Ball { u_m: 5e-3, v_m_per_s: 2.0 }, Ball { u_m: 1e-3, v_m_per_s: -0.5 });
        let (compression_m, approach) = row.between(&one, &next);
        assert!((compression_m - 3e-3).abs() < 1e-15 && approach == 2.5);
    }

    #[test]
    fn what_is_launched_is_in_range_and_no_more_than_there_is() {
        let mut row = Chain::new(&ChainSettings { balls: 3, ..ChainSettings::default() });
        row.launch(2, 5.0, 80.0);
        assert_eq!(row.balls()[1], Ball { u_m: -1.0, v_m_per_s: 50.0 });
        assert_eq!(row.balls()[2], Ball::default());
        row.launch(99, f64::NAN, -3.0);
        assert!(
            row.balls().len() == 3
                && row.balls().iter().all(|ball| ball.u_m == 0.0 && ball.v_m_per_s == 0.0)
        );
    }

    /// The reference is the undamped contact at twice the speed of one ball with all energy.
    #[test]
    fn a_step_is_a_twentieth_of_the_shortest_contact() {
        let settings = ChainSettings {
            balls: 4,
            alpha: 1.0,
            damping: ChainDamping::Fixed(0.0),
            gap_m: 1e-6,
            ..ChainSettings::default()
        };
        let mut row = Chain::new(&settings);
        row.launch(1, 0.0, 2.0);
        // A linear spring: half a period of the reduced mass, at any speed.
        let half_period_s =
            std::f64::consts::PI * (0.5 * settings.mass_kg / settings.stiffness).sqrt();
        assert!((row.step_s() / (half_period_s / 20.0) - 1.0).abs() < 1e-9, "{}", row.step_s());
        row.launch(1, 0.0, 1.0);
        let steps = |time_s: f64| row.target_substeps(time_s);
        assert_eq!(
            (steps(0.0), steps(1e-4), steps(10.0)),
            (1, (1e-4 / row.step_s()).ceil() as u32, MAX_STEPS)
        );
    }

    #[test]
    fn a_set_is_visited_in_order_and_in_runs() {
        let set = 0b1100_0111_0000_0001;
        assert_eq!(members(set).collect::<Vec<_>>(), [0, 8, 9, 10, 14, 15]);
        assert_eq!(runs(set).collect::<Vec<_>>(), [(0, 0), (8, 10), (14, 15)]);
        assert_eq!((members(0).count(), runs(0).count()), (0, 0));
    }
}
