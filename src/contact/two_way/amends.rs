//! What a contact stepped with constant forces lacks, given back: steps of the fourth order that still make no energy.
//!
//! Let M and K be the masses and linear springs of striker and modes, u the direction in which the compression x grows, f(x) the elastic
//! force, `F = f (1 + mu v)` the whole one, `B = u M^-1 u` one over the masses in series, and a the acceleration of x without contact
//! force. A step of h holds F. To the second order in h it then misses two things:
//!
//! ```text
//! its force is more than the mean of F by    f' x'' h^2/12         (the discrete gradient knows only the ends of the step)
//! its motion is short by                     M^-1 u F' h^3/12      (of a force that grows within the step)
//! ```
//!
//! The second is a rate of change: `q + M^-1 u F h^2/12` moves without it. As F is 0 before and after, both are the same in the end, and written in
//! these coordinates all that is missing is a force,
//!
//! ```text
//! (h^2/12) (2 B f f' (1 + mu v)^2 + (mu f)^2 B x'' - f' a)  along u,   and   (h^2/12) K M^-1 u F  on the modes.
//! ```
//!
//! - The first and, with `x'' = -B F`, the second are a potential: [`Amends`] of the law.
//! - The last two are what comes of pressing and reading every mode with `1 + (w h)^2/12` of its deflection
//!   ([`Ground::prepare_amended`](super::Ground::prepare_amended)). The compression is then `x - L`, with the lean `L = (h^2/12) a`: so it is set when the contact begins,
//!   and set back when it ends.
//! - What is read so is damped less than x is, by mu (f L)'; this and what a has to do with the second is a share of mu:
//!   `1 + alpha L/x + (L' + mu f B L)/v`. What is not negative still damps.
//!
//! With a linear damper `F = f + c v`, and `(h^2/12) (2 B f' F + c B F' - f' a)` is missing along u. With `F' = f' v + c x''` that is the same potential, `1 - (h c B)^2/12` of the
//! stiffness, and the share `1 + (h^2/12) (3 B f' - (c B)^2) + (L' + c B L)/v` of c. F is `c v` from the first instant, so both sides begin set back by `c v h^2/12` over their masses.
//!
//! All this is passive whatever h is: a potential, a grip that presses as it reads, and dampings that are not negative. With losses of its own a mode's share of deflection is a complex
//! number; what the body stores is then not quite its energy, from which it differs by parts of (w h)^2 times the loss factor. A contact of a hundred steps is as exact as one of several thousand was. It holds for
//! steps of one length from touch to release: where they change on the way, or others press as well, what is lacking is of the second order again.

use super::super::integrator::passive::Push;
use super::super::law::{Amends, Spring};

/// Steps from touch to the largest compression, as predicted, below which nothing is amended: h is then no small quantity.
const FEWEST_ON_THE_WAY_IN: f64 = 12.0;
/// Rounds of Newton's method for where a damper lets go.
const ROUNDS: u32 = 3;
/// A share of mu or c is cut off here, on either side of 1: where v turns it is none of a small one.
const MOST: f64 = 0.5;

/// What is known of the two sides where a contact begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis {
    pub h_s: f64,
    /// One over the masses in series, 1/kg.
    pub per_mass_per_kg: f64,
    /// The lean of compression, m.
    pub lean_m: f64,
    /// How the gap closes, if that is known.
    pub closing: Option<Motion>,
}

/// Derivatives of a [`Motion`]. What is left out of the way in a step is of the fourth order.
pub const DERIVATIVES: usize = 3;

/// How something moves at one moment, or a gap closes: velocity, m/s, acceleration, m/s^2, and so on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion(pub [f64; DERIVATIVES]);

impl Motion {
    /// When within `most_s` it has gone `way_m`, s, and how fast it then is, m/s, above 0. `about_s` is near it. None if these derivatives do not tell, because
    /// a step is too long for them.
    pub(super) fn at(&self, way_m: f64, about_s: f64, most_s: f64) -> Option<(f64, f64)> {
        let mut t = about_s;
        // From about a straight line on.
        for _ in 0..3 {
            let (gone_m, v) = self.after(t);
            t -= (gone_m - way_m) / v;
        }
        let v = self.after(t).1;
        // Not a number falls out here, too.
        ((0.0..=most_s).contains(&t) && v > 0.0).then_some((t, v))
    }

    /// How far it has gone after `time_s`, m, and how fast it then is, m/s.
    fn after(&self, time_s: f64) -> (f64, f64) {
        let (mut way_m, mut v) = (0.0, 0.0);
        for (n, derivative) in self.0.iter().enumerate().rev() {
            let n = n as f64;
            v = derivative + v * time_s / (n + 1.0);
            way_m = derivative + way_m * time_s / (n + 2.0);
        }
        (way_m * time_s, v)
    }
}

/// A contact that is amended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amended {
    basis: Basis,
    /// What the lean has changed by in the last step and in the one before, m.
    grown_m: [f64; 2],
    /// The same of the compression.
    change_m: [f64; 2],
    /// The forces of the last four, N.
    force_n: [f64; 4],
    steps: u32,
}

impl Basis {
    /// For steps of `h_s` of a mass on a surface that gives way by `mobility_m_per_n` in one of them. In a short one a push of F moves a mass by `F h^2/(2 m)`.
    pub fn new(h_s: f64, mass_kg: f64, mobility_m_per_n: f64, lean_m: f64) -> Self {
        let per_mass_per_kg = 1.0 / mass_kg + 2.0 * mobility_m_per_n / (h_s * h_s);
        Self { h_s, per_mass_per_kg, lean_m, closing: None }
    }

