//! MIDI polyphonic expression: a channel for each note, and a master channel for all of them.
//!
//! The zone takes all sixteen channels, the master being the first or the last of them (MIDI
//! Association, MPE 1.1).

use crate::params::{Param, Patch};

/// Which channels are one instrument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zone {
    /// Each channel for itself.
    #[default]
    Off,
    /// Channel 1 is the master of 2 to 16.
    Lower,
    /// Channel 16 is the master of 1 to 15.
    Upper,
}

impl Zone {
    /// Of a patch.
    pub fn of_patch(patch: &Patch) -> Self {
        match patch.choice(Param::Mpe) {
            1 => Zone::Lower,
            2 => Zone::Upper,
            _ => Zone::Off,
        }
    }

    /// The master channel, 0…15, if there is one.
    pub fn master(self) -> Option<u8> {
        match self {
            Zone::Off => None,
            Zone::Lower => Some(0),
            Zone::Upper => Some(15),
        }
    }

    /// The master of a member channel; the master has none.
    pub fn master_of(self, channel: u8) -> Option<u8> {
        self.master().filter(|&master| master != channel)
    }

    /// The channel whose voices a channel's controllers reach; none means all: a master's reach
    /// every voice.
    pub fn reach(self, channel: Option<u8>) -> Option<u8> {
        channel.filter(|_| channel != self.master())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_master_reaches_all_and_a_member_itself() {
        assert_eq!((Zone::Lower.reach(Some(0)), Zone::Lower.reach(Some(3))), (None, Some(3)));
        assert_eq!((Zone::Upper.reach(Some(15)), Zone::Upper.reach(Some(0))), (None, Some(0)));
        assert_eq!((Zone::Off.reach(Some(0)), Zone::Off.reach(None)), (Some(0), None));
        assert_eq!((Zone::Lower.master_of(0), Zone::Lower.master_of(15)), (None, Some(0)));
    }
}
