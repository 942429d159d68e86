//! Errors in Scala files, with their line.

use std::fmt;

/// A line that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line number, from 1.
    pub line: usize,
    /// Description of the error and the allowed values.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for Fault {}

/// Maximum number of characters of the input that a message repeats.
const SHOWN: usize = 24;

/// Shortens a word for a message and replaces control characters.
pub(super) fn shown(word: &str) -> String {
    let mut text: String =
        word.chars().take(SHOWN).map(|c| if c.is_control() { '?' } else { c }).collect();
    if word.chars().nth(SHOWN).is_some() {
        text.push_str("...");
    }
    text
}

/// The lines that are not comments, numbered from 1. Comments begin with an exclamation mark.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.starts_with('!'))
}

/// The first word of a line.
pub(super) fn word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or("")
}
