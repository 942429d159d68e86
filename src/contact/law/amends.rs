//! What a force held over a step lacks, as a small spring beside the law's own.
//!
//! A step of h holds its force, and its solution is that of a contact a little slower than it should be. To the second order in h that is
//! the work of a potential (`two_way::amends` has the derivation), so that a law with as much more of it makes up for that:
//!
//! ```text
//! P = (h^2/12) (B f^2 - (mu B)^2 f^3 x/(3 alpha + 1)),      f = k x^alpha
//! ```
//!
//! B is one over the mass that the contact moves, striker and surface in series. A potential makes no energy, and is none where nothing
//! touches: whatever h is, the balance stays closed. Its first part comes with `(1 + mu v)^2`, which damps as `1 + mu v` does.
//!
//! **Limit.** The second part takes `z = (h mu B f)^2/12` of the force, which is small as long as damping alone stops a small part of the motion within a step. It
//! grows with f, though, and a contact may be pressed in far beyond what its steps and its mu were settled for: by its weight, or by a surface that strikes back.
//! So the second part is over `1 + (8 z)^2`: to the sixth order in h the same, and it never takes more than a twentieth of the force (nor adds more than half a
//! per cent), which goes on growing. In the same way the first, which would make a contact ever stiffer, is over `1 + (32 y)^2` with `y = (h^2/12) B f/x`: it adds 7/64 of the
//! force at most, and is convex by itself for every exponent from 1 to 3.5.

use super::{Grade, Spring, SpringFrom};

/// Change, as a share of the compression, below which both parts come from their derivatives: they are differences.
const TINY: f64 = 1e-6;

/// Where z is as large as one over this, the second part of P fades.
const FADING: f64 = 8.0;
/// Where y is as large as one over this, the first part of P fades.
const STIFFENING: f64 = 32.0;

/// The coefficients of P; all 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amends {
    /// `(h^2/12) B`, m/N.
    square_m_per_n: f64,
    /// `(h^2/12) (mu B)^2/(3 alpha + 1)`, 1/N^2.
    cube_per_n2: f64,
    /// `8 z/f^2`, 1/N^2.
    fading_per_n2: f64,
}

/// What is left of a part of P where it fades, by a `w` that goes with the power `p` of x while the part itself goes with the power `n`.
struct Fading {
    /// `1/(1 + w^2)` of the energy.
    energy: f64,
    /// The share of the force, and x times its derivative by x.
    force: f64,
    growth: f64,
}

impl Fading {
    #[inline]
    fn new(w: f64, n: f64, p: f64) -> Self {
        let energy = 1.0 / (1.0 + w * w);
        // Of the energy's derivative `n - 2 p w^2/(1 + w^2)`. What is gone is a number also where w^2 is infinite.
        let (bend, gone) = (2.0 * p / n, 1.0 - energy);
        let force = energy * (1.0 - bend * gone);
        let growth = -2.0 * p * energy * gone * (1.0 + bend - 2.0 * bend * gone);
        Self { energy, force, growth }
    }
}

impl Amends {
    /// For steps of `h_s` of a contact between masses of which one over their mass in series is `per_mass_per_kg`.
    pub fn new(h_s: f64, per_mass_per_kg: f64, mu_s_per_m: f64, alpha: f64) -> Self {
        let twelfth_s2 = h_s * h_s / 12.0;
        let stopping = mu_s_per_m * per_mass_per_kg;
        Self {
            square_m_per_n: twelfth_s2 * per_mass_per_kg,
            cube_per_n2: twelfth_s2 * stopping * stopping / (3.0 * alpha + 1.0),
            fading_per_n2: FADING * twelfth_s2 * stopping * stopping,
        }
    }

    /// There are none.
    #[inline]
    pub fn is_none(&self) -> bool {
        self.square_m_per_n == 0.0
    }

    /// P where the law's force is `force_n`, J.
    fn potential_j(&self, force_n: f64, x_m: f64) -> f64 {
        if x_m <= 0.0 {
            return 0.0;
        }
        let left = |w: f64| 1.0 / (1.0 + w * w);
        let square_m_per_n = self.square_m_per_n * left(self.stiffening(force_n, x_m));
        force_n * force_n * (square_m_per_n - self.cube_per_n2 * force_n * x_m * left(self.fading(force_n)))
    }

    /// `8 z`.
    #[inline]
    fn fading(&self, force_n: f64) -> f64 {
        self.fading_per_n2 * force_n * force_n
    }

