//! Shapes of bodies: which frequencies they have, and how each mode bends.

pub mod bar;
