//! Rigid bodies that fly, land and tumble: which point touches when, how fast, and what it leaves
//! with.
//!
//! Two impact solvers, both instantaneous: time stands still, velocities jump. [`single_point`]
//! follows one frictional contact between two bodies exactly (Jia and Wang, "Analysis and
//! Computation of Two Body Impact in Three Dimensions", after Stronge). [`simultaneous`] resolves
//! up to eight points at once (PLUS: Uchida, Sherman and Delp 2015). [`motion`] is what happens
//! between impacts, [`tumble`] a body thrown onto a plane, [`chain`] a row of balls.
//!
//! Everything is `f64`, of fixed size and bounded; nothing allocates. Axis z is the normal of the
//! plane, and an impulse acts on the body that lies on the side of +z.

// Rows and columns of several matrices run together here, and are easier to follow by their
// indices.
#![allow(clippy::needless_range_loop)]

pub mod chain;
pub mod inertia;
pub mod motion;
pub mod shape;
pub mod simultaneous;
pub mod single_point;
pub mod tumble;
pub mod vector;