    /// `32 y`, where something is compressed.
    #[inline]
    fn stiffening(&self, force_n: f64, x_m: f64) -> f64 {
        STIFFENING * self.square_m_per_n * force_n / x_m
    }
}

// Out of line: most contacts have no amends, and their loops are not to be longer for it.
impl Spring {
    /// Energy kept in its amends, J.
    #[inline(never)]
    pub(super) fn amends_j(&self, x_m: f64) -> f64 {
        self.amends.potential_j(self.elastic_n(x_m), x_m.max(0.0))
    }
}

impl SpringFrom<'_> {
    /// What amends add to the mean force over a change of `d_m`, and to its slope, as if the spring were so much stiffer: both are still to be
    /// multiplied by `factor`, which is `1 + mu v` and grows by `mu_per_m` with the change.
    #[inline(never)]
    pub(super) fn mended(&self, d_m: f64, factor: f64, mu_per_m: f64) -> Grade {
        let (square, cube) = self.gradients(d_m);
        Grade {
            force_n: cube.force_n + factor * square.force_n,
            slope_n_per_m: cube.slope_n_per_m + factor * square.slope_n_per_m + mu_per_m * square.force_n,
        }
    }

    /// Discrete gradients of both parts of P over a change of `d_m`, that with the square of f first.
    fn gradients(&self, d_m: f64) -> (Grade, Grade) {
        let Self { spring, x_m, here_n, .. } = *self;
        let (from_m, to_m) = (x_m.max(0.0), (x_m + d_m).max(0.0));
        let amends = &spring.amends;
        let a = spring.alpha;
        // f^2 goes with this power of x, and f^3 x with that; what they fade by with these.
        let (two, steep) = (2.0 * a, 3.0 * a + 1.0);
        let square_fades = |force_n: f64, x_m: f64| Fading::new(amends.stiffening(force_n, x_m), two, a - 1.0);
        let cube_fades = |force_n: f64| Fading::new(amends.fading(force_n), steep, two);
        if from_m == 0.0 && to_m == 0.0 {
            return (Grade::default(), Grade::default());
        }
        if d_m.abs() <= TINY * x_m {
            // In the middle: what is left out is of the third order in d.
            let slope = a * here_n / x_m;
            let force_n = here_n + 0.5 * d_m * slope;
            let square_n = force_n * force_n;
            let fades = square_fades(force_n, x_m + 0.5 * d_m);
            let whole_n = 2.0 * amends.square_m_per_n * force_n * slope * (1.0 + 0.5 * (a - 1.0) * d_m / x_m);
            let square = Grade {
                force_n: whole_n * fades.force,
                slope_n_per_m: amends.square_m_per_n * slope * here_n / x_m
                    * ((two - 1.0) * fades.force + fades.growth),
            };
            let fades = cube_fades(force_n);
            let cube = Grade {
                force_n: -amends.cube_per_n2 * square_n * force_n * steep * fades.force,
                slope_n_per_m: -amends.cube_per_n2 * square_n * steep * here_n / x_m
                    * (1.5 * a * fades.force + 0.5 * fades.growth),
            };
            return (square, cube);
        }
        let to_n = spring.elastic_n(to_m);
        let per_d = 1.0 / d_m;
        // Of a part with as much energy here and there, and that slope of it there, all but for its coefficient.
        let part = |coefficient: f64, here: f64, there: f64, slope: f64| {
            let mean_n = coefficient * (there - here) * per_d;
            Grade { force_n: mean_n, slope_n_per_m: (coefficient * slope - mean_n) * per_d }
        };
        let at = |force_n: f64, x_m: f64| {
            if x_m <= 0.0 {
                return (0.0, 0.0);
            }
            let (fades, whole_n2) = (square_fades(force_n, x_m), force_n * force_n);
            (whole_n2 * fades.energy, two * whole_n2 / x_m * fades.force)
        };
        let ((here, _), (there, slope)) = (at(here_n, from_m), at(to_n, to_m));
        let square = part(amends.square_m_per_n, here, there, slope);
        if amends.cube_per_n2 == 0.0 {
            return (square, Grade::default());
        }
        let at = |force_n: f64, x_m: f64| {
            let (fades, whole_n) = (cube_fades(force_n), force_n * force_n * force_n);
            (whole_n * x_m * fades.energy, steep * whole_n * fades.force)
        };
        let ((here, _), (there, slope)) = (at(here_n, from_m), at(to_n, to_m));
        (square, part(-amends.cube_per_n2, here, there, slope))
    }
}

#[cfg(test)]
mod tests;
