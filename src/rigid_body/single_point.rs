//! One contact point, two bodies, Coulomb friction: Jia and Wang with Stronge's or Poisson's
//! restitution.
//!
//! The normal impulse takes the place of time. While the contact slides, the slip follows its
//! [`hodograph`]; where the slip vanishes the contact sticks or goes on along the one centrifugal
//! [direction](invariant), and from there on, as on every invariant direction, closed forms lead to
//! the end.
//!
//! An invariant direction is reached only in the limit, so the "l" of the paper's event sequences
//! is a matter of tolerance; here it is a shortcut that [`Accuracy`] governs and that no result
//! names. Sequences are `cr`, `csr` and `scr`: end of compression, vanishing slip, end of
//! restitution.

mod gate;
pub mod hodograph;
pub mod invariant;
mod run;
mod slide;
mod straight;

use run::ImpactRun;

use super::vector::{Mat3, Vec3};

/// Most steps of integration, whatever [`Accuracy`] asks for.
pub const MAX_STEPS: u32 = 4096;

/// What comes back after compression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Restitution {
    /// e^2 of the stored energy: Stronge's energetic coefficient, 0...1.
    Stronge(f64),
    /// e times the normal impulse of compression: Poisson's kinetic coefficient, 0...1.
    Poisson(f64),
}

impl Restitution {
    /// The coefficient.
    pub fn coefficient(&self) -> f64 {
        let (Self::Stronge(e) | Self::Poisson(e)) = *self;
        e
    }
}

/// How finely the slip is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// Error allowed in one step, relative.
    pub tolerance: f64,
    /// Angle to a stable invariant direction, rad, below which the rest is taken as straight.
    pub straight_rad: f64,
    /// Share of the first slip that is as good as none: the little that is left is taken as
    /// straight.
    pub vanishing: f64,
    /// Most steps; then the fallback (see [`solve`]).
    pub max_steps: u32,
}

impl Accuracy {
    /// For sound: results within 1e-4, usually 1e-6.
    pub const DEFAULT: Self =
        Self { tolerance: 1e-5, straight_rad: 3e-5, vanishing: 1e-5, max_steps: 128 };
    /// For study: results within 1e-9.
    pub const FINE: Self =
        Self { tolerance: 1e-12, straight_rad: 1e-10, vanishing: 1e-10, max_steps: MAX_STEPS };
}

/// One impact to be solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Inverse inertia at the contact, 1/kg; symmetric and positive definite, z the normal.
    pub w: Mat3,
    /// Velocity of body 1 against body 2 at the contact, m/s; z below 0 while they approach.
    pub v_m_per_s: Vec3,
    /// Coefficient of friction, 0 and above.
    pub mu: f64,
    /// What comes back.
    pub restitution: Restitution,
}

/// In which order compression (c), slip (s) and restitution (r) ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// The slip never vanished.
    Cr,
    /// It vanished during restitution.
    Csr,
    /// It vanished during compression, or there was none.
    Scr,
}

impl Sequence {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cr => "cr",
            Self::Csr => "csr",
            Self::Scr => "scr",
        }
    }
}

/// What an impact comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Total impulse on body 1, N s.
    pub impulse_ns: Vec3,
    /// Velocity at the contact afterwards, m/s.
    pub v_m_per_s: Vec3,
    /// Order of events.
    pub sequence: Sequence,
    /// Normal impulse at the end of compression, N s.
    pub i_zc_ns: f64,
    /// Normal impulse where the slip vanished, N s.
    pub i_zs_ns: Option<f64>,
    /// Steps of integration taken.
    pub steps: u32,
    /// The fallback had to end it.
    pub capped: bool,
}

impl Outcome {
    fn nothing(impact: &Impact) -> Self {
        Self {
            impulse_ns: [0.0; 3],
            v_m_per_s: impact.v_m_per_s,
            sequence: Sequence::Cr,
            i_zc_ns: 0.0,
            i_zs_ns: None,
            steps: 0,
            capped: false,
        }
    }
}

/// Solve one impact.
///
/// Bodies that do not approach, and numbers that are none, give no impulse. Beyond `max_steps` the
/// slip's direction is kept for as long as friction along it brakes; if then hardly any slip is
/// left it counts as vanished, else the rest goes without friction. Whatever happened, a last gate
/// sees to it that momentum is kept, the impulse is in its cone, the bodies do not approach and
/// energy has not risen.
pub fn solve(impact: &Impact, accuracy: &Accuracy) -> Outcome {
    let Some(impact) = gate::admit(impact) else {
        return Outcome::nothing(impact);
    };
    let mut run = ImpactRun::new(&impact);
    run.go(accuracy);
    let raw = [run.tangential[0], run.tangential[1], run.normal.i_z];
    let (impulse_ns, v_m_per_s) = gate::release(&impact, raw);
    let i_zc_ns = run.normal.compressed.map_or(run.normal.i_z, |(i_zc, _)| i_zc);
    let sequence = match run.vanished {
        None => Sequence::Cr,
        Some((_, true)) => Sequence::Csr,
        Some((_, false)) => Sequence::Scr,
    };
    Outcome {
        impulse_ns,
        v_m_per_s,
        sequence,
        i_zc_ns,
        i_zs_ns: run.vanished.map(|(i_zs, _)| i_zs),
        steps: run.steps,
        capped: run.capped,
    }
}
