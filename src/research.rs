//! Numeric studies: the tables and figures of the papers, and the soak test.

pub mod soak;
pub mod study;
