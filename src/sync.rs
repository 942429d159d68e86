//! Consistent reads of many values that another thread writes, without waiting.
//!
//! The values are separate atomics. A version number next to them is odd while they change, and
//! differs afterwards. A reader sees all of a change or none of it; if the read fails, it tries
//! again in the next block.

use std::sync::atomic::{AtomicU32, Ordering, fence};

/// A sequence lock: the version number of a set of values.
#[derive(Debug, Default)]
pub struct SequenceLock {
    number: AtomicU32,
}

impl SequenceLock {
    /// Returns the result of `read` if nothing changed in the meantime. Never waits.
    pub fn read<T>(&self, read: impl FnOnce() -> T) -> Option<T> {
        let number = self.number.load(Ordering::Acquire);
        if number % 2 == 1 {
            return None;
        }
        let value = read();
        // The reads above must not be reordered after the load below.
        fence(Ordering::Acquire);
        (self.number.load(Ordering::Relaxed) == number).then_some(value)
    }

    /// Makes reads fail until [`end_write`](Self::end_write). Only for the one thread that writes.
    pub fn begin_write(&self) {
        self.number.fetch_or(1, Ordering::Relaxed);
        // The writes below must not become visible before the number above.
        fence(Ordering::Release);
    }

    /// Makes the written values readable.
    pub fn end_write(&self) {
        let number = self.number.load(Ordering::Relaxed);
        self.number.store((number | 1).wrapping_add(1), Ordering::Release);
    }
}

/// The reader stops waiting after this time, s, because a host may never deliver a value.
const MAX_WAIT_S: f32 = 0.25;

/// A set of values that arrive one by one, because a host may process blocks between any two of
/// them. Written by one thread, read by another that must not wait.
#[derive(Debug)]
pub struct AtomicBatch {
    /// Bits of the expected values; [`NONE`] for a value that does not change.
    expected: Box<[AtomicU32]>,
    version: SequenceLock,
    /// Number of the expected change, and of the last completed one.
    change: AtomicU32,
    completed: AtomicU32,
    /// Time spent waiting, as bits of an `f32`, s.
    waited_s: AtomicU32,
}

/// The bit pattern of a NaN that no parameter has.
const NONE: u32 = u32::MAX;

impl AtomicBatch {
    /// A set of `values` values, none of them expected.
    pub fn new(values: usize) -> Self {
        Self {
            expected: (0..values).map(|_| AtomicU32::new(NONE)).collect(),
            version: SequenceLock::default(),
            change: AtomicU32::new(0),
            completed: AtomicU32::new(0),
            waited_s: AtomicU32::new(0),
        }
    }

    /// Sets the expected values; `None` where nothing changes. Replaces earlier expectations.
    pub fn expect(&self, values: impl IntoIterator<Item = Option<f32>>) {
        self.version.begin_write();
        for (place, value) in self.expected.iter().zip(values) {
            place.store(value.map_or(NONE, f32::to_bits), Ordering::Relaxed);
        }
        self.change.fetch_add(1, Ordering::Relaxed);
        self.version.end_write();
    }

