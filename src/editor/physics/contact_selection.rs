//! Chooses the contact to show: the last one that sounded, or a preview of the knob settings.

use std::collections::VecDeque;

use super::contact_curves::ContactCurves;
use super::shown_contact::{RecordedContact, SimulatedContact};
use crate::contact::recorder::ContactRecording;
use crate::contact::trial::RigidTrial;
use crate::contact::{ContactSettings, Coupling, HuntCrossley};
use crate::exciter::Gesture;
use crate::params::Patch;

/// Number of previous contacts that are drawn faintly.
const MAX_PREVIOUS: usize = 4;

/// MIDI velocity (0 ... 1) of the preview.
const VELOCITY: f64 = 0.8;

/// The latest contacts.
#[derive(Clone, Debug, Default)]
pub struct LatestContacts<'a> {
    /// Contacts with a wall since the last frame, the newest last.
    pub wall: Vec<RigidTrial>,
    /// The last recorded contact.
    pub recording: Option<&'a ContactRecording>,
    /// Sample rate of the engine.
    pub sample_rate_hz: f64,
}

/// Gesture and coupling that the knobs select.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteKind {
    gesture: Gesture,
    coupling: Coupling,
}

/// The contact that is shown.
pub enum Contact {
    /// No contact yet: a strike with the knob settings on a wall.
    Preview(SimulatedContact),
    /// The last contact with a wall.
    Wall(SimulatedContact),
    /// The last contact with a wall, simulated with the knob settings changed since.
    Adjusted(SimulatedContact),
    /// The last contact with a compliant body or of two balls.
    Recorded(RecordedContact),
}

impl Contact {
    /// A remark in words, for notes of a kind.
    pub fn note(&self, kind: NoteKind) -> Option<&'static str> {
        Some(match self {
            Contact::Recorded(recorded) => return recorded.note(),
            Contact::Adjusted(_) => {
                "Knobs were turned since: the last contact as it would be with them. Play to hear it."
            }
            Contact::Wall(simulated) if !simulated.has_ended() => {
                "A contact too long to be simulated: its beginning."
            }
            Contact::Wall(_) => return None,
            Contact::Preview(_) if kind.gesture.rolls() => {
                "What rolls or scrapes stays in contact, and is not drawn. This is a strike by the knobs on a wall."
            }
            Contact::Preview(_) if kind.gesture == Gesture::Chain => {
                "A chain: play a note to see two balls meet. Until then, a strike by the knobs on a wall."
            }
            Contact::Preview(_) if kind.coupling == Coupling::CoupledSolver => {
                "Two-way: play a note to see its contact with the body. Until then, the same on a wall."
            }
            Contact::Preview(_) => return None,
        })
    }
}

/// The contact to show, and the previous ones.
#[derive(Default)]
pub struct ContactSelection {
    contact: Option<Contact>,
    /// The last contact with a wall, its curves, and the knob settings at that time.
    last_wall: Option<(RigidTrial, ContactCurves, ContactSettings)>,
    kind: Option<NoteKind>,
    /// The last recording that was shown.
    last_recording: Option<ContactRecording>,
    previous: VecDeque<ContactCurves>,
}

impl ContactSelection {
    /// Takes the contacts since the last frame, and returns the contact to show, the curves of the
    /// previous ones, and the kind of the notes.
    pub fn follow(
        &mut self,
        last: &LatestContacts,
        patch: &Patch,
    ) -> (&Contact, &VecDeque<ContactCurves>, NoteKind) {
        let (knobs, kind) = (
            patch.contact(),
            NoteKind { gesture: patch.gesture(), coupling: patch.contact().coupling },
        );
        // Another kind of notes: drop the contacts of the former kind.
        if self.kind.replace(kind) != Some(kind) {
            (self.contact, self.last_wall) = (None, None);
            self.previous.clear();
        }
        for (index, trial) in last.wall.iter().enumerate() {
            self.push_back_last();
            if index + 1 == last.wall.len() {
                let simulated = SimulatedContact::new(trial);
                self.last_wall = Some((*trial, simulated.curves.clone(), knobs));
                self.contact = Some(Contact::Wall(simulated));
            } else {
                self.push_previous(ContactCurves::simulate(trial).0);
            }
        }
        if let Some(recording) = last.recording
            && self.last_recording.as_ref() != Some(recording)
        {
            self.push_back_last();
            self.last_recording = Some(recording.clone());
            self.contact =
                Some(Contact::Recorded(RecordedContact::new(recording, last.sample_rate_hz)));
        }
        let by_knobs = || {
            let wall = ContactSettings { coupling: Coupling::Rigid, ..knobs };
            let v_in_m_per_s = patch.impact_speed_m_per_s(VELOCITY).max(1e-6);
            RigidTrial::single(wall.within_limits(), v_in_m_per_s, last.sample_rate_hz)
        };
        let contact = match (self.contact.take(), &self.last_wall) {
            (Some(Contact::Recorded(recorded)), _) => Contact::Recorded(recorded),
            (shown, Some((last_wall, _, then))) if *then == knobs => {
                Contact::Wall(reuse_or_simulate(shown, last_wall))
            }
            (shown, Some((last_wall, _, then))) => {
                Contact::Adjusted(reuse_or_simulate(shown, &adjusted(last_wall, then, &knobs)))
            }
            (shown, None) => Contact::Preview(reuse_or_simulate(shown, &by_knobs())),
        };
        (self.contact.insert(contact), &self.previous, kind)
    }

