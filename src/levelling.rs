//! Levels: what makes patches, bodies and keys equally loud.

pub mod auto_level;
pub mod estimate;
