//! How large a logical pixel is on the screen, known once a window has been open there.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use atomic_float::AtomicF32;

/// Pixels of the screen for a logical one. Clones are the same.
#[derive(Clone, Debug)]
pub struct PixelScale(Arc<AtomicF32>);

impl Default for PixelScale {
    fn default() -> Self {
        Self(Arc::new(AtomicF32::new(1.0)))
    }
}

impl PixelScale {
    /// A window has told.
    pub fn set(&self, scale: f32) {
        if scale.is_finite() && scale > 0.0 {
            self.0.store(scale, Ordering::Relaxed);
        }
    }

    /// As the last window told.
    pub fn get(&self) -> f32 {
        self.0.load(Ordering::Relaxed)
    }
}
