//! A drag of a knob is one step, however many places it passes.

use super::{Change, Step};
use crate::params::Param;

/// What the editor's controls do to a parameter. A host's automation comes by another way and is no
/// edit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    /// A knob is taken hold of, while it stands here.
    Begin(Param, f32),
    /// It is moved to this stored value.
    Set(Param, f32),
    /// It is let go.
    End(Param),
}

/// Edits become steps. Knobs that are held at the same time (a pad) make one step.
#[derive(Clone, Debug, Default)]
pub struct EditGestures {
    held: Vec<Param>,
    changes: Vec<Change>,
}

impl EditGestures {
    /// Follow one edit; a step is there when the last knob is let go.
    pub fn follow(&mut self, edit: Edit) -> Option<Step> {
        match edit {
            Edit::Begin(param, before) => {
                // A window that closes during a drag never says its end.
                let lost = if self.held.contains(&param) { self.finish() } else { None };
                self.held.push(param);
                if !self.changes.iter().any(|change| change.param == param) {
                    self.changes.push(Change { param, before, after: before });
                }
                lost
            }
            Edit::Set(param, to) => {
                if let Some(change) = self.changes.iter_mut().find(|change| change.param == param) {
                    change.after = to;
                }
                None
            }
            Edit::End(param) => {
                self.held.retain(|held| *held != param);
                if self.held.is_empty() { self.finish() } else { None }
            }
        }
    }

    /// End whatever is held.
    pub fn finish(&mut self) -> Option<Step> {
        self.held.clear();
        let mut changes = std::mem::take(&mut self.changes);
        changes.retain(|change| change.before.to_bits() != change.after.to_bits());
        let label = changes.first()?.param.spec().name.to_string();
        Some(Step { label, changes, ..Step::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Edit::{Begin, End, Set};

    fn steps(edits: &[Edit]) -> Vec<Step> {
        let mut gestures = EditGestures::default();
        edits.iter().filter_map(|edit| gestures.follow(*edit)).collect()
    }

    #[test]
    fn a_drag_is_one_step_from_where_it_began_to_where_it_ended() {
        let mut edits = vec![Begin(Param::Tune, 0.0)];
        edits.extend((1..=100).map(|n| Set(Param::Tune, n as f32 / 10.0)));
        edits.push(End(Param::Tune));
        let steps = steps(&edits);
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].changes, [Change { param: Param::Tune, before: 0.0, after: 10.0 }]);
    }

    #[test]
    fn two_knobs_under_one_pointer_are_one_step() {
        let (x, y) = (Param::MaterialX, Param::MaterialY);
        let steps = steps(&[
            Begin(x, 0.5),
            Begin(y, 0.3),
            Set(x, 0.6),
            Set(y, 0.4),
            Set(x, 0.7),
            End(x),
            End(y),
        ]);
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].changes.len(), 2);
    }

    #[test]
    fn a_knob_that_comes_back_to_where_it_was_is_no_step_and_a_lost_end_loses_no_step() {
        let tune = Param::Tune;
        assert!(steps(&[Begin(tune, 0.0), Set(tune, 3.0), Set(tune, 0.0), End(tune)]).is_empty());
        let steps =
            steps(&[Begin(tune, 0.0), Set(tune, 3.0), Begin(tune, 3.0), Set(tune, 4.0), End(tune)]);
        assert_eq!(steps.len(), 2);
    }
}
