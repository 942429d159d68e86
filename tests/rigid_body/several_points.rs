//! Simultaneous impacts at several points (PLUS), against published counts, converged vectors and
//! the laws that every impact obeys.

mod common;
mod frames;
mod laws;
mod one_point;
mod papers;
