//! A body thrown onto the plane z = 0: when, where and how hard its corners strike.
//!
//! Time advances in ticks of [`TICK_S`], so that nothing depends on sample rate or block size.
//! Within a tick a body flies to its next landing, found to a fraction of a nanosecond, and all
//! corners near the plane take part in the impact.
//!
//! Rules that end every tumble:
//! - Below the capture speed restitution is zero.
//! - A body held by the plane is supported tick by tick: first gravity's impulse, then a plastic
//!   impact of all near corners, then motion with the remaining velocity. So it tips, slides and
//!   rolls.
//! - It rests once no corner has moved faster than a quarter of the capture speed for [`REST_S`].
//! - A tick has at most [`MAX_IMPACTS`]; after them it is supported for the rest of the tick.
//! - Energy never increases: after every supported tick velocities are scaled down to the energy at
//!   its start.
//! - All impacts share a budget of linear systems that grows by [`REFILL`] per tick; without any
//!   left, impacts are plastic stops.

use arrayvec::ArrayVec;

mod near;
mod settings;

use near::{LowestPoint, Near};
pub use settings::{Rebound, TumbleSettings, TumbleThrow};

use super::motion::{Quaternion, RigidMotion, first_landing_s};
use super::shape::{MAX_CORNERS, RigidShape};
use super::simultaneous::{self, Budget, Cor, MAX_POINTS};
use super::vector::{Mat3, Vec3, mul, norm};

/// Length of a tick, s.
pub const TICK_S: f64 = 1e-3;

/// Largest number of impacts of one tick.
pub const MAX_IMPACTS: usize = 4;

/// Largest number of iterations of a tick: each is an impact or the flight to the next one, and
/// there is a last flight.
const MAX_TURNS: usize = 2 * MAX_IMPACTS + 1;

/// Largest number of strikes of one tick: every near corner at every impact.
pub const MAX_STRIKES: usize = MAX_IMPACTS * MAX_POINTS;

/// Time without motion after which a body is at rest, s.
pub const REST_S: f64 = 0.05;

/// Largest number of linear systems that all impacts of one tick share.
pub const MAX_SOLVES: u32 = 96;

/// Linear systems added to the budget of a body per tick. The budget holds [`MAX_SOLVES`] and
/// starts full, so n ticks take at most `MAX_SOLVES + n REFILL`. Throws on a table use one in two
/// ticks, and in the worst case fifteen in each of 16 ticks.
pub const REFILL: u32 = 16;

/// A strike of one corner on the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strike {
    /// Time since the throw, s.
    pub time_s: f64,
    /// Index of the corner.
    pub corner: usize,
    /// Position of the corner, body axes, m.
    pub body_point_m: Vec3,
    /// Position on the plane, m.
    pub plane_m: [f64; 2],
    /// Speed of approach along the normal, m/s; 0 for a corner that only the impulses at others
    /// press down.
    pub normal_m_per_s: f64,
    /// Slip before the impact, m/s.
    pub slip_m_per_s: [f64; 2],
    /// Normal impulse, N s.
    pub impulse_ns: f64,
    /// Friction impulse, N s.
    pub friction_ns: [f64; 2],
    /// Effective mass at this corner, kg: `1/A_zz`.
    pub effective_mass_kg: f64,
    /// Restitution of this corner alone; 0 below the capture speed.
    pub restitution: f64,
}

/// The strikes of one tick.
pub type Strikes = ArrayVec<Strike, MAX_STRIKES>;

/// A tumbling body.
#[derive(Clone, Debug)]
pub struct Tumble {
    shape: RigidShape,
    settings: TumbleSettings,
    motion: RigidMotion,
    ticks: u64,
    still_s: f64,
    resting: bool,
    /// Linear systems of the last tick.
    solves: u32,
    /// Budget of the next tick, linear systems.
    store: u32,
}

impl Tumble {
    /// Throws a body.
    pub fn new(shape: RigidShape, settings: &TumbleSettings, throw: &TumbleThrow) -> Self {
        let settings = settings.within_limits();
        let motion = throw.within_limits().motion(&shape);
        Self {
            shape,
            settings,
            motion,
            ticks: 0,
            still_s: 0.0,
            resting: false,
            solves: 0,
            store: MAX_SOLVES,
        }
    }

