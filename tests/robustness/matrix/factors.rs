//! The factors of the matrix: rate, block, and every choice and switch of the parameter table.

use std::f64::consts::FRAC_PI_2;

use ictus::exciter::Gesture;
use ictus::params::table::ParamKind;
use ictus::params::{Group, Param, Patch};

use crate::storm::next;

/// Odd and fractional rates occur with video clocks and clocks of other machines.
pub const RATES_HZ: [f64; 12] = [
    8000.0, 11_025.0, 16_000.0, 22_050.5, 32_000.0, 44_100.0, 47_952.048, 48_000.0, 96_000.0,
    192_000.0, 384_000.0, 768_000.0,
];
/// Sizes around the internal chunk sizes, and the extremes.
pub const BLOCKS: [usize; 12] = [1, 2, 7, 31, 32, 33, 64, 441, 1024, 1025, 4096, 16_384];

/// Lists of note lengths are equivalent: these stand for all.
const SYNCED: [usize; 3] = [0, 1, 8];

/// One row of the matrix.
#[derive(Clone, Debug)]
pub struct Row {
    pub rate_hz: f64,
    pub block: usize,
    /// Each choice by its identifier.
    pub choices: Vec<(&'static str, usize)>,
    /// Seed of the random values.
    pub seed: u64,
}

/// The factors.
pub struct Factors {
    choices: Vec<(Param, Vec<usize>)>,
}

impl Factors {
    pub fn new() -> Self {
        let choices = Param::ALL.into_iter().filter_map(|param| {
            let spec = param.spec();
            let count = match spec.kind {
                // Modulation slots are random: they have more levels than there are rows.
                ParamKind::Choice(names)
                    if spec.group != Group::Modulation || param == Param::LfoShape =>
                {
                    names.len()
                }
                ParamKind::Toggle => 2,
                _ => return None,
            };
            // A random seed on every note would not be reproducible.
            (param != Param::Fresh).then(|| {
                (param, if param == Param::Gap { SYNCED.to_vec() } else { (0..count).collect() })
            })
        });
        Self { choices: choices.collect() }
    }

    /// Number of levels of each factor.
    pub fn levels(&self) -> Vec<usize> {
        let choices = self.choices.iter().map(|(_, levels)| levels.len());
        [RATES_HZ.len(), BLOCKS.len()].into_iter().chain(choices).collect()
    }

    /// The row with these levels.
    pub fn row(&self, levels: &[usize]) -> Row {
        let choices = self
            .choices
            .iter()
            .zip(&levels[2..])
            .map(|((param, all), level)| (param.spec().id, all[*level]));
        Row {
            rate_hz: RATES_HZ[levels[0]],
            block: BLOCKS[levels[1]],
            choices: choices.collect(),
            seed: 0,
        }
    }

    /// A random row; any rate from 8 to 192 kHz, and any block.
    pub fn random(&self, seed: u64) -> Row {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1;
        let mut draw = |count: usize| next(&mut state) as usize % count;
        let levels: Vec<usize> = self.levels().into_iter().map(&mut draw).collect();
        let rate_hz = 8000.0 + draw(184_000_000) as f64 / 1000.0;
        Row { rate_hz, block: 1 + draw(16_384), ..self.row(&levels) }
    }
}

/// These parameters stay in their upper half: near their minimum the whole row would be silent.
const LOUD: [Param; 3] = [Param::Level, Param::Trim, Param::Speed];

impl Row {
    /// The patch of this row: the given choices; of the other parameters half at their defaults,
    /// the rest random or at an end. Nothing falls for longer than `fall_s`, or the row would be
    /// over before the landing.
    pub fn patch(&self, state: &mut u64, fall_s: f64) -> Patch {
        let mut patch = Patch::default();
        for param in Param::ALL {
            let spec = param.spec();
            match self.choices.iter().find(|(id, _)| *id == spec.id) {
                Some((_, level)) => drop(patch.set(param, *level as f64)),
                None if next(state).is_multiple_of(2) || param == Param::Fresh => {}
                None => {
                    let position = match next(state) % 4 {
                        0 => 0.0,
                        1 => 1.0,
                        _ => next(state) as f64 / f64::from(1u32 << 31),
                    };
                    let position =
                        if LOUD.contains(&param) { 0.5 + 0.5 * position } else { position };
                    patch.set_stored(param, spec.position_to_stored(position));
                }
            }
        }
        // A ball on a string is down after a quarter of its swing, (pi / 2) sqrt(length / gravity):
        // with the shortest string after 0.04 s at the strongest gravity.
        let swing_s = FRAC_PI_2 * (patch.get(Param::Cord) / patch.get(Param::Gravity)).sqrt();
        if patch.gesture() == Gesture::Chain && swing_s > fall_s {
            patch.set(Param::Cord, 0.02);
            patch.set(Param::Gravity, 30.0);
        }
        let reached_m = 0.5 * patch.get(Param::Gravity) * fall_s * fall_s;
        patch.set(Param::Height, patch.get(Param::Height).min(reached_m));
        patch
    }
}
