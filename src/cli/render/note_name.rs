//! Keys by number or by name.

/// MIDI key of `69`, `A4`, `c#3`, `Bb-1`; middle C is C4 = 60.
pub fn parse(text: &str) -> Result<u8, String> {
    let wrong = || {
        format!("'{text}' is no key: give a MIDI number from 0 to 127, or a name from C-1 to G9")
    };
    if let Ok(number) = text.parse::<u8>() {
        return if number <= 127 { Ok(number) } else { Err(wrong()) };
    }
    let mut letters = text.chars();
    let semitone = match letters.next().map(|letter| letter.to_ascii_uppercase()) {
        Some('C') => 0,
        Some('D') => 2,
        Some('E') => 4,
        Some('F') => 5,
        Some('G') => 7,
        Some('A') => 9,
        Some('B') => 11,
        _ => return Err(wrong()),
    };
    let rest = letters.as_str();
    let (shift, octave) = match (rest.strip_prefix('#'), rest.strip_prefix('b')) {
        (Some(octave), _) => (1, octave),
        (_, Some(octave)) => (-1, octave),
        _ => (0, rest),
    };
    let octave: i32 =
        octave.parse().ok().filter(|octave| (-1..=9).contains(octave)).ok_or_else(wrong)?;
    u8::try_from(12 * (octave + 1) + semitone + shift)
        .ok()
        .filter(|key| *key <= 127)
        .ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn names_and_numbers_mean_the_keys_of_a_piano() {
        for (text, key) in
            [("A4", 69), ("c4", 60), ("C#3", 49), ("Bb3", 58), ("C-1", 0), ("G9", 127), ("69", 69)]
        {
            assert_eq!(parse(text), Ok(key), "{text}");
        }
        for text in ["", "H4", "G#9", "Cb-1", "128", "-1", "A", "A99", "A4 "] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
