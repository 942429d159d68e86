//! What `ictus couple` strikes.

use std::f64::consts::PI;

use clap::ValueEnum;

use crate::body::shape::bar;
use crate::body::{Bank, LANES, MAX_MODES, Modes, PerMode, Yielding};
use crate::contact::two_way::trial::{Trial, Verdict};

/// Which body.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Modes evenly spaced in octaves, all alike.
    Generic,
    /// A free bar.
    Bar,
}

/// Lowest and highest mode of the generic body, Hz.
const BAND_HZ: (f64, f64) = (200.0, 18_000.0);
/// Place of the strike on a bar.
const PLACE: f64 = 0.1;
/// Highest mode, as a share of the sample rate.
const TOP: f64 = 0.45;

impl Kind {
    /// Frequency (Hz) and deflection of a mode out of `count`.
    fn mode(self, index: usize, count: usize) -> (f64, f64) {
        match self {
            Kind::Generic => {
                let share = index as f64 / (count.max(2) - 1) as f64;
                (BAND_HZ.0 * (BAND_HZ.1 / BAND_HZ.0).powf(share), 1.0)
            }
            Kind::Bar => (BAND_HZ.0 * bar::ratio(index), bar::deflection(bar::root(index), PLACE)),
        }
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
    pub fn new(kind: Kind, count: usize, mass_kg: f64, loss_factor: f64, sample_rate_hz: f64) -> Self {
        let mut modes = Modes::default();
        let mut shape = [0.0; MAX_MODES];
        let mut kept = 0;
        for (index, shape) in shape.iter_mut().enumerate().take(count) {
            let (frequency_hz, deflection) = kind.mode(index, count);
            if frequency_hz > TOP * sample_rate_hz {
                break; // frequencies rise
            }
            let undamped = 2.0 * PI * frequency_hz;
            let support = if loss_factor > 0.0 { 2.0 } else { 0.0 };
            let d = (support + PI * frequency_hz * loss_factor).min(0.5 * undamped);
            modes.decay_per_s[index] = d;
            modes.omega[index] = (undamped * undamped - d * d).sqrt();
            *shape = deflection;
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
    pub fn strike(&self, trial: &Trial) -> Verdict {
        let mut yielding = Yielding::default();
        yielding.set_masses(&[self.mass_kg; MAX_MODES]);
        yielding.set_point(0, &self.shape);
        trial.run(&mut yielding.on(&mut Bank::default(), &self.modes))
    }
}
