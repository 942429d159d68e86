//! One striker against one surface, from first touch to release.
//!
//! The contact knows no gesture and no body. It meets a [`Surface`], which takes a constant force for a
//! while; a wall and a modal body both do.

pub mod law;

/// What a striker touches.
///
/// Time in a surface runs only by being pushed: every call moves it `duration_s` onwards under a constant
/// force, which may be zero.
pub trait Surface {
    /// Move the surface on by `duration_s` seconds while `force_n` newtons (never negative) press on it.
    fn push(&mut self, force_n: f64, duration_s: f64);
}
