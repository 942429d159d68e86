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
//! So the second part is over `1 + (8 z)^2`: to the sixth order in h the same, and it never takes more than a twentieth of the force, which goes on growing.

use super::{Grade, Spring, SpringFrom};

/// Change, as a share of the compression, below which both parts come from their derivatives: they are differences.
const TINY: f64 = 1e-6;

/// Where z is as large as one over this, its part of P fades.
const FADING: f64 = 8.0;

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

/// What is left of the second part where it fades, by `w = 8 z`.
struct Fading {
    /// `1/(1 + w^2)` of the energy.
    energy: f64,
    /// The share of the force, and w times its derivative by w.
    force: f64,
    growth: f64,
}

impl Fading {
    /// `alpha` is the exponent of f, and z goes with the square of f.
    fn new(w: f64, alpha: f64) -> Self {
        let square = w * w;
        let energy = 1.0 / (1.0 + square);
        // Of the energy's derivative `(3 alpha + 1) - 4 alpha w^2/(1 + w^2)`.
        let bend = 4.0 * alpha / (3.0 * alpha + 1.0);
        let gone = square * energy;
        let force = energy * (1.0 - bend * gone);
        let growth = -2.0 * energy * gone * (1.0 + bend - 2.0 * bend * gone);
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
        force_n * force_n * (self.square_m_per_n - self.cube_per_n2 * force_n * x_m * self.left(force_n))
    }

    /// What is left of the energy of the second part.
    #[inline]
    fn left(&self, force_n: f64) -> f64 {
        let w = self.fading_per_n2 * force_n * force_n;
        1.0 / (1.0 + w * w)
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
        let Amends { square_m_per_n, cube_per_n2, fading_per_n2 } = spring.amends;
        let a = spring.alpha;
        let steep = 3.0 * a + 1.0;
        if d_m.abs() <= TINY * x_m {
            // In the middle: what is left out is of the third order in d.
            let slope = a * here_n / x_m;
            let force_n = here_n + 0.5 * d_m * slope;
            let square_n = force_n * force_n;
            let square = Grade {
                force_n: 2.0 * square_m_per_n * force_n * slope * (1.0 + 0.5 * (a - 1.0) * d_m / x_m),
                slope_n_per_m: square_m_per_n * slope * (2.0 * a - 1.0) * here_n / x_m,
            };
            let fading = Fading::new(fading_per_n2 * square_n, a);
            let cube = Grade {
                force_n: -cube_per_n2 * square_n * force_n * steep * fading.force,
                slope_n_per_m: -cube_per_n2 * square_n * slope * steep * (1.5 * fading.force + fading.growth),
            };
            return (square, cube);
        }
        let (from_m, to_m) = (x_m.max(0.0), (x_m + d_m).max(0.0));
        let to_n = spring.elastic_n(to_m);
        let per_d = 1.0 / d_m;
        let per_end = if to_m > 0.0 { 2.0 * a * to_n * to_n / to_m } else { 0.0 };
        let square_n = square_m_per_n * (to_n - here_n) * (to_n + here_n) * per_d;
        let square = Grade { force_n: square_n, slope_n_per_m: (square_m_per_n * per_end - square_n) * per_d };
        if cube_per_n2 == 0.0 {
            return (square, Grade { force_n: 0.0, slope_n_per_m: 0.0 });
        }
        let there = Fading::new(fading_per_n2 * to_n * to_n, a);
        let (cubed, here_left) = (to_n * to_n * to_n, spring.amends.left(here_n));
        let here_j = here_n * here_n * here_n * from_m * here_left;
        let cube_n = -cube_per_n2 * (cubed * to_m * there.energy - here_j) * per_d;
        (
            square,
            Grade { force_n: cube_n, slope_n_per_m: (-cube_per_n2 * steep * cubed * there.force - cube_n) * per_d },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::HuntCrossley;
    use super::*;

    const H_S: f64 = 1e-6;
    const X_M: f64 = 3e-5;
    /// Changes as shares of the compression: on both sides of what is [`TINY`], and out of contact.
    const SHARES: [f64; 11] = [-1.5, -0.9, -0.02, -2e-6, -5e-7, 1e-9, 5e-7, 2e-6, 1e-3, 0.3, 0.9];

    /// Amends a thousand times as large as those of a contact, so that they are seen.
    fn spring(alpha: f64, mu_s_per_m: f64) -> Spring {
        let plain = HuntCrossley { stiffness: 1e8, mu_s_per_m, alpha }.prepare();
        let force_n = plain.elastic_n(X_M);
        let square_m_per_n = 1e-3 * X_M / force_n;
        let cube_per_n2 = 0.1 * square_m_per_n / (force_n * X_M);
        plain.amended(Amends { square_m_per_n, cube_per_n2, fading_per_n2: FADING * (3.0 * alpha + 1.0) * cube_per_n2 })
    }

    /// A contact that is pressed in until the second part fades: `8 z` is `w` at [`X_M`].
    fn pressed_in(alpha: f64, w: f64) -> Spring {
        let plain = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.2, alpha }.prepare();
        let fading_per_n2 = w / plain.elastic_n(X_M).powi(2);
        let cube_per_n2 = fading_per_n2 / (FADING * (3.0 * alpha + 1.0));
        plain.amended(Amends { square_m_per_n: 1e-3 * X_M / plain.elastic_n(X_M), cube_per_n2, fading_per_n2 })
    }

    /// How far a contact is pressed in, as `8 z`.
    const PRESSED: [f64; 9] = [1e-3, 0.1, 0.3, 0.7, 1.0, 2.0, 5.0, 30.0, 1e4];

    #[test]
    fn both_parts_are_as_large_as_they_are_said_to_be() {
        let amends = Amends::new(H_S, 150.0, 0.4, 1.5);
        let twelfth_s2 = H_S * H_S / 12.0;
        assert!((amends.square_m_per_n / (twelfth_s2 * 150.0) - 1.0).abs() < 1e-12);
        assert!((amends.cube_per_n2 / (twelfth_s2 * 3600.0 / 5.5) - 1.0).abs() < 1e-12);
        assert!((amends.fading_per_n2 / (8.0 * twelfth_s2 * 3600.0) - 1.0).abs() < 1e-12);
        assert!(Amends::default().is_none() && !amends.is_none());
    }

    #[test]
    fn the_work_of_an_amended_step_is_what_is_stored() {
        for alpha in [1.0, 1.5, 2.0, 2.7, 3.5] {
            let plain = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.0, alpha }.prepare();
            let spring = plain.amended(spring(alpha, 0.5).amends);
            assert!(spring.potential_j(X_M) > plain.potential_j(X_M));
            for x_m in [X_M, -X_M] {
                for share in SHARES {
                    let d_m = share * X_M;
                    let (before_j, after_j) = (spring.potential_j(x_m), spring.potential_j(x_m + d_m));
                    let work_j = spring.mean_force_n(x_m, d_m, H_S) * d_m;
                    let off = (work_j - (after_j - before_j)).abs() / (before_j + after_j).max(f64::MIN_POSITIVE);
                    assert!(off < 1e-15, "alpha {alpha}, from {x_m:e} by {share}: {off:e}");
                }
            }
        }
    }

