//! Many values that belong together, written by one thread while another reads them and may not
//! wait.
//!
//! The values are atomics of their own. A version beside them is odd while they change, and another
//! one afterwards: who reads finds all of a change or nothing of it, and tries again in the next
//! block.

mod atomic_batch;

use std::sync::atomic::{AtomicU32, Ordering, fence};

pub use atomic_batch::AtomicBatch;

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
}
