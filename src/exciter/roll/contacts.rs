//! Contact reports of rolling: start, end and speed of each contact, resolved within the steps.

use arrayvec::ArrayVec;

/// Maximum number of contacts reported per sample: at most every other of 64 steps ends a contact.
/// Further contacts are not reported; the sound does not change.
const MAX_ROLL_CONTACTS: usize = 32;

/// A completed contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RollContact {
    /// End, from the start of the sample, s.
    pub ended_s: f64,
    /// Duration, s; the contact may have begun in an earlier sample.
    pub duration_s: f64,
    /// Approach speed, m/s.
    pub v_in_m_per_s: f64,
    /// Separation speed, m/s.
    pub v_out_m_per_s: f64,
}

/// An ongoing contact: its duration so far and its approach speed.
#[derive(Clone, Copy, Debug)]
struct OngoingContact {
    time_s: f64,
    v_in_m_per_s: f64,
}

/// Contact reports of the current sample.
#[derive(Clone, Debug, Default)]
pub(super) struct RollContacts {
    now_s: f64,
    /// Change of the compression in the current step without force, m.
    free_m: f64,
    ongoing: Option<OngoingContact>,
    pub(super) passed: ArrayVec<RollContact, MAX_ROLL_CONTACTS>,
}

impl RollContacts {
    /// Clears all state.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Starts a sample.
    pub fn begin_sample(&mut self) {
        self.now_s = 0.0;
        self.passed.clear();
    }

    /// Sets the change of the compression in the next step without force, m.
    #[inline]
    pub fn expect(&mut self, free_m: f64) {
        self.free_m = free_m;
    }

    /// Records a step of `h_s` from the compression `from_m` to `to_m`.
    ///
    /// No force acts before the touch, so the touch is where the free motion reaches the ground.
    /// `gone`: the ball has been lifted off.
    #[inline]
    pub(super) fn step(&mut self, h_s: f64, (from_m, to_m): (f64, f64), force_n: f64, gone: bool) {
        self.now_s += h_s;
        if self.ongoing.is_none() && force_n > 0.0 {
            let late_s = if from_m < 0.0 && self.free_m > 0.0 {
                h_s * (-from_m / self.free_m).min(1.0)
            } else {
                0.0
            };
            self.ongoing = Some(OngoingContact {
                time_s: -late_s,
                v_in_m_per_s: (self.free_m / h_s).max(0.0),
            });
        }
        let Some(ongoing) = &mut self.ongoing else { return };
        ongoing.time_s += h_s;
        if force_n > 0.0 && to_m > 0.0 && !gone {
            return;
        }
        // The contact ended at zero compression, or before this step if no force acted in it.
        let early_s = match (force_n > 0.0, to_m < 0.0 && from_m > to_m) {
            (false, _) => h_s,
            (true, true) => h_s * (to_m / (to_m - from_m)).min(1.0),
            (true, false) => 0.0,
        };
        let passed = RollContact {
            ended_s: self.now_s - early_s,
            duration_s: (ongoing.time_s - early_s).max(0.0),
            v_in_m_per_s: ongoing.v_in_m_per_s,
            v_out_m_per_s: ((from_m - to_m) / h_s).max(0.0),
        };
        self.ongoing = None;
        let _ = self.passed.try_push(passed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_begins_and_ends_inside_its_steps() {
        let mut contacts = RollContacts::default();
        contacts.begin_sample();
        let mut step = |free_m: f64, from_m: f64, to_m: f64, force_n: f64| {
            contacts.expect(free_m);
            contacts.step(1.0, (from_m, to_m), force_n, false);
            contacts.passed.last().copied()
        };
        assert_eq!(step(2.0, -3.0, -1.0, 0.0), None);
        assert_eq!(step(4.0, -1.0, 2.0, 1.0), None, "touches after a quarter");
        assert_eq!(step(1.0, 2.0, 1.0, 2.0), None);
        let passed = step(-3.0, 1.0, -1.0, 0.5).expect("off after a half");
        assert_eq!(
            passed,
            RollContact { ended_s: 3.5, duration_s: 2.25, v_in_m_per_s: 4.0, v_out_m_per_s: 2.0 }
        );
        assert_eq!(step(-3.0, -1.0, -4.0, 0.0), Some(passed), "reported once");
    }

    #[test]
    fn what_lets_go_of_its_dent_or_is_taken_away_is_reported_too() {
        let mut contacts = RollContacts::default();
        contacts.begin_sample();
        contacts.expect(1.0);
        contacts.step(1.0, (0.0, 1.0), 1.0, false);
        contacts.step(1.0, (1.0, 0.5), 0.0, false);
        assert_eq!((contacts.passed[0].ended_s, contacts.passed[0].duration_s), (1.0, 1.0));
        contacts.begin_sample();
        contacts.step(1.0, (0.5, 0.6), 1.0, false);
        contacts.step(1.0, (0.6, 0.6), 1.0, true);
        assert_eq!((contacts.passed.len(), contacts.passed[0].ended_s), (1, 2.0));
    }
}
