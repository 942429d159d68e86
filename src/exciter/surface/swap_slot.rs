//! Passing tables to the audio thread and back.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::SurfaceTable;

/// Maximum number of replaced tables that may still be read.
const LEAVING: usize = 4;

/// Owner of the table in use, on the audio thread.
///
/// Nothing here locks, allocates or frees. A reader holds a clone of the table's `Arc` and may drop
/// it at any time, because the slot keeps one until [`SwapSlot::take_retired`] returns it. The
/// builder must keep no clone: it hands its `Arc` over and frees the tables that come back.
#[derive(Clone, Debug)]
pub struct SwapSlot<T = SurfaceTable> {
    current: Arc<T>,
    leaving: ArrayVec<Arc<T>, LEAVING>,
}

impl<T> SwapSlot<T> {
    /// Creates a slot with its first table.
    pub fn new(table: Arc<T>) -> Self {
        Self { current: table, leaving: ArrayVec::new() }
    }

    /// The newest table.
    pub fn current(&self) -> &Arc<T> {
        &self.current
    }

    /// Replaces the current table.
    ///
    /// # Errors
    /// Returns the table while too many older ones are still being read; offer it again later.
    pub fn offer(&mut self, table: Arc<T>) -> Result<(), Arc<T>> {
        if self.leaving.is_full() {
            return Err(table);
        }
        self.leaving.push(std::mem::replace(&mut self.current, table));
        Ok(())
    }

    /// Takes a replaced table without readers, to be freed elsewhere.
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
        // Beyond its capacity the slot returns the new table.
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
