//! Several points at once (PLUS), against published counts, converged vectors, and what no impact
//! may break.

mod common;
mod frames;
mod laws;
mod one_point;
mod papers;
