//! Note expressions of the host.

use super::source::{Source, Sources};
use crate::math::clamp_or;
use crate::params::event::ExpressionKind;

/// Largest tuning offset of a note, semitones.
pub const MAX_TUNING_ST: f64 = 120.0;
/// Largest gain of a note: 12 dB.
pub const MAX_GAIN: f64 = 4.0;

/// The expressions of one note.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expression {
    /// Tuning offset from the key, semitones.
    pub tuning_st: f64,
    /// Gain of the note.
    pub gain: f64,
    /// Pan, -1 (left) to 1 (right).
    pub pan: f64,
    /// Vibrato depth, 0…1.
    pub vibrato: f64,
    /// Expression, 0…1.
    pub expression: f64,
    /// Timbre, -1…1.
    pub timbre: f64,
    /// Pressure, 0…1.
    pub pressure: f64,
}

impl Default for Expression {
    fn default() -> Self {
        Self {
            tuning_st: 0.0,
            gain: 1.0,
            pan: 0.0,
            vibrato: 0.0,
            expression: 0.0,
            timbre: 0.0,
            pressure: 0.0,
        }
    }
}

impl Expression {
    /// Sets an expression in the host's units, limited to its range; NaN resets it.
    pub fn set(&mut self, kind: ExpressionKind, value: f32) {
        let keep = |low, high, default| clamp_or(f64::from(value), low, high, default);
        match kind {
            ExpressionKind::Tuning => self.tuning_st = keep(-MAX_TUNING_ST, MAX_TUNING_ST, 0.0),
            ExpressionKind::Volume => self.gain = keep(0.0, MAX_GAIN, 1.0),
            ExpressionKind::Pan => self.pan = keep(-1.0, 1.0, 0.0),
            ExpressionKind::Vibrato => self.vibrato = keep(0.0, 1.0, 0.0),
            ExpressionKind::Expression => self.expression = keep(0.0, 1.0, 0.0),
            ExpressionKind::Brightness => self.timbre = 2.0 * keep(0.0, 1.0, 0.5) - 1.0,
            ExpressionKind::Pressure => self.pressure = keep(0.0, 1.0, 0.0),
        }
    }

    /// Writes the values to the modulation sources, combined with those of the channel.
    pub fn write_to(&self, sources: &mut Sources) {
        let larger = |source: Source, own: f64| own.max(sources.get(source));
        let (pressure, expression) =
            (larger(Source::Pressure, self.pressure), larger(Source::Expression, self.expression));
        let timbre = sources.get(Source::Timbre) + self.timbre;
        sources.set(Source::Pressure, pressure);
        sources.set(Source::Expression, expression);
        sources.set(Source::Timbre, timbre);
        sources.set(Source::Vibrato, self.vibrato);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_host_sends_is_out_of_range() {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -3.0, 0.7] {
            let mut expression = Expression::default();
            for kind in ExpressionKind::ALL {
                expression.set(kind, value);
            }
            assert!(
                expression.tuning_st.abs() <= MAX_TUNING_ST
                    && (0.0..=MAX_GAIN).contains(&expression.gain)
            );
            let rest =
                [expression.pan, expression.vibrato, expression.expression, expression.timbre];
            assert!(rest.iter().all(|x| (-1.0..=1.0).contains(x)), "{expression:?}");
            if value.is_nan() {
                assert_eq!(expression, Expression::default());
            }
        }
    }
}
