//! What becomes of the blow where the body gives way.
//!
//! A light body takes a blow softly: it runs before the striker, holds it longer, and strikes back. How much, no single mass
//! tells: slow modes act as masses, quick ones as springs, and a membrane as what carries the energy off. So the blow
//! is rehearsed, coarsely and in bounded time: the passive scheme of [two-way contact](crate::contact::two_way) with
//! steps that are a fixed share of the contact, on the very modes, from rest. What counts is the spectrum of the force.

use super::super::kernel::{Rows, RowsMut};
use super::super::yielding::{Ratios, StepRows};
use super::super::{MAX_MODES, Modes, PerMode};
use super::blow::{ReferenceBlow, half_sine_of_s};
use super::complex::Complex;
use crate::contact::integrator::passive::{self, Push, Reach};
use crate::contact::law::Spring;

/// Steps in the time that the striker would be on a wall, at first.
const STEPS_PER_CONTACT: f64 = 8.0;
/// After so many steps they are made twice as long, ...
const STEPS_PER_STAGE: u32 = 64;
/// ... and so on through so many stages: 256 steps at most, 120 times as long as the contact with a wall. Most blows are over
/// after some twenty. Two-way contact itself may spend sixteen times as many on the first moments of a blow.
const STAGES: u32 = 4;

/// The force of a blow.
#[derive(Clone, Debug)]
pub(super) struct Pulse {
    /// Its spectrum at the frequency of each mode, N s, its middle being the time 0.
    pub spectrum_ns: [Complex; MAX_MODES],
    /// Duration of the half-sine that it most resembles, s.
    pub duration_s: f64,
}

impl Default for Pulse {
    fn default() -> Self {
        Self { spectrum_ns: [Complex::default(); MAX_MODES], duration_s: 0.0 }
    }
}

/// What a rehearsal needs room for.
#[derive(Clone, Debug)]
pub(super) struct Rehearsal {
    rows: StepRows,
    ratios: Ratios,
    /// phi and phi/m at the strike point.
    shape: PerMode,
    gain: PerMode,
    /// What one newton, held over a step, adds to the displacement there, m/N.
    give_m_per_n: f64,
    /// State of the modes.
    y_re: PerMode,
    y_im: PerMode,
    /// e^(i w h) and (e^(i w h) - 1)/(i w): a step without damping. By such steps the spectrum is added up.
    spin: [PerMode; 2],
    spin_hold: [PerMode; 2],
    spectrum: [PerMode; 2],
    one: PerMode,
}

impl Default for Rehearsal {
    fn default() -> Self {
        let zero = [0.0; MAX_MODES];
        Self {
            rows: StepRows::default(),
            ratios: Ratios::default(),
            shape: zero,
            gain: zero,
            give_m_per_n: 0.0,
            y_re: zero,
            y_im: zero,
            spin: [zero; 2],
            spin_hold: [zero; 2],
            spectrum: [zero; 2],
            one: [1.0; MAX_MODES],
        }
    }
}

/// The striker, and what its force has come to.
#[derive(Clone, Copy, Debug, Default)]
struct Course {
    /// Compression, m; a gap below 0.
    x_m: f64,
    v_m_per_s: f64,
    force_n: f64,
    guess_n: f64,
    time_s: f64,
    impulse_ns: f64,
    /// Its first and second moment in time.
    first: f64,
    second: f64,
}

impl Course {
    /// Where the step of `h_s` would end without a force, over a surface that goes `surface_m` away and gives way by `give_m_per_n`.
    fn reach(&self, mass_kg: f64, surface_m: f64, give_m_per_n: f64, h_s: f64) -> Reach {
        let (free_m, mobility_m_per_n) = (h_s * self.v_m_per_s - surface_m, 0.5 * h_s * h_s / mass_kg + give_m_per_n);
        Reach { x_m: self.x_m, free_m, mobility_m_per_n, h_s, guess_n: self.guess_n }
    }

