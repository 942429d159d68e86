//! Handing tables to the audio thread and taking them back.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::SurfaceTable;

/// Tables that may still be read after a newer one has come.
const LEAVING: usize = 4;

/// Where the audio thread keeps the table that is in use.
///
/// Nothing here locks, allocates or frees. Whoever rolls holds a clone of the table's `Arc` and may
/// drop it at any time, because the shelf keeps one until it is asked for through
/// [`SwapSlot::take_retired`]. The builder must keep none: it hands its `Arc` over, and disposes of
/// what comes back.
#[derive(Clone, Debug)]
pub struct SwapSlot<T = SurfaceTable> {
    current: Arc<T>,
    leaving: ArrayVec<Arc<T>, LEAVING>,
}

impl<T> SwapSlot<T> {
    /// With a first table.
    pub fn new(table: Arc<T>) -> Self {
        Self { current: table, leaving: ArrayVec::new() }
    }

    /// The newest table.
    pub fn current(&self) -> &Arc<T> {
        &self.current
    }

    /// Put a new table in use.
    ///
    /// # Errors
    /// Gives it back while too many older ones are still being read; offer it again later.
    pub fn offer(&mut self, table: Arc<T>) -> Result<(), Arc<T>> {
        if self.leaving.is_full() {
            return Err(table);
        }
        self.leaving.push(std::mem::replace(&mut self.current, table));
        Ok(())
    }

    /// A table that nobody reads any more, to be sent where it may be freed.
    pub fn take_retired(&mut self) -> Option<Arc<T>> {
        let free = self.leaving.iter().position(|table| Arc::strong_count(table) == 1)?;
        Some(self.leaving.swap_remove(free))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Feeler, Recipe};
    use super::*;

    #[test]
    fn a_table_comes_back_when_nobody_reads_it() {
        let table = || {
            Arc::new(SurfaceTable::build(
                &Recipe::default(),
                &Feeler { radius_m: 0.01, patch_m: 0.0 },
            ))
        };
        let mut swap_slot = SwapSlot::new(table());
        let reader = Arc::clone(swap_slot.current());
        assert!(swap_slot.offer(table()).is_ok());
        assert!(swap_slot.take_retired().is_none(), "still read");
        drop(reader);
        let back = swap_slot.take_retired().expect("free");
        assert!(swap_slot.take_retired().is_none());
        // More than it can hold: the newest is given back.
        let readers: Vec<_> = (0..LEAVING)
            .map(|_| {
                let reader = Arc::clone(swap_slot.current());
                assert!(swap_slot.offer(Arc::new((*back).clone())).is_ok());
                reader
            })
            .collect();
        assert!(swap_slot.offer(back).is_err());
        drop(readers);
        assert!(swap_slot.take_retired().is_some());
    }
}