    /// Moves the contact that is shown to the previous ones.
    fn push_back_last(&mut self) {
        match (self.contact.take(), self.last_wall.take()) {
            (Some(Contact::Recorded(recorded)), _) => self.push_previous(recorded.curves),
            (_, Some((_, curves, _))) => self.push_previous(curves),
            _ => {}
        }
    }

    fn push_previous(&mut self, curves: ContactCurves) {
        self.previous.push_back(curves.thinned());
        if self.previous.len() > MAX_PREVIOUS {
            self.previous.pop_front();
        }
    }
}

/// Simulates a contact with a wall, unless it is the one that is shown.
fn reuse_or_simulate(shown: Option<Contact>, wanted: &RigidTrial) -> SimulatedContact {
    match shown {
        Some(Contact::Preview(shown) | Contact::Wall(shown) | Contact::Adjusted(shown))
            if shown.trial == *wanted =>
        {
            shown
        }
        _ => SimulatedContact::new(wanted),
    }
}

/// The contact `last_wall`, made with the knob settings `then`, as it would be with the settings
/// `now`. Mass, stiffness and damper change in proportion to their knobs, so that the effects of
/// modulation, key and randomness are kept; everything else changes only if its own knob changed.
fn adjusted(last_wall: &RigidTrial, then: &ContactSettings, now: &ContactSettings) -> RigidTrial {
    let was = &last_wall.settings;
    let law = |of: fn(&ContactSettings) -> f64| (of(was), of(then), of(now));
    let settings = ContactSettings {
        kind: keep_or_take(was.kind, then.kind, now.kind),
        damper_n_s_per_m: in_proportion((
            was.damper_n_s_per_m,
            then.damper_n_s_per_m,
            now.damper_n_s_per_m,
        )),
        restitution: keep_or_take(was.restitution, then.restitution, now.restitution),
        fit: keep_or_take(was.fit, then.fit, now.fit),
        dent: keep_or_take(was.dent, then.dent, now.dent),
        coupling: Coupling::Rigid,
        law: HuntCrossley {
            stiffness: in_proportion(law(|settings| settings.law.stiffness)),
            mu_s_per_m: keep_or_take(was.law.mu_s_per_m, then.law.mu_s_per_m, now.law.mu_s_per_m),
            alpha: keep_or_take(was.law.alpha, then.law.alpha, now.law.alpha),
        },
        mass_kg: in_proportion(law(|settings| settings.mass_kg)),
        integrator: keep_or_take(was.integrator, then.integrator, now.integrator),
        hybrid: keep_or_take(was.hybrid, then.hybrid, now.hybrid),
        release: keep_or_take(was.release, then.release, now.release),
        threshold_pct: keep_or_take(was.threshold_pct, then.threshold_pct, now.threshold_pct),
        steps_per_sample: keep_or_take(
            was.steps_per_sample,
            then.steps_per_sample,
            now.steps_per_sample,
        ),
        gravity_m_per_s2: was.gravity_m_per_s2,
    };
    RigidTrial { settings: settings.within_limits(), ..*last_wall }
}

fn keep_or_take<T: PartialEq>(was: T, then: T, now: T) -> T {
    if then == now { was } else { now }
}

fn in_proportion((was, then, now): (f64, f64, f64)) -> f64 {
    match then {
        _ if then == now => was,
        0.0 => now,
        _ => was * now / then,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Integrator, Release};

    #[test]
    fn only_turned_knobs_change_the_contact() {
        let knobs = ContactSettings::default();
        let law =
            HuntCrossley { stiffness: 3.0 * knobs.law.stiffness, mu_s_per_m: 0.1, alpha: 2.0 };
        let settings =
            ContactSettings { law, mass_kg: 0.1 * knobs.mass_kg, restitution: Some(0.3), ..knobs };
        let last_wall = RigidTrial::single(settings.within_limits(), 2.0, 48_000.0);
        assert_eq!(adjusted(&last_wall, &knobs, &knobs), last_wall);
        let now = ContactSettings {
            mass_kg: 2.0 * knobs.mass_kg,
            integrator: Integrator::Heun,
            hybrid: false,
            release: Release::Free,
            law: HuntCrossley { stiffness: 0.5 * knobs.law.stiffness, ..knobs.law },
            ..knobs
        };
        let got = adjusted(&last_wall, &knobs, &now);
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
        assert!(near(got.settings.mass_kg, 0.2 * knobs.mass_kg));
        assert!(near(got.settings.law.stiffness, 1.5 * knobs.law.stiffness));
        assert_eq!((got.settings.law.mu_s_per_m, got.settings.law.alpha), (0.1, 2.0));
        let by_choice = (got.settings.integrator, got.settings.hybrid, got.settings.release);
        assert_eq!(by_choice, (Integrator::Heun, false, Release::Free));
        assert_eq!((got.settings.restitution, got.v_in_m_per_s), (Some(0.3), 2.0));
    }
}
