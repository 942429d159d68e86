//! Levels: what makes patches, bodies and keys equally loud.

pub mod estimate;
