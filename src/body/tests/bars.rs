//! Bars: roots that solve their equation, shapes as the textbooks write them.

use super::close;
use crate::body::MAX_MODES;
use crate::body::shape::bar;

#[test]
fn roots_solve_their_equations_and_follow_each_other() {
    for mode in 0..MAX_MODES {
        let n = mode as f64;
        let (free, clamped) = (bar::root(mode), bar::clamped_root(mode));
        // cos b -+ 1/cosh b, whose slope is about 1.
        assert!((free.cos() - 1.0 / free.cosh()).abs() < 2e-13 * (1.0 + n), "free {mode}: {free}");
        assert!(
            (clamped.cos() + 1.0 / clamped.cosh()).abs() < 2e-13 * (1.0 + n),
            "clamped {mode}: {clamped}"
        );
        let odd = std::f64::consts::FRAC_PI_2;
        assert!((free - (2.0 * n + 3.0) * odd).abs() < 0.02, "{free}");
        assert!((clamped - (2.0 * n + 1.0) * odd).abs() < 0.31, "{clamped}");
        close(bar::ratio(mode), (free / bar::root(0)).powi(2), 1e-14);
    }
}

/// `cosh bx + cos bx - s (sinh bx + sin bx)` and its like, as far as nothing cancels.
#[test]
fn shapes_are_those_of_the_textbooks() {
    for mode in 0..4 {
        let (b, c) = (bar::root(mode), bar::clamped_root(mode));
        let s = (b.cosh() - b.cos()) / (b.sinh() - b.sin());
        let t = (c.cosh() + c.cos()) / (c.sinh() + c.sin());
        for n in 0..=20 {
            let x = f64::from(n) / 20.0;
            let (u, v) = (b * x, c * x);
            let free = u.cosh() + u.cos() - s * (u.sinh() + u.sin());
            let clamped = v.cosh() - v.cos() - t * (v.sinh() - v.sin());
            assert!(
                (bar::deflection(b, x) - free).abs() < 1e-8,
                "{mode} {x}: {} {free}",
                bar::deflection(b, x)
            );
            assert!(
                (bar::clamped_deflection(c, x) - clamped).abs() < 1e-8,
                "{mode} {x}: {clamped}"
            );
        }
    }
}

/// In the middle of a high mode nothing but a wave is left; at a free end it is 2 in size, at the
/// clamp 0.
#[test]
fn high_modes_are_waves_with_ends() {
    for mode in [15, 40, 255] {
        let (b, c) = (bar::root(mode), bar::clamped_root(mode));
        for x in [0.45, 0.5, 0.561] {
            let (u, v) = (b * x, c * x);
            assert!((bar::deflection(b, x) - (u.cos() - u.sin())).abs() < 1e-8);
            assert!((bar::clamped_deflection(c, x) - (v.sin() - v.cos())).abs() < 1e-8);
        }
        close(bar::deflection(b, 0.0), 2.0, 1e-9);
        close(bar::deflection(b, 1.0).abs(), 2.0, 1e-9);
        // Beyond the ends is at the ends.
        assert_eq!(bar::deflection(b, -3.0), bar::deflection(b, 0.0));
        assert_eq!(bar::clamped_deflection(c, 7.0), bar::clamped_deflection(c, 1.0));
    }
    // The modes of a free bar that is mirrored are its own, in turn even and odd.
    for mode in 0..30 {
        let b = bar::root(mode);
        let sign = if mode % 2 == 0 { 1.0 } else { -1.0 };
        for x in [0.0, 0.1, 0.33] {
            assert!(
                (bar::deflection(b, x) - sign * bar::deflection(b, 1.0 - x)).abs() < 1e-7,
                "{mode} {x}"
            );
        }
    }
}

#[test]
fn tuned_bars_go_on_as_free_ones_from_their_last_ratio() {
    for data in [bar::MARIMBA, bar::XYLOPHONE, bar::VIBRAPHONE] {
        let (ratio, last) = (|mode| bar::tuned_ratio(data, mode), data.len() - 1);
        for (mode, wanted) in data.iter().enumerate() {
            assert_eq!(ratio(mode), *wanted);
        }
        for mode in data.len()..40 {
            close(ratio(mode), data[last] * bar::ratio(mode) / bar::ratio(last), 1e-13);
        }
    }
}
