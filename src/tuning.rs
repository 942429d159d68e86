//! Tuning: the pitch of each key, in equal temperament or from a Scala scale and keyboard mapping.

pub mod fault;
pub mod keyboard;
pub mod scala;

pub use fault::Fault;
pub use keyboard::Keyboard;
pub use scala::ScalaScale;

/// Number of keys.
pub const KEYS: usize = 128;

/// Default pitch of A4, Hz, and the origin of pitches in semitones.
pub const A4_HZ: f64 = 440.0;

/// Lowest and highest pitch of a key, Hz. Keys outside are silent.
pub const PITCHES_HZ: (f64, f64) = (1.0, 50_000.0);

/// Equal-tempered semitones from [`A4_HZ`] to a frequency.
pub fn semitones(hz: f64) -> f64 {
    12.0 * (hz / A4_HZ).log2()
}

/// The pitch of every key, of fixed size: copying it allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Equal-tempered semitones above [`A4_HZ`], to which pitch bends can be added; none: the key
    /// is silent.
    pitches_st: [Option<f64>; KEYS],
}

impl Default for Tuning {
    /// Twelve equal steps to the octave.
    fn default() -> Self {
        Self::EQUAL
    }
}

impl Tuning {
    /// Twelve equal steps to the octave, A4 at [`A4_HZ`].
    pub const EQUAL: Self = {
        let mut pitches_st = [None; KEYS];
        let mut key = 0;
        while key < KEYS {
            pitches_st[key] = Some(key as f64 - 69.0);
            key += 1;
        }
        Self { pitches_st }
    };

    /// Applies a scale through a keyboard mapping. Keys outside the mapping keep their default
    /// pitch.
    ///
    /// # Errors
    /// The reference key is not mapped to a degree of the scale.
    pub fn new(scale: &ScalaScale, keyboard: &Keyboard) -> Result<Self, Fault> {
        let reference = keyboard.reference_key();
        let Some(at_reference_st) = keyboard.pitch_st(scale, reference) else {
            let what = format!(
                "reference key {reference} is not mapped, and has no frequency to refer to"
            );
            return Err(Fault { line: keyboard.reference_line(), what });
        };
        let (low_st, high_st) = (semitones(PITCHES_HZ.0), semitones(PITCHES_HZ.1));
        let mut tuning = Self::default();
        for (key, pitch_st) in tuning.pitches_st.iter_mut().enumerate() {
            if keyboard.keys().contains(&key) {
                *pitch_st = keyboard
                    .pitch_st(scale, key)
                    .map(|st| keyboard.reference_st() + (st - at_reference_st))
                    .filter(|st| (low_st..=high_st).contains(st));
            }
        }
        Ok(tuning)
    }

    /// Semitones of a key above [`A4_HZ`]; none: the key is silent.
    pub fn pitch_st(&self, key: u8) -> Option<f64> {
        self.pitches_st.get(usize::from(key)).copied().flatten()
    }

    /// Frequency of a key, Hz; none: the key is silent.
    pub fn hz(&self, key: u8) -> Option<f64> {
        self.pitch_st(key).map(|st| A4_HZ * (st / 12.0).exp2())
    }
}

#[cfg(test)]
mod tests;
