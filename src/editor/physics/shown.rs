//! Which contact is shown: the last that sounded, and before the first what the knobs would make.

use std::collections::VecDeque;

use super::course::Course;
use super::felt::Felt;
use super::replay::Replay;
use super::turned::turned;
use crate::contact::trace::Trace;
use crate::contact::{Again, ContactSettings, Coupling};
use crate::gesture::Gesture;
use crate::patch::Patch;

/// Contacts before the last one that are still seen.
const PAST: usize = 4;

/// Velocity of the blow that is shown before anything has sounded.
const VELOCITY: f64 = 0.8;

/// What there is to show of the last contacts.
#[derive(Clone, Debug, Default)]
pub struct Last<'a> {
    /// Those with a wall since the last frame, the newest last.
    pub contacts: Vec<Again>,
    /// The course of the last one that cannot be had again, if there was one.
    pub trace: Option<&'a Trace>,
    /// Of the engine.
    pub sample_rate_hz: f64,
}

/// What the knobs say a note does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    gesture: Gesture,
    coupling: Coupling,
}

/// One contact.
pub enum Contact {
    /// None yet: a blow by the knobs against a wall.
    Knobs(Replay),
    /// With a wall, as it sounded.
    Wall(Replay),
    /// The same as it would be with the knobs that have been turned since.
    Turned(Replay),
    /// With what gives way, as the engine had it.
    Felt(Felt),
}

impl Contact {
    /// What is to be said of it in words, for notes of a kind.
    pub fn note(&self, kind: Kind) -> Option<&'static str> {
        Some(match self {
            Contact::Felt(felt) => return felt.note(),
            Contact::Turned(_) => {
                "Knobs were turned since: the last contact as it would be with them. Play to hear it."
            }
            Contact::Wall(replay) if replay.report.is_none() => {
                "A contact too long to be stepped again: its beginning."
            }
            Contact::Wall(_) => return None,
            Contact::Knobs(_) if kind.gesture.rolls() => {
                "What rolls or scrapes stays in contact, and is not drawn. This is a blow by the knobs on a wall."
            }
            Contact::Knobs(_) if kind.gesture == Gesture::Chain => {
                "A row: play a note to see two balls meet. Until then, a blow by the knobs on a wall."
            }
            Contact::Knobs(_) if kind.coupling == Coupling::TwoWay => {
                "Two-way: play a note to see its contact with the body. Until then, the same on a wall."
            }
            Contact::Knobs(_) => return None,
        })
    }
}

/// What is shown, and what was before.
#[derive(Default)]
pub struct Shown {
    contact: Option<Contact>,
    /// The last contact with a wall, its course, and the knobs when it came.
    told: Option<(Again, Course, ContactSettings)>,
    kind: Option<Kind>,
    /// The last course that was seen.
    seen: Option<Trace>,
    past: VecDeque<Course>,
}

impl Shown {
    /// The contact to show, with what has come since the last frame; the courses of those before it; and what notes are like.
    pub fn follow(&mut self, last: &Last, patch: &Patch) -> (&Contact, &VecDeque<Course>, Kind) {
        let (knobs, kind) = (patch.contact(), Kind { gesture: patch.gesture(), coupling: patch.contact().coupling });
        // Notes of another kind have nothing to do with the contact that is shown.
        if self.kind.replace(kind) != Some(kind) {
            (self.contact, self.told) = (None, None);
            self.past.clear();
        }
        for (index, again) in last.contacts.iter().enumerate() {
            self.push_back_last();
            if index + 1 == last.contacts.len() {
                let replay = Replay::new(again);
                self.told = Some((*again, replay.course.clone(), knobs));
                self.contact = Some(Contact::Wall(replay));
            } else {
                self.remember(Course::again(again).0);
            }
        }
        if let Some(trace) = last.trace
            && self.seen.as_ref() != Some(trace)
        {
            self.push_back_last();
            self.seen = Some(trace.clone());
            self.contact = Some(Contact::Felt(Felt::new(trace, last.sample_rate_hz)));
        }
        let by_knobs = || {
            let wall = ContactSettings { coupling: Coupling::Rigid, ..knobs };
            Again::on_a_sample(&wall, patch.impact_speed_m_per_s(VELOCITY).max(1e-6), last.sample_rate_hz)
        };
        let contact = match (self.contact.take(), &self.told) {
            (Some(Contact::Felt(felt)), _) => Contact::Felt(felt),
            (shown, Some((told, _, then))) if *then == knobs => Contact::Wall(kept(shown, told)),
            (shown, Some((told, _, then))) => Contact::Turned(kept(shown, &turned(told, then, &knobs))),
            (shown, None) => Contact::Knobs(kept(shown, &by_knobs())),
        };
        (self.contact.insert(contact), &self.past, kind)
    }

    /// The contact that is shown makes room for another.
    fn push_back_last(&mut self) {
        match (self.contact.take(), self.told.take()) {
            (Some(Contact::Felt(felt)), _) => self.remember(felt.course),
            (_, Some((_, course, _))) => self.remember(course),
            _ => {}
        }
    }

    fn remember(&mut self, course: Course) {
        self.past.push_back(course.thinned());
        if self.past.len() > PAST {
            self.past.pop_front();
        }
    }
}

/// A contact with a wall; the one that is shown already, if it is the same.
fn kept(shown: Option<Contact>, wanted: &Again) -> Replay {
    match shown {
        Some(Contact::Knobs(replay) | Contact::Wall(replay) | Contact::Turned(replay)) if replay.of == *wanted => {
            replay
        }
        _ => Replay::new(wanted),
    }
}
