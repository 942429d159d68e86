//! Modulation sources.
//!
//! Every source is 0 until it receives a value: a slot for an absent pedal does not change the
//! sound.

/// The sources, in the order of the parameter's choices. New ones come last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// No source.
    #[default]
    None,
    /// Velocity of the note, 0…1.
    Velocity,
    /// Key: 0 at middle C, 0.2 an octave higher, from -1 to 1.
    Key,
    /// Modulation wheel, 0…1.
    Wheel,
    /// Pressure of the key or of the channel, whichever is larger, 0…1.
    Pressure,
    /// Pitch bend, -1…1.
    Bend,
    /// Controller 74 or the note's brightness, -1…1, 0 in the middle.
    Timbre,
    /// The LFO, -1…1.
    Lfo,
    /// The envelope, 0…1.
    Envelope,
    /// A random value per note, -1…1.
    Random,
    /// Controller 11 or the note's expression, 0…1.
    Expression,
    /// Controller 2, 0…1.
    Breath,
    /// The note's vibrato, 0…1.
    Vibrato,
}

impl Source {
    /// All sources.
    pub const ALL: [Source; 13] = [
        Source::None,
        Source::Velocity,
        Source::Key,
        Source::Wheel,
        Source::Pressure,
        Source::Bend,
        Source::Timbre,
        Source::Lfo,
        Source::Envelope,
        Source::Random,
        Source::Expression,
        Source::Breath,
        Source::Vibrato,
    ];

    /// Name in the user interface.
    pub const NAMES: [&'static str; 13] = crate::params::table::SOURCES;

    /// Smallest and largest value.
    pub const fn range(self) -> (f64, f64) {
        match self {
            Source::None => (0.0, 0.0),
            Source::Key | Source::Bend | Source::Timbre | Source::Lfo | Source::Random => {
                (-1.0, 1.0)
            }
            Source::Velocity
            | Source::Wheel
            | Source::Pressure
            | Source::Envelope
            | Source::Expression
            | Source::Breath
            | Source::Vibrato => (0.0, 1.0),
        }
    }

    /// The source of a parameter's choice.
    pub fn of_choice(choice: usize) -> Self {
        Self::ALL.get(choice).copied().unwrap_or_default()
    }
}

/// Current values of all sources.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sources {
    values: [f64; Source::ALL.len()],
}

impl Sources {
    /// Value of a source.
    pub fn get(&self, source: Source) -> f64 {
        self.values[source as usize]
    }

    /// Sets a source. NaN becomes 0, and values are limited to -1…1.
    pub fn set(&mut self, source: Source, value: f64) {
        if source != Source::None {
            self.values[source as usize] =
                if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) };
        }
    }
}

/// Source value of a key, 0…127: 60 keys are full scale.
pub fn of_key(key: u8) -> f64 {
    (f64::from(key) - 60.0) / 60.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_name_the_sources_in_their_order() {
        for (index, source) in Source::ALL.into_iter().enumerate() {
            assert_eq!(source as usize, index);
            assert_eq!(Source::of_choice(index), source);
        }
        assert_eq!(Source::of_choice(99), Source::None);
    }

    #[test]
    fn whatever_is_sent_a_source_stays_in_its_range() {
        let mut sources = Sources::default();
        for value in [f64::NAN, f64::INFINITY, -1e300, 0.3] {
            sources.set(Source::Wheel, value);
            assert!((-1.0..=1.0).contains(&sources.get(Source::Wheel)));
        }
        sources.set(Source::None, 1.0);
        assert_eq!(sources.get(Source::None), 0.0);
        assert_eq!((of_key(60), of_key(72), of_key(0)), (0.0, 0.2, -1.0));
    }
}
