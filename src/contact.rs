//! One striker against one surface, from first touch to release.
//!
//! The contact knows no gesture and no body. It meets a [`Surface`], which takes a force for a
//! while; a wall and a modal body both do. A [`Striker`] flies, touches, lets go and comes back;
//! one [`Touch`](rigid::RigidContact) is what happens between onset and release, stepped by one of
//! five [integrators](integrator) or [solved](force_profile), and held to the [closed
//! forms](closed_form) of Papetti, Avanzini and Rocchesso, "Numerical Methods for a Nonlinear
//! Impact Model" (IEEE TASL 19(7), 2011), called "the paper" below.
//!
//! A striker that feels what it strikes is the business of [`two_way`].

pub mod closed_form;
pub mod contact_time;
pub mod coupled;
pub mod flight;
pub mod force_profile;
pub mod integrator;
pub mod law;
pub mod onset;
pub mod recording;
pub mod release;
pub mod replay;
pub mod report;
pub mod restitution;
pub mod rigid;
pub mod settings;
pub mod special;
pub mod striker;
pub mod trial;

pub use coupled::CoupledSolver;
pub use law::HuntCrossley;
pub use replay::ReplayInputs;
pub use report::ContactReport;
pub use settings::{
    ContactSettings, Coupling, DamperFit, Dent, Integrator, Law, Oversampling, Release,
};
pub use striker::Striker;

/// What a striker touches.
///
/// Time in a surface runs only by being pushed: every call moves it `duration_s` onwards under a
/// constant force, which may be zero.
pub trait Surface {
    /// Move the surface on by `duration_s` seconds while `force_n` newtons (never negative) press
    /// on it.
    fn push(&mut self, force_n: f64, duration_s: f64);

    /// The same under a force that changes meanwhile. A surface that only adds up is content with
    /// the mean.
    fn push_shaped(&mut self, force: &ForceMoments, duration_s: f64) {
        self.push(force.impulse_ns() / duration_s, duration_s);
    }
}

/// A force over a while, by its Legendre moments `integral of F(t) P_n(s) dt`, N s, with s from -1
/// at the start to 1 at the end.
///
/// What a mode of frequency w receives of the moment n falls as `(w h/2)^n/(2n+1)!!`: below half
/// the sample rate four of them over one sample are enough.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceMoments(pub [f64; 4]);

impl ForceMoments {
    /// Of a constant force.
    pub fn constant(force_n: f64, duration_s: f64) -> Self {
        Self([force_n * duration_s, 0.0, 0.0, 0.0])
    }

    /// The integral of the force, N s.
    pub fn impulse_ns(&self) -> f64 {
        self.0[0]
    }
}

/// A surface that does not give way. It only adds up what it was given.
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
