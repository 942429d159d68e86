//! Restitution that depends on the speed of approach.

/// Restitution against speed (Fig. 2 of the paper): 0 below capture, then falling in a straight
/// line from what would be 1 at rest to `e_min` at the speed of plastic deformation, and constant
/// beyond.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cor {
    /// Restitution of fast impacts, 0...1.
    pub e_min: f64,
    /// Below this speed nothing comes back, m/s.
    pub v_capture_m_per_s: f64,
    /// From this speed on e is `e_min`, m/s.
    pub v_plastic_m_per_s: f64,
}

impl Cor {
    /// e at a speed of approach, m/s.
    pub fn at(&self, v_m_per_s: f64) -> f64 {
        if v_m_per_s < self.v_capture_m_per_s {
            0.0
        } else if v_m_per_s >= self.v_plastic_m_per_s {
            self.e_min
        } else {
            1.0 - (1.0 - self.e_min) * v_m_per_s / self.v_plastic_m_per_s
        }
    }
}
