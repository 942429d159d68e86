//! Named steps with a result and a time.
use anyhow::Result;
use std::time::{Duration, Instant};

/// Result of a step that did not fail.
pub enum Done {
    /// The step passed.
    Passed,
    /// The step cannot run here, for this reason. It does not count as passed.
    Skipped(String),
}

impl From<()> for Done {
    fn from((): ()) -> Self {
        Self::Passed
    }
}

enum Outcome {
    Passed(Duration),
    Skipped(String),
    Failed(Duration),
    NotRun,
}

/// Steps that run in order. After a failure the rest is not run.
pub struct Steps {
    names: Vec<&'static str>,
    outcomes: Vec<Outcome>,
    failure: Option<anyhow::Error>,
    start: Instant,
}

impl Steps {
    /// The names of the steps, in order.
    pub fn new(names: &[&'static str]) -> Self {
        Self { names: names.to_vec(), outcomes: Vec::new(), failure: None, start: Instant::now() }
    }

    /// Runs the next step, unless an earlier one has failed.
    pub fn run<T: Into<Done>>(&mut self, work: impl FnOnce() -> Result<T>) {
        let index = self.outcomes.len();
        let head = format!("[{}/{}] {}", index + 1, self.names.len(), self.names[index]);
        if self.failure.is_some() {
            self.outcomes.push(Outcome::NotRun);
            return;
        }
        eprintln!("\n{head} …");
        let start = Instant::now();
        let result = work().map(Into::into);
        let time = start.elapsed();
        match result {
            Ok(Done::Skipped(reason)) => {
                eprintln!("{head}: SKIPPED: {reason}");
                self.outcomes.push(Outcome::Skipped(reason));
            }
            Ok(Done::Passed) => {
                eprintln!("{head}: done in {}", shown(time));
                self.outcomes.push(Outcome::Passed(time));
            }
            Err(error) => {
                eprintln!("{head}: FAILED after {}: {error:#}", shown(time));
                self.failure =
                    Some(error.context(format!("the step `{}` failed", self.names[index])));
                self.outcomes.push(Outcome::Failed(time));
            }
        }
    }

    /// The first failure, for callers without a table.
    pub fn into_result(self) -> Result<()> {
        self.failure.map_or(Ok(()), Err)
    }

    /// A table of all steps, a last line with the counts, and whether no step failed.
    pub fn summary(&self) -> (String, bool) {
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        let (mut passed, mut failed, mut skipped) = (0, 0, 0);
        for (name, outcome) in self.names.iter().zip(&self.outcomes) {
            let (word, time) = match outcome {
                Outcome::Passed(time) => {
                    passed += 1;
                    ("passed", shown(*time))
                }
                Outcome::Failed(time) => {
                    failed += 1;
                    ("FAILED", shown(*time))
                }
                Outcome::Skipped(reason) => {
                    skipped += 1;
                    ("SKIPPED", reason.clone())
                }
                Outcome::NotRun => ("not run", String::new()),
            };
            text.push_str(&format!("  {name:width$}  {word:7}  {time:>10}\n"));
        }
        text.push_str(&format!(
            "  {:width$}  {:7}  {:>10}\n",
            "all",
            "",
            shown(self.start.elapsed())
        ));
        text.push_str(&format!("\n{passed} passed, {failed} failed"));
        if skipped > 0 {
            text.push_str(&format!(", {skipped} skipped"));
        }
        (text, failed == 0)
    }
}

/// A duration in seconds, or in minutes and seconds.
pub fn shown(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} m {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn nothing_runs_after_a_failure_and_the_last_line_counts() {
        let mut steps = Steps::new(&["first", "second", "third"]);
        steps.run(|| Ok(()));
        steps.run(|| -> Result<()> { bail!("broken") });
        steps.run(|| -> Result<()> { panic!("must not run") });
        let (text, good) = steps.summary();
        assert!(!good);
        assert_eq!(text.lines().last(), Some("1 passed, 1 failed"));
        assert!(text.contains("third") && text.contains("not run"), "{text}");
        let error = format!("{:#}", steps.into_result().expect_err("it failed"));
        assert_eq!(error, "the step `second` failed: broken");
    }

    #[test]
    fn a_skipped_step_does_not_count_as_passed_and_gives_its_reason() {
        let mut steps = Steps::new(&["first", "second", "third"]);
        steps.run(|| Ok(()));
        steps.run(|| Ok(Done::Skipped("no network".into())));
        steps.run(|| Ok(Done::Passed));
        let (text, good) = steps.summary();
        assert!(good, "{text}");
        assert_eq!(text.lines().last(), Some("2 passed, 0 failed, 1 skipped"));
        let line = text.lines().find(|line| line.contains("second")).expect("a line for each step");
        assert!(line.contains("SKIPPED") && line.contains("no network"), "{line}");
    }

    #[test]
    fn durations_are_readable() {
        assert_eq!(shown(Duration::from_millis(1250)), "1.2 s");
        assert_eq!(shown(Duration::from_secs(125)), "2 m 05 s");
    }
}