    #[test]
    fn a_search_is_told_force_and_slope_with_amends() {
        let pressed = [1.0, 1.5, 2.7].into_iter().flat_map(|alpha| PRESSED.map(|w| pressed_in(alpha, w)));
        for spring in [1.0, 1.5, 2.7].map(|alpha| spring(alpha, 0.2)).into_iter().chain(pressed) {
            let alpha = spring.alpha();
            let from = spring.from(X_M);
            for share in SHARES.into_iter().filter(|share| *share > -1.0) {
                let d_m = share * X_M;
                let Some(grade) = from.grade(d_m, 1.0 / H_S) else { continue };
                assert!((grade.force_n / from.mean_force_n(d_m, H_S) - 1.0).abs() < 1e-12, "alpha {alpha} {share}");
                let step_m = 1e-4 * X_M;
                let slope =
                    (from.mean_force_n(d_m + step_m, H_S) - from.mean_force_n(d_m - step_m, H_S)) / (2.0 * step_m);
                assert!((grade.slope_n_per_m / slope - 1.0).abs() < 1e-5, "alpha {alpha} {share}");
            }
        }
    }

    /// A law whose force falls would let a ball through.
    #[test]
    fn however_far_it_is_pressed_in_a_contact_pushes_back() {
        let mut least = f64::MAX;
        for alpha in [1.0, 1.5, 2.0, 2.7, 3.5] {
            for w in PRESSED {
                let spring = pressed_in(alpha, w);
                let mut last_n = 0.0;
                for n in 1..200 {
                    let x_m = 0.02 * f64::from(n) * X_M;
                    let force_n = spring.mean_force_n(x_m, 1e-9 * x_m, f64::INFINITY);
                    least = least.min(force_n / spring.elastic_n(x_m));
                    assert!(force_n > last_n && force_n > 0.95 * spring.elastic_n(x_m), "{alpha} {w} {n}");
                    assert!(spring.potential_j(x_m) > 0.95 * spring.plain_j(x_m));
                    last_n = force_n;
                }
            }
        }
        assert!(least < 0.98, "none was pressed in that far: {least}");
    }

    #[test]
    fn damping_takes_energy_with_amends_too() {
        let spring = spring(1.5, 0.5);
        for share in SHARES {
            let d_m = share * X_M;
            let stored_j = spring.potential_j(X_M + d_m) - spring.potential_j(X_M);
            let rounding_j = 1e-15 * spring.potential_j(X_M);
            assert!(spring.mean_force_n(X_M, d_m, H_S) * d_m >= stored_j - rounding_j, "{share}");
        }
    }
}
