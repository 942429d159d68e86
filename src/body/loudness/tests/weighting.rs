//! The K-weighting against the recommendation's own filter, its equation of motion, and integrals by hand.

use std::f64::consts::PI;

use super::super::complex::Complex;
use super::super::ear::{Ear, Pass, RingingOn};
use super::super::weighting::{CORNER_PER_S, Shelf, Thump, high_pass, shelf_power, swing_s};
use super::super::window::{Span, WINDOW_S, ringing_s};
use super::{close, close_both, integral};

/// Square of the response of a second-order section at a frequency, as a share of the sample rate.
fn response(b: [f64; 3], a: [f64; 2], turns: f64) -> f64 {
    let at = |c: [f64; 3]| {
        let (re, im) = [0.0, 1.0, 2.0].iter().zip(c).fold((0.0, 0.0), |(re, im), (n, c)| {
            let (s, co) = (2.0 * PI * turns * n).sin_cos();
            (re + c * co, im - c * s)
        });
        re * re + im * im
    };
    at(b) / at([1.0, a[0], a[1]])
}

/// BS.1770's coefficients at 48 kHz are the analogue shelf by the bilinear transform, right at its corner.
#[test]
fn the_shelf_is_what_the_recommendations_filter_was_made_from() {
    let (b, a) = (
        [1.535_124_859_586_97, -2.691_696_189_406_38, 1.198_392_810_852_85],
        [-1.690_659_293_182_41, 0.732_480_774_215_85],
    );
    let corner_hz = 1_681.974_450_955_533;
    for hz in [20.0, 200.0, 700.0, 1_500.0, 1_681.97, 2_500.0, 6_000.0, 15_000.0, 22_000.0] {
        let warped_hz = corner_hz * (PI * hz / 48e3).tan() / (PI * corner_hz / 48e3).tan();
        close(shelf_power(warped_hz), response(b, a, hz / 48e3), 1e-9);
    }
}

/// Its high-pass has a quality of 0.50033; here it is 0.5, two equal stages.
#[test]
fn the_high_pass_is_that_of_the_recommendation_but_for_its_quality() {
    let (b, a) = ([1.0, -2.0, 1.0], [-1.990_047_454_833_98, 0.990_072_250_366_21]);
    let corner_hz = CORNER_PER_S / (2.0 * PI);
    for hz in [5.0, 20.0, 38.0, 60.0, 150.0, 1_000.0] {
        let warped_hz = corner_hz * (PI * hz / 48e3).tan() / (PI * corner_hz / 48e3).tan();
        let (kept, _) = high_pass(0.0, 2.0 * PI * warped_hz, Complex::real(1.0));
        // The recommendation leaves out a factor of 1.005, which makes the filter 1 at the top.
        close(kept.power(), response(b, a, hz / 48e3) / response(b, a, 0.5), 1.5e-3);
    }
}

/// `y'' + 2 c y' + c^2 y = x''`: with u the response of the two poles to x, y = u''. Stepped by Runge and Kutta.
#[test]
fn a_mode_through_the_high_pass_is_itself_and_a_thump() {
    for (d, w, amplitude) in [
        (3.0, 2.0 * PI * 30.0, Complex { re: 1.0, im: 0.0 }),
        (200.0, 2.0 * PI * 90.0, Complex { re: -0.4, im: 0.9 }),
        (900.0, 2.0 * PI * 20.0, Complex { re: 0.3, im: 0.2 }),
    ] {
        let x = |t: f64| {
            let (s, c) = (w * t).sin_cos();
            (-d * t).exp() * (amplitude.re * c - amplitude.im * s)
        };
        let second = |t: f64, u: [f64; 2]| x(t) - 2.0 * CORNER_PER_S * u[1] - CORNER_PER_S * CORNER_PER_S * u[0];
        let slope = |t: f64, u: [f64; 2]| [u[1], second(t, u)];
        let (kept, thump) = high_pass(d, w, amplitude);
        let (h, mut u) = (2e-6, [0.0, 0.0]);
        for n in 0..8000 {
            let t = h * f64::from(n);
            if n % 400 == 0 {
                let (s, c) = (w * t).sin_cos();
                let rings = (-d * t).exp() * (kept.re * c - kept.im * s);
                let got = rings + (thump.b + thump.c * t) * (-CORNER_PER_S * t).exp();
                assert!((got - second(t, u)).abs() < 1e-8, "{d} {w} at {t}: {got} {}", second(t, u));
            }
            let go = |u: [f64; 2], k: [f64; 2], by: f64| [u[0] + by * k[0], u[1] + by * k[1]];
            let a = slope(t, u);
            let b = slope(t + 0.5 * h, go(u, a, 0.5 * h));
            let c = slope(t + 0.5 * h, go(u, b, 0.5 * h));
            let e = slope(t + h, go(u, c, h));
            for i in 0..2 {
                u[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + e[i]);
            }
        }
    }
}

#[test]
fn integrals_of_a_thump_are_those_by_hand() {
    for (b, c) in [(0.7, 0.0), (0.0, -90.0), (-0.4, 130.0), (0.3, 40.0)] {
        let (mut thump, more) = (Thump { b: 0.5 * b, c: -c }, Thump { b: 0.25 * b, c });
        thump.add(&more, 2.0);
        close(thump.b + 1.0, b + 1.0, 1e-15);
        close(thump.c + 1.0, c + 1.0, 1e-15);
        let at = |t: f64| (b + c * t) * (-CORNER_PER_S * t).exp();
        close(thump.energy_s(), integral(0.2, 20_000, |t| at(t).powi(2)), 1e-9);
        let (kept, d, w) = (Complex { re: 0.8, im: -0.5 }, 30.0, 250.0);
        let ring = |t: f64| (-d * t).exp() * (kept.re * (w * t).cos() - kept.im * (w * t).sin());
        close(thump.meets(kept, d, w), integral(0.2, 20_000, |t| at(t) * ring(t)), 1e-9);
    }
}

