//! Note events with sample offsets, in a queue of fixed size.

use arrayvec::ArrayVec;

use crate::params::Param;

/// Identity of a note. A `None` field matches any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct NoteAddress {
    /// The host's note id.
    pub id: Option<i32>,
    /// MIDI channel, 0…15.
    pub channel: Option<u8>,
    /// MIDI key, 0…127.
    pub key: Option<u8>,
}

impl NoteAddress {
    /// True if this address matches the note `other`.
    ///
    /// Ids decide alone if both are known; otherwise key and channel.
    pub fn matches(&self, other: &NoteAddress) -> bool {
        fn open_or_same<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
            a.is_none() || a == b
        }
        match (self.id, other.id) {
            (Some(a), Some(b)) => a == b,
            _ => open_or_same(self.channel, other.channel) && open_or_same(self.key, other.key),
        }
    }
}

/// A note expression of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// Tuning offset from the key, semitones, -120…120.
    Tuning,
    /// Gain, 0…4.
    Volume,
    /// Pan, -1 (left) to 1 (right).
    Pan,
    /// Vibrato depth, 0…1.
    Vibrato,
    /// Expression, 0…1.
    Expression,
    /// Brightness, 0…1, neutral in the middle.
    Brightness,
    /// Pressure, 0…1.
    Pressure,
}

impl ExpressionKind {
    /// All kinds.
    pub const ALL: [ExpressionKind; 7] = [
        ExpressionKind::Tuning,
        ExpressionKind::Volume,
        ExpressionKind::Pan,
        ExpressionKind::Vibrato,
        ExpressionKind::Expression,
        ExpressionKind::Brightness,
        ExpressionKind::Pressure,
    ];
}

/// The kinds of note events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventKind {
    /// Strikes the body of this key.
    NoteOn {
        /// Velocity, 0…1.
        velocity: f32,
    },
    /// Releases the key.
    NoteOff,
    /// Stops the note at once, with a short fade.
    Choke,
    /// Sets a controller of a channel.
    Controller {
        /// MIDI number, 0…127.
        number: u8,
        /// Value, 0…1.
        value: f32,
    },
    /// Sets the pressure of the addressed keys.
    Pressure {
        /// Pressure, 0…1.
        value: f32,
    },
    /// Sets the pitch bend of a channel.
    Bend {
        /// Bend, -1…1.
        value: f32,
    },
    /// Sets a note expression of the addressed notes.
    Expression {
        /// The expression.
        kind: ExpressionKind,
        /// Value in the units of its kind.
        value: f32,
    },
    /// Modulates a parameter of the addressed notes.
    Modulation {
        /// The parameter.
        param: Param,
        /// Offset in knob positions.
        offset: f32,
    },
}

/// A note event at a sample offset within the block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Samples from the start of the block.
    pub offset: usize,
    /// The addressed notes.
    pub note: NoteAddress,
    /// The kind of event.
    pub kind: EventKind,
}

/// The end of a note at a sample offset within the block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoteEnd {
    /// Samples from the start of the block.
    pub offset: usize,
    /// The note that ended.
    pub note: NoteAddress,
}

/// Events of one block, in the order of their offsets; never grows.
#[derive(Clone, Debug, Default)]
pub struct EventQueue {
    events: ArrayVec<Event, { EventQueue::CAPACITY }>,
}

impl EventQueue {
    /// Maximum number of events in one block. A fuller block must be processed in parts.
    pub const CAPACITY: usize = 512;

    /// Appends an event, or returns it if the queue is full.
    ///
    /// An offset before its predecessor's is raised to it, so that the queue stays in order
    /// whatever a host sends.
    pub fn push(&mut self, mut event: Event) -> Result<(), Event> {
        if let Some(last) = self.events.last() {
            event.offset = event.offset.max(last.offset);
        }
        self.events.try_push(event).map_err(|full| full.element())
    }

    /// True if the queue is full.
    pub fn is_full(&self) -> bool {
        self.events.is_full()
    }

    /// Removes all events.
    pub fn clear(&mut self) {
        self.events.clear();
    }

    /// The events, in order.
    pub fn as_slice(&self) -> &[Event] {
        &self.events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(offset: usize) -> Event {
        Event { offset, note: NoteAddress::default(), kind: EventKind::NoteOff }
    }

    #[test]
    fn a_full_queue_gives_the_event_back() {
        let mut queue = EventQueue::default();
        for i in 0..EventQueue::CAPACITY {
            assert_eq!(queue.push(at(i)), Ok(()));
        }
        assert!(queue.is_full());
        assert_eq!(queue.push(at(9999)), Err(at(9999)));
        queue.clear();
        assert_eq!(queue.push(at(3)), Ok(()));
    }

    #[test]
    fn offsets_never_run_backwards() {
        let mut queue = EventQueue::default();
        for offset in [5, 3, 9] {
            queue.push(at(offset)).unwrap();
        }
        let offsets: Vec<_> = queue.as_slice().iter().map(|e| e.offset).collect();
        assert_eq!(offsets, [5, 5, 9]);
    }

    #[test]
    fn open_parts_of_an_address_mean_any() {
        let note = NoteAddress { id: Some(7), channel: Some(2), key: Some(60) };
        let any = NoteAddress::default();
        assert!(any.matches(&note));
        assert!(NoteAddress { key: Some(60), ..any }.matches(&note));
        assert!(!NoteAddress { key: Some(61), ..any }.matches(&note));
        assert!(
            NoteAddress { id: Some(7), channel: Some(0), key: Some(1) }.matches(&note),
            "the id decides"
        );
        assert!(!NoteAddress { id: Some(8), channel: Some(2), key: Some(60) }.matches(&note));
    }
}
