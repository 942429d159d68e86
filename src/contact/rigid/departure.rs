//! Where a mass goes once it has come off: up and back, or nowhere.

use super::RigidContact;
use crate::contact::flight::Flight;
use crate::contact::integrator::ContactMotion;
use crate::contact::settings::{ContactSettings, Dent, Integrator};

/// Shortest flight that is followed, s. Bounces that follow each other faster than 20 kHz are not
/// heard as anything. A time and not a number of samples: a train has the same bounces at every
/// rate.
pub const SHORTEST_FLIGHT_S: f64 = 50e-6;

impl RigidContact {
    /// The flight that follows release under gravity; none if the mass stays.
    ///
    /// **Rest rule.** A rebound whose flight `2 |v_out|/g` would be shorter than the contact it
    /// comes from, or than [`SHORTEST_FLIGHT_S`], is not followed: such a mass is held down by its
    /// weight in reality. It lands once more with no speed, and rests there. With a wanted
    /// restitution e below 1 that landing comes after the time that all the flights left would have
    /// taken, `2 |v_out|/(g (1-e))`: the flights of a train add up to `t0 (1+e)/(1-e)` for any
    /// hardness. With fixed damping they would never add up to an end (they shrink as 1/n): there
    /// the landing comes after the one flight.
    ///
    /// Gravity is suspended in contact, except by Passive; so it is while the mass leaves a dent
    /// that recovers behind it, or the way out would cost energy that the way in did not give. A
    /// dent that stays is the surface from now on, and the mass is off it at once.
    pub fn departure(&self, settings: &ContactSettings) -> Option<Flight> {
        let gravity = settings.gravity_m_per_s2;
        let ContactMotion { x_m, v_m_per_s: v, .. } = self.motion();
        let shortest_s = self.elapsed_s.max(SHORTEST_FLIGHT_S);
        if self.integrator == Integrator::Passive {
            let height_m = self.release_height_m(settings);
            // It hands over where it is, and has its own way of coming to rest.
            return Flight::falling(height_m, v, gravity)
                .filter(|flight| height_m != 0.0 || flight.duration_s >= shortest_s);
        }
        let flight = Flight::falling(0.0, v, gravity)?;
        if flight.duration_s < shortest_s {
            let e = settings.restitution.filter(|e| *e < 1.0).unwrap_or(0.0);
            return Some(Flight::arriving(flight.duration_s / (1.0 - e), 0.0));
        }
        let way_out_s = if x_m > 0.0 && settings.dent == Dent::Recovers { x_m / -v } else { 0.0 };
        Some(flight.after_way_out(way_out_s))
    }
    /// Height over the surface, m, at which the mass is let go: below 0 in a dent that is yet to
    /// recover. Only for Passive, for which gravity goes on; the others are let go at the surface.
    pub fn release_height_m(&self, settings: &ContactSettings) -> f64 {
        if self.integrator != Integrator::Passive {
            return 0.0;
        }
        let surface_m = if settings.dent == Dent::Stays { self.separation_m } else { 0.0 };
        surface_m - self.motion().x_m
    }
}
