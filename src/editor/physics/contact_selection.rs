//! Which contact is shown: the last that sounded, and before the first what the knobs would make.

use std::collections::VecDeque;

use super::adjusted::adjusted;
use super::contact_curves::ContactCurves;
use super::coupled_contact::CoupledContact;
use super::replay::Replay;
use crate::contact::recording::ContactRecording;
use crate::contact::{ContactSettings, Coupling, ReplayInputs};
use crate::exciter::Gesture;
use crate::params::Patch;

/// Contacts before the last one that are still seen.
const MAX_PREVIOUS: usize = 4;

/// Velocity of the blow that is shown before anything has sounded.
const VELOCITY: f64 = 0.8;

/// What there is to show of the last contacts.
#[derive(Clone, Debug, Default)]
pub struct LatestContacts<'a> {
    /// Those with a wall since the last frame, the newest last.
    pub contacts: Vec<ReplayInputs>,
    /// The course of the last one that cannot be had again, if there was one.
    pub trace: Option<&'a ContactRecording>,
    /// Of the engine.
    pub sample_rate_hz: f64,
}

/// What the knobs say a note does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteKind {
    gesture: Gesture,
    coupling: Coupling,
}

/// One contact.
pub enum Contact {
    /// None yet: a blow by the knobs against a wall.
    Preview(Replay),
    /// With a wall, as it sounded.
    Wall(Replay),
    /// The same as it would be with the knobs that have been turned since.
    Adjusted(Replay),
    /// With what gives way, as the engine had it.
    Coupled(CoupledContact),
}

impl Contact {
    /// What is to be said of it in words, for notes of a kind.
    pub fn note(&self, kind: NoteKind) -> Option<&'static str> {
        Some(match self {
            Contact::Coupled(coupled) => return coupled.note(),
            Contact::Adjusted(_) => {
                "Knobs were turned since: the last contact as it would be with them. Play to hear it."
            }
            Contact::Wall(replay) if replay.report.is_none() => {
                "A contact too long to be stepped again: its beginning."
            }
            Contact::Wall(_) => return None,
            Contact::Preview(_) if kind.gesture.rolls() => {
                "What rolls or scrapes stays in contact, and is not drawn. This is a blow by the knobs on a wall."
            }
            Contact::Preview(_) if kind.gesture == Gesture::Chain => {
                "A row: play a note to see two balls meet. Until then, a blow by the knobs on a wall."
            }
            Contact::Preview(_) if kind.coupling == Coupling::CoupledSolver => {
                "Two-way: play a note to see its contact with the body. Until then, the same on a wall."
            }
            Contact::Preview(_) => return None,
        })
    }
}

/// What is shown, and what was before.
#[derive(Default)]
pub struct ContactSelection {
    contact: Option<Contact>,
    /// The last contact with a wall, its course, and the knobs when it came.
    last_wall: Option<(ReplayInputs, ContactCurves, ContactSettings)>,
    kind: Option<NoteKind>,
    /// The last course that was seen.
    last_trace: Option<ContactRecording>,
    previous: VecDeque<ContactCurves>,
}

impl ContactSelection {
    /// The contact to show, with what has come since the last frame; the courses of those before
    /// it; and what notes are like.
    pub fn follow(
        &mut self,
        last: &LatestContacts,
        patch: &Patch,
    ) -> (&Contact, &VecDeque<ContactCurves>, NoteKind) {
        let (knobs, kind) = (
            patch.contact(),
            NoteKind { gesture: patch.gesture(), coupling: patch.contact().coupling },
        );
        // Notes of another kind have nothing to do with the contact that is shown.
        if self.kind.replace(kind) != Some(kind) {
            (self.contact, self.last_wall) = (None, None);
            self.previous.clear();
        }
        for (index, replay_inputs) in last.contacts.iter().enumerate() {
            self.push_back_last();
            if index + 1 == last.contacts.len() {
                let replay = Replay::new(replay_inputs);
                self.last_wall = Some((*replay_inputs, replay.curves.clone(), knobs));
                self.contact = Some(Contact::Wall(replay));
            } else {
                self.push_previous(ContactCurves::again(replay_inputs).0);
            }
        }
        if let Some(trace) = last.trace
            && self.last_trace.as_ref() != Some(trace)
        {
            self.push_back_last();
            self.last_trace = Some(trace.clone());
            self.contact = Some(Contact::Coupled(CoupledContact::new(trace, last.sample_rate_hz)));
        }
        let by_knobs = || {
            let wall = ContactSettings { coupling: Coupling::Rigid, ..knobs };
            ReplayInputs::on_a_sample(
                &wall,
                patch.impact_speed_m_per_s(VELOCITY).max(1e-6),
                last.sample_rate_hz,
            )
        };
        let contact = match (self.contact.take(), &self.last_wall) {
            (Some(Contact::Coupled(coupled)), _) => Contact::Coupled(coupled),
            (shown, Some((last_wall, _, then))) if *then == knobs => {
                Contact::Wall(reuse_or_step(shown, last_wall))
            }
            (shown, Some((last_wall, _, then))) => {
                Contact::Adjusted(reuse_or_step(shown, &adjusted(last_wall, then, &knobs)))
            }
            (shown, None) => Contact::Preview(reuse_or_step(shown, &by_knobs())),
        };
        (self.contact.insert(contact), &self.previous, kind)
    }

    /// The contact that is shown makes room for another.
    fn push_back_last(&mut self) {
        match (self.contact.take(), self.last_wall.take()) {
            (Some(Contact::Coupled(coupled)), _) => self.push_previous(coupled.curves),
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

/// A contact with a wall; the one that is shown already, if it is the same.
fn reuse_or_step(shown: Option<Contact>, wanted: &ReplayInputs) -> Replay {
    match shown {
        Some(Contact::Preview(replay) | Contact::Wall(replay) | Contact::Adjusted(replay))
            if replay.of == *wanted =>
        {
            replay
        }
        _ => Replay::new(wanted),
    }
}
