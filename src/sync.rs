//! Many values that belong together, written by one thread while another reads them and may not
//! wait.
//!
//! The values are atomics of their own. A version beside them is odd while they change, and another
//! one afterwards: who reads finds all of a change or nothing of it, and tries again in the next
//! block.

use std::sync::atomic::{AtomicU32, Ordering, fence};

/// The version of some values.
#[derive(Debug, Default)]
pub struct SequenceLock {
    number: AtomicU32,
}

impl SequenceLock {
    /// What `read` gives, if nothing changed meanwhile. Neither waits nor locks.
    pub fn read<T>(&self, read: impl FnOnce() -> T) -> Option<T> {
        let number = self.number.load(Ordering::Acquire);
        if number % 2 == 1 {
            return None;
        }
        let value = read();
        // What was read above may not be looked at after the number below.
        fence(Ordering::Acquire);
        (self.number.load(Ordering::Relaxed) == number).then_some(value)
    }

    /// From here to [`end_write`](Self::end_write) nobody reads. For the thread that writes alone.
    pub fn begin_write(&self) {
        self.number.fetch_or(1, Ordering::Relaxed);
        // What is written below may not be seen before the number above.
        fence(Ordering::Release);
    }

    /// What was written counts from now on.
    pub fn end_write(&self) {
        let number = self.number.load(Ordering::Relaxed);
        self.number.store((number | 1).wrapping_add(1), Ordering::Release);
    }
}

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
    use crate::exciter::surface::SwapSlot;
    use std::sync::Arc;
    use std::sync::mpsc::sync_channel;

    /// Miri is a thousand times slower, and makes up for it by trying orders that no processor
    /// would.
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
                    // On a machine with much else to do the writer is to have its turn.
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
        assert_eq!(version.read(|| version.begin_write()), None, "it began to change meanwhile");
        version.end_write();
        assert_eq!(
            version.read(|| (version.begin_write(), version.end_write())),
            None,
            "it has changed meanwhile"
        );
        version.number.store(u32::MAX - 1, Ordering::Relaxed);
        version.begin_write();
        version.end_write();
        assert_eq!(version.read(|| 1), Some(1), "the numbers begin again");
    }

    /// Surfaces go to the audio thread and come back; only the builder frees them, and never one
    /// that is read.
    #[test]
    fn tables_are_freed_where_they_were_made() {
        /// What a table is to a shelf: something that may be freed on one thread alone.
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
                                to_builder.send(free).expect("the builder waits");
                            }
                            swap_slot.offer(table).expect("one reader holds one table");
                        }
                    }
                    // A ball that rolls goes over to the new one; the shelf still holds the old.
                    reader = swap_slot.as_ref().map(|swap_slot| Arc::clone(swap_slot.current()));
                }
                // It ends: what is left goes where instances go.
                drop(reader);
                (swap_slot, to_builder)
            });
            for _ in 0..rounds {
                let table = Arc::new(Table(std::thread::current().id()));
                to_audio.send(table).expect("the audio thread takes it");
                retired
                    .try_iter()
                    .for_each(|table: Arc<Table>| assert_eq!(Arc::strong_count(&table), 1));
            }
            drop(to_audio);
            let (swap_slot, to_builder) = audio.join().expect("it does not panic");
            drop((swap_slot, to_builder));
            assert!(retired.try_iter().count() <= 8);
        });
    }

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
