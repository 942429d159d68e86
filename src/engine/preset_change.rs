//! A patch that leaps from one sound to another, as a preset or the other side does.
//!
//! Each sound has its own level. If that moved while another sound rings, a quiet bell would become
//! a loud one for as long as it rings: so what was struck before a leap keeps its level, and what
//! is struck after it has the new one. A level that is turned or automated is no leap: everything
//! follows it. What was thrown at a body that is another now is gone, and what rolls is set down
//! anew.

use super::{Engine, context};
use crate::params::{Param, ParamKind, Patch};

/// So many knobs at least leap together ...
const KNOBS: usize = 4;
/// ... over so much of their ways in all. A choice that becomes another counts as a whole way.
const WAYS: f64 = 1.0;

/// Whether one patch is another sound than the other, rather than the same one a moment later.
pub fn is_preset_change(before: &Patch, after: &Patch) -> bool {
    let (mut knobs, mut ways) = (0, 0.0);
    for param in Param::ALL {
        let spec = param.spec();
        let moved = (after.stored(param) - before.stored(param)).abs();
        if moved > 0.0 {
            let (min, max) = spec.range_stored();
            knobs += 1;
            ways += if matches!(spec.kind, ParamKind::Choice(_)) {
                1.0
            } else {
                f64::from(moved / (max - min))
            };
        }
    }
    knobs >= KNOBS && ways >= WAYS
}

impl Engine {
    /// Look at the patch of the block to come.
    pub(super) fn notice(&mut self, patch: &Patch) {
        if self.last.is_same(patch) {
            return;
        }
        if self.last.choice(Param::Mpe) != patch.choice(Param::Mpe) {
            self.controls.zone = None;
        }
        if is_preset_change(&self.last, patch) {
            let louder = self.output.preset_change(patch.level());
            self.group_outputs.iter_mut().for_each(|output| {
                output.preset_change(patch.level());
            });
            self.pool.stolen_tail().scale(louder);
            let (rolled, context) = (
                self.last.gesture().rolls(),
                context(
                    patch,
                    &self.surfaces,
                    (&self.list, self.lists),
                    &self.tuning,
                    self.tempo_bpm,
                ),
            );
            self.pool.sounding().for_each(|voice| voice.preset_change(louder, rolled, &context));
        }
        self.last.clone_from(patch);
    }
}
