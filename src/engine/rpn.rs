//! Registered parameters (RPN): how far a channel bends, and which channels are an MPE zone.
//!
//! A parameter is chosen by controllers 101 and 100, and set by 6 (and 38 for its fine part); MIDI
//! 1.0, and MPE 1.1 for the zone. What a channel says goes before the knobs, until the knob of the
//! zone is turned.

use super::controls::HeldController;
use super::{Engine, Zone};
use crate::params::Patch;

/// Coarse and fine part of a value, and of the number of the parameter that it is for.
const DATA: u8 = 6;
const FINE_DATA: u8 = 38;
const FINE_NUMBER: u8 = 100;
const NUMBER: u8 = 101;

/// Number of a channel's bend range, semitones and cents.
const BEND_RANGE: (u8, u8) = (0, 0);
/// Number of the message by which a master says how many channels are its members; none for no
/// zone.
const ZONE: (u8, u8) = (0, 6);

/// Most semitones that a channel may ask for.
const MAX_BEND_ST: u8 = 96;

/// What a channel has chosen and said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RpnState {
    number: (u8, u8),
    bend: (u8, u8),
}

impl Default for RpnState {
    fn default() -> Self {
        Self { number: (127, 127), bend: (2, 0) }
    }
}

impl RpnState {
    /// Whether a controller belongs here.
    pub fn takes(number: u8) -> bool {
        matches!(number, DATA | FINE_DATA | FINE_NUMBER | NUMBER)
    }
}

impl Engine {
    /// One of these controllers is at `value`, 0…1.
    pub(super) fn register(&mut self, patch: &Patch, channel: Option<u8>, number: u8, value: f64) {
        let data = (127.0 * value).round() as u8;
        let mut said = self.controls.of(channel).rpn;
        match number {
            NUMBER => said.number.0 = data,
            FINE_NUMBER => said.number.1 = data,
            DATA if said.number == BEND_RANGE => said.bend = (data.min(MAX_BEND_ST), 0),
            FINE_DATA if said.number == BEND_RANGE => said.bend.1 = data.min(99),
            DATA if said.number == ZONE => return self.set_zone(patch, channel, data),
            _ => return,
        }
        self.change(patch, channel, |held| held.rpn = said);
        if said.number == BEND_RANGE && matches!(number, DATA | FINE_DATA) {
            let range_st = f64::from(said.bend.0) + 0.01 * f64::from(said.bend.1);
            self.set_range(patch, channel, range_st);
        }
    }

    /// A channel bends so far; a member of a zone says it for all members.
    fn set_range(&mut self, patch: &Patch, channel: Option<u8>, range_st: f64) {
        let zone = self.zone(patch);
        let set = |held: &mut HeldController| held.controllers.range_st = Some(range_st);
        match channel.and_then(|channel| zone.master_of(channel)) {
            Some(master) => (0..16).filter(|member| *member != master).for_each(|member| {
                self.change(patch, Some(member), set);
            }),
            None => self.change(patch, channel, set),
        }
    }

    /// The first or the last channel becomes the master of a zone, or no longer is. The ranges are
    /// then those of MPE.
    fn set_zone(&mut self, patch: &Patch, channel: Option<u8>, members: u8) {
        let zone = match (channel, members) {
            (Some(0 | 15), 0) => Zone::Off,
            (Some(0), _) => Zone::Lower,
            (Some(15), _) => Zone::Upper,
            _ => return,
        };
        self.controls.zone = Some(zone);
        for channel in 0..16 {
            let range_st =
                if Some(channel) == zone.master() || zone == Zone::Off { 2.0 } else { 48.0 };
            self.change(patch, Some(channel), |held| held.controllers.range_st = Some(range_st));
        }
    }

    /// Which channels are one instrument: as a master has said, or as the knob says.
    pub(super) fn zone(&self, patch: &Patch) -> Zone {
        self.controls.zone(patch)
    }
}
