//! A patch as it was last seen, in no more room than it takes to know it again.

use crate::params::{Param, Patch};

/// The values of a patch, as they are stored.
#[derive(Clone, Debug)]
pub struct PatchCache {
    stored: [f32; Param::COUNT],
}

impl Default for PatchCache {
    /// None has been seen: no patch holds what is no number.
    fn default() -> Self {
        Self { stored: [f32::NAN; Param::COUNT] }
    }
}

impl PatchCache {
    /// Whether it was this one.
    pub fn is(&self, patch: &Patch) -> bool {
        self.stored
            .iter()
            .zip(patch.all_stored())
            .fold(true, |same, (a, b)| same & (a.to_bits() == b.to_bits()))
    }

    /// It is this one now.
    pub fn update(&mut self, patch: &Patch) {
        self.stored = *patch.all_stored();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_is_known_again_until_it_changes() {
        let (mut cache, mut patch) = (PatchCache::default(), Patch::default());
        assert!(!cache.is(&patch));
        cache.update(&patch);
        assert!(cache.is(&patch));
        patch.set(Param::Hardness, 0.6);
        assert!(!cache.is(&patch));
    }
}
