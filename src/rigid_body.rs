//! Rigid bodies that fly, land and tumble: impact times, speeds and impulses.
//!
//! Two impact solvers, both instantaneous: velocities jump while positions stay. [`single_point`]
//! follows one frictional contact between two bodies exactly (Jia and Wang, "Analysis and
//! Computation of Two Body Impact in Three Dimensions", after Stronge). [`simultaneous`] resolves
//! up to eight points at once (PLUS: Uchida, Sherman and Delp 2015). [`motion`] is the free flight
//! between impacts, [`tumble`] a body thrown onto a plane, [`chain`] a row of balls.
//!
//! All state is `f64` of fixed size, all work is bounded, and nothing allocates. Axis z is the
//! normal of the plane, and an impulse acts on the body on the side of +z.

// Loops over rows and columns of several matrices are clearer with indices.
#![allow(clippy::needless_range_loop)]

pub mod chain;
pub mod inertia;
pub mod motion;
pub mod shape;
pub mod simultaneous;
pub mod single_point;
pub mod tumble;
pub mod vector;
