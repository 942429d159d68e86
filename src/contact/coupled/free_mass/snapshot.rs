//! What can be seen of a contact of a free mass.

use super::super::super::recording::RecordedPoint;
use super::super::super::report::ContactReport;
use super::super::super::settings::ContactSettings;
use super::FreeMass;

impl FreeMass {
    /// How its contact begins.
    pub(in crate::contact::coupled) fn onset(&self) -> RecordedPoint {
        let energy_j = 0.5 * self.settings.mass_kg * self.own_in_m_per_s * self.own_in_m_per_s;
        RecordedPoint { energy_j: energy_j as f32, ..RecordedPoint::default() }
    }

    /// How its contact stands after the last step; none out of contact.
    pub(in crate::contact::coupled) fn moment(&self) -> Option<RecordedPoint> {
        let coupled_contact = self.contact.filter(|_| self.active)?;
        let stored_j = self.spring.potential_j(self.x_m);
        let times_s = (coupled_contact.time_s - coupled_contact.late_s, coupled_contact.time_s);
        Some(self.moment_at(
            times_s,
            (self.x_m, self.v_m_per_s),
            self.from_m - self.way_m,
            stored_j,
        ))
    }

    /// How a contact of its that was like this ended.
    pub(in crate::contact::coupled) fn release(&self, report: &ContactReport) -> RecordedPoint {
        let ContactReport { duration_s, separation_m, height_m, v_out_m_per_s, .. } = *report;
        self.moment_at((duration_s, duration_s), (separation_m, v_out_m_per_s), height_m, 0.0)
    }

    /// `since_s` after the onset and `pushed_s` after the beginning of its step, with a compression
    /// and a velocity.
    fn moment_at(
        &self,
        (since_s, pushed_s): (f64, f64),
        (x_m, v): (f64, f64),
        height_m: f64,
        stored_j: f64,
    ) -> RecordedPoint {
        let ContactSettings { mass_kg, gravity_m_per_s2, .. } = self.settings;
        let risen_m = height_m - self.height_in_m;
        RecordedPoint {
            time_s: since_s as f32,
            compression_m: x_m as f32,
            impulse_ns: (mass_kg * (self.own_in_m_per_s + gravity_m_per_s2 * pushed_s - v)) as f32,
            energy_j: (mass_kg * (0.5 * v * v + gravity_m_per_s2 * risen_m) + stored_j) as f32,
        }
    }
}
