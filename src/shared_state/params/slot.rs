//! One parameter, as host and editor use it.

use std::sync::{Arc, Mutex};

use nice_plug::params::internals::ParamPtr;
use nice_plug::prelude::*;

use crate::history::Edit;
use crate::modulation::Destination;
use crate::params::{Param as Row, ParamKind};
use crate::shared_state::{catch_panic, lock};

/// A row of the parameter table as a host parameter.
pub struct Slot {
    pub(super) row: Row,
    pub(super) knob: Knob,
    /// The user's edits, for the undo history.
    pub(super) edits: Arc<Mutex<Vec<Edit>>>,
}

/// Evaluates an expression with the parameter inside a slot, of whichever kind.
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
    /// The framework's pointer to it.
    pub fn as_ptr(&self) -> ParamPtr {
        with_param!(self, param => param.as_ptr())
    }

    /// Position of the knob, 0…1, without the host's modulation.
    pub fn position(&self) -> f32 {
        with_param!(self, param => param.unmodulated_normalized_value())
    }

    /// Position of the knob, 0…1, with the host's modulation.
    pub fn modulated_position(&self) -> f32 {
        with_param!(self, param => param.modulated_normalized_value())
    }

    /// The host's modulation for all notes, as a share of the range.
    pub fn global_modulation(&self) -> f32 {
        self.modulated_position() - self.position()
    }

    /// Default position of the knob, 0…1.
    pub fn default_position(&self) -> f32 {
        with_param!(self, param => param.default_normalized_value())
    }

    /// Formats a position.
    pub fn text(&self, position: f32) -> String {
        with_param!(self, param => param.normalized_value_to_string(position, true))
    }

    /// Parses a text into a position.
    pub fn position_of(&self, text: &str) -> Option<f32> {
        with_param!(self, param => param.string_to_normalized_value(text))
    }

    /// The number of steps of a stepped parameter.
    pub fn steps(&self) -> Option<usize> {
        with_param!(self, param => param.step_count())
    }

    /// Sets a stored value in one host gesture. Records no edit: the caller records its own undo
    /// step.
    pub fn jump(&self, setter: &ParamSetter, stored: f32) {
        let position = self.knob.position_of(stored);
        with_param!(self, param => {
            setter.begin_set_parameter(param);
            setter.set_parameter_normalized(param, position);
            setter.end_set_parameter(param);
        });
    }

    fn record(&self, edit: Edit) {
        lock(&self.edits).push(edit);
    }

    /// Begins a gesture of the user.
    pub fn begin(&self, setter: &ParamSetter) {
        self.record(Edit::Begin(self.row, self.knob.unmodulated()));
        with_param!(self, param => setter.begin_set_parameter(param));
    }

    /// Moves the knob, between [`begin`](Self::begin) and [`end`](Self::end).
    pub fn set(&self, setter: &ParamSetter, position: f32) {
        self.record(Edit::Set(self.row, self.knob.at(position)));
        with_param!(self, param => setter.set_parameter_normalized(param, position));
    }

    /// Ends a gesture of the user.
    pub fn end(&self, setter: &ParamSetter) {
        self.record(Edit::End(self.row));
        with_param!(self, param => setter.end_set_parameter(param));
    }
}

/// The framework's parameter, of whichever kind.
pub enum Knob {
    /// A quantity, in its stored form.
    Float(FloatParam),
    /// A choice or a whole number.
    Int(IntParam),
    /// A switch.
    Bool(BoolParam),
}

impl Knob {
    /// Creates the parameter of a row.
    pub fn new(row: Row, default: f32) -> Self {
        let spec = row.spec();
        let (min, max) = spec.range_stored();
        let read = move |text: &str| {
            catch_panic(None, || Some(spec.clamp_stored(spec.si_to_stored(spec.parse_si(text)?))))
        };
        let write = move |stored: f32| catch_panic(String::new(), || spec.format_stored(stored));
        match spec.kind {
            ParamKind::Float { .. } => {
                let param = FloatParam::new(spec.name, default, FloatRange::Linear { min, max })
                    .with_value_to_string(Arc::new(write))
                    .with_string_to_value(Arc::new(read));
                // The id only identifies events at run time; nothing stores it.
                let is_per_note = Destination::takes(row);
                Knob::Float(if is_per_note {
                    param.with_poly_modulation_id(row as u32)
                } else {
                    param
                })
            }
            ParamKind::Choice(_) | ParamKind::Whole { .. } => Knob::Int(
                IntParam::new(
                    spec.name,
                    default as i32,
                    IntRange::Linear { min: min as i32, max: max as i32 },
                )
                .with_value_to_string(Arc::new(move |stored| write(stored as f32)))
                .with_string_to_value(Arc::new(move |text| read(text).map(|stored| stored as i32))),
            ),
            ParamKind::Toggle => {
                let param = BoolParam::new(spec.name, default >= 0.5)
                    .with_value_to_string(Arc::new(move |on| write(f32::from(on))))
                    .with_string_to_value(Arc::new(move |text| {
                        read(text).map(|stored| stored >= 0.5)
                    }));
                Knob::Bool(if row.is_automatable() { param } else { param.non_automatable() })
            }
        }
    }

    /// The stored value with the host's modulation.
    pub fn stored(&self) -> f32 {
        match self {
            Knob::Float(param) => param.value(),
            Knob::Int(param) => param.value() as f32,
            Knob::Bool(param) => param.value().into(),
        }
    }

    /// The stored value without the host's modulation.
    pub fn unmodulated(&self) -> f32 {
        match self {
            Knob::Float(param) => param.unmodulated_plain_value(),
            Knob::Int(param) => param.unmodulated_plain_value() as f32,
            Knob::Bool(param) => param.unmodulated_plain_value().into(),
        }
    }

    /// The stored value at a position.
    pub fn at(&self, position: f32) -> f32 {
        match self {
            Knob::Float(param) => param.preview_plain(position),
            Knob::Int(param) => param.preview_plain(position) as f32,
            Knob::Bool(param) => param.preview_plain(position).into(),
        }
    }

    /// The position of a stored value.
    pub fn position_of(&self, stored: f32) -> f32 {
        match self {
            Knob::Float(param) => param.preview_normalized(stored),
            Knob::Int(param) => param.preview_normalized(stored as i32),
            Knob::Bool(param) => param.preview_normalized(stored >= 0.5),
        }
    }
}
