//! Which parameters chance must not touch.

use crate::params::{Group, Param};

/// A lock for every parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locks([bool; Param::COUNT]);

impl Default for Locks {
    fn default() -> Self {
        Self([false; Param::COUNT])
    }
}

impl Locks {
    /// Whether a parameter is locked.
    pub fn is_locked(&self, param: Param) -> bool {
        self.0[param as usize]
    }

    /// Lock or unlock one.
    pub fn set(&mut self, param: Param, locked: bool) {
        self.0[param as usize] = locked;
    }

    /// Lock or unlock a whole group.
    pub fn set_group(&mut self, group: Group, locked: bool) {
        for param in Param::ALL.into_iter().filter(|param| param.spec().group == group) {
            self.set(param, locked);
        }
    }

    /// Whether all of a group are locked.
    pub fn is_group_locked(&self, group: Group) -> bool {
        Param::ALL
            .into_iter()
            .filter(|param| param.spec().group == group)
            .all(|param| self.is_locked(param))
    }

    /// The locked ones, by their identifiers.
    pub fn ids(&self) -> Vec<&'static str> {
        Param::ALL
            .into_iter()
            .filter(|param| self.is_locked(*param))
            .map(|param| param.spec().id)
            .collect()
    }

    /// Lock these; identifiers of other versions do not matter.
    pub fn of_ids<'a>(ids: impl IntoIterator<Item = &'a str>) -> Self {
        let mut locks = Self::default();
        ids.into_iter().filter_map(Param::from_id).for_each(|param| locks.set(param, true));
        locks
    }
}
