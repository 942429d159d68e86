//! Scales in Scala's format (.scl): the interval of each degree above the first.
//!
//! Format: Manuel Op de Coul, "Scala scale file format", huygens-fokker.org/scala/scl_format.html.
//! Lines that begin with an exclamation mark are comments. Then come one line of description, the
//! number of degrees, and one line for each: with a period it is in cents, without one a ratio. The
//! rest of the line is ignored. The first degree is 1/1 and is not written; the last is the period
//! of the scale.

use super::fault::{Fault, lines, shown, word};

/// Maximum number of degrees of a scale.
pub const MAX_DEGREES: usize = 1024;

/// Largest interval of a degree from the first, cents: twenty octaves.
pub const FARTHEST_CENTS: f64 = 24_000.0;

/// A scale: its description and degrees.
#[derive(Clone, Debug, PartialEq)]
pub struct ScalaScale {
    /// Description from the file.
    description: String,
    /// Semitones above the first degree, of the second and all following degrees. The last is the
    /// period.
    degrees_st: Vec<f64>,
}

impl Default for ScalaScale {
    /// Twelve equal steps to the octave.
    fn default() -> Self {
        Self {
            description: "12 equal steps".to_string(),
            degrees_st: (1..=12).map(f64::from).collect(),
        }
    }
}

impl ScalaScale {
    /// Parses a scale.
    ///
    /// # Errors
    /// Names the invalid line.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let last = text.lines().count().max(1);
        let mut lines = lines(text);
        let (_, description) = lines.next().ok_or_else(|| Fault {
            line: last,
            what: "is empty; expected a line of description first".to_string(),
        })?;
        let (count_line, count) = lines.next().ok_or_else(|| Fault {
            line: last,
            what: "ends after the description; expected the number of degrees".to_string(),
        })?;
        let count =
            word(count).parse::<usize>().ok().filter(|count| *count <= MAX_DEGREES).ok_or_else(
                || Fault {
                    line: count_line,
                    what: format!(
                        "number of degrees '{}': allowed is 0 to {MAX_DEGREES}",
                        shown(word(count))
                    ),
                },
            )?;
        let mut degrees_st = Vec::with_capacity(count);
        for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let pitch = interval_st(text);
            if degrees_st.len() == count {
                // Any text may follow the last degree, except another degree.
                match pitch {
                    Ok(_) => {
                        let what = format!(
                            "another degree after the {count} that line {count_line} announces"
                        );
                        return Err(Fault { line, what });
                    }
                    Err(_) => break,
                }
            }
            degrees_st.push(pitch.map_err(|what| Fault { line, what })?);
        }
        if degrees_st.len() < count {
            let what = format!(
                "ends after {} of the {count} degrees that line {count_line} announces",
                degrees_st.len()
            );
            return Err(Fault { line: last, what });
        }
        Ok(Self { description: description.trim().to_string(), degrees_st })
    }

    /// Description from the file.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Number of degrees per period.
    pub fn len(&self) -> usize {
        self.degrees_st.len()
    }

    /// True if the scale has only its first degree, which then sounds on every key.
    pub fn is_empty(&self) -> bool {
        self.degrees_st.is_empty()
    }

    /// Semitones of a degree above degree 0; the scale repeats periodically.
    pub fn pitch_st(&self, degree: i64) -> f64 {
        let count = self.degrees_st.len() as i64;
        if count == 0 {
            return 0.0;
        }
        let (period, degree) = (degree.div_euclid(count), degree.rem_euclid(count));
        let within_st = if degree == 0 { 0.0 } else { self.degrees_st[degree as usize - 1] };
        period as f64 * self.degrees_st[count as usize - 1] + within_st
    }
}

/// Parses an interval; returns semitones.
fn interval_st(line: &str) -> Result<f64, String> {
    let word = word(line);
    let semitones =
        if word.contains('.') { cents(word)? / 100.0 } else { 12.0 * ratio(word)?.log2() };
    if semitones.abs() > FARTHEST_CENTS / 100.0 {
        return Err(format!(
            "'{}' is too far: allowed is -{FARTHEST_CENTS} to {FARTHEST_CENTS} cents, or a ratio of as much",
            shown(word)
        ));
    }
    Ok(semitones)
}

fn cents(word: &str) -> Result<f64, String> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.') && digits.len() > 1;
    plain
        .then(|| word.parse::<f64>().ok().filter(|cents| cents.is_finite()))
        .flatten()
        .ok_or_else(|| format!("'{}' is not a pitch in cents, such as 701.955", shown(word)))
}

fn ratio(word: &str) -> Result<f64, String> {
    if word.starts_with('-') {
        return Err(format!("'{}': a ratio cannot be negative", shown(word)));
    }
    let whole = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| digits.parse::<f64>().ok()).flatten()
    };
    let (numerator, denominator) = word.split_once('/').unwrap_or((word, "1"));
    let (Some(numerator), Some(denominator)) = (whole(numerator), whole(denominator)) else {
        return Err(format!(
            "'{}' is neither cents nor a ratio; expected such as 701.955 or 3/2",
            shown(word)
        ));
    };
    if numerator == 0.0 || denominator == 0.0 {
        return Err(format!("'{}': a ratio has no zero in it", shown(word)));
    }
    let ratio = numerator / denominator;
    // Numerator and denominator may overflow to infinity.
    if ratio.is_nan() || ratio == 0.0 {
        Err(format!("'{}' is too long", shown(word)))
    } else {
        Ok(ratio)
    }
}
