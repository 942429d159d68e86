//! The memory of an instance grows with its needs, not with the possible maximum.

use ictus::engine::{Engine, VoiceRoom};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Bytes in use for an engine with this room.
fn bytes_of(room: VoiceRoom) -> usize {
    let region = Region::new(ALLOCATOR);
    let engine = Engine::with_room(room);
    let change = region.change();
    drop(engine);
    change.bytes_allocated - change.bytes_deallocated
}

#[test]
fn an_instance_takes_at_most_12_mb_unless_its_patch_asks_for_more() {
    let usual = bytes_of(VoiceRoom::USUAL);
    assert!(usual <= 12_000_000, "{usual} bytes");
    let more_voices = bytes_of(VoiceRoom { voices: 64, ..VoiceRoom::USUAL });
    let voice = (more_voices - usual) / (64 - VoiceRoom::USUAL.voices);
    assert!(voice <= 210_000, "a voice of 64 modes takes {voice} bytes");
    assert!(bytes_of(VoiceRoom::ALL) > 2 * usual, "room is for the patch that needs it");
}
