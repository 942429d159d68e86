//! Many values that belong together, written by one thread while another reads them and may not wait.
//!
//! The values are atomics of their own. A version beside them is odd while they change, and another one afterwards: who
//! reads finds all of a change or nothing of it, and tries again in the next block.

mod arrival;

use std::sync::atomic::{AtomicU32, Ordering, fence};

pub use arrival::Arrival;

/// The version of some values.
#[derive(Debug, Default)]
pub struct Version {
    number: AtomicU32,
}

impl Version {
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

    /// From here to [`settle`](Self::settle) nobody reads. For the thread that writes alone.
    pub fn unsettle(&self) {
        self.number.fetch_or(1, Ordering::Relaxed);
        // What is written below may not be seen before the number above.
        fence(Ordering::Release);
    }

    /// What was written counts from now on.
    pub fn settle(&self) {
        let number = self.number.load(Ordering::Relaxed);
        self.number.store((number | 1).wrapping_add(1), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gesture::surface::Shelf;
    use std::sync::Arc;
    use std::sync::mpsc::sync_channel;

    /// Miri is a thousand times slower, and makes up for it by trying orders that no processor would.
    const ROUNDS: u32 = if cfg!(miri) { 40 } else { 20_000 };

    #[test]
    fn a_reader_sees_all_of_a_change_or_nothing_of_it() {
        let version = Version::default();
        let values: [AtomicU32; 4] = Default::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for round in 1..=ROUNDS {
                    version.unsettle();
                    values.iter().for_each(|value| value.store(round, Ordering::Relaxed));
                    version.settle();
                    std::thread::yield_now();
                }
            });
            let (mut seen, mut newest) = (0u64, 0);
            while newest < ROUNDS {
                let read = version.read(|| values.each_ref().map(|value| value.load(Ordering::Relaxed)));
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
        let version = Version::default();
        assert_eq!(version.read(|| 1), Some(1));
        version.unsettle();
        version.unsettle();
        assert_eq!(version.read(|| 1), None);
        version.settle();
        assert_eq!(version.read(|| 1), Some(1));
        assert_eq!(version.read(|| version.unsettle()), None, "it began to change meanwhile");
        version.settle();
        assert_eq!(version.read(|| (version.unsettle(), version.settle())), None, "it has changed meanwhile");
        version.number.store(u32::MAX - 1, Ordering::Relaxed);
        version.unsettle();
        version.settle();
        assert_eq!(version.read(|| 1), Some(1), "the numbers begin again");
    }

    /// Surfaces go to the audio thread and come back; only the builder frees them, and never one that is read.
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
                let (mut shelf, mut reader): (Option<Shelf<Table>>, Option<Arc<Table>>) = (None, None);
                while let Ok(table) = ready.recv() {
                    match &mut shelf {
                        None => shelf = Some(Shelf::new(table)),
                        Some(shelf) => {
                            while let Some(free) = shelf.take_retired() {
                                to_builder.send(free).expect("the builder waits");
                            }
                            shelf.offer(table).expect("one reader holds one table");
                        }
                    }
                    // A ball that rolls goes over to the new one; the shelf still holds the old.
                    reader = shelf.as_ref().map(|shelf| Arc::clone(shelf.current()));
                }
                // It ends: what is left goes where instances go.
                drop(reader);
                (shelf, to_builder)
            });
            for _ in 0..rounds {
                let table = Arc::new(Table(std::thread::current().id()));
                to_audio.send(table).expect("the audio thread takes it");
                retired.try_iter().for_each(|table: Arc<Table>| assert_eq!(Arc::strong_count(&table), 1));
            }
            drop(to_audio);
            let (shelf, to_builder) = audio.join().expect("it does not panic");
            drop((shelf, to_builder));
            assert!(retired.try_iter().count() <= 8);
        });
    }
}
