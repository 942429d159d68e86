//! Fault injection: the gates leave no way to a sick voice from outside, so whoever wants to see
//! that it harms no other makes one here. Nothing that plays calls this.

use super::Voice;
use crate::body::Row;
use crate::body::drive::DrivePoint;

/// Put what is no number into the body of a voice.
pub fn put_nan(voice: &mut Voice) {
    voice.bank.state(&voice.object.modes).re[0] = f64::NAN;
}

/// Where a part of a voice lies in memory, for whoever damages it there.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// Which part.
    pub name: &'static str,
    /// Its first byte.
    pub start: *mut u8,
    /// How many there are.
    pub bytes: usize,
}

fn region<T>(name: &'static str, part: &mut [T]) -> Region {
    Region { name, bytes: std::mem::size_of_val(part), start: part.as_mut_ptr().cast() }
}

/// All that a voice holds numbers in.
pub fn regions(voice: &mut Voice) -> Vec<Region> {
    use std::slice::from_mut as one;
    let (voicings, chorus) = voice.ball_chain.voices();
    let mut rows: Vec<Region> = Vec::new();
    let mut add = |name: &'static str, all: Vec<&mut Row>| {
        rows.extend(all.into_iter().map(|ball_chain| region(name, ball_chain)));
    };
    add("row's voicings", voicings.iter_mut().map(DrivePoint::row_in_memory).collect());
    add("row's chorus", chorus.rows_in_memory());
    add("modes", voice.object.modes.rows_in_memory());
    add("bank", voice.bank.rows_in_memory().into());
    add("what it was", voice.crossfade.rows_in_memory().into());
    add("hands", voice.rigid_contacts.rows_in_memory());
    add("riders", voice.coupled_contacts.rows_in_memory());
    add("pushed", voice.external_force.rows_in_memory().into());
    let parts = [
        region("object", one(&mut voice.object)),
        region("bank", one(&mut voice.bank)),
        region("hands", one(&mut voice.rigid_contacts)),
        region("riders", one(&mut voice.coupled_contacts)),
        region("thrown", one(&mut voice.tumbling)),
        region("row", one(&mut voice.ball_chain)),
        region("row's voicings", voice.ball_chain.voices().0),
        region("row's chorus", one(voice.ball_chain.voices().1)),
        region("pushed", one(&mut voice.external_force)),
        region("air", one(&mut voice.air)),
        region("level", one(&mut voice.level)),
        region("placing", one(&mut voice.gain_pan)),
        region("modulator", one(&mut voice.modulator)),
        region("onsets", one(&mut voice.onsets)),
        region("reading", one(&mut voice.settings_cache)),
        region("hand on the keys", one(&mut voice.played)),
        region("place of the key", one(&mut voice.key_pan)),
        region("boost", one(&mut voice.boost)),
        region("what it was", one(&mut voice.crossfade)),
        region("kept level", one(&mut voice.kept)),
        region("fade", one(&mut voice.fade)),
        region("fade's step", one(&mut voice.fade_step)),
        region("rate", one(&mut voice.rate_hz)),
        region("loudest", one(&mut voice.loudest)),
        region("powers", &mut voice.object.modes.block_rotations.powers),
        region("ears", &mut voice.object.modes.hearing.pickups),
    ];
    rows.into_iter().chain(parts).collect()
}
