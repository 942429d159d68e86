//! Fault injection for tests: damages a voice, to check that it harms no other. All inputs are
//! checked for NaN, so this cannot be done from outside.

use super::Voice;
use super::exciters::Exciter;
use crate::body::Row;

/// Puts NaN into the body of a voice.
pub fn put_nan(voice: &mut Voice) {
    voice.body.bank.state(&voice.body.object.modes).re[0] = f64::NAN;
}

/// The memory of a part of a voice.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// Which part.
    pub name: &'static str,
    /// Its first byte.
    pub start: *mut u8,
    /// Its length.
    pub bytes: usize,
}

fn region<T>(name: &'static str, part: &mut [T]) -> Region {
    Region { name, bytes: std::mem::size_of_val(part), start: part.as_mut_ptr().cast() }
}

/// The memory of all parts of a voice that hold numbers.
pub fn regions(voice: &mut Voice) -> Vec<Region> {
    use std::slice::from_mut as one;
    let Voice { body, exciters, output, modulator, timing, note, sample_rate_hz } = voice;
    let mut regions: Vec<Region> = Vec::new();
    let mut add = |name: &'static str, rows: Vec<&mut Row>| {
        regions.extend(rows.into_iter().map(|row| region(name, row)));
    };
    add("ball chain", exciters.ball_chain.rows_in_memory());
    add("modes", body.object.modes.rows_in_memory());
    add("bank", body.bank.rows_in_memory().into());
    add("crossfade", body.crossfade.rows_in_memory().into());
    add("rigid contacts", exciters.rigid.rows_in_memory());
    add("steps", exciters.steps.rows_in_memory().collect());
    add("coupled contacts", exciters.coupled.rows_in_memory());
    add("external force", exciters.external_force.rows_in_memory());
    let parts = [
        region("object", one(&mut body.object)),
        region("bank", one(&mut body.bank)),
        region("rigid contacts", one(&mut exciters.rigid)),
        region("coupled contacts", one(&mut exciters.coupled)),
        region("tumbling", one(&mut exciters.tumbling)),
        region("ball chain", one(&mut exciters.ball_chain)),
        region("voicings", exciters.ball_chain.drives().0),
        region("chorus", one(exciters.ball_chain.drives().1)),
        region("external force", one(&mut exciters.external_force)),
        region("level", one(&mut body.level)),
        region("output", one(output)),
        region("modulator", one(modulator)),
        region("onsets", one(&mut timing.onsets)),
        region("loudest", one(&mut timing.loudest)),
        region("settings cache", one(&mut body.settings_cache)),
        region("played", one(&mut note.played)),
        region("crossfade", one(&mut body.crossfade)),
        region("sample rate", one(sample_rate_hz)),
        region("powers", &mut body.object.modes.block_rotations.powers),
        region("ears", &mut body.object.modes.hearing.pickups),
    ];
    regions.into_iter().chain(parts).collect()
}
