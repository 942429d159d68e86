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
        let release = free_mass.release_point(report);
        self.end(slot, ContactWith::Body, free_mass.settings(), report, release);
    }
}

impl FreeMass {
    /// Kinetic energy at the onset of the contact under way, J.
    fn onset_energy_j(&self) -> f64 {
        let own_in = self.contact.map_or(0.0, |contact| contact.own_in_m_per_s);
        0.5 * self.settings().mass_kg * own_in * own_in
    }

    /// State after the last step of the contact under way.
    fn recorded_point(&self) -> RecordedPoint {
        let Some(contact) = &self.contact else { return RecordedPoint::default() };
        let risen_m = self.from_m - self.way_m - contact.height_in_m;
        RecordedPoint {
            time_s: (contact.time_s - contact.late_s) as f32,
            compression_m: self.x_m as f32,
            impulse_ns: self.impulse_ns(contact.own_in_m_per_s, self.v_m_per_s, contact.time_s),
            energy_j: (self.recorded_energy_j(self.v_m_per_s, risen_m)
                + self.spring.potential_j(self.x_m)) as f32,
        }
    }

    /// State at the release of a contact.
    fn release_point(&self, report: &ContactReport) -> RecordedPoint {
        let risen_m = report.height_m - report.height_in_m;
        let ContactReport { own_in_m_per_s, v_out_m_per_s, duration_s, .. } = *report;
        RecordedPoint {
            time_s: duration_s as f32,
            compression_m: report.separation_m as f32,
            impulse_ns: self.impulse_ns(own_in_m_per_s, v_out_m_per_s, duration_s),
            energy_j: self.recorded_energy_j(v_out_m_per_s, risen_m) as f32,
        }
    }

    /// Impulse that changes the velocity `before` to `after` within `time_s` of gravity, N s.
    fn impulse_ns(&self, before: f64, after: f64, time_s: f64) -> f32 {
        let ContactSettings { mass_kg, gravity_m_per_s2, .. } = *self.settings();
        (mass_kg * (before + gravity_m_per_s2 * time_s - after)) as f32
    }

    /// Kinetic and potential energy, J.
    fn recorded_energy_j(&self, v: f64, risen_m: f64) -> f64 {
        let ContactSettings { mass_kg, gravity_m_per_s2, .. } = *self.settings();
        mass_kg * (0.5 * v * v + gravity_m_per_s2 * risen_m)
    }
}
