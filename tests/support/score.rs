//! A score: a list of events on a sample clock, and the blocks in which it is played.

/// One event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A key is struck; velocity in 0..=1. `id` is CLAP's note id, `None` the wildcard.
    NoteOn { key: u16, velocity: f64, channel: u16, id: Option<u32> },
    /// A key is released; without `id` every note of that key.
    NoteOff { key: u16, velocity: f64, channel: u16, id: Option<u32> },
    /// Every voice (or those of one key) stops at once.
    Choke { key: Option<u16> },
    /// An expression of one note (or of all that match; `None` is the wildcard).
    Express { what: Spoken, value: f64, note: NoteOf },
    /// A parameter is modulated, for one note or all that match.
    Modulate { id: u32, amount: f64, note: NoteOf },
    /// The notes that match stop at once.
    ChokeOf(NoteOf),
    /// A parameter gets a value in CLAP's range (see [`Param`](super::Param)).
    Param { id: u32, value: f64 },
    /// Three bytes of MIDI.
    Midi([u8; 3]),
}

/// The kinds of note expressions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spoken {
    Volume,
    Pan,
    Tuning,
    Vibrato,
    Expression,
    Brightness,
    Pressure,
}

/// Which notes are addressed: by id, key and channel; `None` is the wildcard.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NoteOf {
    pub id: Option<u32>,
    pub key: Option<u16>,
    pub channel: Option<u16>,
}

impl NoteOf {
    /// The note with this id.
    pub fn id(id: u32) -> Self {
        Self { id: Some(id), ..Self::default() }
    }
}

/// Events in time; the times are samples from the start of the render.
#[derive(Clone, Debug, Default)]
pub struct Score {
    events: Vec<(u64, Event)>,
    tempos: Vec<(u64, f64)>,
}

impl Score {
    /// Silence.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an event; the order of calls only matters between events of the same sample.
    pub fn push(&mut self, at: u64, event: Event) -> &mut Self {
        let place = self.events.partition_point(|(time, _)| *time <= at);
        self.events.insert(place, (at, event));
        self
    }

    /// Adds an event and returns the score.
    pub fn with(mut self, at: u64, event: Event) -> Self {
        self.push(at, event);
        self
    }

    /// Strikes a key, on channel 0 and without a note id.
    pub fn on(self, at: u64, key: u16, velocity: f64) -> Self {
        self.with(at, Event::NoteOn { key, velocity, channel: 0, id: None })
    }

    /// Releases a key on channel 0.
    pub fn off(self, at: u64, key: u16) -> Self {
        self.with(at, Event::NoteOff { key, velocity: 0.0, channel: 0, id: None })
    }

    /// Strikes a key and releases it `length` samples later.
    pub fn note(self, at: u64, length: u64, key: u16, velocity: f64) -> Self {
        self.on(at, key, velocity).off(at + length, key)
    }

    /// Sets a parameter.
    pub fn param(self, at: u64, id: u32, value: f64) -> Self {
        self.with(at, Event::Param { id, value })
    }

    /// Changes the host's tempo in quarter notes per minute, from the first block that begins at or
    /// after `at`.
    pub fn tempo(mut self, at: u64, bpm: f64) -> Self {
        self.tempos.push((at, bpm));
        self
    }

    /// The tempo of a block that begins at `sample`; `None`: the host has none.
    pub fn tempo_at(&self, sample: u64) -> Option<f64> {
        self.tempos.iter().rev().find(|(at, _)| *at <= sample).map(|(_, bpm)| *bpm)
    }

    /// All events, sorted by time.
    pub fn events(&self) -> &[(u64, Event)] {
        &self.events
    }

    /// The time of the last event.
    pub fn end(&self) -> u64 {
        self.events.last().map_or(0, |(time, _)| *time)
    }
}

/// Blocks of `size` that add up to `total` samples; the last one may be shorter.
pub fn fixed_blocks(total: u64, size: u32) -> Vec<u32> {
    blocks(total, || size)
}

/// Blocks of 1 to `max` samples that add up to `total`, the same for the same seed.
pub fn random_blocks(total: u64, max: u32, seed: u64) -> Vec<u32> {
    let mut state = seed;
    blocks(total, move || {
        // SplitMix64, to avoid a dependency.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % u64::from(max)) as u32 + 1
    })
}

fn blocks(total: u64, mut next: impl FnMut() -> u32) -> Vec<u32> {
    let mut blocks = Vec::new();
    let mut left = total;
    while left > 0 {
        let size = u64::from(next().max(1)).min(left);
        blocks.push(size as u32);
        left -= size;
    }
    blocks
}
