//! What `ictus couple` strikes.

use std::f64::consts::PI;

use crate::body::shape::{Place, Spectrum};
use crate::body::{
    self, Bank, CoupledModes, Geometry, LANES, MAX_MODES, Modes, PerMode, UserModes,
};
use crate::contact::trial::{CoupledTrial, CoupledTrialResult};

/// Which body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Modes evenly spaced in octaves, all alike.
    Generic,
    /// A free bar struck near its end.
    Bar,
    /// One of the instrument's, struck at its usual place.
    Library(body::BodyKind),
}

/// Lowest and highest mode of the generic body, Hz; the others are tuned to the lowest.
const BAND_HZ: (f64, f64) = (200.0, 18_000.0);
/// Place of the strike on a bar.
const PLACE: f64 = 0.1;
/// Highest mode, as a share of the sample rate.
const TOP: f64 = 0.45;

/// The body of a name: `generic`, `bar`, or as for `ictus body --type`.
pub fn parse_kind(text: &str) -> Result<Kind, String> {
    match text {
        "generic" => Ok(Kind::Generic),
        "bar" => Ok(Kind::Bar),
        other => crate::cli::body::parse_kind(other)
            .map(Kind::Library)
            .map_err(|e| format!("{e}, generic and bar")),
    }
}

impl Kind {
    /// Frequencies (Hz) and deflections of its modes, `count` of them or as many as there are.
    fn modes(self, count: usize, list: &UserModes) -> Vec<(f64, f64)> {
        let (kind, point) = match self {
            Kind::Generic => {
                let share = |index: usize| index as f64 / (count.max(2) - 1) as f64;
                return (0..count)
                    .map(|i| (BAND_HZ.0 * (BAND_HZ.1 / BAND_HZ.0).powf(share(i)), 1.0))
                    .collect();
            }
            Kind::Bar => (body::BodyKind::FreeBar, body::Point::along(PLACE)),
            Kind::Library(kind) => (kind, kind.spec().usual_points[0]),
        };
        let mut spectrum = Spectrum::default();
        spectrum.set(&Geometry { count: count as f64, ..Geometry::of(kind) }, list);
        let mode =
            |i| (BAND_HZ.0 * spectrum.ratio(i), spectrum.deflection(i, Place::Strike, point));
        (0..count.min(spectrum.len())).map(mode).collect()
    }
}

/// A body ready to be struck, again and again from rest.
pub struct Body {
    modes: Modes,
    shape: PerMode,
    mass_kg: f64,
    count: usize,
}

impl Body {
    /// With up to `count` modes.
    pub fn new(
        kind: Kind,
        list: &UserModes,
        count: usize,
        mass_kg: f64,
        loss_factor: f64,
        sample_rate_hz: f64,
    ) -> Self {
        let mut modes = Modes::default();
        let mut shape = [0.0; MAX_MODES];
        let mut kept = 0;
        let heard = kind
            .modes(count, list)
            .into_iter()
            .filter(|(hz, _)| *hz > 0.0 && *hz <= TOP * sample_rate_hz);
        for (index, (frequency_hz, deflection)) in heard.enumerate() {
            let undamped = 2.0 * PI * frequency_hz;
            let support = if loss_factor > 0.0 { 2.0 } else { 0.0 };
            let d = (support + PI * frequency_hz * loss_factor).min(0.5 * undamped);
            modes.decay_per_s[index] = d;
            modes.omega[index] = (undamped * undamped - d * d).sqrt();
            shape[index] = deflection;
            kept = index + 1;
        }
        modes.len = kept.next_multiple_of(LANES);
        Self { modes, shape, mass_kg, count: kept }
    }

    /// How many modes there are.
    pub fn modes(&self) -> usize {
        self.count
    }

    /// Strike it once, from rest.
    pub fn strike(&self, trial: &CoupledTrial) -> CoupledTrialResult {
        let mut coupled_modes = CoupledModes::default();
        coupled_modes.set_masses(&[self.mass_kg; MAX_MODES]);
        coupled_modes.set_point(0, &self.shape);
        trial.run(&mut coupled_modes.on(&mut Bank::default(), &self.modes))
    }
}
