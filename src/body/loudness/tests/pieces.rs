//! Complex numbers, the pace of a blow, the plain estimate, and what is done with two levels.

use std::f64::consts::PI;

use super::super::blow::half_sine;
use super::super::complex::Complex;
use super::super::hasty;
use super::super::pace::Pace;
use super::super::ringing::Ringing;
use super::super::weighting::{Thump, high_pass, shelf_power};
use super::super::window::{Span, WINDOW_S};
use super::super::{Levelled, MOST_LOUDER, plain};
use super::{close, close_both};
use crate::body::material::Damping;
use crate::body::modes::Listening;
use crate::body::parts::Beside;
use crate::body::{Geometry, Modes, Parts, PerMode, Point, UserModes};
use crate::contact::HuntCrossley;
use crate::contact::integrator::passive::{self, Reach};

#[test]
fn complex_numbers_obey_their_rules() {
    let (a, b) = (Complex { re: 1.0, im: 2.0 }, Complex { re: 3.0, im: -4.0 });
    assert_eq!(a.times(b), Complex { re: 11.0, im: 2.0 });
    assert_eq!(a.less(b), Complex { re: -2.0, im: 6.0 });
    assert_eq!(a.scaled(3.0), Complex { re: 3.0, im: 6.0 });
    assert_eq!(b.turned_back(), Complex { re: 3.0, im: 4.0 });
    assert_eq!(b.power(), 25.0);
    assert_eq!(b.inverse(), Complex { re: 3.0 / 25.0, im: 4.0 / 25.0 });
    assert_eq!(Complex::real(7.0), Complex { re: 7.0, im: 0.0 });
    assert!(Complex::default().inverse().re == 0.0);
}

#[test]
fn the_pace_is_the_ratio_of_what_two_pulses_make_of_the_body() {
    let modes = [(600.0, 0.3, 1.0), (2_500.0, 0.2, 0.4), (9_000.0, 0.05, 2.0)];
    let power = |pulse_s: f64| -> f64 {
        modes.iter().map(|(w, rings_s, weight)| weight * rings_s * half_sine(w / (2.0 * PI) * pulse_s).powi(2)).sum()
    };
    let pace = |own_s: f64, reference_s: f64, thought_s: f64| {
        let mut pace = Pace::new(own_s, reference_s, thought_s);
        modes.iter().for_each(|(w, rings_s, weight)| pace.add(*w, *rings_s, *weight));
        pace
    };
    for (own_s, reference_s, thought_s) in [(1e-3, 5e-4, 7e-4), (4e-4, 5e-4, 1e-3), (5.2e-4, 5e-4, 3e-4)] {
        let pace = pace(own_s, reference_s, thought_s);
        close(pace.to_reference(), power(reference_s) / power(own_s), 1e-12);
        close(pace.thought(), power(thought_s), 1e-12);
    }
    // Alike within 2 %, and no more than ten times either way.
    assert_eq!(pace(5.05e-4, 5e-4, 1e-3).to_reference(), 1.0);
    assert_eq!(pace(4.95e-4, 5e-4, 1e-3).to_reference(), 1.0);
    assert!(pace(4.85e-4, 5e-4, 1e-3).to_reference() != 1.0 && pace(5.15e-4, 5e-4, 1e-3).to_reference() != 1.0);
    let wide = |own_s: f64, reference_s: f64| {
        let mut pace = Pace::new(own_s, reference_s, 1e-3);
        pace.add(20_000.0, 0.1, 1.0);
        pace.to_reference()
    };
    assert_eq!((wide(2e-3, 1e-4), wide(1e-4, 2e-3)), (10.0, 0.1));
}

fn modes(parts: Parts) -> Modes {
    let mut modes = Modes::default();
    modes.set_body(&Geometry { count: 11.0, ..Geometry::default() }, &UserModes::default());
    modes.set_parts(&parts, &UserModes::default());
    let damping = Damping { support_per_s: 9.0, loss_factor: 2e-3, viscous_s: 1e-8 };
    modes.set(180.0, &damping, Listening { left: Point::along(0.11), right: Point::along(0.83) }, 48_000.0);
    modes.arrive();
    modes
}

