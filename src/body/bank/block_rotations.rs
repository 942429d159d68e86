//! How far each mode turns in one leap of the bank, and in every sample on the way.

use crate::body::Row;
use crate::body::kernel::{Kernel, Powers, Rows, RowsMut};

/// Powers of every mode's turn.
#[derive(Clone, Debug)]
pub struct BlockRotations {
    /// Re of the last power.
    pub re: Row,
    /// Im of the last power.
    pub im: Row,
    /// All the powers.
    pub powers: Box<[Powers]>,
}

impl BlockRotations {
    /// Room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        let powers = vec![Powers::ZERO; capacity].into();
        Self { re: Row::new(capacity), im: Row::new(capacity), powers }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.re.fill(0.0);
        self.im.fill(0.0);
        self.powers.fill(Powers::ZERO);
    }

    /// Of modes that turn by `turn` in one sample.
    pub fn set(&mut self, kernel: Kernel, turn: Rows<'_>) {
        let len = turn.re.len();
        let block_rotation = RowsMut { re: &mut self.re[..len], im: &mut self.im[..len] };
        kernel.table(turn, &mut self.powers[..len], block_rotation);
    }
}
