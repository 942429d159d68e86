//! Fault injection, for whoever wants to see that a sick voice
//! ([`voice::fault`](crate::voice::fault)) harms no other. Nothing that plays calls this.

use crate::engine::Engine;
use crate::voice::Voice;

/// The voices in the first places.
pub fn voices(engine: &mut Engine, count: usize) -> &mut [Voice] {
    &mut engine.pool.voices[..count]
}

/// Begin anew with these voices in the first places, of which the one at `last` was begun last: it
/// is the one that the next note learns from.
pub fn slot(engine: &mut Engine, voices: &[Voice], last: usize) {
    engine.reset();
    let pool = &mut engine.pool;
    pool.voices.iter_mut().zip(voices).for_each(|(place, voice)| place.clone_from(voice));
    pool.reach = voices.len();
    pool.last = last;
}