    /// Places the body without spin, with this position, orientation and velocity.
    pub fn place(&mut self, centre_m: Vec3, attitude: Quaternion, velocity_m_per_s: Vec3) {
        self.motion =
            RigidMotion { centre_m, attitude, velocity_m_per_s, momentum_kg_m2_per_s: [0.0; 3] };
        (self.still_s, self.resting) = (0.0, false);
    }

    /// Its current motion.
    pub fn motion(&self) -> &RigidMotion {
        &self.motion
    }

    /// Its shape.
    pub fn shape(&self) -> &RigidShape {
        &self.shape
    }

    /// True once it has come to rest.
    pub fn is_resting(&self) -> bool {
        self.resting
    }

    /// Time since the throw, s.
    pub fn time_s(&self) -> f64 {
        self.ticks as f64 * TICK_S
    }

    /// Linear systems used by the last tick.
    pub fn last_solves(&self) -> u32 {
        self.solves
    }

    /// Energy, J.
    pub fn energy_j(&self) -> f64 {
        self.motion.energy_j(&self.shape.inertia, self.settings.gravity_m_per_s2)
    }

    /// Advances by one tick; `strikes` receives its strikes in the order of time.
    pub fn tick(&mut self, strikes: &mut Strikes) {
        strikes.clear();
        self.store = (self.store.saturating_sub(self.solves) + REFILL).min(MAX_SOLVES);
        self.solves = 0;
        let start_s = self.time_s();
        self.ticks += 1;
        if self.resting {
            return;
        }
        let (inertia, gravity) = (self.shape.inertia, self.settings.gravity_m_per_s2);
        let (before, energy_before) = (self.motion, self.energy_j());
        let mut left_s = TICK_S;
        let mut carried = false;
        let mut impacts = 0;
        for _ in 0..MAX_TURNS {
            if left_s <= 0.0 {
                break;
            }
            let may_strike = impacts < self.settings.max_impacts;
            let low = LowestPoint::new(&self.shape, &self.motion);
            let capture = self.settings.cor.v_capture_m_per_s;
            let all = low.chosen(|_| true);
            if may_strike && all.lands(capture) {
                impacts += 1;
                self.impact(
                    &all.near(&inertia, self.settings.mu),
                    start_s + (TICK_S - left_s),
                    strikes,
                );
                carried = true;
                continue;
            }
            // A fast corner has not landed yet, unless the impacts are used up.
            let held = low.chosen(|fall| !may_strike || fall < capture);
            if held.lingers(gravity * left_s) {
                left_s -=
                    self.carry(&mut held.near(&inertia, self.settings.mu), left_s, may_strike);
                carried = true;
                continue;
            }
            let corners = &self.shape.corners_m;
            let found = first_landing_s(&self.motion, &inertia, gravity, left_s, corners, |_| true);
            let way_s = found.unwrap_or(left_s);
            self.motion = self.motion.flown(&inertia, gravity, way_s);
            left_s -= way_s;
        }
        if carried {
            self.lift();
            self.hold_energy(&before, energy_before);
            self.judge_rest();
        } else {
            self.still_s = 0.0;
        }
    }

    fn heights(&self, axes: &Mat3) -> ArrayVec<f64, MAX_CORNERS> {
        self.shape.corners_m.iter().map(|&corner| self.motion.height_m(axes, corner)).collect()
    }

    fn budget(&self) -> Budget {
        let whole = Budget::REAL_TIME;
        Budget { solves: whole.solves.min(self.store.saturating_sub(self.solves)), ..whole }
    }

    fn push(&mut self, near: &Near, outcome: &simultaneous::Outcome) {
        self.solves += outcome.solves;
        for (k, &corner) in near.corners.iter().enumerate() {
            let impulse: Vec3 = std::array::from_fn(|axis| outcome.impulse_ns[3 * k + axis]);
            let arm = mul(&near.axes, self.shape.corners_m[corner]);
            self.motion.push(&self.shape.inertia, arm, impulse);
        }
    }

