//! What the benches play: the scenes on the whole engine and a stage for them, and a bank that
//! rings alone.

#[path = "playing/bench_engine.rs"]
pub mod bench_engine;
#[path = "playing/gestures.rs"]
pub mod gestures;
#[path = "playing/ringing.rs"]
pub mod ringing;