    /// Whether steps of `h_s` are short enough for a way in of `way_in_s`. A linear damper alone then stops a twelfth of a motion in one of them at most.
    pub fn is_fine(h_s: f64, way_in_s: f64) -> bool {
        FEWEST_ON_THE_WAY_IN * h_s <= way_in_s
    }

    /// The masses in series, kg.
    pub fn mass_kg(&self) -> f64 {
        1.0 / self.per_mass_per_kg
    }

    /// The law of a contact with such steps.
    pub fn amend(&self, spring: &Spring) -> Spring {
        let amends = Amends::new(self.h_s, self.per_mass_per_kg, spring.mu_s_per_m(), spring.alpha());
        spring.softened(1.0 - self.stopping(spring).powi(2) / 12.0).amended(amends)
    }

    /// What a linear damper alone stops of a motion within a step.
    fn stopping(&self, spring: &Spring) -> f64 {
        self.h_s * self.per_mass_per_kg * spring.damper_n_s_per_m()
    }
}

impl Amended {
    pub fn new(basis: Basis) -> Self {
        Self { basis, grown_m: [0.0; 2], change_m: [0.0; 2], force_n: [0.0; 4], steps: 0 }
    }

    /// The length of its steps, s.
    pub fn h_s(&self) -> f64 {
        self.basis.h_s
    }

    /// How many of its steps a sample has.
    pub fn steps_of(&self, dt_s: f64) -> u32 {
        // Each was a sample over a power of two.
        (dt_s / self.basis.h_s).round() as u32
    }

    /// The same after a step that led to a lean of `lean_m`.
    #[inline]
    pub fn after(self, push: &Push, lean_m: f64) -> Self {
        Self {
            basis: Basis { lean_m, ..self.basis },
            grown_m: [lean_m - self.basis.lean_m, self.grown_m[0]],
            change_m: [push.change_m, self.change_m[0]],
            force_n: [push.force_n, self.force_n[0], self.force_n[1], self.force_n[2]],
            steps: self.steps.saturating_add(1),
        }
    }

    /// The law for the step from a compression of `x_m`. All is carried on from the last two steps to the middle of this one.
    #[inline]
    pub fn law(&self, spring: &Spring, x_m: f64) -> Spring {
        let change_m = 2.0 * self.change_m[0] - self.change_m[1];
        let middle_m = x_m + 0.5 * change_m;
        if self.steps < 2 || x_m <= 0.0 || middle_m <= 0.0 || change_m == 0.0 {
            return *spring;
        }
        let Basis { h_s, per_mass_per_kg, lean_m, .. } = self.basis;
        let lean_m = lean_m + 0.5 * self.grown_m[0];
        let grows_m = 2.0 * self.grown_m[0] - self.grown_m[1];
        let middle_n = spring.elastic_n(middle_m);
        let share = |more: f64| 1.0 + more.clamp(-MOST, MOST);
        if spring.damper_n_s_per_m() == 0.0 {
            let stopping = h_s * per_mass_per_kg * spring.mu_s_per_m() * middle_n;
            let more = spring.alpha() * lean_m / middle_m + (grows_m + stopping * lean_m) / change_m;
            return spring.damped(share(more), 1.0);
        }
        let stopping = self.basis.stopping(spring);
        let swing = h_s * h_s * per_mass_per_kg * spring.alpha() * middle_n / middle_m;
        let more = (3.0 * swing - stopping * stopping) / 12.0 + (grows_m + stopping * lean_m) / change_m;
        spring.damped(1.0, share(more))
    }

    /// What the coordinates of all this jump by where a linear damper begins to push at once, N s^2: over a mass it is a way.
    pub fn jump_n_s2(&self, damper_n_s_per_m: f64, v_m_per_s: f64) -> f64 {
        damper_n_s_per_m * v_m_per_s * self.basis.h_s * self.basis.h_s / 12.0
    }

    /// The same in compression, m.
    pub fn jump_m(&self, jump_n_s2: f64) -> f64 {
        self.basis.per_mass_per_kg * jump_n_s2
    }

    /// Where a linear damper lets go within the next step, after what share of it, and the mean force until then over all of it, N. The forces of the last four steps
    /// are carried on: they are the means of a curve `a + b t + c t^2 + d t^3`, t in steps from now.
    pub fn letting_go(&self) -> Option<(f64, f64)> {
        let [f1, f2, f3, f4] = self.force_n;
        if self.steps < 5 || self.change_m[0] >= 0.0 || f1.min(f4) <= 0.0 {
            return None;
        }
        let (first, second) = (f1 - f2, (f1 - f2) - (f2 - f3));
        let d = (second - ((f2 - f3) - (f3 - f4))) / 6.0;
        let c = 0.5 * second + 4.5 * d;
        let b = first + 2.0 * c - 3.5 * d;
        let a = f1 + 0.5 * b - c / 3.0 + 0.25 * d;
        if a + b + c + d >= 0.0 || b >= 0.0 {
            return None;
        }
        // From the straight line on.
        let mut t = (-a / b).clamp(0.0, 1.0);
        for _ in 0..ROUNDS {
            let slope = b + t * (2.0 * c + 3.0 * d * t);
            t = (t - (a + t * (b + t * (c + d * t))) / slope.min(0.5 * b)).clamp(0.0, 1.0);
        }
        Some((t, (t * (a + t * (0.5 * b + t * (c / 3.0 + 0.25 * d * t)))).max(0.0)))
    }
}

#[cfg(test)]
mod tests;
