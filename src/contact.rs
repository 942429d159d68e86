//! Contact between a striker and a surface, from onset to release.
//!
//! This module depends on no gesture and no body. A [`Striker`] flies, touches a rigid [`Surface`],
//! separates and returns. One [`RigidContact`] covers the time from onset to release: one of five
//! [integrators](integrator) steps it, or power series [solve](force_profile) it, and the [closed
//! forms](closed_form) of Papetti, Avanzini and Rocchesso, "Numerical Methods for a Nonlinear
//! Impact Model" (IEEE TASL 19(7), 2011; "the paper" below) correct it. Its damping follows from
//! the wanted [restitution]. [`coupled`] contacts move the surface, which pushes back.
//!
//! [`RigidContact`]: rigid::RigidContact

pub mod closed_form;
pub mod contact_time;
pub mod coupled;
pub mod flight;
pub mod force_profile;
pub mod integrator;
pub mod law;
pub mod recorder;
pub mod release;
pub mod restitution;
pub mod rigid;
pub mod settings;
pub mod special;
pub mod striker;
pub mod trial;

pub use coupled::CoupledSolver;
pub use law::HuntCrossley;
pub use restitution::Onset;
pub use settings::{
    ContactSettings, Coupling, DamperFit, Dent, Integrator, Law, Oversampling, Release,
};
pub use striker::Striker;

use rigid::RigidContact;

/// A surface that a striker touches.
///
/// Every call advances its time by `duration_s` under a constant force, which may be zero.
pub trait Surface {
    /// Advances by `duration_s` seconds under `force_n` newtons, which are never negative.
    fn push(&mut self, force_n: f64, duration_s: f64);

    /// Advances under a varying force; by default under its mean.
    fn push_shaped(&mut self, force: &ForceMoments, duration_s: f64) {
        self.push(force.impulse_ns() / duration_s, duration_s);
    }
}

/// Legendre moments `integral of F(t) P_n(s) dt` of a force, N s, with s from -1 at the start to 1
/// at the end.
///
/// The response of a mode of frequency w to moment n falls as `(w h/2)^n/(2n+1)!!`: below half the
/// sample rate four moments per sample are enough.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceMoments(pub [f64; 4]);

impl ForceMoments {
    /// Moments of a constant force.
    pub fn constant(force_n: f64, duration_s: f64) -> Self {
        Self([force_n * duration_s, 0.0, 0.0, 0.0])
    }

    /// The integral of the force, N s.
    pub fn impulse_ns(&self) -> f64 {
        self.0[0]
    }
}

/// A rigid surface, which only sums the impulse and the time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wall {
    /// The sum of force times duration, N s.
    pub impulse_ns: f64,
    /// The sum of the durations, s.
    pub time_s: f64,
}

impl Surface for Wall {
    fn push(&mut self, force_n: f64, duration_s: f64) {
        self.impulse_ns += force_n * duration_s;
        self.time_s += duration_s;
    }
}

/// Report of a finished contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactReport {
    /// Time from the start of the sample that reports it to its end, s; below 0 if the mass has
    /// been in its dent for longer than that.
    pub ended_s: f64,
    /// Mass in contact, kg.
    pub mass_kg: f64,
    /// Velocity at onset, relative to the surface, m/s.
    pub v_in_m_per_s: f64,
    /// The mass's own velocity at onset, m/s.
    pub own_in_m_per_s: f64,
    /// Velocity at release, m/s, negative.
    pub v_out_m_per_s: f64,
    /// From onset to release, s.
    pub duration_s: f64,
    /// Compression at release, m: above 0 with a linear damper.
    pub separation_m: f64,
    /// Height at onset, m: a moving surface may be met anywhere.
    pub height_in_m: f64,
    /// Height at release, m: Passive releases at the end of a step, other integrators at the
    /// surface. Both heights are above the surface as it was when the mass was launched.
    pub height_m: f64,
    /// Steps until the force ended; 0 with a wall.
    pub steps: u32,
}

impl ContactReport {
    /// Reports a contact with a wall that ended `ended_s` after the start of a sample.
    fn of(rigid_contact: &RigidContact, settings: &ContactSettings, ended_s: f64) -> Self {
        Self {
            ended_s,
            mass_kg: rigid_contact.curve().mass_kg,
            v_in_m_per_s: rigid_contact.curve().v_in_m_per_s,
            own_in_m_per_s: rigid_contact.curve().v_in_m_per_s,
            v_out_m_per_s: rigid_contact.motion().v_m_per_s,
            duration_s: rigid_contact.elapsed_s(),
            separation_m: rigid_contact.separation_m(),
            height_in_m: 0.0,
            height_m: rigid_contact.release_height_m(settings),
            steps: 0,
        }
    }
}
