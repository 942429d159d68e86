//! A bound on the work of coupled contacts; `docs/design/step-budget.md` explains it.

/// How finely contacts are stepped, finest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepLevel {
    /// As finely as accuracy requires.
    Target,
    /// The fewest sub-steps with which a contact is still accurate.
    Minimum,
    /// A few sub-steps per contact: the impulse is right within some per cent.
    Coarse,
    /// One step per sample. The scheme is passive at any step length, so energy never grows.
    Single,
}

/// Work that the contacts of one body may do until the next window begins.
///
/// Work is counted in whole numbers, one for each pass over a group of eight modes, so that nothing
/// depends on time or on the host's blocks. While the share lasts, contacts get their target
/// sub-steps. A quarter as much again is spent on minimum sub-steps, and another quarter on coarse
/// ones; from there on there is one step per sample.
#[derive(Clone, Copy, Debug)]
pub struct StepBudget {
    share: u32,
    spent: u32,
}

impl Default for StepBudget {
    fn default() -> Self {
        Self { share: Self::UNLIMITED, spent: 0 }
    }
}

impl StepBudget {
    /// A share that is never spent.
    pub const UNLIMITED: u32 = u32::MAX;

    /// Begins a window with a share of the work.
    pub fn set_share(&mut self, share: u32) {
        *self = Self { share, spent: 0 };
    }

    /// Begins a window with a share of the work, and carries over the overdraft of the last window.
    pub fn begin_window(&mut self, share: u32) {
        *self = Self { share, spent: self.spent.saturating_sub(self.share) };
    }

    /// Changes the share within a window.
    pub fn change_share(&mut self, share: u32) {
        self.share = share;
    }

    /// Work done since the window began, including the overdraft carried over.
    #[cfg(test)]
    pub(crate) fn spent(&self) -> u32 {
        self.spent
    }

    /// Work done since the last call, or since the window began.
    pub fn take_spent(&mut self) -> u32 {
        std::mem::take(&mut self.spent)
    }

    /// How finely the next step may be made.
    pub fn level(&self) -> StepLevel {
        let quarter = self.share / 4;
        match self.spent {
            spent if spent < self.share || self.share == Self::UNLIMITED => StepLevel::Target,
            spent if spent - self.share < quarter => StepLevel::Minimum,
            spent if spent - self.share < 2 * quarter => StepLevel::Coarse,
            _ => StepLevel::Single,
        }
    }

    /// Counts work that was done.
    pub fn spend(&mut self, work: u32) {
        self.spent = self.spent.saturating_add(work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_get_coarser_as_the_share_is_spent() {
        let mut budget = StepBudget::default();
        budget.set_share(100);
        let levels: Vec<_> = (0..25)
            .map(|_| {
                let level = budget.level();
                budget.spend(10);
                level
            })
            .collect();
        assert!(levels.is_sorted());
        let count = |level| levels.iter().filter(|known| **known == level).count();
        use StepLevel::*;
        assert_eq!([Target, Minimum, Coarse, Single].map(count), [10, 3, 2, 10]);
        budget.set_share(100);
        assert_eq!(budget.level(), Target, "a new window");
        budget.set_share(0);
        assert_eq!(budget.level(), Single, "nothing to spend");
    }

    #[test]
    fn an_overdraft_is_carried_over_to_the_next_window() {
        let mut budget = StepBudget::default();
        budget.begin_window(100);
        budget.spend(250);
        budget.begin_window(100);
        assert_eq!((budget.spent(), budget.level()), (150, StepLevel::Single));
        budget.begin_window(100);
        assert_eq!((budget.spent(), budget.level()), (50, StepLevel::Target));
        budget.begin_window(StepBudget::UNLIMITED);
        assert_eq!(budget.spent(), 0);
    }

    #[test]
    fn without_a_share_there_is_no_bound() {
        let mut budget = StepBudget::default();
        budget.spend(u32::MAX);
        assert_eq!(budget.level(), StepLevel::Target);
        assert_eq!(budget.take_spent(), u32::MAX);
        assert_eq!(budget.take_spent(), 0);
    }
}
