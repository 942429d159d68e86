//! A row of the table as one of the framework's parameters, whichever kind it is.

use std::sync::Arc;

use nice_plug::prelude::*;

use crate::modulation::Destination;
use crate::params::{Param as Row, ParamKind};
use crate::plugin::catch_panic::catch_panic;

/// The framework's parameter.
pub enum Knob {
    /// A quantity, in its stored form.
    Float(FloatParam),
    /// A choice or a whole number.
    Int(IntParam),
    /// A switch.
    Bool(BoolParam),
}

impl Knob {
    /// At a default.
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
                // The number is for the events of this session alone; nothing stores it.
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

    /// The value in force (with the host's modulation), as the patch stores it.
    pub fn stored(&self) -> f32 {
        match self {
            Knob::Float(param) => param.value(),
            Knob::Int(param) => param.value() as f32,
            Knob::Bool(param) => param.value().into(),
        }
    }

    /// The value as the user set it.
    pub fn unmodulated(&self) -> f32 {
        match self {
            Knob::Float(param) => param.unmodulated_plain_value(),
            Knob::Int(param) => param.unmodulated_plain_value() as f32,
            Knob::Bool(param) => param.unmodulated_plain_value().into(),
        }
    }

    /// The value at a position.
    pub fn at(&self, position: f32) -> f32 {
        match self {
            Knob::Float(param) => param.preview_plain(position),
            Knob::Int(param) => param.preview_plain(position) as f32,
            Knob::Bool(param) => param.preview_plain(position).into(),
        }
    }

    /// The position of a value.
    pub fn position_of(&self, stored: f32) -> f32 {
        match self {
            Knob::Float(param) => param.preview_normalized(stored),
            Knob::Int(param) => param.preview_normalized(stored as i32),
            Knob::Bool(param) => param.preview_normalized(stored >= 0.5),
        }
    }
}
