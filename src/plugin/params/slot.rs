//! One parameter as host and editor use it.

use std::sync::{Arc, Mutex, PoisonError};

use nice_plug::params::internals::ParamPtr;
use nice_plug::prelude::*;

use super::knob::Knob;
use crate::history::Edit;
use crate::params::Param as Row;

/// One row of the table as a host parameter.
pub struct Slot {
    pub(super) row: Row,
    pub(super) knob: Knob,
    /// What the user does to it is noted here, to be taken back some day.
    pub(super) edits: Arc<Mutex<Vec<Edit>>>,
}

/// Do the same with the parameter inside a slot, whichever kind it is.
macro_rules! with_param {
    ($slot:expr, $param:ident => $body:expr) => {
        match &$slot.knob {
            Knob::Float($param) => $body,
            Knob::Int($param) => $body,
            Knob::Bool($param) => $body,
        }
    };
}

impl Slot {
    /// As the framework knows it.
    pub fn as_ptr(&self) -> ParamPtr {
        with_param!(self, param => param.as_ptr())
    }

    /// Position of the knob, 0…1, as the user set it.
    pub fn position(&self) -> f32 {
        with_param!(self, param => param.unmodulated_normalized_value())
    }

    /// Position in force, with the host's modulation.
    pub fn modulated_position(&self) -> f32 {
        with_param!(self, param => param.modulated_normalized_value())
    }

    /// How far the host moves it for all notes, in ways of the knob.
    pub fn moved_for_all(&self) -> f32 {
        with_param!(self, param => param.modulated_normalized_value() - param.unmodulated_normalized_value())
    }

    /// Position of the knob in a fresh instance.
    pub fn default_position(&self) -> f32 {
        with_param!(self, param => param.default_normalized_value())
    }

    /// The text of a position.
    pub fn text(&self, position: f32) -> String {
        with_param!(self, param => param.normalized_value_to_string(position, true))
    }

    /// The position of a text, if it can be read.
    pub fn position_of(&self, text: &str) -> Option<f32> {
        with_param!(self, param => param.string_to_normalized_value(text))
    }

    /// How many steps a stepped parameter has from one end to the other.
    pub fn steps(&self) -> Option<usize> {
        with_param!(self, param => param.step_count())
    }

    /// Set it to a stored value at once, as far as the host is concerned. No edit: what does this
    /// knows how to take it back.
    pub fn jump(&self, setter: &ParamSetter, stored: f32) {
        let position = self.knob.position_of(stored);
        with_param!(self, param => {
            setter.begin_set_parameter(param);
            setter.set_parameter_normalized(param, position);
            setter.end_set_parameter(param);
        });
    }

    fn note(&self, edit: Edit) {
        self.edits.lock().unwrap_or_else(PoisonError::into_inner).push(edit);
    }

    /// Tell the host that the user takes hold of the knob.
    pub fn begin(&self, setter: &ParamSetter) {
        self.note(Edit::Begin(self.row, self.knob.unmodulated()));
        with_param!(self, param => setter.begin_set_parameter(param));
    }

    /// Move the knob; between [`begin`](Self::begin) and [`end`](Self::end).
    pub fn set(&self, setter: &ParamSetter, position: f32) {
        self.note(Edit::Set(self.row, self.knob.at(position)));
        with_param!(self, param => setter.set_parameter_normalized(param, position));
    }

    /// Tell the host that the user lets go of the knob.
    pub fn end(&self, setter: &ParamSetter) {
        self.note(Edit::End(self.row));
        with_param!(self, param => setter.end_set_parameter(param));
    }
}
