//! SIMD loops over modes, each written once and compiled for every instruction set.
//!
//! Vectors come from `fearless_simd`: fixed sizes on every machine (eight `f64`, sixteen `f32`),
//! safe, without further dependencies. With fused multiply-add a product and sum are rounded once,
//! elsewhere twice; nothing else differs between machines, not even the order of a sum.

mod coupled;
mod free;
mod loudness;
mod mix;
mod push;
mod response;

use std::fmt;

use fearless_simd::{Level, Simd, f64x8, prelude::*};

pub use free::{FRAME, FrameStart, LanePair, PickupGroup, RotationPowers, Settled, StereoFrame};
pub use loudness::LoudnessRows;
pub use response::MOMENTS;

use super::LANES;

/// Instruction set of the loops.
#[derive(Clone, Copy)]
pub struct Kernel(Level);

impl Default for Kernel {
    fn default() -> Self {
        Self::best()
    }
}

impl Kernel {
    /// The best instruction set of this machine; it is detected once per process.
    pub fn best() -> Self {
        Self(Level::new())
    }

    /// The baseline of this architecture: SSE2 on x86-64, NEON on 64-bit ARM.
    pub fn portable() -> Self {
        Self(Level::baseline())
    }

    /// All instruction sets of this machine, the best last.
    pub fn all() -> impl Iterator<Item = Self> {
        let best = Level::new();
        #[cfg(target_arch = "x86_64")]
        let between = best.as_avx2().map(|avx2| Self(avx2.level()));
        #[cfg(not(target_arch = "x86_64"))]
        let between = None;
        let levels = [Some(Self::portable()), between, Some(Self(best))];
        (0..levels.len()).filter_map(move |i| {
            levels[i].filter(|level| {
                !levels[..i].iter().flatten().any(|before| before.name() == level.name())
            })
        })
    }

    /// Level for `dispatch!` in other loops.
    pub fn level(self) -> Level {
        self.0
    }

    /// Name of the instruction set.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2(_) => "AVX2",
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => "NEON",
            _ => "portable",
        }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One complex number per mode, in whole groups of [`LANES`].
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// Real parts.
    pub re: &'a [f64],
    /// Imaginary parts.
    pub im: &'a [f64],
}

/// Mutable counterpart.
#[derive(Debug)]
pub struct RowsMut<'a> {
    /// Real parts.
    pub re: &'a mut [f64],
    /// Imaginary parts.
    pub im: &'a mut [f64],
}

/// Eight modes in a register.
type Lanes<S> = f64x8<S>;

/// Eight modes in memory.
type Group = [f64; LANES];

/// The whole groups of a row.
#[inline(always)]
fn groups(row: &[f64]) -> &[Group] {
    row.as_chunks().0
}

/// Mutable counterpart.
#[inline(always)]
fn groups_mut(row: &mut [f64]) -> &mut [Group] {
    row.as_chunks_mut().0
}

#[inline(always)]
fn load<S: Simd>(simd: S, group: &Group) -> Lanes<S> {
    Lanes::load_array_ref(simd, group)
}

/// Sum of the lanes, pairwise in a fixed order.
#[inline(always)]
fn sum<S: Simd>(lanes: Lanes<S>) -> f64 {
    let [a, b, c, d, e, f, g, h] = lanes.to_array();
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// Largest of the lanes; none may be negative.
#[inline(always)]
fn largest<S: Simd>(lanes: Lanes<S>) -> f64 {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let [a, b, c, d, e, f, g, h] = lanes.to_array();
    larger(larger(larger(a, e), larger(c, g)), larger(larger(b, f), larger(d, h)))
}

#[cfg(test)]
mod tests;
