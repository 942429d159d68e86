//! Bars whose underside is cut to bring the lower modes into tune.
//!
//! The listed ratios are data; what lies above continues as the free bar would from the last of
//! them, `r_n = r_last (b_n/b_last)^2`. Shapes are those of the uniform free bar, which an undercut
//! bar has but roughly: its nodes lie some per cent nearer to the ends.

use super::bar;

/// Tuned to two octaves, three octaves and a third, and 20 (Rossing; Hill and Errede).
pub const MARIMBA: &[f64] = &[1.0, 4.0, 10.0, 20.0];

/// Quint tuning: a twelfth, and about 6.
pub const XYLOPHONE: &[f64] = &[1.0, 3.0, 6.0];

/// A vibraphone bar as measured (Csound manual, table of modal frequency ratios).
pub const VIBRAPHONE: &[f64] = &[1.0, 3.984, 10.668, 17.979, 23.679, 33.642];

/// Frequencies of all modes in units of the lowest one.
pub fn ratios(data: &[f64]) -> impl Fn(usize) -> f64 {
    let last = data.len() - 1;
    let growth = data[last] / bar::root(last).powi(2);
    move |mode| data.get(mode).copied().unwrap_or_else(|| growth * bar::root(mode).powi(2))
}