#[test]
fn the_plain_estimate_is_the_power_of_every_mode_alone() {
    let beside = Beside {
        geometry: Geometry::default(),
        pitch_hz: 300.0,
        listening: Listening { left: Point::along(0.2), right: Point::along(0.4) },
        heard: [0.4, 0.7],
    };
    for (parts, in_full) in [(Parts::One, 1.0), (Parts::Two(beside), 2.5)] {
        let modes = modes(parts);
        let struck: PerMode = std::array::from_fn(|i| (1.7 * i as f64).cos());
        let (pulse_s, m_per_s) = (6e-4, 0.8);
        let mut sum = 0.0;
        for (i, struck) in struck.iter().enumerate().take(11) {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            let (kept, _) = high_pass(d, w, Complex::real(1.0));
            let amplitude = in_full * struck * half_sine(w / (2.0 * PI) * pulse_s);
            let both = modes.left.now[i].powi(2) + modes.right.now[i].powi(2);
            let rings_s = (1.0 - (-2.0 * d * WINDOW_S).exp()) / (2.0 * d);
            sum += both * amplitude * amplitude * shelf_power(w / (2.0 * PI)) * kept.power() * rings_s;
        }
        close(plain::level_m_per_s(&modes, &struck, pulse_s, m_per_s), (sum / WINDOW_S).sqrt() * m_per_s, 1e-12);
    }
}

#[test]
fn a_blow_of_its_own_hardness_is_no_more_than_2_5_db_louder() {
    let level = |m_per_s: f64, work: u32| Levelled { m_per_s, plain_m_per_s: 7.0, work };
    let both = level(1.0, 10).but_no_louder(Some(level(2.0, 5)));
    close(both.m_per_s, 2.0 / MOST_LOUDER.sqrt(), 1e-15);
    assert_eq!((both.plain_m_per_s, both.work), (7.0, 15));
    let both = level(1.0, 10).but_no_louder(Some(level(1.2, 5)));
    assert_eq!((both.m_per_s, both.work), (1.0, 15));
    let alone = level(1.0, 10).but_no_louder(None);
    assert_eq!((alone.m_per_s, alone.work), (1.0, 10));
}

/// Three modes with a thump, of which the first two beat: every product of two of them by hand.
#[test]
fn what_rings_is_the_square_of_all_that_is_near_enough_to_beat() {
    let mut modes = Modes::default();
    let (d, w) = ([9.0, 11.0, 30.0], [900.0, 960.0, 8_000.0]);
    modes.decay_per_s[..3].copy_from_slice(&d);
    modes.omega[..3].copy_from_slice(&w);
    let kept = [Complex { re: 0.7, im: -0.2 }, Complex { re: -0.3, im: 0.4 }, Complex { re: 0.5, im: 0.1 }];
    let heard = [[1.0, 0.5], [0.8, -1.2], [-0.6, 0.3]];
    let thumps = [Thump { b: 0.2, c: -30.0 }, Thump { b: -0.1, c: 12.0 }];
    let span = Span { window_s: 0.37, pulse_s: 2e-3 };
    let mut ringing = Ringing::new(8, span);
    ringing.heard[..3].copy_from_slice(&heard);
    ringing.kept[..3].copy_from_slice(&kept);
    ringing.thump = thumps;
    let mut wanted = 0.0;
    for side in 0..2 {
        wanted += thumps[side].energy_s();
        for i in 0..3 {
            let a = heard[i][side];
            let square = kept[i].times(kept[i]).times(Complex { re: d[i], im: w[i] }).re / (d[i] * d[i] + w[i] * w[i]);
            wanted += 0.5 * a * a * (kept[i].power() * span.ringing_s(2.0 * d[i], 0.0).re + 0.5 * square);
            wanted += 2.0 * a * thumps[side].meets(kept[i], d[i], w[i]);
        }
        let both = kept[0].times(kept[1].turned_back()).times(span.ringing_s(20.0, -60.0));
        wanted += heard[0][side] * heard[1][side] * both.re;
    }
    let (energy_s, pairs) = ringing.energy_s(&modes);
    close(energy_s, wanted, 1e-12);
    assert_eq!(pairs, 1);
}

