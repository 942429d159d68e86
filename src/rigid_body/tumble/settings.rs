//! Settings of a throw, and the ranges in which it stays finite.

use crate::contact::release;
use crate::contact::restitution::{damping_unit_n_s_per_m, grid};
use crate::random::Random;
use crate::rigid_body::inertia::Inertia;
use crate::rigid_body::motion::Quaternion;
use crate::rigid_body::motion::{GRAVITY_M_PER_S2, RigidMotion};
use crate::rigid_body::shape::RigidShape;
use crate::rigid_body::simultaneous::{self, Cor};
use crate::rigid_body::vector::{Vec3, mul, mul_transposed};

/// Largest rotation of the slip within one interval, rad; coarse, which is enough for sound.
const THETA_MAX_RAD: f64 = 0.35;

/// Fastest spin of a throw, rad/s.
pub const MAX_SPIN_RAD_PER_S: f64 = 1000.0;

/// Contact between body and plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TumbleSettings {
    /// Coefficient of friction.
    pub mu: f64,
    /// Restitution by speed. The capture speed must exceed what gravity adds in a tick.
    pub cor: Cor,
    /// Law of restitution.
    pub rebound: Rebound,
    /// Slip below which a corner may roll, m/s.
    pub v_transition_m_per_s: f64,
    /// Gravity, m/s^2.
    pub gravity_m_per_s2: f64,
    /// Largest number of impacts of one tick, up to [`MAX_IMPACTS`](super::MAX_IMPACTS).
    pub max_impacts: usize,
}

impl Default for TumbleSettings {
    fn default() -> Self {
        Self {
            mu: 0.3,
            cor: Cor { e_min: 0.5, v_capture_m_per_s: 0.02, v_plastic_m_per_s: 0.1 },
            rebound: Rebound::Given,
            v_transition_m_per_s: 0.01,
            gravity_m_per_s2: GRAVITY_M_PER_S2,
            max_impacts: super::MAX_IMPACTS,
        }
    }
}

fn keep(value: f64, low: f64, high: f64, otherwise: f64) -> f64 {
    if value.is_nan() { otherwise } else { value.clamp(low, high) }
}

impl TumbleSettings {
    /// Clamps every value to its range: mu 0…10, e 0…1, speeds 1 mm/s…10 m/s, gravity 0.1…1000
    /// m/s^2, capture speed at least twice what gravity adds in a tick.
    pub fn within_limits(&self) -> Self {
        let default = Self::default();
        let gravity_m_per_s2 = keep(self.gravity_m_per_s2, 0.1, 1000.0, default.gravity_m_per_s2);
        let min = 2.0 * gravity_m_per_s2 * super::TICK_S;
        let capture =
            keep(self.cor.v_capture_m_per_s, 1e-3, 10.0, default.cor.v_capture_m_per_s).max(min);
        Self {
            mu: keep(self.mu, 0.0, 10.0, default.mu),
            cor: Cor {
                e_min: keep(self.cor.e_min, 0.0, 1.0, default.cor.e_min),
                v_capture_m_per_s: capture,
                v_plastic_m_per_s: keep(
                    self.cor.v_plastic_m_per_s,
                    1e-3,
                    10.0,
                    default.cor.v_plastic_m_per_s,
                ),
            },
            rebound: self.rebound.within_limits(),
            v_transition_m_per_s: keep(
                self.v_transition_m_per_s,
                1e-3,
                10.0,
                default.v_transition_m_per_s,
            ),
            gravity_m_per_s2,
            max_impacts: self.max_impacts.min(super::MAX_IMPACTS),
        }
    }

    /// The parameters of the impact model.
    pub fn plus(&self) -> simultaneous::ImpactSettings {
        simultaneous::ImpactSettings {
            cor: self.cor,
            v_transition_m_per_s: self.v_transition_m_per_s,
            theta_max_rad: THETA_MAX_RAD,
            alpha_min: 0.01,
        }
    }
}

/// Initial conditions of a throw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TumbleThrow {
    /// Height of the centre above the plane, m; at least enough that the body clears it.
    pub height_m: f64,
    /// Velocity, m/s.
    pub velocity_m_per_s: Vec3,
    /// Spin, world axes, rad/s.
    pub spin_rad_per_s: Vec3,
    /// Seed of the random orientation.
    pub seed: u64,
}

impl Default for TumbleThrow {
    fn default() -> Self {
        Self {
            height_m: 0.3,
            velocity_m_per_s: [0.5, 0.0, 0.0],
            spin_rad_per_s: [3.0, 15.0, 5.0],
            seed: 1,
        }
    }
}

impl TumbleThrow {
    /// Clamps every value to its range: height 0…100 m, velocity 50 m/s and spin 1000 rad/s along
    /// each axis.
    pub fn within_limits(&self) -> Self {
        Self {
            height_m: keep(self.height_m, 0.0, 100.0, 0.3),
            velocity_m_per_s: self.velocity_m_per_s.map(|v| keep(v, -50.0, 50.0, 0.0)),
            spin_rad_per_s: self
                .spin_rad_per_s
                .map(|w| keep(w, -MAX_SPIN_RAD_PER_S, MAX_SPIN_RAD_PER_S, 0.0)),
            seed: self.seed,
        }
    }

