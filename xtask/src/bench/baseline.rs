//! The file of instruction counts, and what counts of today say beside it.
use anyhow::{Context, Result};
use std::fmt::Write;

/// More than this over the baseline is a failure.
pub const MAX_GROWTH: f64 = 0.05;

/// A ring-down may cost so many times a loud block.
const MAX_OF_LOUD: f64 = 1.2;

const HEAD: &str = "\
# Instructions of each piece of work (benches/work.rs), counted by callgrind in the bench profile.
# `cargo xtask bench --gate` fails when one grows by more than 5 %. `cargo xtask bench --update \"reason\"` renews
# them all, and adds its reason below.
";

/// What the file holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Baseline {
    /// Instruction set of the counts.
    pub kernel: String,
    /// Compiler of the counts.
    pub compiler: String,
    /// Day and reason of every change, the last one last.
    pub reasons: Vec<String>,
    /// Work and its instructions.
    pub counts: Vec<(String, u64)>,
}

impl Baseline {
    /// Reads the file's text.
    pub fn parse(text: &str) -> Result<Self> {
        let mut baseline = Self::default();
        for line in text.lines() {
            if let Some(reason) = line.strip_prefix("# changed ") {
                baseline.reasons.push(reason.to_owned());
            } else if let Some(kernel) = line.strip_prefix("# kernel ") {
                baseline.kernel = kernel.to_owned();
            } else if let Some(compiler) = line.strip_prefix("# compiler ") {
                baseline.compiler = compiler.to_owned();
            } else if !line.starts_with('#') && !line.trim().is_empty() {
                let (count, name) =
                    line.trim().split_once(' ').with_context(|| format!("no name in {line:?}"))?;
                let count = count.parse().with_context(|| format!("no count in {line:?}"))?;
                baseline.counts.push((name.trim().to_owned(), count));
            }
        }
        Ok(baseline)
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for reason in &self.reasons {
            let _ = writeln!(text, "# changed {reason}");
        }
        let _ = writeln!(text, "# kernel {}\n# compiler {}", self.kernel, self.compiler);
        for (name, count) in &self.counts {
            let _ = writeln!(text, "{count:>12}  {name}");
        }
        text
    }

    /// A table of both, and what is wrong with the counts of today.
    pub fn compare(&self, today: &[(String, u64)]) -> (String, Vec<String>) {
        let (mut table, mut wrong) = (String::new(), Vec::new());
        for (name, count) in today {
            let Some((_, before)) = self.counts.iter().find(|(known, _)| known == name) else {
                wrong.push(format!("{name}: not in the baseline"));
                continue;
            };
            let growth = *count as f64 / *before as f64 - 1.0;
            let _ =
                writeln!(table, "  {name:44} {before:>12} {count:>12} {:>+7.2} %", 100.0 * growth);
            if *count as f64 > (1.0 + MAX_GROWTH) * *before as f64 {
                wrong.push(format!("{name}: {:.1} % more instructions", 100.0 * growth));
            }
        }
        let gone =
            self.counts.iter().filter(|(known, _)| !today.iter().any(|(name, _)| name == known));
        wrong.extend(
            gone.map(|(name, _)| format!("{name}: in the baseline, but no longer counted")),
        );
        (table, wrong)
    }
}

/// What is wrong with a ring-down: pieces of it that take more than a loud one.
pub fn costly_ring_downs(today: &[(String, u64)]) -> Vec<String> {
    let pieces = || {
        today
            .iter()
            .filter_map(|(name, count)| Some((name.strip_prefix("ring-down, ")?, *count as f64)))
    };
    let Some((_, loud)) = pieces().find(|(piece, _)| *piece == "loud") else {
        return vec!["ring-down: no loud piece is counted".into()];
    };
    let dear = pieces().filter(|(_, count)| *count > MAX_OF_LOUD * loud);
    dear.map(|(piece, count)| format!("ring-down, {piece}: {:.2} of a loud piece", count / loud))
        .collect()
}

/// Today's date, as 2026-11-16.
pub fn today() -> String {
    let since =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// The date so many days after 1970-01-01, by the calendar of years that begin in March.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, over) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", 400 * era + year + over)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline() -> Baseline {
        Baseline {
            kernel: "AVX2".into(),
            compiler: "rustc 1.95.0".into(),
            reasons: vec!["2026-01-02: first".into()],
            counts: vec![("bank best".into(), 1000), ("voice".into(), 2000)],
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        assert_eq!(Baseline::parse(&baseline().text()).expect("readable"), baseline());
        assert!(Baseline::parse("many voice").is_err());
    }

    #[test]
    fn five_per_cent_more_is_too_much_and_less_is_not() {
        let counts =
            |bank, voice| vec![("bank best".to_owned(), bank), ("voice".to_owned(), voice)];
        assert!(baseline().compare(&counts(1050, 100)).1.is_empty());
        assert_eq!(
            baseline().compare(&counts(1051, 2000)).1,
            ["bank best: 5.1 % more instructions"]
        );
    }

    #[test]
    fn work_that_is_new_or_gone_is_wrong() {
        let (_, wrong) = baseline().compare(&[("voice".into(), 2000), ("engine".into(), 1)]);
        assert_eq!(
            wrong,
            ["engine: not in the baseline", "bank best: in the baseline, but no longer counted"]
        );
    }

    #[test]
    fn a_ring_down_that_is_dearer_than_loud_is_wrong() {
        let counts = |late| {
            vec![("ring-down, loud".to_owned(), 1000), ("ring-down, after 5 s".to_owned(), late)]
        };
        assert!(costly_ring_downs(&counts(1200)).is_empty());
        assert_eq!(
            costly_ring_downs(&counts(1201)),
            ["ring-down, after 5 s: 1.20 of a loud piece"]
        );
        assert_eq!(costly_ring_downs(&[]).len(), 1);
    }

    #[test]
    fn dates_are_right() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_773), "2026-11-16");
    }
}
