//! The table of parameters as the framework's parameters.

use std::collections::BTreeMap;
use std::sync::Arc;

use nice_plug::params::internals::ParamPtr;
use nice_plug::prelude::*;

use super::extras::Extras;
use crate::patch::{Kind, Param as Row, Patch, Spec};

/// One row of the table as a host parameter.
pub enum Slot {
    /// A quantity, in its stored form.
    Float(FloatParam),
    /// A choice or a whole number.
    Int(IntParam),
    /// A switch.
    Bool(BoolParam),
}

/// Do the same with the parameter inside a slot, whichever kind it is.
macro_rules! with_param {
    ($slot:expr, $param:ident => $body:expr) => {
        match $slot {
            Slot::Float($param) => $body,
            Slot::Int($param) => $body,
            Slot::Bool($param) => $body,
        }
    };
}

impl Slot {
    fn new(spec: &'static Spec, default: f32) -> Self {
        let (min, max) = spec.range_stored();
        let read = move |text: &str| Some(spec.clamp_stored(spec.si_to_stored(spec.parse_si(text)?)));
        match spec.kind {
            Kind::Float { .. } => Slot::Float(
                FloatParam::new(spec.name, default, FloatRange::Linear { min, max })
                    .with_value_to_string(Arc::new(move |stored| spec.format_stored(stored)))
                    .with_string_to_value(Arc::new(read)),
            ),
            Kind::Choice(_) | Kind::Whole { .. } => Slot::Int(
                IntParam::new(spec.name, default as i32, IntRange::Linear { min: min as i32, max: max as i32 })
                    .with_value_to_string(Arc::new(move |stored| spec.format_stored(stored as f32)))
                    .with_string_to_value(Arc::new(move |text| read(text).map(|stored| stored as i32))),
            ),
            Kind::Toggle => Slot::Bool(
                BoolParam::new(spec.name, default >= 0.5)
                    .with_value_to_string(Arc::new(move |on| spec.format_stored(on.into())))
                    .with_string_to_value(Arc::new(move |text| read(text).map(|stored| stored >= 0.5))),
            ),
        }
    }

    /// The value in force (with the host's modulation), as the patch stores it.
    fn stored(&self) -> f32 {
        match self {
            Slot::Float(param) => param.value(),
            Slot::Int(param) => param.value() as f32,
            Slot::Bool(param) => param.value().into(),
        }
    }

    fn as_ptr(&self) -> ParamPtr {
        with_param!(self, param => param.as_ptr())
    }

    /// Position of the knob, 0…1, as the user set it.
    pub fn position(&self) -> f32 {
        with_param!(self, param => param.unmodulated_normalized_value())
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

    /// Tell the host that the user takes hold of the knob.
    pub fn begin(&self, setter: &ParamSetter) {
        with_param!(self, param => setter.begin_set_parameter(param));
    }

    /// Move the knob; between [`begin`](Self::begin) and [`end`](Self::end).
    pub fn set(&self, setter: &ParamSetter, position: f32) {
        with_param!(self, param => setter.set_parameter_normalized(param, position));
    }

    /// Tell the host that the user lets go of the knob.
    pub fn end(&self, setter: &ParamSetter) {
        with_param!(self, param => setter.end_set_parameter(param));
    }
}

/// All parameters, in the order of the table.
pub struct HostParams {
    slots: Box<[Slot]>,
    extras: Arc<Extras>,
}

impl HostParams {
    /// At their defaults.
    pub fn new(extras: Arc<Extras>) -> Self {
        Self { slots: Row::ALL.iter().map(|row| Slot::new(row.spec(), row.spec().default_stored())).collect(), extras }
    }

    /// At their defaults for an effect: what comes in strikes.
    pub fn for_effect(extras: Arc<Extras>) -> Self {
        let default = |row: Row| if row == Row::ExternalMode { 1.0 } else { row.spec().default_stored() };
        Self { slots: Row::ALL.iter().map(|row| Slot::new(row.spec(), default(*row))).collect(), extras }
    }

    /// One of them.
    pub fn slot(&self, row: Row) -> &Slot {
        &self.slots[row as usize]
    }

    /// The index of a choice, as the user set it.
    pub fn choice(&self, row: Row) -> usize {
        let slot = self.slot(row);
        (slot.position() * slot.steps().unwrap_or(1) as f32).round() as usize
    }

    /// Bring the patch up to date, through its gate.
    pub fn write_to(&self, patch: &mut Patch) {
        for (row, slot) in Row::ALL.into_iter().zip(&self.slots) {
            patch.set_stored(row, slot.stored());
        }
    }
}

// SAFETY: the pointers lead into a boxed slice that is never replaced, and the framework keeps this object in
// an `Arc` for as long as it uses them.
#[allow(unsafe_code)]
unsafe impl Params for HostParams {
    fn param_map(&self) -> Vec<(String, ParamPtr, String)> {
        Row::ALL
            .iter()
            .zip(&self.slots)
            .map(|(row, slot)| {
                let spec = row.spec();
                (spec.id.to_string(), slot.as_ptr(), spec.group.name().to_string())
            })
            .collect()
    }

    fn serialize_fields(&self) -> BTreeMap<String, String> {
        self.extras.save()
    }

    fn deserialize_fields(&self, fields: &BTreeMap<String, String>) {
        self.extras.restore(fields);
    }
}