#[test]
fn the_swing_of_a_square_is_the_integral_by_hand() {
    for (kept, d, w) in [(Complex { re: 0.8, im: -0.5 }, 30.0, 250.0), (Complex { re: -0.2, im: 1.5 }, 90.0, 40.0)] {
        let square = kept.times(kept);
        let at = |t: f64| {
            let (s, c) = (2.0 * w * t).sin_cos();
            2.0 * (-2.0 * d * t).exp() * (square.re * c - square.im * s)
        };
        close(swing_s(kept, d, w), integral(1.0, 40_000, at), 1e-9);
    }
}

#[test]
fn the_window_holds_what_an_integral_by_hand_holds() {
    for (loss, beat) in [(3.0, 20.0), (0.5, -7.0), (60.0, 11.0), (0.0, 9.0), (2.0, 0.0), (0.0, 0.0)] {
        for window_s in [WINDOW_S, 0.13] {
            let part = |wave: fn(f64) -> f64| integral(window_s, 2_000, |t| (-loss * t).exp() * wave(beat * t));
            close_both(ringing_s(loss, beat, window_s), (part(f64::cos), part(f64::sin)), 1e-9);
        }
    }
    // What is over by then is cut off, and what hardly moves lasts.
    close_both(ringing_s(80.0, 30.0, WINDOW_S), (80.0 / 7300.0, 30.0 / 7300.0), 1e-12);
    assert_eq!(ringing_s(80.0, 30.0, WINDOW_S).im, 30.0 / 7300.0);
    assert_eq!(ringing_s(1e-6, 1e-6, WINDOW_S), Complex { re: WINDOW_S, im: 0.0 });
    assert!(ringing_s(1e-5, 0.0, WINDOW_S).re < WINDOW_S);
}

/// What rises in half a pulse is half of what would be there, and falls off with it.
#[test]
fn under_a_pulse_a_response_rises() {
    let (loss, beat, pulse_s) = (3.0, 20.0, 0.02);
    let whole = ringing_s(loss, beat, WINDOW_S);
    let at =
        |wave: fn(f64) -> f64| integral(1.0, 40_000, |t| 0.5 * (-(loss + 2.0 / pulse_s) * t).exp() * wave(beat * t));
    let risen = Span { window_s: WINDOW_S, pulse_s }.ringing_s(loss, beat);
    close_both(risen, (whole.re - at(f64::cos), whole.im - at(f64::sin)), 1e-9);
    assert_eq!(Span { window_s: WINDOW_S, pulse_s: 0.0 }.ringing_s(loss, beat), whole);
}

#[test]
fn an_ear_takes_a_step_by_the_trapezoidal_rule() {
    let h_s = 1e-3;
    let k = 0.5 * CORNER_PER_S * h_s;
    let (mut ear, pass) = (Ear::default(), Pass::new(h_s));
    let (mut x0, mut first, mut second, mut energy) = (0.0, 0.0, 0.0, 0.0);
    let (shelf, mut memory, mut shelved) = (Shelf::new(h_s), [0.0; 2], 0.0);
    for n in 1..20 {
        let x = f64::from(n).sin();
        // (y1 - y0)/h = (x1 - x0)/h - corner (y1 + y0)/2
        let next = (first * (1.0 - k) + x - x0) / (1.0 + k);
        let after = (second * (1.0 - k) + next - first) / (1.0 + k);
        let behind = shelf.pass(&mut memory, after);
        energy += 0.5 * h_s * (behind * behind + shelved * shelved);
        shelved = behind;
        (x0, first, second) = (x, next, after);
        ear.hear(x, &pass);
        close(ear.energy_s, energy, 1e-12);
        let thump = ear.thump(&RingingOn::default());
        assert!((thump.b - second).abs() < 1e-12, "{} {second}", thump.b);
        assert!((thump.c + CORNER_PER_S * first).abs() < 1e-12 * CORNER_PER_S, "{} {first}", thump.c);
    }
}

/// What goes on ringing is subtracted with its slope: an ear that has always heard a mode has no thump.
#[test]
fn an_ear_that_knows_nothing_but_ringing_has_no_thump_left() {
    let modes =
        [((30.0, 700.0), Complex { re: 0.6, im: -0.3 }, 0.7), ((5.0, 300.0), Complex { re: -0.2, im: 0.9 }, -1.2)];
    let value = |t: f64| -> f64 {
        let one = |((d, w), y, times): ((f64, f64), Complex, f64)| {
            let (s, c) = (w * t).sin_cos();
            times * (-d * t).exp() * (y.re * c - y.im * s)
        };
        modes.map(one).iter().sum()
    };
    let h_s = 1e-6;
    let (mut ear, pass) = (Ear::default(), Pass::new(h_s));
    for n in -60_000..=0 {
        ear.hear(value(h_s * f64::from(n)), &pass);
    }
    let mut on = RingingOn::default();
    for ((d, w), y, times) in modes {
        let (kept, _) = high_pass(d, w, y);
        on.add((d, w), y, kept, times);
    }
    // It began 60 ms ago, with a thump that is down to e^-14.
    let thump = ear.thump(&on);
    assert!(thump.b.abs() < 1e-4 && thump.c.abs() < 1e-4 * 700.0, "{thump:?}");
}
