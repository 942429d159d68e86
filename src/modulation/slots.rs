//! Modulation slots: a source, a destination and a depth.

use super::offsets::Offsets;
use super::source::{Source, Sources};
use crate::params::destination::{Destination, PITCH_ST, VOLUME_DB};
use crate::params::{Param, Patch};

/// Source, destination and depth of each slot.
pub const SLOTS: [[Param; 3]; 8] = [
    [Param::Source1, Param::Target1, Param::Depth1],
    [Param::Source2, Param::Target2, Param::Depth2],
    [Param::Source3, Param::Target3, Param::Depth3],
    [Param::Source4, Param::Target4, Param::Depth4],
    [Param::Source5, Param::Target5, Param::Depth5],
    [Param::Source6, Param::Target6, Param::Depth6],
    [Param::Source7, Param::Target7, Param::Depth7],
    [Param::Source8, Param::Target8, Param::Depth8],
];

/// True if any slot of a patch uses a source.
pub fn listen_to(patch: &Patch, source: Source) -> bool {
    SLOTS.iter().any(|[from, to, _]| {
        Source::of_choice(patch.choice(*from)) == source
            && Destination::of_choice(patch.choice(*to)) != Destination::None
    })
}

/// True if any slot of a patch modulates a parameter.
pub fn move_param(patch: &Patch, param: Param) -> bool {
    SLOTS.iter().any(|[from, to, _]| {
        Source::of_choice(patch.choice(*from)) != Source::None
            && Destination::of_choice(patch.choice(*to)) == Destination::Param(param)
    })
}

/// Modulation by the slots, apart from parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    /// Pitch, semitones.
    pub pitch_st: f64,
    /// Volume, dB.
    pub volume_db: f64,
    /// Pan, -1 fully left.
    pub pan: f64,
}

/// Evaluates the slots in their order: a slot may change the depth of a later one.
pub fn run(patch: &Patch, sources: &Sources, offsets: &mut Offsets) -> Moved {
    let mut moved = Moved::default();
    for [from, to, depth] in SLOTS {
        let source = Source::of_choice(patch.choice(from));
        if source == Source::None {
            continue;
        }
        let by = offsets.value(patch, depth) * sources.get(source);
        match Destination::of_choice(patch.choice(to)) {
            Destination::None => {}
            Destination::Pitch => moved.pitch_st += PITCH_ST * by,
            Destination::Volume => moved.volume_db += VOLUME_DB * by,
            Destination::Pan => moved.pan += by,
            Destination::Param(param) => offsets.add(param, by),
        }
    }
    moved
}
