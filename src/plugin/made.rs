//! Making the engine, on whatever thread a host asks for an instance.

use std::thread::Builder;

use crate::engine::Engine;

/// Stack on which an engine is made, bytes: a voice is some 400 kB, and copies of it lie there while it is put together. Hosts make
/// instances on threads of their own, whose stacks may be as small as 512 kB.
const STACK: usize = 16 << 20;

/// An engine, made where there is room.
pub fn engine() -> Engine {
    let made = Builder::new().stack_size(STACK).spawn(Engine::default).ok().and_then(|maker| maker.join().ok());
    // Without another thread, the host's own has to do.
    made.unwrap_or_default()
}