    /// Returns the result of `read` if all expected values have arrived. `has_arrived` tests an
    /// index and a value; `time_s` passes until the next call. Never waits.
    pub fn take<T>(
        &self,
        time_s: f32,
        has_arrived: impl Fn(usize, f32) -> bool,
        read: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let completed = self.completed.load(Ordering::Relaxed);
        let waited_s = f32::from_bits(self.waited_s.load(Ordering::Relaxed)) + time_s;
        let taken = self.version.read(|| {
            let change = self.change.load(Ordering::Relaxed);
            let is_awaited = |(index, place): (usize, &AtomicU32)| {
                let bits = place.load(Ordering::Relaxed);
                bits != NONE && !has_arrived(index, f32::from_bits(bits))
            };
            let is_complete = change == completed
                || waited_s > MAX_WAIT_S
                || !self.expected.iter().enumerate().any(is_awaited);
            is_complete.then(|| (change, read()))
        });
        match taken.flatten() {
            Some((change, value)) => {
                self.completed.store(change, Ordering::Relaxed);
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
    use crate::exciter::surface::SwapSlot;
    use std::sync::Arc;
    use std::sync::mpsc::sync_channel;

    /// Miri is a thousand times slower, but explores more orderings than a processor.
    const ROUNDS: u32 = if cfg!(miri) { 40 } else { 20_000 };

    #[test]
    fn a_reader_sees_all_of_a_change_or_nothing_of_it() {
        let version = SequenceLock::default();
        let values: [AtomicU32; 4] = Default::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for round in 1..=ROUNDS {
                    version.begin_write();
                    values.iter().for_each(|value| value.store(round, Ordering::Relaxed));
                    version.end_write();
                    std::thread::yield_now();
                }
            });
            let (mut seen, mut newest) = (0u64, 0);
            while newest < ROUNDS {
                let read =
                    version.read(|| values.each_ref().map(|value| value.load(Ordering::Relaxed)));
                let Some(read) = read else { continue };
                assert!(read.iter().all(|value| *value == read[0]), "half a change: {read:?}");
                assert!(read[0] >= newest, "back from {newest} to {}", read[0]);
                if read[0] == newest {
                    // Let the writer run on a busy machine.
                    std::thread::yield_now();
                }
                (seen, newest) = (seen + 1, read[0]);
            }
            assert!(seen > 0);
        });
    }

    #[test]
    fn nothing_is_read_while_it_changes() {
        let version = SequenceLock::default();
        assert_eq!(version.read(|| 1), Some(1));
        version.begin_write();
        version.begin_write();
        assert_eq!(version.read(|| 1), None);
        version.end_write();
        assert_eq!(version.read(|| 1), Some(1));
        assert_eq!(version.read(|| version.begin_write()), None, "a change began meanwhile");
        version.end_write();
        assert_eq!(
            version.read(|| (version.begin_write(), version.end_write())),
            None,
            "a change happened meanwhile"
        );
        version.number.store(u32::MAX - 1, Ordering::Relaxed);
        version.begin_write();
        version.end_write();
        assert_eq!(version.read(|| 1), Some(1), "the numbers wrap around");
    }

    /// Surfaces go to the audio thread and back; only the builder frees them, and never one in use.
    #[test]
    fn tables_are_freed_where_they_were_made() {
        /// A stand-in for a table that panics when another thread frees it.
        #[derive(Debug)]
        struct Table(std::thread::ThreadId);
        impl Drop for Table {
            fn drop(&mut self) {
                assert_eq!(self.0, std::thread::current().id(), "freed elsewhere");
            }
        }
        let rounds = if cfg!(miri) { 20 } else { 2000 };
        let ((to_audio, ready), (to_builder, retired)) = (sync_channel(2), sync_channel(8));
        std::thread::scope(|scope| {
            let audio = scope.spawn(move || {
                let (mut swap_slot, mut reader): (Option<SwapSlot<Table>>, Option<Arc<Table>>) =
                    (None, None);
                while let Ok(table) = ready.recv() {
                    match &mut swap_slot {
                        None => swap_slot = Some(SwapSlot::new(table)),
                        Some(swap_slot) => {
                            while let Some(free) = swap_slot.take_retired() {
                                to_builder.send(free).expect("the builder receives");
                            }
                            swap_slot.offer(table).expect("one reader holds one table");
                        }
                    }
                    // A rolling ball takes the new table; the slot still holds the old one.
                    reader = swap_slot.as_ref().map(|swap_slot| Arc::clone(swap_slot.current()));
                }
                // At the end, return the slot so that this thread frees nothing.
                drop(reader);
                (swap_slot, to_builder)
            });
            for _ in 0..rounds {
                let table = Arc::new(Table(std::thread::current().id()));
                to_audio.send(table).expect("the audio thread receives");
                retired
                    .try_iter()
                    .for_each(|table: Arc<Table>| assert_eq!(Arc::strong_count(&table), 1));
            }
            drop(to_audio);
            let (swap_slot, to_builder) = audio.join().expect("the audio thread does not panic");
            drop((swap_slot, to_builder));
            assert!(retired.try_iter().count() <= 8);
        });
    }

    /// Values arrive one by one while another thread reads: it never takes a part of them.
    #[test]
    fn a_batch_is_taken_whole() {
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
                let has_arrived = |index: usize, expected: f32| value(index) == expected;
                if let Some(taken) = batch.take(0.0, has_arrived, || Some([0, 1, 2, 3].map(value)))
                {
                    assert!(
                        taken.iter().all(|value| *value == taken[0]),
                        "a part of a batch: {taken:?}"
                    );
                    newest = taken[0];
                }
            }
        });
    }

    #[test]
    fn a_missing_value_delays_the_batch_only_briefly() {
        let batch = AtomicBatch::new(2);
        let poll = |has_arrived: fn(usize, f32) -> bool| {
            batch.take(0.01, has_arrived, || Some(())).is_some()
        };
        assert!(poll(|_, _| false), "nothing is expected");
        batch.expect([Some(1.0), None]);
        let polls = (0..100).take_while(|_| !poll(|_, _| false)).count();
        assert!((20..30).contains(&polls), "{polls}");
        assert!(poll(|_, _| false), "the wait ends once");
        batch.expect([None, Some(2.0)]);
        assert!(!poll(|index, _| index == 0), "the other one is expected");
        assert!(poll(|index, value| index == 1 && value == 2.0));
    }
}
