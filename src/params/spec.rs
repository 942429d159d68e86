//! The specification of a parameter: its group, its range, and how hosts and presets store it.

use super::text::Unit;

/// Number of round trips through a host that a default must survive. One is enough for nearly all
/// parameters, a few for the rest.
const ECHOES: u32 = 8;

/// Section of the user interface, by stage of the signal path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The striking mass and its speed.
    Striker,
    /// The gesture of the patch.
    Gesture,
    /// The rolling surface.
    Surface,
    /// The contact between striker and body.
    Contact,
    /// The resonating body.
    Body,
    /// The material of the body.
    Material,
    /// Pickups, level and stereo.
    Output,
    /// Keys and voices.
    Play,
    /// The side-chain.
    External,
    /// Velocity, controllers and random variation.
    Expression,
    /// Modulation of parameters during a note.
    Modulation,
}

impl Group {
    /// All groups, in the order of the signal path.
    pub const ALL: [Group; 11] = [
        Group::Gesture,
        Group::Striker,
        Group::Surface,
        Group::Contact,
        Group::Body,
        Group::Material,
        Group::Output,
        Group::Play,
        Group::External,
        Group::Expression,
        Group::Modulation,
    ];

    /// Name in the user interface.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Striker => "Striker",
            Group::Gesture => "Gesture",
            Group::Surface => "Surface",
            Group::Contact => "Contact",
            Group::Body => "Body",
            Group::Material => "Material",
            Group::Output => "Output",
            Group::Play => "Play",
            Group::External => "External",
            Group::Expression => "Expression",
            Group::Modulation => "Modulation",
        }
    }
}

/// Mapping from a knob's position (0…1) to a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamScale {
    /// Linear.
    Linear,
    /// Logarithmic; stored as the decimal logarithm, because hosts have no logarithmic ranges.
    Log,
    /// `max * position^3`: fine resolution near zero, including zero.
    Cubic,
}

impl ParamScale {
    /// Converts an SI value to its stored form.
    pub fn store(self, si: f64) -> f64 {
        match self {
            Self::Linear => si,
            Self::Log => si.max(f64::MIN_POSITIVE).log10(),
            Self::Cubic => si.max(0.0).cbrt(),
        }
    }

    /// Converts a stored value to SI.
    pub fn read(self, stored: f64) -> f64 {
        match self {
            Self::Linear => stored,
            Self::Log => 10f64.powf(stored),
            Self::Cubic => stored * stored * stored,
        }
    }
}

/// Type and range of a parameter.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// A quantity from `min` to `max`, both in SI units.
    Float {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Mapping of the knob.
        scale: ParamScale,
        /// Display unit.
        unit: Unit,
    },
    /// One of several; the value is the index. Choices may be appended, never moved.
    Choice(&'static [&'static str]),
    /// Off or on.
    Toggle,
    /// An integer from `min` to `max`.
    Whole {
        /// Smallest value.
        min: i32,
        /// Largest value.
        max: i32,
    },
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Stable identifier in projects, presets and on the command line. Never changes.
    pub id: &'static str,
    /// Name in the user interface.
    pub name: &'static str,
    /// Section of the user interface.
    pub group: Group,
    /// Range and unit.
    pub kind: ParamKind,
    /// Default value, SI.
    pub default: f64,
    /// Help text, one or two sentences.
    pub help: &'static str,
}

impl Spec {
    /// Smallest and largest value, SI.
    pub fn range_si(&self) -> (f64, f64) {
        match self.kind {
            ParamKind::Float { min, max, .. } => (min, max),
            ParamKind::Choice(names) => (0.0, names.len().saturating_sub(1) as f64),
            ParamKind::Toggle => (0.0, 1.0),
            ParamKind::Whole { min, max } => (f64::from(min), f64::from(max)),
        }
    }

    fn scale(&self) -> ParamScale {
        match self.kind {
            ParamKind::Float { scale, .. } => scale,
            _ => ParamScale::Linear,
        }
    }

    /// Smallest and largest stored value.
    pub fn range_stored(&self) -> (f32, f32) {
        let (min, max) = self.range_si();
        (self.scale().store(min) as f32, self.scale().store(max) as f32)
    }

    /// Default as a stored value.
    ///
    /// Hosts know a quantity only as a position from 0 to 1, and some send every position straight
    /// back. The round trip may change the last bit; so the default is the next value that the
    /// round trip preserves, and an instance sounds the same in every host.
    pub fn default_stored(&self) -> f32 {
        let mut stored = self.si_to_stored(self.default);
        if let ParamKind::Float { .. } = self.kind {
            for _ in 0..ECHOES {
                stored = self.echoed(stored);
            }
        }
        stored
    }

    /// Stored value after a round trip through a host's position, by the framework's arithmetic.
    pub(super) fn echoed(&self, stored: f32) -> f32 {
        let (min, max) = self.range_stored();
        let position = (stored.clamp(min, max) - min) / (max - min);
        position * (max - min) + min
    }

    /// Converts an SI value to a stored value.
    pub fn si_to_stored(&self, si: f64) -> f32 {
        self.scale().store(si) as f32
    }

    /// Converts a stored value to SI, limited to the range.
    pub fn stored_to_si(&self, stored: f32) -> f64 {
        let si = self.scale().read(f64::from(stored));
        let (min, max) = self.range_si();
        // The ends of a range are exact in SI although their logarithms are rounded.
        si.clamp(min, max)
    }

    /// Converts a knob's position, 0…1, to a stored value.
    pub fn position_to_stored(&self, position: f64) -> f32 {
        let (min, max) = self.range_stored();
        let stored = f64::from(min) + position.clamp(0.0, 1.0) * f64::from(max - min);
        self.clamp_stored(stored as f32)
    }

    /// Limits a stored value to the range; NaN becomes the default, integer kinds are rounded.
    pub fn clamp_stored(&self, stored: f32) -> f32 {
        let (min, max) = self.range_stored();
        let stored = if stored.is_nan() { self.default_stored() } else { stored };
        let stored = stored.clamp(min, max);
        match self.kind {
            ParamKind::Float { .. } => stored,
            // `+ 0.0` turns -0 into 0, so that equal settings have equal bits.
            _ => stored.round() + 0.0,
        }
    }
}

/// A logarithmic quantity.
pub(super) const fn log(min: f64, max: f64, unit: Unit) -> ParamKind {
    ParamKind::Float { min, max, scale: ParamScale::Log, unit }
}

/// A linear quantity.
pub(super) const fn linear(min: f64, max: f64, unit: Unit) -> ParamKind {
    ParamKind::Float { min, max, scale: ParamScale::Linear, unit }
}

/// A cubic quantity from 0.
pub(super) const fn cubic(max: f64, unit: Unit) -> ParamKind {
    ParamKind::Float { min: 0.0, max, scale: ParamScale::Cubic, unit }
}

/// A MIDI key.
pub(super) const KEY: ParamKind = ParamKind::Whole { min: 0, max: 127 };
