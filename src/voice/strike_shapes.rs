//! Where the last blow fell, and how a force there moves the modes: the next one mostly falls there
//! too.

use super::rigid_contacts::ContactContext;
use crate::body::{Point, Row};

/// The place of the last blow.
#[derive(Clone, Debug)]
pub struct StrikeShapes {
    of: Option<(Point, f64)>,
    gains: Row,
    /// Gains from here on are 0.
    len: usize,
}

impl StrikeShapes {
    /// Nowhere yet, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self { of: None, gains: Row::new(capacity), len: 0 }
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        self.gains.fill(0.0);
        (self.of, self.len) = (None, 0);
    }

    /// What is kept for each mode.
    pub fn row_in_memory(&mut self) -> &mut Row {
        &mut self.gains
    }

    /// The modes have changed.
    pub fn forget(&mut self) {
        self.of = None;
    }

    /// How a force at a point of the body, of this mass in kg, moves its modes.
    pub fn gains(
        &mut self,
        contact_context: &ContactContext,
        point: Point,
        mass_kg: f64,
    ) -> &[f64] {
        if self.of != Some((point, mass_kg)) {
            self.gains[..self.len].fill(0.0);
            contact_context.modes.add_gains(0, point, mass_kg, &mut self.gains);
            self.len = contact_context.modes.len;
            self.of = Some((point, mass_kg));
        }
        &self.gains
    }
}
