//! How a parameter's range is laid out under a knob.

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
