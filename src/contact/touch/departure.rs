//! Where a mass goes once it has come off: up and back, or nowhere.

use super::Touch;
use crate::contact::flight::Flight;
use crate::contact::integrator::Motion;
use crate::contact::settings::{ContactSettings, Dent, Integrator};

/// Share of a sample that a whole train of bounces may still have before it when it is cut off.
const REST_OF_A_TRAIN: f64 = 0.5;

impl Touch {
    /// The flight that follows release under gravity; none if the mass stays.
    ///
    /// **Rest rule.** A rebound whose flight `2 |v_out|/g` would be shorter than the contact it comes from does
    /// not leave: such a mass is held down by its weight in reality. With fixed damping neither does one shorter
    /// than a sample, since its successors would hardly be shorter. With a wanted restitution e they shrink by e
    /// each, and all of them together are the flight over `1 - e`: once that is half a sample the train is over.
    ///
    /// Gravity is suspended in contact, except by Passive; so it is while the mass leaves a dent that recovers
    /// behind it, or the way out would cost energy that the way in did not give. A dent that stays is the surface
    /// from now on, and the mass is off it at once.
    pub fn departure(&self, settings: &ContactSettings, sample_s: f64) -> Option<Flight> {
        let gravity = settings.gravity_m_per_s2;
        let Motion { x_m, v_m_per_s: v, .. } = self.motion;
        if self.integrator == Integrator::Passive {
            let surface_m = if settings.dent == Dent::Stays { self.separation_m } else { 0.0 };
            let height_m = surface_m - x_m;
            // It hands over where it is, and has its own way of coming to rest.
            return Flight::falling(height_m, v, gravity)
                .filter(|flight| height_m != 0.0 || flight.remaining_s >= self.elapsed_s.max(sample_s));
        }
        let flight = Flight::falling(0.0, v, gravity)?;
        let leaves = match settings.restitution {
            Some(e) => {
                let train_s = flight.remaining_s / (1.0 - e).max(1e-3);
                flight.remaining_s >= self.elapsed_s && train_s >= REST_OF_A_TRAIN * sample_s
            }
            None => flight.remaining_s >= self.elapsed_s.max(sample_s),
        };
        let way_out_s = if x_m > 0.0 && settings.dent == Dent::Recovers { x_m / -v } else { 0.0 };
        leaves.then_some(Flight { remaining_s: flight.remaining_s + way_out_s, ..flight })
    }
}