/// Pairs are looked at up to 24 modes on, and 8 widths and 8 turns in the window apart.
#[test]
fn pairs_are_looked_at_as_far_as_they_beat() {
    let pairs = |count: usize, step: f64, d: f64| {
        let mut modes = Modes::default();
        for i in 0..count {
            (modes.decay_per_s[i], modes.omega[i]) = (d, 1_000.0 + step * i as f64);
        }
        Ringing::new(count, Span { window_s: WINDOW_S, pulse_s: 0.0 }).energy_s(&modes).1
    };
    assert_eq!(pairs(64, 1e-3, 1.0), (0..64).map(|i: u32| (63 - i).min(24)).sum::<u32>());
    let apart = 8.0 * 2.0 * 5.0 + 8.0 * PI / WINDOW_S;
    assert_eq!((pairs(2, apart - 1e-6, 5.0), pairs(2, apart + 1e-6, 5.0)), (1, 0));
    assert_eq!(pairs(2, -apart + 1e-6, 5.0), 1);
}

/// Near enough it is one step of Newton's, further off another look; out of contact it is left to the solver.
#[test]
fn a_hasty_push_is_newtons_step_and_keeps_the_flow() {
    let spring = HuntCrossley { stiffness: 1e8, mu_s_per_m: 0.3, alpha: 1.5 }.prepare();
    let (h_s, mass_kg) = (1e-5, 0.02);
    let b = 0.5 * h_s * h_s / mass_kg;
    for (x_m, v, off) in [(1e-5, 1.0, 1.001), (1e-5, 1.0, 1.3), (1e-4, -0.5, 0.4), (3e-6, 0.2, 3.0)] {
        let mut reach = Reach { x_m, free_m: h_s * v, mobility_m_per_n: b, h_s, guess_n: 0.0 };
        let exact = passive::solve(&spring, &reach);
        reach.guess_n = off * exact.force_n;
        let got = hasty::push(&spring, &reach);
        assert!(got.settled);
        close(got.force_n, exact.force_n, 3e-4);
        close(got.change_m, reach.free_m - b * got.force_n, 1e-15);
        // By the same steps, one by one.
        let (start, mut d) = (spring.from(x_m), reach.free_m - b * reach.guess_n);
        let force_n = loop {
            let grade = start.grade(d, 1.0 / h_s).expect("in contact");
            let rest_m = d + b * grade.force_n - reach.free_m;
            let step_m = rest_m / (1.0 + b * grade.slope_n_per_m);
            if rest_m.abs() <= 0.02 * b * grade.force_n {
                break grade.force_n - grade.slope_n_per_m * step_m;
            }
            d -= step_m;
        };
        close(got.force_n, force_n, 1e-12);
    }
    let apart = Reach { x_m: -1e-6, free_m: 1e-5, mobility_m_per_n: b, h_s, guess_n: 3.0 };
    assert_eq!(hasty::push(&spring, &apart), passive::solve(&spring, &apart));
    let at_once = Reach { x_m: 0.0, ..apart };
    assert_eq!(hasty::push(&spring, &at_once), passive::solve(&spring, &at_once));
}

#[test]
fn a_pulse_through_the_high_pass_keeps_its_phase() {
    // Well above the corner almost all is kept, and what is lost is turned by twice the corner over the frequency.
    let (kept, _) = high_pass(0.0, 1e5, Complex::real(1.0));
    close_both(kept, (1.0, 2.0 * 2.0 * PI * 38.135_470_876_024_44 / 1e5), 1e-4);
}
