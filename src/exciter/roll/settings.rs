//! Settings of a roll, and values derived from them.

use std::f64::consts::PI;

use crate::contact::{DamperFit, HuntCrossley, Law, restitution};
use crate::exciter::surface::Feeler;
use crate::math::clamp_or;

/// Rolling or dragging.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Manner {
    /// A ball or wheel that rolls without slipping.
    #[default]
    Roll,
    /// A dragged point: it does not turn, and friction acts along the slope.
    Scrape {
        /// Coefficient of friction.
        friction: f64,
    },
}

/// Settings of a roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollSettings {
    /// Rolling or dragging.
    pub manner: Manner,
    /// Radius of the ball, or of the dragged tip, m.
    pub radius_m: f64,
    /// Mass, kg.
    pub mass_kg: f64,
    /// Force law.
    pub kind: Law,
    /// Parameters of the law: k and alpha of either law, mu of Hunt–Crossley.
    pub law: HuntCrossley,
    /// c of the linear damper, N s/m.
    pub damper_n_s_per_m: f64,
    /// Target restitution of a hop, 0...1: mu or c follow from the speed of each landing. None:
    /// they are fixed.
    pub restitution: Option<f64>,
    /// How c is derived from a target restitution.
    pub fit: DamperFit,
    /// Additional damping ratio of the ball at rest on its contact, 0...1.
    ///
    /// It adds a linear damper `c = 2 ratio m w`, w the contact resonance. The law's own mu hardly
    /// damps small vibrations: `mu g/(2 w)` is 1e-4 for a steel ball, and its contact would whistle
    /// on a hard ground. The damper acts in every contact, except in landings with a target
    /// restitution, which lose exactly what it says.
    pub damping_ratio: f64,
    /// Acceleration of gravity, m/s^2.
    pub gravity_m_per_s2: f64,
    /// Additional downward force, N: the hand's, for a dragged tip.
    pub press_n: f64,
    /// Offset of the centre of mass from the centre, in radii.
    pub off_centre: f64,
    /// Coefficient of rolling friction c_rr.
    pub rolling_friction: f64,
    /// Slope of the whole way, rad, positive downhill.
    pub slope_rad: f64,
    /// Moment of inertia in m R^2: 0.4 for a ball, 0.5 for a disc, 1 for a ring.
    pub inertia: f64,
}

impl Default for RollSettings {
    /// A glass marble of 16 mm on wood.
    fn default() -> Self {
        Self {
            manner: Manner::Roll,
            radius_m: 0.008,
            mass_kg: 0.0054,
            kind: Law::HuntCrossley,
            law: HuntCrossley { stiffness: 1.2e9, mu_s_per_m: 0.5, alpha: 1.5 },
            damper_n_s_per_m: 1.0,
            restitution: None,
            fit: DamperFit::Exact,
            damping_ratio: 0.1,
            gravity_m_per_s2: 9.81,
            press_n: 0.0,
            off_centre: 0.03,
            rolling_friction: 0.01,
            slope_rad: 0.0,
            inertia: 0.4,
        }
    }
}

impl RollSettings {
    /// Returns a copy within limits, in which all derived values stay finite; NaN becomes the
    /// default.
    ///
    /// Radius 0.05 mm...0.5 m, mass 10 mg...100 kg, k 1e3...1e11, alpha 1...3.5, mu 0...5 s/m, c
    /// 0...1e6 N s/m, e 1e-4...1, damping ratio 0...1, gravity 0.01...1000 m/s^2, press 0...1000 N,
    /// off centre 0...0.9, friction 0...1, slope up to 0.5 rad, inertia 0...1.
    pub fn within_limits(&self) -> Self {
        let default = Self::default();
        Self {
            manner: match self.manner {
                Manner::Roll => Manner::Roll,
                Manner::Scrape { friction } => {
                    Manner::Scrape { friction: clamp_or(friction, 0.0, 2.0, 0.4) }
                }
            },
            radius_m: clamp_or(self.radius_m, 5e-5, 0.5, default.radius_m),
            mass_kg: clamp_or(self.mass_kg, 1e-5, 100.0, default.mass_kg),
            law: HuntCrossley {
                stiffness: clamp_or(self.law.stiffness, 1e3, 1e11, default.law.stiffness),
                mu_s_per_m: clamp_or(self.law.mu_s_per_m, 0.0, 5.0, default.law.mu_s_per_m),
                alpha: clamp_or(self.law.alpha, 1.0, 3.5, default.law.alpha),
            },
            kind: self.kind,
            damper_n_s_per_m: clamp_or(self.damper_n_s_per_m, 0.0, 1e6, default.damper_n_s_per_m),
            restitution: self.restitution.map(restitution::within_limits),
            fit: self.fit,
            damping_ratio: clamp_or(self.damping_ratio, 0.0, 1.0, default.damping_ratio),
            gravity_m_per_s2: clamp_or(self.gravity_m_per_s2, 0.01, 1e3, default.gravity_m_per_s2),
            press_n: clamp_or(self.press_n, 0.0, 1e3, default.press_n),
            off_centre: clamp_or(self.off_centre, 0.0, 0.9, default.off_centre),
            rolling_friction: clamp_or(self.rolling_friction, 0.0, 1.0, default.rolling_friction),
            slope_rad: clamp_or(self.slope_rad, -0.5, 0.5, default.slope_rad),
            inertia: clamp_or(self.inertia, 0.0, 1.0, default.inertia),
        }
    }

    /// Static force on the ground, N.
    pub fn weight_n(&self) -> f64 {
        self.mass_kg * self.gravity_m_per_s2 * self.slope_rad.cos() + self.press_n
    }

    /// Compression at rest d0, m: `(weight/k)^(1/alpha)`.
    pub fn rest_compression_m(&self) -> f64 {
        (self.weight_n() / self.law.stiffness).powf(1.0 / self.law.alpha)
    }

    /// Resonance of the ball on its contact, Hz: `sqrt(alpha k d0^(alpha-1)/m)/(2 pi)`, on a rigid
    /// ground.
    pub fn contact_resonance_hz(&self) -> f64 {
        (self.law.alpha * self.weight_n() / (self.mass_kg * self.rest_compression_m())).sqrt()
            / (2.0 * PI)
    }

    /// Speed of an oscillation that just lifts the ball off, m/s: `w d0`, w the contact resonance.
    pub fn lift_off_m_per_s(&self) -> f64 {
        2.0 * PI * self.contact_resonance_hz() * self.rest_compression_m()
    }

    /// Contact geometry: the radius, and the contact patch at rest, half-width `a = sqrt(R d0)`.
    pub fn feeler(&self) -> Feeler {
        Feeler {
            radius_m: self.radius_m,
            patch_m: (self.radius_m * self.rest_compression_m()).sqrt(),
        }
        .within_limits()
    }

    /// Speed above which the off-centre mass lifts the ball off at every turn, m/s: `R sqrt(g/d)`.
    pub fn hop_speed_m_per_s(&self) -> f64 {
        self.radius_m * (self.weight_n() / (self.mass_kg * self.off_centre * self.radius_m)).sqrt()
    }

    /// Turns per second at a speed.
    pub fn turns_hz(&self, speed_m_per_s: f64) -> f64 {
        speed_m_per_s / (2.0 * PI * self.radius_m)
    }
}