    /// The initial motion.
    pub fn motion(&self, shape: &RigidShape) -> RigidMotion {
        let mut chance = Random::new(self.seed);
        let parts = [0; 4].map(|_: i32| chance.between(-1.0, 1.0));
        let attitude = Quaternion(parts).normalised();
        let Inertia { moments_kg_m2, .. } = shape.inertia;
        let axes = attitude.matrix();
        let mut momentum = mul_transposed(&axes, self.spin_rad_per_s);
        for (value, moment) in momentum.iter_mut().zip(moments_kg_m2) {
            *value *= moment;
        }
        RigidMotion {
            centre_m: [0.0, 0.0, self.height_m.max(1.01 * shape.radius_m)],
            attitude,
            velocity_m_per_s: self.velocity_m_per_s,
            momentum_kg_m2_per_s: mul(&axes, momentum),
        }
    }
}

/// Law of restitution at a corner; below the capture speed it is 0 for every law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Rebound {
    /// By speed alone, see [`Cor`].
    #[default]
    Given,
    /// Hunt and Crossley's law with a fixed mu: `E(mu v)`, whatever the mass. Slower corners have a
    /// higher restitution.
    HuntCrossley {
        /// Dissipation, s/m.
        mu_s_per_m: f64,
    },
    /// A Hertz spring with a fixed linear damper; depends on the effective mass as well. Slower
    /// corners have a lower restitution, unless the exponent is 1.
    HertzDamper {
        /// Stiffness k, N/m^alpha.
        stiffness: f64,
        /// Exponent.
        alpha: f64,
        /// Damper c, N s/m.
        damper_n_s_per_m: f64,
    },
}

impl Rebound {
    /// Clamps every value to its range: mu 0…5 s/m, k 1e3…1e11, exponent 1…3.5, c 0…1e6 N s/m.
    pub fn within_limits(self) -> Self {
        let keep = |value: f64, low: f64, high: f64| {
            if value.is_nan() { low } else { value.clamp(low, high) }
        };
        match self {
            Rebound::Given => self,
            Rebound::HuntCrossley { mu_s_per_m } => {
                Rebound::HuntCrossley { mu_s_per_m: keep(mu_s_per_m, 0.0, 5.0) }
            }
            Rebound::HertzDamper { stiffness, alpha, damper_n_s_per_m } => Rebound::HertzDamper {
                stiffness: keep(stiffness, 1e3, 1e11),
                alpha: keep(alpha, 1.0, 3.5),
                damper_n_s_per_m: keep(damper_n_s_per_m, 0.0, 1e6),
            },
        }
    }

