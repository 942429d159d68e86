//! Bodies that are levelled later.
//!
//! To level a body takes as long as to make it, or longer; and what is thrown, or let go from a height, falls before anything is heard.
//! So the level of such a body is put off, and worked out while it falls: by the engine, at instants of the stream, one after the other
//! ([`Ration`](crate::engine::ration)), and at the latest when something touches it. A note alone sounds as if nothing had been put off.

use super::{Voice, World};
use crate::gesture::Gesture;
use crate::gesture::bounce::sync;
use crate::patch::Param;

/// Only what falls at least so long is levelled later, s: by then the engine has come round to all voices there are.
pub const LEAST_FALL_S: f64 = 0.045;

/// How long what is played falls before it lands, at the least, s: as fast as the knob says, whatever the velocity.
fn falls_s(world: &World) -> f64 {
    let patch = world.patch;
    let gap_s = match patch.gesture() {
        Gesture::Bounce if patch.choice(Param::FirstHit) == 0 => sync::gap_s(patch.choice(Param::Gap), world.tempo_bpm),
        Gesture::Tumble => None,
        _ => return 0.0,
    };
    gap_s.unwrap_or_else(|| {
        let (height_m, speed_m_per_s) = (patch.get(Param::Height), patch.get(Param::Speed));
        let landing_m_per_s = (speed_m_per_s * speed_m_per_s + 2.0 * patch.get(Param::Gravity) * height_m).sqrt();
        2.0 * height_m / (speed_m_per_s + landing_m_per_s)
    })
}

impl Voice {
    /// Level the body that was just made: at once, or later if there is time.
    pub(super) fn begin_level(&mut self, world: &World) {
        // What is no number has no time.
        if falls_s(world) >= LEAST_FALL_S {
            return self.level.put_off(self.boost);
        }
        let mut stage = self.riders.stage(&mut self.bank, self.object.dt_s());
        self.level.begin(stage.as_mut(), &self.object.modes, &self.object.settings.blow, self.boost);
        self.object.modes.expect_blow(self.level.struck());
    }

    /// Whether its body is still to be levelled.
    pub fn is_level_put_off(&self) -> bool {
        self.note.is_some() && self.level.is_put_off()
    }

    /// Level its body now, if that was put off.
    pub fn catch_up_level(&mut self) {
        if self.level.is_put_off() {
            self.level.catch_up(&self.object.modes, &self.object.settings.blow, self.boost * self.kept);
            self.object.modes.expect_blow(self.level.struck());
        }
    }

    /// Look how another voice was levelled.
    pub fn learn_level(&mut self, other: &Self) {
        self.level.learn(&other.level);
    }
}
