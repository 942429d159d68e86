//! Conversion between values and text.

use super::table::{ParamKind, Spec};

/// Display unit of a quantity; the engine uses SI only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A number without a unit.
    Plain,
    /// kg, shown as grams below one kilogram.
    Kilogram,
    /// m/s.
    MetrePerSecond,
    /// m/s^2.
    MetrePerSecondSquared,
    /// m, shown as centimetres down to nanometres below one metre.
    Metre,
    /// dB.
    Decibel,
    /// Degrees of an angle.
    Degree,
    /// Shown as a percentage of one.
    Percent,
    /// A value that already is a percentage.
    PercentPlain,
    /// N/m^alpha, with a power of ten.
    Stiffness,
    /// s/m.
    SecondPerMetre,
    /// N s/m.
    NewtonSecondPerMetre,
    /// N.
    Newton,
    /// 1/m.
    PerMetre,
    /// Semitones.
    Semitone,
    /// 1/s.
    PerSecond,
    /// Hz.
    Hertz,
    /// s, shown as milli-, micro- or nanoseconds below one second.
    Second,
}

/// A prefix: the suffix shown, and its value in SI. Largest first.
type Prefixes = &'static [(&'static str, f64)];

impl Unit {
    fn prefixes(self) -> Prefixes {
        match self {
            Unit::Plain => &[("", 1.0)],
            Unit::Kilogram => &[("kg", 1.0), ("g", 1e-3)],
            Unit::MetrePerSecond => &[("m/s", 1.0)],
            Unit::MetrePerSecondSquared => &[("m/s^2", 1.0)],
            Unit::Metre => &[("m", 1.0), ("cm", 1e-2), ("mm", 1e-3), ("um", 1e-6), ("nm", 1e-9)],
            Unit::Decibel => &[("dB", 1.0)],
            Unit::Degree => &[("deg", 1.0)],
            Unit::Percent => &[("%", 0.01)],
            Unit::PercentPlain => &[("%", 1.0)],
            Unit::Stiffness => &[("N/m^a", 1.0)],
            Unit::SecondPerMetre => &[("s/m", 1.0)],
            Unit::NewtonSecondPerMetre => &[("N s/m", 1.0)],
            Unit::Newton => &[("N", 1.0)],
            Unit::PerMetre => &[("1/m", 1.0)],
            Unit::Semitone => &[("st", 1.0)],
            Unit::PerSecond => &[("1/s", 1.0)],
            Unit::Hertz => &[("Hz", 1.0)],
            Unit::Second => &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)],
        }
    }

    /// Fixed decimals for units with a linear scale, four significant digits for the rest.
    fn decimals(self) -> Option<usize> {
        match self {
            Unit::Decibel | Unit::Semitone | Unit::PercentPlain => Some(2),
            Unit::Degree => Some(1),
            Unit::Percent => Some(1),
            _ => None,
        }
    }

    /// The prefix with which a value is shown.
    fn prefix(self, si: f64) -> (&'static str, f64) {
        let prefixes = self.prefixes();
        // Zero uses the milli prefix where there is one, instead of the smallest.
        let usual = prefixes.iter().copied().find(|(_, worth)| si == 0.0 && *worth == 1e-3);
        let fallback = usual.unwrap_or(prefixes[prefixes.len() - 1]);
        // 0.9999 and above would round up to 1 of the larger prefix.
        prefixes
            .iter()
            .copied()
            .find(|(_, worth)| prefixes.len() == 1 || si.abs() >= worth * 0.99995)
            .unwrap_or(fallback)
    }

    /// Formats a value in SI units.
    pub fn format(self, si: f64) -> String {
        let (suffix, worth) = self.prefix(si);
        let suffix = shown(suffix);
        let number = match self.decimals() {
            Some(decimals) => format!("{:.decimals$}", si / worth + 0.0),
            None => significant(si / worth),
        };
        // Drop the sign of a value that rounds to zero.
        let number = match number.strip_prefix('-') {
            Some(rest) if rest.bytes().all(|b| matches!(b, b'0' | b'.')) => rest.to_string(),
            _ => number,
        };
        if suffix.is_empty() { number } else { format!("{number} {suffix}") }
    }

    /// Parses a text to an SI value.
    ///
    /// Accepts any of the unit's prefixes, or none (then the first form of the unit).
    pub fn parse(self, text: &str) -> Option<f64> {
        // Unicode has two micro signs.
        let text = text.trim().replace(['\u{b5}', '\u{3bc}'], "u");
        let by_length = {
            let mut prefixes: Vec<_> = self.prefixes().to_vec();
            prefixes.sort_by_key(|(suffix, _)| std::cmp::Reverse(suffix.len()));
            prefixes
        };
        for (suffix, worth) in by_length {
            if let Some(number) = text.strip_suffix(suffix)
                && let Ok(value) = number.trim().parse::<f64>()
                && value.is_finite()
            {
                return Some(value * worth);
            }
        }
        let value = text.parse::<f64>().ok().filter(|v| v.is_finite())?;
        Some(value * self.prefixes()[0].1)
    }
}

