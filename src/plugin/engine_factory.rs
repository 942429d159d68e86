//! Making the engine, on whatever thread a host asks for an instance.

use std::thread::Builder;

use crate::engine::{Engine, VoiceRoom};

/// Stack on which an engine is made, bytes: voices are put together on it. Hosts make instances on
/// threads of their own, whose stacks may be as small as 512 kB.
const STACK: usize = 4 << 20;

/// An engine with so much room for voices, made where the stack is large enough.
pub fn new_engine(room: VoiceRoom) -> Engine {
    let make = move || Engine::with_room(room);
    let engine =
        Builder::new().stack_size(STACK).spawn(make).ok().and_then(|maker| maker.join().ok());
    // Without another thread, the host's own has to do.
    engine.unwrap_or_else(make)
}
