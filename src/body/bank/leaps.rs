//! How far each mode turns in one leap of the bank, and in every sample on the way.

use crate::body::kernel::{Kernel, Powers, Rows, RowsMut};
use crate::body::{MAX_MODES, PerMode};

/// Powers of every mode's turn.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Leaps {
    /// Re of the last power.
    pub re: PerMode,
    /// Im of the last power.
    pub im: PerMode,
    /// All the powers.
    pub powers: [Powers; MAX_MODES],
}

impl Default for Leaps {
    fn default() -> Self {
        Self { re: [0.0; MAX_MODES], im: [0.0; MAX_MODES], powers: [Powers::ZERO; MAX_MODES] }
    }
}

impl Leaps {
    /// Of modes that turn by `turn` in one sample.
    pub fn set(&mut self, kernel: Kernel, turn: Rows<'_>) {
        let len = turn.re.len();
        let leap = RowsMut { re: &mut self.re[..len], im: &mut self.im[..len] };
        kernel.table(turn, &mut self.powers[..len], leap);
    }
}
