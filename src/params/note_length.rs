//! Note lengths as choices of a parameter.

/// Names of the choices: sixteenth to whole, each as triplet (T), straight and dotted (D).
pub(super) const NOTE_LENGTHS: [&str; 16] = [
    "Off", "1/16T", "1/16", "1/16D", "1/8T", "1/8", "1/8D", "1/4T", "1/4", "1/4D", "1/2T", "1/2",
    "1/2D", "1/1T", "1/1", "1/1D",
];

/// Straight lengths in quarter notes.
const STRAIGHT_QUARTERS: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
/// Triplet, straight and dotted, as factors of the straight length.
const VARIANTS: [f64; 3] = [2.0 / 3.0, 1.0, 1.5];

/// Duration of a choice, s, at a tempo in quarter notes per minute; none for *Off*.
pub fn note_length_s(choice: usize, tempo_bpm: f64) -> Option<f64> {
    let index = choice.checked_sub(1)?;
    let quarters =
        STRAIGHT_QUARTERS.get(index / VARIANTS.len())? * VARIANTS[index % VARIANTS.len()];
    Some(quarters * 60.0 / tempo_bpm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_has_the_length_of_its_name() {
        assert_eq!(note_length_s(0, 120.0), None);
        assert_eq!(note_length_s(NOTE_LENGTHS.len(), 120.0), None);
        for (choice, name) in NOTE_LENGTHS.iter().enumerate().skip(1) {
            let (number, variant) = match name.strip_suffix(['T', 'D']) {
                Some(number) => (number, if name.ends_with('T') { 2.0 / 3.0 } else { 1.5 }),
                None => (*name, 1.0),
            };
            let part: f64 = number.strip_prefix("1/").and_then(|n| n.parse().ok()).expect("a note");
            let length_s = note_length_s(choice, 90.0).expect("a length");
            let expected_s = 4.0 / part * variant * 60.0 / 90.0;
            assert!((length_s - expected_s).abs() < 1e-12, "{name}: {length_s}");
        }
    }
}