    fn impact(&mut self, near: &Near, time_s: f64, strikes: &mut Strikes) {
        let (rebound, cor) = (self.settings.rebound, self.settings.cor);
        let mass_kg = |k: usize| 1.0 / near.contacts.a[3 * k + 2][3 * k + 2];
        let restitution = |k: usize, speed: f64| rebound.at(&cor, mass_kg(k), speed);
        let outcome = simultaneous::solve_by(
            &near.contacts,
            &self.settings.plus(),
            &self.budget(),
            restitution,
        );
        for (k, &corner) in near.corners.iter().enumerate() {
            let [x, y, z] = [0, 1, 2].map(|axis| 3 * k + axis);
            if outcome.impulse_ns[z] <= 0.0 {
                continue;
            }
            let body_point_m = self.shape.corners_m[corner];
            let place = self.motion.place_m(&near.axes, body_point_m);
            let v = &near.contacts.v_m_per_s;
            let _ = strikes.try_push(Strike {
                time_s,
                corner,
                body_point_m,
                plane_m: [place[0], place[1]],
                normal_m_per_s: (-v[z]).max(0.0),
                slip_m_per_s: [v[x], v[y]],
                impulse_ns: outcome.impulse_ns[z],
                friction_ns: [outcome.impulse_ns[x], outcome.impulse_ns[y]],
                effective_mass_kg: mass_kg(k),
                restitution: restitution(k, (-v[z]).max(0.0)),
            });
        }
        self.push(near, &outcome);
    }

    /// Moves a supported body over the plane for up to `left_s`. Returns the time until another
    /// corner landed.
    fn carry(&mut self, near: &mut Near, left_s: f64, may_stop: bool) -> f64 {
        let before = self.motion;
        let way_s = self.carry_for(near, left_s, may_stop);
        if way_s >= left_s || way_s <= 0.0 {
            return left_s;
        }
        // Repeat the step with gravity's impulse only up to the landing.
        self.motion = before;
        self.carry_for(near, way_s, false);
        way_s
    }

    fn carry_for(&mut self, near: &mut Near, time_s: f64, may_stop: bool) -> f64 {
        let fall = self.settings.gravity_m_per_s2 * time_s;
        let still_up = near.contacts.v_m_per_s;
        for k in 0..near.contacts.points {
            near.contacts.v_m_per_s[3 * k + 2] -= fall;
        }
        self.motion.velocity_m_per_s[2] -= fall;
        let plastic =
            Cor { e_min: 0.0, v_capture_m_per_s: f64::INFINITY, v_plastic_m_per_s: f64::INFINITY };
        let settings = simultaneous::ImpactSettings { cor: plastic, ..self.settings.plus() };
        let outcome = simultaneous::solve(&near.contacts, &settings, &self.budget());
        near.contacts.v_m_per_s = still_up;
        self.push(near, &outcome);
        let (inertia, corners) = (self.shape.inertia, &self.shape.corners_m);
        let found = if may_stop {
            first_landing_s(&self.motion, &inertia, 0.0, time_s, corners, |i| {
                !near.corners.contains(&i)
            })
        } else {
            None
        };
        let way_s = found.unwrap_or(time_s);
        self.motion = self.motion.flown(&inertia, 0.0, way_s);
        way_s
    }

    /// Lifts the body until no corner is below the plane.
    fn lift(&mut self) {
        let lowest = self.heights(&self.motion.axes()).into_iter().fold(0.0, f64::min);
        self.motion.centre_m[2] -= lowest;
    }

    /// Limits the energy to that at the start of the tick. A body raised higher than its motion can
    /// lift it, while it tips over a corner, stays where it was.
    fn hold_energy(&mut self, before: &RigidMotion, max_j: f64) {
        let excess = self.energy_j() - max_j;
        if excess <= 0.0 {
            return;
        }
        let kinetic = self.motion.kinetic_j(&self.shape.inertia);
        if excess < kinetic {
            let keep = ((kinetic - excess) / kinetic).sqrt();
            self.motion.velocity_m_per_s = self.motion.velocity_m_per_s.map(|v| keep * v);
            self.motion.momentum_kg_m2_per_s = self.motion.momentum_kg_m2_per_s.map(|l| keep * l);
        } else {
            self.motion = RigidMotion {
                velocity_m_per_s: [0.0; 3],
                momentum_kg_m2_per_s: [0.0; 3],
                ..*before
            };
        }
    }