/// Display form of a suffix. Files use a plain letter for micro.
fn shown(suffix: &'static str) -> &'static str {
    match suffix {
        "um" => "\u{b5}m",
        "us" => "\u{b5}s",
        other => other,
    }
}

/// Formats four significant digits, with an exponent for long numbers.
fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    // Rounds before choosing the layout, so that 9.9996 and 10.00 look alike.
    let scientific = format!("{value:.3e}");
    let exponent = scientific.split_once('e').and_then(|(_, e)| e.parse::<i32>().ok());
    match (exponent, scientific.parse::<f64>()) {
        (Some(exponent @ -3..5), Ok(rounded)) => {
            let decimals = (3 - exponent).max(0) as usize;
            format!("{rounded:.decimals$}")
        }
        _ => scientific,
    }
}

/// Formats a number with this many significant digits, without trailing zeros.
fn with_digits(value: f64, digits: usize) -> String {
    let rounded =
        format!("{value:.*e}", digits.saturating_sub(1)).parse::<f64>().unwrap_or(value) + 0.0;
    match rounded.abs() {
        0.0 | 1e-4..1e6 => format!("{rounded}"),
        _ => format!("{rounded:e}"),
    }
}

impl Spec {
    /// The shortest text that parses back to exactly this stored value.
    pub fn exact_text(&self, stored: f32) -> String {
        let stored = self.clamp_stored(stored);
        let ParamKind::Float { unit, .. } = self.kind else {
            return self.format_stored(stored);
        };
        let si = self.stored_to_si(stored);
        let (suffix, worth) = unit.prefix(si);
        let text = |digits| {
            let number = with_digits(si / worth, digits);
            if suffix.is_empty() { number } else { format!("{number} {suffix}") }
        };
        // A value that rounds beyond the end of its range would be rejected when read, although
        // [`Spec::clamp_stored`] would limit it.
        let (min, max) = self.range_si();
        let slack = 1e-9 * si.abs();
        let is_exact = |text: &String| {
            let read = self.parse_si(text).filter(|si| (min - slack..=max + slack).contains(si));
            read.is_some_and(|si| {
                self.clamp_stored(self.si_to_stored(si)).to_bits() == stored.to_bits()
            })
        };
        // Seventeen digits identify any `f64`.
        (1..17).map(text).find(is_exact).unwrap_or_else(|| text(17))
    }

    /// Formats a stored value.
    pub fn format_stored(&self, stored: f32) -> String {
        let si = self.stored_to_si(self.clamp_stored(stored));
        match self.kind {
            ParamKind::Float { unit, .. } => unit.format(si),
            ParamKind::Choice(names) => names.get(si as usize).copied().unwrap_or("?").to_string(),
            ParamKind::Toggle => if si >= 0.5 { "On" } else { "Off" }.to_string(),
            ParamKind::Whole { .. } => format!("{}", si as i64),
        }
    }