    /// Restitution of a corner of effective mass `mass_kg` that approaches at `v_m_per_s`.
    pub fn at(&self, cor: &Cor, mass_kg: f64, v_m_per_s: f64) -> f64 {
        if v_m_per_s < cor.v_capture_m_per_s {
            return 0.0;
        }
        match *self {
            Rebound::Given => cor.at(v_m_per_s),
            Rebound::HuntCrossley { mu_s_per_m } => {
                release::exact(mu_s_per_m * v_m_per_s).restitution
            }
            Rebound::HertzDamper { stiffness, alpha, damper_n_s_per_m } => {
                let unit = damping_unit_n_s_per_m(stiffness, alpha, mass_kg, v_m_per_s);
                grid::restitution(damper_n_s_per_m / unit, alpha)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid_body::shape::RigidShapeKind;
    use crate::rigid_body::vector::{norm, sub};

    #[test]
    fn the_capture_speed_is_twice_what_gravity_gives_in_a_tick() {
        let heavy =
            TumbleSettings { gravity_m_per_s2: 500.0, ..TumbleSettings::default() }.within_limits();
        assert!((heavy.cor.v_capture_m_per_s - 1.0).abs() < 1e-12, "{heavy:?}");
        assert_eq!(TumbleSettings::default().within_limits(), TumbleSettings::default());
    }

    #[test]
    fn numbers_out_of_range_come_to_its_ends_and_nan_to_the_default() {
        let cor =
            |value: f64| Cor { e_min: value, v_capture_m_per_s: value, v_plastic_m_per_s: value };
        let of = |value: f64| TumbleSettings {
            mu: value,
            cor: cor(value),
            rebound: Rebound::HuntCrossley { mu_s_per_m: value },
            v_transition_m_per_s: value,
            gravity_m_per_s2: value,
            max_impacts: 99,
        };
        let high = of(1e9).within_limits();
        assert_eq!(
            (high.mu, high.cor, high.v_transition_m_per_s),
            (10.0, Cor { e_min: 1.0, ..cor(10.0) }, 10.0)
        );
        assert_eq!((high.gravity_m_per_s2, high.max_impacts), (1000.0, super::super::MAX_IMPACTS));
        assert_eq!(high.rebound, Rebound::HuntCrossley { mu_s_per_m: 5.0 });
        let low = of(-1e9).within_limits();
        assert_eq!(
            (low.mu, low.cor, low.v_transition_m_per_s),
            (0.0, Cor { e_min: 0.0, ..cor(1e-3) }, 1e-3)
        );
        assert_eq!(low.gravity_m_per_s2, 0.1);
        let none = of(f64::NAN).within_limits();
        assert_eq!(
            none,
            TumbleSettings {
                rebound: Rebound::HuntCrossley { mu_s_per_m: 0.0 },
                ..TumbleSettings::default()
            }
        );
        let arbitrary = TumbleThrow {
            height_m: -1.0,
            velocity_m_per_s: [99.0, -99.0, f64::NAN],
            spin_rad_per_s: [2e3, -2e3, 1.0],
            seed: 3,
        };
        let kept = arbitrary.within_limits();
        assert_eq!((kept.height_m, kept.velocity_m_per_s), (0.0, [50.0, -50.0, 0.0]));
        assert_eq!((kept.spin_rad_per_s, kept.seed), ([1000.0, -1000.0, 1.0], 3));
    }

    #[test]
    fn a_body_is_thrown_with_the_spin_it_was_told_and_clear_of_the_plane() {
        let shape = RigidShape::new(RigidShapeKind::Brick, 0.2, 2.0, 0);
        let throw = TumbleThrow {
            height_m: 0.0,
            spin_rad_per_s: [3.0, -7.0, 11.0],
            ..TumbleThrow::default()
        };
        let motion = throw.motion(&shape);
        assert!(norm(sub(motion.spin_rad_per_s(&shape.inertia), throw.spin_rad_per_s)) < 1e-12);
        assert_eq!(motion.centre_m, [0.0, 0.0, 1.01 * shape.radius_m]);
        assert_ne!(TumbleThrow { seed: 9, ..throw }.motion(&shape).attitude, motion.attitude);
    }

    const COR: Cor = Cor { e_min: 0.5, v_capture_m_per_s: 0.02, v_plastic_m_per_s: 0.1 };

    #[test]
    fn below_capture_nothing_comes_back() {
        let damper = Rebound::HertzDamper { stiffness: 1e7, alpha: 1.0, damper_n_s_per_m: 20.0 };
        for rebound in [Rebound::Given, Rebound::HuntCrossley { mu_s_per_m: 0.5 }, damper] {
            assert_eq!(rebound.at(&COR, 0.1, 0.0199), 0.0, "{rebound:?}");
            assert!(rebound.at(&COR, 0.1, 0.02) > 0.5, "{rebound:?}");
        }
    }

    #[test]
    fn each_kind_has_its_own_law() {
        assert_eq!(Rebound::Given.at(&COR, 0.1, 0.05), COR.at(0.05));
        // E = 1 - 2u/3 + 4u^2/9 - ... with u = mu v.
        let soft = Rebound::HuntCrossley { mu_s_per_m: 0.01 }.at(&COR, 0.1, 0.5);
        assert!(
            (soft - (1.0 - 2.0 / 3.0 * 0.005 + 4.0 / 9.0 * 0.005f64.powi(2))).abs() < 1e-7,
            "{soft}"
        );
        // The linear contact: e = exp(-2 xi acos(xi)/sqrt(1 - xi^2)), xi = c/(2 sqrt(k m)),
        // whatever the speed.
        let (stiffness, mass_kg, damper_n_s_per_m) = (1e6, 0.09, 60.0);
        let xi: f64 = damper_n_s_per_m / (2.0 * f64::sqrt(stiffness * mass_kg));
        let exact = (-2.0 * xi * xi.acos() / (1.0 - xi * xi).sqrt()).exp();
        for v in [0.03, 2.0] {
            let e = Rebound::HertzDamper { stiffness, alpha: 1.0, damper_n_s_per_m }
                .at(&COR, mass_kg, v);
            assert!((e - exact).abs() < 1e-5, "{e}, not {exact}");
        }
    }

    #[test]
    fn numbers_stay_in_range() {
        let of = |stiffness, alpha, damper_n_s_per_m| Rebound::HertzDamper {
            stiffness,
            alpha,
            damper_n_s_per_m,
        };
        assert_eq!(of(0.0, 0.0, -1.0).within_limits(), of(1e3, 1.0, 0.0));
        assert_eq!(of(1e12, 9.0, 1e9).within_limits(), of(1e11, 3.5, 1e6));
        assert_eq!(of(f64::NAN, f64::NAN, f64::NAN).within_limits(), of(1e3, 1.0, 0.0));
        assert_eq!(of(1e6, 2.0, 5.0).within_limits(), of(1e6, 2.0, 5.0));
        let mu = |mu_s_per_m| Rebound::HuntCrossley { mu_s_per_m };
        assert_eq!((mu(9.0).within_limits(), mu(-1.0).within_limits()), (mu(5.0), mu(0.0)));
    }
}
