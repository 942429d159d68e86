//! What rolls as one of those that press on a body that gives way.

use super::Roll;
use crate::contact::coupled::{ContactBody, InverseMassFn, MotionBounds};
use crate::contact::integrator::passive::{Push, Reach};
use crate::contact::law::Spring;

impl ContactBody for Roll {
    fn target_substeps(
        &mut self,
        _: &MotionBounds,
        inverse_mass: InverseMassFn<'_>,
        _: f64,
    ) -> Option<u32> {
        Some(self.begin_sample_on(inverse_mass))
    }

    #[inline]
    fn reach(&mut self, surface_m: f64, h_s: f64) -> Reach {
        let reach = Roll::reach(self, h_s);
        let reach = Reach { free_m: reach.free_m - surface_m, ..reach };
        self.meet(&reach);
        reach
    }

    fn spring(&self) -> &Spring {
        Roll::spring(self)
    }

    #[inline]
    fn accept(&mut self, push: &Push, _: f64) {
        Roll::accept(self, push);
    }

    fn dissipate(&mut self, energy_j: f64) {
        Roll::dissipate(self, energy_j);
    }
}
