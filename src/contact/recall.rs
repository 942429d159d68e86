//! A contact that is the equal of the one before it need not be worked out again.
//!
//! Where many bodies are struck at once by like strikers at the same speed, all of these contacts are one and the same: against a
//! wall the body has no say in it. A step depends on nothing but where it begins and how long it is, so one that begins alike ends
//! alike, to the bit.

use arrayvec::ArrayVec;

use super::striker::Pieces;
use super::touch::{Touch, TouchStep};

/// Steps that are kept, at most: several times those of a usual blow. What lasts longer is worked out from there on.
const MOST: usize = 256;

/// Of a contact that is in no record, and will be in none.
const NONE: u64 = u64::MAX;

/// Where in which record a contact is. One that has not begun has the number 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark {
    record: u64,
    next: usize,
}

/// A step that was made.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// How long it was to be, and the pieces of its force, s.
    asked_s: (f64, f64),
    step: TouchStep,
    pieces: Option<Pieces>,
    /// Where it led.
    after: Touch,
}

/// The steps of the last contact that came twice.
#[derive(Clone, Debug, Default)]
pub struct Recall {
    /// Where the last contact began, and how long its first step and the pieces of it were to be, s.
    first: Option<(Touch, (f64, f64))>,
    steps: ArrayVec<Known, MOST>,
    /// Number of the record: another contact has another.
    record: u64,
}

impl Recall {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// What [`Touch::step`] does, and its force in pieces of `piece_s`, if they are few.
    pub(super) fn step(&mut self, touch: &mut Touch, h_s: f64, piece_s: f64) -> (TouchStep, Option<Pieces>) {
        let (place, asked_s) = (self.place_of(touch, (h_s, piece_s)), (h_s, piece_s));
        if let Some(known) = place.and_then(|place| self.steps.get(place)).filter(|known| known.asked_s == asked_s) {
            *touch = known.after;
            return (known.step, known.pieces);
        }
        let step = touch.step(h_s);
        // What leads to it is known, and there is room: it is kept. Else nobody will know the rest of this contact.
        if place != Some(self.steps.len()) || self.steps.is_full() {
            touch.set_mark(Mark { record: NONE, next: 0 });
            return (step, None);
        }
        let pieces = Pieces::of(&step, piece_s);
        touch.set_mark(Mark { record: self.record, next: self.steps.len() + 1 });
        self.steps.push(Known { asked_s, step, pieces, after: *touch });
        (step, pieces)
    }

