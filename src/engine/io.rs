//! What goes in and out with a block.

use crate::exciter::external::Input;

/// Takes the sound of one group of keys, if somebody wants it on its own.
pub trait GroupOut {
    /// Whether anybody listens to a group. If not, it is heard in the main output.
    fn is_connected(&self, _group: usize) -> bool {
        true
    }

    /// Sound of group `group` from sample `start` of the block on; full scale is 1.
    fn write(&mut self, group: usize, start: usize, left: &[f64], right: &[f64]);
}

/// The sound of one block.
pub struct Io<'a> {
    /// From outside.
    pub input: Input<'a>,
    /// Out, left; overwritten.
    pub left: &'a mut [f32],
    /// Out, right; overwritten.
    pub right: &'a mut [f32],
    /// Out for the keys of the groups, which then are not in `left` and `right`.
    pub groups: Option<&'a mut dyn GroupOut>,
}

impl Io<'_> {
    /// Samples in it: of two channels of unequal length the shorter counts.
    pub fn len(&self) -> usize {
        self.left.len().min(self.right.len())
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
