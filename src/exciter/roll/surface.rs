//! What something rolls on.

/// What something rolls on, seen by the one contact.
///
/// Over a step of h under a constant force the place below the ball moves by `free + mobility F`,
/// towards the ball and away from it.
pub trait RollSurface {
    /// What it would move towards the ball in the next `h_s` without force, m.
    fn free_m(&mut self, h_s: f64) -> f64;
    /// What each newton takes off that, m/N.
    fn mobility_m_per_n(&mut self, h_s: f64) -> f64;
    /// Move on by `h_s` under a force of `force_n`.
    fn push(&mut self, force_n: f64, h_s: f64);
}

/// Ground that does not give way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rigid;

impl RollSurface for Rigid {
    fn free_m(&mut self, _: f64) -> f64 {
        0.0
    }
    fn mobility_m_per_n(&mut self, _: f64) -> f64 {
        0.0
    }
    fn push(&mut self, _: f64, _: f64) {}
}
