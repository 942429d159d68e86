//! What the benches play: the scenes on the whole engine and a stage for them, and a bank that rings alone.

#[path = "playing/gestures.rs"]
pub mod gestures;
#[path = "playing/ringing.rs"]
pub mod ringing;
#[path = "playing/stage.rs"]
pub mod stage;
