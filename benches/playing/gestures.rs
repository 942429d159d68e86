//! What is played: every gesture, as it comes, and how often.

/// A gesture and the rhythm in which each key plays it.
pub struct Gesture {
    /// As the table has it.
    pub name: &'static str,
    /// What differs from a fresh instance.
    pub settings: &'static [(&'static str, &'static str)],
    /// Blocks from one note of a key to its next.
    pub period: usize,
    /// The key is played once and stays down.
    pub held: bool,
}

const fn played(
    name: &'static str,
    settings: &'static [(&'static str, &'static str)],
    period: usize,
) -> Gesture {
    Gesture { name, settings, period, held: false }
}

const fn held(name: &'static str, settings: &'static [(&'static str, &'static str)]) -> Gesture {
    Gesture { name, settings, period: TENTH, held: true }
}

/// Blocks of 64 samples in a tenth and in half a second at 48 kHz.
const TENTH: usize = 75;
const HALF: usize = 375;

/// Every gesture, struck bodies first.
pub static GESTURES: [Gesture; 8] = [
    played("strike", &[], TENTH),
    played("strike, two-way", &[("coupl", "Two-way")], TENTH),
    // Blows of 2 ms every 20 ms.
    played(
        "strike, two-way, a tenth in contact",
        &[("coupl", "Two-way"), ("hard", "33 %")],
        TENTH / 5,
    ),
    played("bounce", &[("gest", "Bounce"), ("first", "On the note")], HALF),
    held("roll", &[("gest", "Roll")]),
    held("scrape", &[("gest", "Scrape")]),
    played("tumble", &[("gest", "Tumble"), ("first", "On the note")], HALF),
    played("chain", &[("gest", "Chain"), ("first", "On the note")], HALF),
];
