//! Records the contacts of free masses for the editor.

use super::super::ContactReport;
use super::super::recorder::{ContactRecorder, ContactWith, RecordedPoint};
use super::super::settings::ContactSettings;
use super::{FreeMass, MAX_CONTACT_SLOTS};

impl ContactRecorder {
    /// Follows the free masses through one sub-step.
    pub fn watch(&mut self, free_masses: &[FreeMass; MAX_CONTACT_SLOTS]) {
        if self.slot().is_none() {
            self.begin_pressing(free_masses);
        }
        let Some(slot) = self.slot() else { return };
        let free_mass = &free_masses[slot];
        if let Some(report) = free_mass.let_go() {
            // The surface may still catch up with the mass, which continues the same contact. But
            // if another mass presses, this one is reported as it is.
            if self.pressing(free_masses).is_some() {
                self.end_of(slot, free_mass, &report);
                self.reported = Some((slot, free_mass.contacts()));
                self.begin_pressing(free_masses);
            }
        } else if free_mass.is_in_contact() {
            self.step(slot, || free_mass.recorded_point());
        } else {
            // A mass taken off the body in contact counts no contact.
            if free_mass.contacts() > self.contacts_before {
                self.end_of(slot, free_mass, free_mass.last_contact());
            }
            self.abandon();
        }
    }

    /// The first slot whose mass is pressed, except one whose contact is already reported.
    fn pressing(&self, free_masses: &[FreeMass; MAX_CONTACT_SLOTS]) -> Option<usize> {
        let is_reported = |slot: usize| self.reported == Some((slot, free_masses[slot].contacts()));
        (0..MAX_CONTACT_SLOTS).find(|&slot| free_masses[slot].is_pressing() && !is_reported(slot))
    }

    fn begin_pressing(&mut self, free_masses: &[FreeMass; MAX_CONTACT_SLOTS]) {
        if let Some(slot) = self.pressing(free_masses) {
            self.contacts_before = free_masses[slot].contacts();
            self.begin(slot, free_masses[slot].onset_energy_j());
        }
    }

    fn end_of(&mut self, slot: usize, free_mass: &FreeMass, report: &ContactReport) {
        // With gravity each landing is a new group; without, all contacts of a mass are one strike.
        if self.contacts_before == 0 || free_mass.gravity_m_per_s2() > 0.0 {
            self.begin_group(f64::INFINITY);
        }
        let ContactReport { duration_s, separation_m, height_m, v_out_m_per_s, .. } = *report;
        let release =
            free_mass.point_at([duration_s; 2], (separation_m, v_out_m_per_s), height_m, 0.0);
        self.end(slot, ContactWith::Body, free_mass.settings(), report, release);
    }
}

impl FreeMass {
    /// Kinetic energy at the onset of the contact under way, J.
    fn onset_energy_j(&self) -> f64 {
        0.5 * self.settings().mass_kg * self.own_in_m_per_s * self.own_in_m_per_s
    }

    /// The state after the last step of the contact under way.
    fn recorded_point(&self) -> RecordedPoint {
        let times_s = self
            .contact
            .map_or([0.0; 2], |contact| [contact.time_s - contact.late_s, contact.time_s]);
        let stored_j = self.spring.potential_j(self.x_m);
        self.point_at(times_s, (self.x_m, self.v_m_per_s), self.from_m - self.way_m, stored_j)
    }

    /// A point `since_s` after the onset and `pushed_s` after the beginning of the onset's step,
    /// with a compression and a velocity.
    fn point_at(
        &self,
        [since_s, pushed_s]: [f64; 2],
        (x_m, v): (f64, f64),
        height_m: f64,
        stored_j: f64,
    ) -> RecordedPoint {
        let ContactSettings { mass_kg, gravity_m_per_s2, .. } = *self.settings();
        let risen_m = height_m - self.height_in_m;
        RecordedPoint {
            time_s: since_s as f32,
            compression_m: x_m as f32,
            impulse_ns: (mass_kg * (self.own_in_m_per_s + gravity_m_per_s2 * pushed_s - v)) as f32,
            energy_j: (mass_kg * (0.5 * v * v + gravity_m_per_s2 * risen_m) + stored_j) as f32,
        }
    }
}