    fn judge_rest(&mut self) {
        let spin = norm(self.motion.spin_rad_per_s(&self.shape.inertia));
        let fastest = norm(self.motion.velocity_m_per_s) + spin * self.shape.radius_m;
        if fastest < 0.25 * self.settings.cor.v_capture_m_per_s {
            self.still_s += TICK_S;
            if self.still_s >= REST_S {
                self.resting = true;
                self.motion.velocity_m_per_s = [0.0; 3];
                self.motion.momentum_kg_m2_per_s = [0.0; 3];
            }
        } else {
            self.still_s = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid_body::shape::RigidShapeKind;

    fn die() -> Tumble {
        let shape = RigidShape::new(RigidShapeKind::Die, 0.02, 0.01, 0);
        Tumble::new(shape, &TumbleSettings::default(), &TumbleThrow::default())
    }

    #[test]
    fn what_is_too_much_energy_is_taken_from_the_motion() {
        let mut tumble = die();
        let (before, energy_j) = (tumble.motion, tumble.energy_j());
        tumble.hold_energy(&before, energy_j);
        assert_eq!(tumble.motion, before, "no more than there was");
        let kinetic_j = tumble.motion.kinetic_j(&tumble.shape.inertia);
        tumble.hold_energy(&before, energy_j - 0.3 * kinetic_j);
        assert!(
            (tumble.energy_j() - (energy_j - 0.3 * kinetic_j)).abs() < 1e-15 + 1e-12 * energy_j
        );
        // All speeds are scaled by the same factor.
        let keep = 0.7f64.sqrt();
        for axis in 0..3 {
            let [v, l] = [before.velocity_m_per_s[axis], before.momentum_kg_m2_per_s[axis]];
            assert!((tumble.motion.velocity_m_per_s[axis] - keep * v).abs() < 1e-12);
            assert!((tumble.motion.momentum_kg_m2_per_s[axis] - keep * l).abs() < 1e-12 * l.abs());
        }
    }

    #[test]
    fn what_was_lifted_higher_than_it_can_fly_stays_where_it_was() {
        let mut tumble = die();
        let before = tumble.motion;
        tumble.motion.centre_m = [9.0, 9.0, 9.0];
        tumble.hold_energy(&before, 0.0);
        let still =
            RigidMotion { velocity_m_per_s: [0.0; 3], momentum_kg_m2_per_s: [0.0; 3], ..before };
        assert_eq!(tumble.motion, still);
    }

    #[test]
    fn it_rests_after_a_while_below_a_quarter_of_the_capture_speed() {
        let mut tumble = die();
        let limit = 0.25 * tumble.settings.cor.v_capture_m_per_s;
        let reach = tumble.shape.radius_m * tumble.shape.inertia.moments_kg_m2[0].recip();
        let mut at = |speed: f64, spin: f64, ticks: u32| {
            tumble.motion.velocity_m_per_s = [speed * limit, 0.0, 0.0];
            tumble.motion.momentum_kg_m2_per_s = [0.0, spin * limit / reach, 0.0];
            (0..ticks).for_each(|_| tumble.judge_rest());
            tumble.is_resting()
        };
        assert!(!at(0.99, 0.0, 49), "not for long enough");
        assert!(!at(0.6, 0.45, 60), "a corner moves faster than the centre");
        assert!(!at(0.5, 0.45, 49), "it begins anew");
        assert!(at(0.5, 0.45, 2));
        assert_eq!(tumble.motion.velocity_m_per_s, [0.0; 3]);
        assert_eq!(tumble.motion.momentum_kg_m2_per_s, [0.0; 3]);
    }

    #[test]
    fn a_body_below_the_plane_is_lifted_onto_it_and_one_above_is_not_lowered() {
        let mut tumble = die();
        tumble.motion.attitude = Quaternion::IDENTITY;
        tumble.motion.centre_m[2] = 0.004;
        tumble.lift();
        assert!((tumble.motion.centre_m[2] - 0.01).abs() < 1e-15);
        tumble.motion.centre_m[2] = 0.5;
        tumble.lift();
        assert_eq!(tumble.motion.centre_m[2], 0.5);
    }

    #[test]
    fn what_the_last_tick_took_is_paid_back_bit_by_bit() {
        let mut tumble = die();
        let mut strikes = Strikes::new();
        (tumble.store, tumble.solves) = (20, 30);
        tumble.tick(&mut strikes);
        assert_eq!((tumble.store, tumble.solves), (REFILL, 0), "it flies, and takes nothing");
        (tumble.store, tumble.solves) = (90, 3);
        tumble.tick(&mut strikes);
        assert_eq!(tumble.store, MAX_SOLVES);
        (tumble.store, tumble.solves) = (10, 4);
        assert_eq!(tumble.budget().solves, 6);
        (tumble.store, tumble.solves) = (96, 4);
        assert_eq!(tumble.budget().solves, Budget::REAL_TIME.solves);
    }
}