    fn accept(&mut self, push: &Push, mass_kg: f64, h_s: f64) {
        self.guess_n = (2.0 * push.force_n - self.force_n).max(0.0);
        self.force_n = push.force_n;
        self.x_m += push.change_m;
        let (given_ns, middle_s) = (push.force_n * h_s, self.time_s + 0.5 * h_s);
        self.v_m_per_s -= given_ns / mass_kg;
        self.impulse_ns += given_ns;
        self.first += given_ns * middle_s;
        self.second += given_ns * middle_s * middle_s;
        self.time_s += h_s;
    }

    /// Centre of the impulse, s, and its variance, s^2.
    fn middle(&self) -> (f64, f64) {
        let middle_s = self.first / self.impulse_ns;
        (middle_s, (self.second / self.impulse_ns - middle_s * middle_s).max(0.0))
    }
}

impl Rehearsal {
    /// Let `blow` fall on modes that deflect by `struck` where it does.
    ///
    /// Dissipation keeps its effect at size 1, as against a wall; what Size makes of it is taken into account.
    pub fn play(&mut self, modes: &Modes, blow: &ReferenceBlow, struck: &PerMode, pulse: &mut Pulse) {
        let n = modes.len;
        for (i, struck) in struck.iter().enumerate().take(n) {
            self.shape[i] = modes.presence[i] * struck;
            self.gain[i] = self.shape[i] / blow.body_kg;
        }
        for row in [&mut self.y_re, &mut self.y_im].into_iter().chain(&mut self.spectrum) {
            row[..n].fill(0.0);
        }
        self.ratios.set(modes);
        let spring = blow.law().prepare();
        let mut course = Course { v_m_per_s: blow.speed_m_per_s(), ..Course::default() };
        let mut step_s = blow.contact_s() / STEPS_PER_CONTACT;
        for _ in 0..STAGES {
            self.prepare(modes, step_s);
            if (0..STEPS_PER_STAGE).any(|_| self.step(modes, &spring, blow.striker_kg, &mut course)) {
                break;
            }
            step_s *= 2.0;
        }
        let (middle_s, variance_s2) = course.middle();
        pulse.duration_s = half_sine_of_s(variance_s2);
        // A dissipating contact gives less, but begins more abruptly, which makes up for about a tenth of it (in decibels).
        let kept = (2.0 / blow.rebound_at_size_1()).powf(0.9);
        for i in 0..n {
            let (sin, cos) = (modes.omega[i] * (course.time_s - middle_s)).sin_cos();
            let at_the_end = Complex { re: self.spectrum[0][i], im: self.spectrum[1][i] };
            pulse.spectrum_ns[i] = at_the_end.times(Complex { re: cos, im: -sin }).scaled(kept);
        }
    }

    fn prepare(&mut self, modes: &Modes, step_s: f64) {
        let n = modes.len;
        self.rows.set(modes, step_s);
        let (hold_im, per_omega) = (&self.rows.hold_im[..n], &self.ratios.per_omega[..n]);
        self.give_m_per_n = modes.kernel.dot4(&self.shape[..n], &self.gain[..n], hold_im, per_omega);
        for i in 0..n {
            let w = modes.omega[i];
            let (sin, cos) = (w * step_s).sin_cos();
            let half = (0.5 * w * step_s).sin();
            (self.spin[0][i], self.spin[1][i]) = (cos, sin);
            (self.spin_hold[0][i], self.spin_hold[1][i]) =
                if w > 0.0 { (sin / w, 2.0 * half * half / w) } else { (step_s, 0.0) };
        }
    }

