//! An axis of a chart: its unit with an SI prefix, and its ticks.

/// An axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The unit without a prefix.
    pub unit: &'static str,
    /// The value of 1 in the points, in that unit.
    pub scale: f64,
}

/// An axis over a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaled {
    axis: Axis,
    /// The range, in the values of the points.
    pub range: (f64, f64),
    prefix: (f64, &'static str),
}

/// The SI prefixes, in descending order.
const PREFIXES: [(f64, &str); 8] = [
    (1e9, "G"),
    (1e6, "M"),
    (1e3, "k"),
    (1.0, ""),
    (1e-3, "m"),
    (1e-6, "µ"),
    (1e-9, "n"),
    (1e-12, "p"),
];

/// The prefix that gives a number one to three digits before the point.
fn prefix(size: f64) -> (f64, &'static str) {
    let fits = |(factor, _): &&(f64, &str)| size >= 0.9995 * factor;
    PREFIXES.iter().find(fits).copied().unwrap_or(if size > 0.0 {
        PREFIXES[7]
    } else {
        PREFIXES[3]
    })
}

/// Formats a quantity with three digits and an SI prefix.
pub fn quantity(value: f64, unit: &str) -> String {
    let (factor, prefix) = prefix(value.abs());
    let shown = value / factor;
    // A value that rounds up to the next power of ten has that power.
    let power = (1.0005 * shown.abs()).log10().floor() as i32;
    let decimals = if shown == 0.0 { 0 } else { (2 - power).clamp(0, 3) as usize };
    format!("{shown:.decimals$} {prefix}{unit}")
}

/// The next smaller step of the series 1, 2, 5 times a power of ten.
fn finer(step: f64) -> f64 {
    let power = 10f64.powf((step.log10() + 1e-9).floor());
    match step / power {
        digit if digit > 4.5 => 2.0 * power,
        digit if digit > 1.5 => power,
        _ => 0.5 * power,
    }
}

impl Axis {
    /// The axis over a range.
    pub fn over(self, (low, high): (f64, f64)) -> Scaled {
        Scaled {
            axis: self,
            range: (low, high),
            prefix: prefix(self.scale * low.abs().max(high.abs())),
        }
    }
}

impl Scaled {
    /// About `count` round values within the range, with their labels. The last label has the unit.
    pub fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        let factor = self.axis.scale / self.prefix.0;
        let (low, high) = (self.range.0 * factor, self.range.1 * factor);
        let rough = (high - low) / count.max(1) as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|x| x * power)
            .find(|step| *step >= 0.999 * rough);
        let mut step = step.unwrap_or(power);
        if !(step.is_finite() && step > 0.0) {
            return Vec::new();
        }
        // At least two ticks are needed to read the scale.
        let ticks_at = |step: f64| (high / step + 1e-6).floor() - (low / step - 1e-6).ceil() + 1.0;
        for _ in 0..3 {
            if ticks_at(step) < 2.0 {
                step = finer(step);
            }
        }
        let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 6.0) as usize;
        let first = (low / step - 1e-6).ceil() as i64;
        let last = (high / step + 1e-6).floor() as i64;
        (first..=last.min(first + 20))
            .map(|i| {
                let value = i as f64 * step;
                let unit = if i == last {
                    format!(" {}{}", self.prefix.1, self.axis.unit)
                } else {
                    String::new()
                };
                (value / factor, format!("{value:.decimals$}{unit}"))
            })
            .collect()
    }

    /// Formats a value with its unit.
    pub fn format(&self, value: f64) -> String {
        quantity(self.axis.scale * value, self.axis.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_have_three_digits_and_a_prefix() {
        assert_eq!(quantity(9185.0, "N"), "9.19 kN");
        assert_eq!(quantity(4.97e-4, "s"), "497 µs");
        assert_eq!(quantity(0.0173, "J"), "17.3 mJ");
        assert_eq!(quantity(-2.31, "N s"), "-2.31 N s");
        assert_eq!(quantity(0.0, "m"), "0 m");
        assert_eq!(quantity(0.99999, "m"), "1.00 m");
    }

    #[test]
    fn ticks_are_round_and_within_the_range() {
        let axis = Axis { unit: "s", scale: 1e-6 };
        let ticks = axis.over((0.0, 497.0)).ticks(4);
        assert_eq!(
            ticks.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
            ["0", "200", "400 µs"]
        );
        let energy = Axis { unit: "J", scale: 1.0 }.over((10.8e-3, 17.3e-3)).ticks(2);
        assert_eq!(
            energy.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(),
            ["12", "14", "16 mJ"]
        );
        for high in [0.3, 1.0, 7.7, 1404.0, 9e5] {
            for count in 2..6 {
                let ticks = axis.over((-0.4 * high, high)).ticks(count);
                assert!((2..=count + 2).contains(&ticks.len()), "{high} {count}: {ticks:?}");
                assert!(
                    ticks.iter().all(|(value, _)| (-0.401 * high..=1.001 * high).contains(value)),
                    "{ticks:?}"
                );
                assert!(ticks.iter().any(|(value, _)| *value == 0.0), "{ticks:?}");
            }
        }
    }
}
