//! The specification of a parameter: its group, its range, and how hosts and presets store it.

use super::text::Unit;

/// How often a default is sent to a host and back until it stays as it is. Once settles nearly all,
/// a few times the rest.
const ECHOES: u32 = 8;

/// Where a parameter belongs in the way of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// What hits, and how fast.
    Striker,
    /// The gesture of the patch.
    Gesture,
    /// What is rolled over.
    Surface,
    /// Between striker and body.
    Contact,
    /// What rings.
    Body,
    /// What it is made of.
    Material,
    /// What is heard.
    Output,
    /// What keys and voices do.
    Play,
    /// What comes in from outside.
    External,
    /// What the player's hands and chance do.
    Expression,
    /// What moves parameters while a note lasts.
    Modulation,
}

impl Group {
    /// In the order of the signal.
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

/// The way from a knob's position (0…1) to a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamScale {
    /// Equal steps.
    Linear,
    /// Equal ratios; stored as the decimal logarithm, because hosts know no logarithmic range.
    Log,
    /// `max * position^3`: fine near zero, zero included.
    Cubic,
}

impl ParamScale {
    /// What hosts and presets keep, from SI.
    pub fn store(self, si: f64) -> f64 {
        match self {
            Self::Linear => si,
            Self::Log => si.max(f64::MIN_POSITIVE).log10(),
            Self::Cubic => si.max(0.0).cbrt(),
        }
    }

    /// SI, from what hosts and presets keep.
    pub fn read(self, stored: f64) -> f64 {
        match self {
            Self::Linear => stored,
            Self::Log => 10f64.powf(stored),
            Self::Cubic => stored * stored * stored,
        }
    }
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum ParamKind {
    /// A quantity from `min` to `max`, both in SI units.
    Float {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Layout under a knob.
        scale: ParamScale,
        /// How it reads.
        unit: Unit,
    },
    /// One of several; the value is the index. Rows may be added at the end, never moved.
    Choice(&'static [&'static str]),
    /// Off or on.
    Toggle,
    /// A whole number from `min` to `max`.
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
    /// Stable identifier: in projects, presets and on the command line. Never changes.
    pub id: &'static str,
    /// Name in the user interface.
    pub name: &'static str,
    /// Where it belongs.
    pub group: Group,
    /// Range and unit.
    pub kind: ParamKind,
    /// Value of a fresh instance, SI.
    pub default: f64,
    /// One sentence for the curious.
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

    /// Smallest and largest value as hosts and presets keep it.
    pub fn range_stored(&self) -> (f32, f32) {
        let (min, max) = self.range_si();
        (self.scale().store(min) as f32, self.scale().store(max) as f32)
    }

    /// Default as hosts and presets keep it.
    ///
    /// Hosts know a quantity only as a position from 0 to 1, and some of them send every position
    /// that they were told straight back. The way there and back may cost the last bit; so the
    /// default is the next value that it leaves as it is, and an instance sounds the same in such a
    /// host as in any other.
    pub fn default_stored(&self) -> f32 {
        let mut stored = self.si_to_stored(self.default);
        if let ParamKind::Float { .. } = self.kind {
            for _ in 0..ECHOES {
                stored = self.echoed(stored);
            }
        }
        stored
    }

    /// What becomes of a value that a host is told as a position and sends back: the framework's
    /// own arithmetic.
    pub(super) fn echoed(&self, stored: f32) -> f32 {
        let (min, max) = self.range_stored();
        let position = (stored.clamp(min, max) - min) / (max - min);
        position * (max - min) + min
    }

    /// From SI to what hosts and presets keep.
    pub fn si_to_stored(&self, si: f64) -> f32 {
        self.scale().store(si) as f32
    }

    /// From what hosts and presets keep to SI.
    pub fn stored_to_si(&self, stored: f32) -> f64 {
        let si = self.scale().read(f64::from(stored));
        let (min, max) = self.range_si();
        // The ends of a range are exact in SI although their logarithms are rounded.
        si.clamp(min, max)
    }

    /// From a knob's position 0…1 to what is stored.
    pub fn position_to_stored(&self, position: f64) -> f32 {
        let (min, max) = self.range_stored();
        let stored = f64::from(min) + position.clamp(0.0, 1.0) * f64::from(max - min);
        self.clamp_stored(stored as f32)
    }

    /// Finite and in range; whole where the kind is whole.
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

/// A quantity that is laid out by its logarithm.
pub(super) const fn log(min: f64, max: f64, unit: Unit) -> ParamKind {
    ParamKind::Float { min, max, scale: ParamScale::Log, unit }
}

/// A quantity that is laid out as it is.
pub(super) const fn linear(min: f64, max: f64, unit: Unit) -> ParamKind {
    ParamKind::Float { min, max, scale: ParamScale::Linear, unit }
}

/// A quantity from 0 that is laid out by its cube root.
pub(super) const fn cubic(max: f64, unit: Unit) -> ParamKind {
    ParamKind::Float { min: 0.0, max, scale: ParamScale::Cubic, unit }
}

/// A key.
pub(super) const KEY: ParamKind = ParamKind::Whole { min: 0, max: 127 };
