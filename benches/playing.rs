//! What the benches play on the whole engine: the scenes, and a stage for them.

#[path = "playing/gestures.rs"]
pub mod gestures;
#[path = "playing/stage.rs"]
pub mod stage;
