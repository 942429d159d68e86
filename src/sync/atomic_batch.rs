//! Values that belong together and come one by one, through somebody who may cut time between any
//! two of them.

use std::sync::atomic::{AtomicU32, Ordering};

use super::SequenceLock;

/// Whoever reads waits no longer than this, s: a host may keep a value to itself.
const MAX_WAIT_S: f32 = 0.25;

/// What is on its way. Written by one thread, read by another that may not wait.
#[derive(Debug)]
pub struct AtomicBatch {
    /// Bits of the values to come; those of a value that does not change are [`NONE`].
    expected: Box<[AtomicU32]>,
    version: SequenceLock,
    /// Number of the change that is expected, and of the last that is over.
    change: AtomicU32,
    over: AtomicU32,
    /// How long it has been waited for, as bits of an `f32`, s.
    waited_s: AtomicU32,
}

/// Bits that are no value.
const NONE: u32 = u32::MAX;

impl AtomicBatch {
    /// Of so many values. None is on its way.
    pub fn new(values: usize) -> Self {
        Self {
            expected: (0..values).map(|_| AtomicU32::new(NONE)).collect(),
            version: SequenceLock::default(),
            change: AtomicU32::new(0),
            over: AtomicU32::new(0),
            waited_s: AtomicU32::new(0),
        }
    }

    /// These are about to come; none where nothing changes. What was expected before no longer is.
    pub fn expect(&self, values: impl IntoIterator<Item = Option<f32>>) {
        self.version.begin_write();
        for (place, value) in self.expected.iter().zip(values) {
            place.store(value.map_or(NONE, f32::to_bits), Ordering::Relaxed);
        }
        self.change.fetch_add(1, Ordering::Relaxed);
        self.version.end_write();
    }

    /// What `read` gives, if nothing is on its way any more: `is_there` says of an index and a
    /// value whether it has come. `time_s` passes until the next look. Neither waits nor locks.
    pub fn take<T>(
        &self,
        time_s: f32,
        is_there: impl Fn(usize, f32) -> bool,
        read: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let over = self.over.load(Ordering::Relaxed);
        let waited_s = f32::from_bits(self.waited_s.load(Ordering::Relaxed)) + time_s;
        let taken = self.version.read(|| {
            let change = self.change.load(Ordering::Relaxed);
            let is_awaited = |(index, place): (usize, &AtomicU32)| {
                let bits = place.load(Ordering::Relaxed);
                bits != NONE && !is_there(index, f32::from_bits(bits))
            };
            let is_over = change == over
                || waited_s > MAX_WAIT_S
                || !self.expected.iter().enumerate().any(is_awaited);
            is_over.then(|| (change, read()))
        });
        match taken.flatten() {
            Some((change, value)) => {
                self.over.store(change, Ordering::Relaxed);
                self.waited_s.store(0, Ordering::Relaxed);
                value
            }
            None => {
                self.waited_s.store(waited_s.to_bits(), Ordering::Relaxed);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that come one by one while another thread looks on: it never takes some of them.
    #[test]
    fn nothing_is_taken_before_all_of_it_is_there() {
        const ROUNDS: u32 = if cfg!(miri) { 20 } else { 5000 };
        let batch = AtomicBatch::new(4);
        let values: [AtomicU32; 4] = Default::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for round in 1..=ROUNDS {
                    batch.expect((0..4).map(|_| Some(round as f32)));
                    for value in &values {
                        value.store((round as f32).to_bits(), Ordering::Release);
                        std::thread::yield_now();
                    }
                }
            });
            let value = |index: usize| f32::from_bits(values[index].load(Ordering::Acquire));
            let mut newest = 0.0;
            while newest < ROUNDS as f32 {
                let is_there = |index: usize, expected: f32| value(index) == expected;
                if let Some(taken) = batch.take(0.0, is_there, || Some([0, 1, 2, 3].map(value))) {
                    assert!(
                        taken.iter().all(|value| *value == taken[0]),
                        "a part of it: {taken:?}"
                    );
                    newest = taken[0];
                }
            }
        });
    }

    #[test]
    fn what_never_comes_is_not_waited_for_for_long() {
        let batch = AtomicBatch::new(2);
        let look =
            |is_there: fn(usize, f32) -> bool| batch.take(0.01, is_there, || Some(())).is_some();
        assert!(look(|_, _| false), "nothing is expected");
        batch.expect([Some(1.0), None]);
        let looks = (0..100).take_while(|_| !look(|_, _| false)).count();
        assert!((20..30).contains(&looks), "{looks}");
        assert!(look(|_, _| false), "it is given up once");
        batch.expect([None, Some(2.0)]);
        assert!(!look(|index, _| index == 0), "the other one is expected");
        assert!(look(|index, value| index == 1 && value == 2.0));
    }
}
