//! One contact point, two bodies, Coulomb friction: Jia and Wang with Stronge's or Poisson's
//! restitution.
//!
//! The normal impulse takes the place of time. While the contact slides, the slip follows its
//! [`hodograph`]. Where the slip vanishes, the contact sticks or continues along the one
//! centrifugal [direction](invariant); from there on, as on every invariant direction, closed forms
//! lead to the end.
//!
//! An invariant direction is reached only in the limit, so the "l" of the paper's event sequences
//! depends on a tolerance. Here it is a shortcut controlled by [`Accuracy`] and not reported.
//! Sequences are `cr`, `csr` and `scr`: end of compression, vanishing slip, end of restitution.

pub mod hodograph;
pub mod invariant;
mod run;

use super::vector::{Mat3, Vec3, add, dot, mul};
use run::ImpactRun;

/// Upper bound on integration steps, whatever [`Accuracy`] says.
pub const MAX_STEPS: u32 = 4096;

/// Model of restitution.
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

/// Accuracy of the integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// Relative error per step.
    pub tolerance: f64,
    /// Angle to a stable invariant direction, rad, below which the rest is taken as straight.
    pub straight_rad: f64,
    /// Slip, relative to the initial slip, below which the rest is taken as straight.
    pub vanishing: f64,
    /// Largest number of steps before the fallback (see [`solve`]).
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

/// Input of the solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Inverse inertia at the contact, 1/kg; symmetric and positive definite, z the normal.
    pub w: Mat3,
    /// Velocity of body 1 against body 2 at the contact, m/s; z below 0 while they approach.
    pub v_m_per_s: Vec3,
    /// Coefficient of friction, 0 and above.
    pub mu: f64,
    /// Restitution.
    pub restitution: Restitution,
}

/// Order in which compression (c), slip (s) and restitution (r) end.
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
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cr => "cr",
            Self::Csr => "csr",
            Self::Scr => "scr",
        }
    }
}

/// Result of an impact.
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
    /// True if the fallback ended it.
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

/// Solves one impact.
///
/// Bodies that do not approach, and non-finite inputs, give no impulse. After `max_steps` the slip
/// direction is kept for as long as friction along it brakes; if hardly any slip is left then, it
/// counts as vanished, otherwise the rest goes without friction. A final projection ensures that
/// momentum is conserved, the impulse is in the friction cone, the bodies do not approach, and
/// energy has not increased.
pub fn solve(impact: &Impact, accuracy: &Accuracy) -> Outcome {
    let Some(impact) = admit(impact) else {
        return Outcome::nothing(impact);
    };
    let mut run = ImpactRun::new(&impact);
    run.go(accuracy);
    let raw = [run.tangential[0], run.tangential[1], run.normal.i_z];
    let (impulse_ns, v_m_per_s) = release(&impact, raw);
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

/// Largest coefficient of friction.
const MAX_MU: f64 = 100.0;

/// Clamps the inputs to their ranges; `None` if there is no impact to solve.
fn admit(impact: &Impact) -> Option<Impact> {
    let w = &impact.w;
    let finite = w.iter().flatten().chain(&impact.v_m_per_s).all(|value| value.is_finite());
    let minor = w[0][0] * w[1][1] - w[0][1] * w[0][1];
    if !finite || impact.v_m_per_s[2] >= 0.0 || w[0][0] <= 0.0 || w[2][2] <= 0.0 || minor <= 0.0 {
        return None;
    }
    let keep = |value: f64, max: f64| if value.is_nan() { 0.0 } else { value.clamp(0.0, max) };
    let restitution = match impact.restitution {
        Restitution::Stronge(e) => Restitution::Stronge(keep(e, 1.0)),
        Restitution::Poisson(e) => Restitution::Poisson(keep(e, 1.0)),
    };
    Some(Impact { mu: keep(impact.mu, MAX_MU), restitution, ..*impact })
}

/// Returns total impulse and final velocity, projected onto the friction cone, non-increasing
/// energy and non-approaching velocity, which finite steps and rounding may have missed.
fn release(impact: &Impact, impulse_ns: Vec3) -> (Vec3, Vec3) {
    let mut impulse = impulse_ns;
    if !impulse.iter().all(|value| value.is_finite()) || impulse[2] < 0.0 {
        impulse = [0.0; 3];
    }
    let tangential = impulse[0].hypot(impulse[1]);
    let max = impact.mu * impulse[2];
    if tangential > max {
        let shrink = max / tangential;
        impulse[0] *= shrink;
        impulse[1] *= shrink;
    }
    let before = impact.v_m_per_s;
    stop_approach(impact, &mut impulse);
    // The change of energy v.I + I.W I/2 is negative up to a known multiple of I.
    let (linear, square) = (dot(before, impulse), dot(impulse, mul(&impact.w, impulse)));
    if linear + 0.5 * square > 0.0 {
        let shrink = (-2.0 * linear / square).clamp(0.0, 1.0);
        impulse = impulse.map(|value| shrink * value);
        stop_approach(impact, &mut impulse);
    }
    (impulse, add(before, mul(&impact.w, impulse)))
}

/// Adds normal impulse where the bodies would still approach; this only removes energy.
fn stop_approach(impact: &Impact, impulse: &mut Vec3) {
    let v_z = impact.v_m_per_s[2] + dot(impact.w[2], *impulse);
    if v_z < 0.0 {
        impulse[2] -= v_z / impact.w[2][2];
    }
}
