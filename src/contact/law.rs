//! The Hunt–Crossley contact law.

/// Hunt–Crossley force between a mass and a surface.
///
/// `f = k x^alpha (1 + mu v)` for a compression `x > 0` (m) that grows with `v = dx/dt > 0` (m/s), else 0;
/// never negative: the surface does not pull. Papetti, Avanzini, Rocchesso 2011, eq. (1), after Hunt and
/// Crossley 1975.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HuntCrossley {
    /// Stiffness k, N/m^alpha.
    pub stiffness: f64,
    /// Dissipation mu = lambda/k, s/m.
    pub mu_s_per_m: f64,
    /// Exponent alpha, 1 and above; 1.5 for a sphere (Hertz).
    pub alpha: f64,
}
