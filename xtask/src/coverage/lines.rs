//! Which lines of a file were run, as lcov writes it.

use std::collections::BTreeMap;

/// How often each line was run that can be.
#[derive(Default)]
pub struct Lines(BTreeMap<usize, u64>);

/// Each file of a report. A file that several programs have is in it once, with all their runs.
pub fn read(report: &str) -> Vec<(&str, Lines)> {
    let mut files: BTreeMap<&str, Lines> = BTreeMap::new();
    let mut file = "";
    for line in report.lines() {
        if let Some(name) = line.strip_prefix("SF:") {
            file = name;
        }
        let counted = line.strip_prefix("DA:").and_then(|counted| {
            let mut numbers = counted.split(',');
            Some((numbers.next()?.parse().ok()?, numbers.next()?.parse::<u64>().ok()?))
        });
        if let Some((number, count)) = counted {
            let runs = files.entry(file).or_default().0.entry(number).or_default();
            *runs = runs.saturating_add(count);
        }
    }
    files.into_iter().collect()
}

impl Lines {
    /// Without the module of tests with which a file ends: that tests are run says nothing.
    pub fn before_tests(mut self, source: &str) -> Self {
        let mut pairs = source.lines().zip(source.lines().skip(1));
        if let Some(above) = pairs.position(|pair| pair == ("#[cfg(test)]", "mod tests {")) {
            self.0.retain(|number, _| *number <= above);
        }
        self
    }

    /// How many lines can be run.
    pub fn all(&self) -> usize {
        self.0.len()
    }

    /// How many were.
    pub fn run(&self) -> usize {
        self.0.values().filter(|count| **count > 0).count()
    }

    /// Those that were not: `3, 7-9`. Lines between which there is nothing to run are neighbours.
    pub fn missed(&self) -> String {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        let mut was_missed = false;
        for (number, count) in &self.0 {
            match ranges.last_mut() {
                Some((_, last)) if *count == 0 && was_missed => *last = *number,
                _ if *count == 0 => ranges.push((*number, *number)),
                _ => {}
            }
            was_missed = *count == 0;
        }
        let text = |(first, last): &(usize, usize)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        };
        ranges.iter().map(text).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "SF:/a.rs\nDA:3,0\nDA:4,0\nDA:7,2\nDA:9,0\nend_of_record\nSF:/b.rs\nDA:1,1\nend_of_record\n\
                          SF:/a.rs\nDA:9,5\nend_of_record\n";

    #[test]
    fn runs_of_one_file_are_added() {
        let files = read(REPORT);
        assert_eq!(files.len(), 2);
        let (name, lines) = &files[0];
        assert_eq!((*name, lines.all(), lines.run()), ("/a.rs", 4, 2));
        assert_eq!(lines.missed(), "3-4");
    }

    #[test]
    fn tests_do_not_count() {
        let (_, lines) = read(REPORT).remove(0);
        let lines = lines.before_tests("\n\n\n\n#[cfg(test)]\nmod tests {\n\n}\n");
        assert_eq!((lines.all(), lines.run(), lines.missed()), (2, 0, "3-4".to_owned()));
    }
}