    /// One step of the prepared length. Says whether the striker is gone for good.
    fn step(&mut self, modes: &Modes, spring: &Spring, mass_kg: f64, course: &mut Course) -> bool {
        let (n, kernel, rows, ratios) = (modes.len, modes.kernel, &self.rows, &self.ratios);
        let (shape, gain) = (&self.shape[..n], &self.gain[..n]);
        let h_s = rows.step_s();
        let y = Rows { re: &self.y_re[..n], im: &self.y_im[..n] };
        let surface_m =
            kernel.sway(shape, &ratios.slack[..n], Rows { re: &rows.hold_re[..n], im: &rows.hold_im[..n] }, y);
        let push = passive::solve(spring, &course.reach(mass_kg, surface_m, self.give_m_per_n, h_s));
        course.accept(&push, mass_kg, h_s);
        let y = RowsMut { re: &mut self.y_re[..n], im: &mut self.y_im[..n] };
        let turn = Rows { re: &rows.turn_re[..n], im: &rows.turn_im[..n] };
        let hold = Rows { re: &rows.hold_re[..n], im: &rows.hold_im[..n] };
        kernel.push(y, turn, hold, gain, &[push.force_n]);
        let [re, im] = &mut self.spectrum;
        let spin = Rows { re: &self.spin[0][..n], im: &self.spin[1][..n] };
        let hold = Rows { re: &self.spin_hold[0][..n], im: &self.spin_hold[1][..n] };
        kernel.push(RowsMut { re: &mut re[..n], im: &mut im[..n] }, spin, hold, &self.one[..n], &[push.force_n]);
        if course.x_m > 0.0 {
            return false;
        }
        // In the air: the ring of the body is too slow for it, or no longer gets so far.
        let y = Rows { re: &self.y_re[..n], im: &self.y_im[..n] };
        let (reach_m, speed_m_per_s) = kernel.bounds(shape, [&ratios.per_omega[..n], &ratios.quickness[..n]], y);
        course.v_m_per_s + speed_m_per_s < 0.0 || -course.x_m > 2.0 * reach_m
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::super::super::LANES;
    use super::super::super::shape::Point;
    use super::super::blow::half_sine;
    use super::*;

    fn blow(body_kg: f64) -> ReferenceBlow {
        let point = Point::new(0.0, 0.0);
        ReferenceBlow { striker_kg: 0.02, body_kg, alpha: 1.5, length: 1.0, mu_s_per_m: 0.0, point, two_way: true }
    }

    /// A group of modes, the first of `hz` and the others an octave apart each, all with deflection 1 but for padding.
    fn rehearse(hz: f64, count: usize, blow: &ReferenceBlow) -> (Modes, Pulse) {
        let (mut modes, mut pulse) = (Modes::default(), Pulse::default());
        modes.len = LANES;
        for i in 0..count {
            modes.omega[i] = 2.0 * PI * hz * f64::from(1 << i);
            modes.presence[i] = 1.0;
        }
        Rehearsal::default().play(&modes, blow, &[1.0; MAX_MODES], &mut pulse);
        (modes, pulse)
    }

    #[test]
    fn a_body_that_hardly_swings_takes_the_impulse_of_an_elastic_collision() {
        for body_kg in [0.002, 0.02, 0.4, 50.0] {
            let blow = blow(body_kg);
            let (_, pulse) = rehearse(0.01, 1, &blow);
            let both_kg = blow.striker_kg * body_kg / (blow.striker_kg + body_kg);
            let expected_ns = 2.0 * both_kg * blow.speed_m_per_s();
            assert!(
                (pulse.spectrum_ns[0].re / expected_ns - 1.0).abs() < 0.01,
                "{body_kg}: {:?}",
                pulse.spectrum_ns[0]
            );
        }
    }

    #[test]
    fn a_body_that_does_not_give_way_is_the_wall_of_the_closed_form() {
        let blow = blow(1e4);
        let (modes, pulse) = rehearse(100.0, 4, &blow);
        // Eight steps are coarse.
        assert!((pulse.duration_s / blow.pulse_s() - 1.0).abs() < 0.03, "{} {}", pulse.duration_s, blow.pulse_s());
        for i in 0..4 {
            let wall = blow.impulse_ns() * half_sine(modes.omega[i] / (2.0 * PI) * blow.pulse_s());
            let Complex { re, im } = pulse.spectrum_ns[i];
            assert!((re / wall - 1.0).abs() < 0.02 && im.abs() < 0.02 * wall, "mode {i}: {re} {im} {wall}");
        }
    }
}