    /// Parses a value to SI units, without limiting it. `None` if it is invalid.
    pub fn parse_si(&self, text: &str) -> Option<f64> {
        let text = text.trim();
        match self.kind {
            ParamKind::Float { unit, .. } => unit.parse(text),
            ParamKind::Choice(names) => names
                .iter()
                .position(|name| name.eq_ignore_ascii_case(text))
                .map(|index| index as f64)
                .or_else(|| text.parse::<u16>().ok().map(f64::from)),
            ParamKind::Toggle => match text.to_ascii_lowercase().as_str() {
                "on" | "true" | "1" => Some(1.0),
                "off" | "false" | "0" => Some(0.0),
                _ => None,
            },
            ParamKind::Whole { .. } => text.parse::<i32>().ok().map(f64::from),
        }
    }

    /// Describes the allowed values, for error messages.
    pub fn range_text(&self) -> String {
        match self.kind {
            ParamKind::Float { unit, min, max, .. } => {
                format!("{} to {}", unit.format(min), unit.format(max))
            }
            ParamKind::Choice(names) => format!("one of {}", names.join(", ")),
            ParamKind::Toggle => "on or off".to_string(),
            ParamKind::Whole { min, max } => format!("a whole number from {min} to {max}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::params::Param;

    #[test]
    fn text_and_back_and_text_again_is_the_same_text() {
        for param in Param::ALL {
            let spec = param.spec();
            for i in 0..=1000 {
                let text = spec.format_stored(spec.position_to_stored(f64::from(i) / 1000.0));
                let si = spec
                    .parse_si(&text)
                    .unwrap_or_else(|| panic!("{}: cannot read {text:?}", spec.id));
                let stored = spec.clamp_stored(spec.si_to_stored(si));
                assert_eq!(spec.format_stored(stored), text, "{}", spec.id);
            }
        }
    }

    #[test]
    fn micro_is_shown_by_its_sign_and_read_from_any() {
        use crate::params::text::Unit;
        assert_eq!(Unit::Metre.format(5e-6), "5.000 µm");
        assert_eq!(Unit::Second.format(2.5e-4), "250.0 µs");
        for text in ["5 um", "5 \u{b5}m", "5 \u{3bc}m"] {
            let metres = Unit::Metre.parse(text).expect("it can be read");
            assert!((metres - 5e-6).abs() < 1e-18, "{text}: {metres}");
        }
    }

    #[test]
    fn an_exact_text_gives_back_every_bit() {
        for param in Param::ALL {
            let spec = param.spec();
            for i in 0..=3000 {
                let stored = spec.position_to_stored(f64::from(i) / 3000.0);
                let text = spec.exact_text(stored);
                let si = spec
                    .parse_si(&text)
                    .unwrap_or_else(|| panic!("{}: cannot read {text:?}", spec.id));
                let back = spec.clamp_stored(spec.si_to_stored(si));
                assert_eq!(back.to_bits(), stored.to_bits(), "{}: {text}", spec.id);
                let (min, max) = spec.range_si();
                assert!(
                    si >= min - 1e-9 * min.abs() && si <= max + 1e-9 * max.abs(),
                    "{}: {text}",
                    spec.id
                );
            }
        }
        let mass = Param::Mass.spec();
        assert_eq!(mass.exact_text(mass.si_to_stored(0.02)), "20 g");
        let stiffness = Param::Stiffness.spec();
        assert_eq!(stiffness.exact_text(stiffness.si_to_stored(4e7)), "4e7 N/m^a");
    }

    #[test]
    fn units_may_be_left_out_or_written_small() {
        let mass = Param::Mass.spec();
        for (text, si) in [("20 g", 0.02), ("0.02", 0.02), ("0.02kg", 0.02), (" 1.5 kg ", 1.5)] {
            assert!((mass.parse_si(text).unwrap() - si).abs() < 1e-12, "{text}");
        }
        for text in ["", "heavy", "nan", "inf kg", "20 m/s"] {
            assert_eq!(mass.parse_si(text), None, "{text:?}");
        }
        assert_eq!(Param::Integrator.spec().parse_si("passive"), Some(5.0));
    }
}