    /// The step that begins where this contact is, or that would be the next. A contact that begins unlike the last takes its place,
    /// but has none itself: most do not come twice, and to keep what nobody asks for would cost a sixth of making it.
    fn place_of(&mut self, touch: &Touch, asked_s: (f64, f64)) -> Option<usize> {
        let Mark { record, next } = touch.mark();
        if record != 0 {
            return (record == self.record).then_some(next);
        }
        if self.first.as_ref().is_some_and(|(first, first_s)| *first_s == asked_s && first == touch) {
            return Some(0);
        }
        self.first = Some((*touch, asked_s));
        self.steps.clear();
        self.record += 1;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::ContactSettings;
    use crate::contact::integrator::Motion;

    const DT_S: f64 = 1.0 / 48_000.0;

    /// A contact, and the next step of it.
    struct Course {
        touch: Touch,
        h_s: f64,
        made: Vec<(TouchStep, Motion)>,
    }

    impl Course {
        fn new(v_in_m_per_s: f64, first_s: f64) -> Self {
            let touch = Touch::begin(&ContactSettings::default(), v_in_m_per_s, DT_S);
            Self { touch, h_s: first_s, made: Vec::new() }
        }

        fn is_over(&self) -> bool {
            self.made.last().is_some_and(|(step, _)| step.released)
        }

        fn go_on(&mut self, step: impl FnOnce(&mut Touch, f64) -> TouchStep) {
            let step = step(&mut self.touch, self.h_s);
            self.made.push((step, *self.touch.motion()));
            self.h_s = DT_S / f64::from(self.touch.steps_per_sample());
        }

        fn recall(&mut self, recall: &mut Recall) {
            self.go_on(|touch, h_s| recall.step(touch, h_s, 0.25 * h_s).0);
        }
    }

    fn plain(v_in_m_per_s: f64, first_s: f64) -> Vec<(TouchStep, Motion)> {
        let mut course = Course::new(v_in_m_per_s, first_s);
        while !course.is_over() {
            course.go_on(Touch::step);
        }
        course.made
    }

    #[test]
    fn equal_contacts_are_recalled_and_others_are_not_and_all_are_what_they_would_be() {
        let mut recall = Recall::new();
        for (v_in_m_per_s, first_s, times) in [
            (2.0, 1e-6, 1),
            (2.0, 1e-6, 2),
            (2.0, 1e-6, 3),
            (2.0, 2e-6, 1),
            (2.0, 2e-6, 2),
            (1.0, 2e-6, 1),
            (2.0, 2e-6, 1),
        ] {
            let kept = recall.steps.len();
            let mut course = Course::new(v_in_m_per_s, first_s);
            while !course.is_over() {
                course.recall(&mut recall);
            }
            assert!(course.made.len() > 20 && course.made == plain(v_in_m_per_s, first_s), "{v_in_m_per_s} {first_s}");
            // Once it is heard of, twice it is kept, and then it is known.
            assert_eq!(recall.steps.len(), if times == 1 { 0 } else { course.made.len() }, "{v_in_m_per_s} {times}");
            assert!(times != 3 || kept == course.made.len());
            assert_eq!(course.touch.mark().record == NONE, times == 1, "{v_in_m_per_s} {times}");
        }
    }

    #[test]
    fn contacts_that_take_turns_share_their_steps() {
        let (mut recall, wanted) = (Recall::new(), plain(2.0, 1e-6));
        let mut courses = [0; 3].map(|_| Course::new(2.0, 1e-6));
        // A piece of each, again and again, as voices are played.
        while !courses.iter().all(Course::is_over) {
            for course in &mut courses {
                for _ in 0..7 {
                    if !course.is_over() {
                        course.recall(&mut recall);
                    }
                }
            }
        }
        assert!(courses.iter().all(|course| course.made == wanted));
        assert_eq!((recall.record, recall.steps.len()), (1, wanted.len()), "all but the first know each step");
    }

    #[test]
    fn a_step_of_another_length_leaves_the_record() {
        let mut recall = Recall::new();
        for odd in [None, None, Some(5), None] {
            let (mut course, mut alone) = (Course::new(2.0, 1e-6), Course::new(2.0, 1e-6));
            while !course.is_over() {
                if Some(course.made.len()) == odd {
                    (course.h_s, alone.h_s) = (1e-7, 1e-7);
                }
                course.recall(&mut recall);
                alone.go_on(Touch::step);
            }
            assert!(course.made == alone.made, "{odd:?}");
        }
    }

    #[test]
    fn unlike_contacts_that_take_turns_do_not_disturb_each_other() {
        let mut recall = Recall::new();
        let speeds = [2.0, 1.0, 2.0, 3.0];
        let mut courses = speeds.map(|speed| Course::new(speed, 1e-6));
        while !courses.iter().all(Course::is_over) {
            courses.iter_mut().filter(|course| !course.is_over()).for_each(|course| course.recall(&mut recall));
        }
        for (course, speed) in courses.iter().zip(speeds) {
            assert!(course.made == plain(speed, 1e-6), "{speed}");
        }
    }

    #[test]
    fn what_lasts_longer_than_is_kept_goes_on() {
        let mut recall = Recall::new();
        for _ in 0..3 {
            let (mut course, mut alone) = (Course::new(2.0, 1e-7), Course::new(2.0, 1e-7));
            for n in 0..2 * MOST {
                (course.h_s, alone.h_s) = (1e-7, 1e-7);
                course.recall(&mut recall);
                alone.go_on(Touch::step);
                assert!(course.made.last() == alone.made.last(), "{n}");
            }
        }
        assert_eq!((recall.record, recall.steps.len()), (1, MOST));
    }
}
