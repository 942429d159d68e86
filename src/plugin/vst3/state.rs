//! The saved state: that of the CLAP plug-in, followed by the chosen program.

use std::ffi::c_void;

use clap_sys::stream::{clap_istream, clap_ostream};
use vst3::ComRef;
use vst3::Steinberg::*;

use super::core::{Core, work};

/// Marks the chosen program, after the CLAP part of a state.
const STATE_MARK: &[u8] = b"VST3 program\n";
/// Largest accepted state, bytes: above any that this instrument saves.
const MAX_STATE_BYTES: usize = 64 << 20;

/// Saves the state of the CLAP plug-in, followed by the chosen program.
pub fn save(core: &Core) -> Option<Vec<u8>> {
    unsafe extern "C" fn write(
        stream: *const clap_ostream,
        buffer: *const c_void,
        size: u64,
    ) -> i64 {
        // SAFETY: the context is the vector below; the buffer has `size` bytes.
        unsafe {
            let bytes = &mut *(*stream).ctx.cast::<Vec<u8>>();
            bytes.extend_from_slice(std::slice::from_raw_parts(buffer.cast(), size as usize));
        }
        size as i64
    }
    let mut bytes: Vec<u8> = Vec::new();
    let stream = clap_ostream { ctx: (&raw mut bytes).cast(), write: Some(write) };
    let save = core.extensions().state.and_then(|state| state.save)?;
    // SAFETY: called as a CLAP host does; the stream lives during the call.
    if unsafe { !save(core.plugin(), &stream) } {
        return None;
    }
    let program = core.program();
    if program != 0.0 {
        bytes.extend_from_slice(STATE_MARK);
        bytes.extend_from_slice(&program.to_le_bytes());
    }
    Some(bytes)
}

/// Loads a state: one of ours, one of the CLAP, or one of version 0.1, whose VST3 wrote no length.
pub fn load(core: &Core, bytes: &[u8]) -> bool {
    let (state, program) = split_state(bytes);
    let mut rest = state;
    let stream = clap_istream { ctx: (&raw mut rest).cast(), read: Some(read_slice) };
    let load = core.extensions().state.and_then(|state| state.load);
    // SAFETY: called as a CLAP host does; the stream lives during the call.
    let is_loaded = load.is_some_and(|load| unsafe { load(core.plugin(), &stream) });
    if is_loaded {
        core.restore_program(program);
        core.request_and_drain(work::VALUES | work::CALLBACK);
    }
    is_loaded
}

/// Splits a state into the CLAP part and the program parameter.
fn split_state(bytes: &[u8]) -> (&[u8], f64) {
    let length = bytes.first_chunk().map(|length| u64::from_le_bytes(*length));
    let end = length.and_then(|length| usize::try_from(length).ok()?.checked_add(8));
    let Some((state, rest)) = end.and_then(|end| bytes.split_at_checked(end)) else {
        return (bytes, 0.0);
    };
    let program = rest.strip_prefix(STATE_MARK).and_then(|rest| rest.first_chunk());
    (state, program.map_or(0.0, |program| f64::from_le_bytes(*program)))
}

unsafe extern "C" fn read_slice(
    stream: *const clap_istream,
    buffer: *mut c_void,
    size: u64,
) -> i64 {
    // SAFETY: the context is the slice of `load`; the buffer has room for `size` bytes.
    unsafe {
        let rest = &mut *(*stream).ctx.cast::<&[u8]>();
        let (head, tail) = rest.split_at(rest.len().min(usize::try_from(size).unwrap_or(0)));
        std::ptr::copy_nonoverlapping(head.as_ptr(), buffer.cast::<u8>(), head.len());
        *rest = tail;
        head.len() as i64
    }
}

/// Reads a stream to its end, unless it is too large.
pub fn read_all(stream: &ComRef<IBStream>) -> Option<Vec<u8>> {
    let (mut bytes, mut buffer) = (Vec::new(), vec![0u8; 1 << 16]);
    while bytes.len() <= MAX_STATE_BYTES {
        let mut count = 0;
        // The result code at the end differs between hosts; the byte count does not.
        // SAFETY: the buffer has the stated size.
        unsafe { stream.read(buffer.as_mut_ptr().cast(), buffer.len() as int32, &mut count) };
        match usize::try_from(count) {
            Ok(0) | Err(_) => return Some(bytes),
            Ok(count) => bytes.extend_from_slice(buffer.get(..count)?),
        }
    }
    None
}

pub fn write_all(stream: &ComRef<IBStream>, bytes: &mut [u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        let mut count = 0;
        let size = rest.len().min(1 << 20) as int32;
        // SAFETY: the buffer has at least `size` bytes.
        let result = unsafe { stream.write(rest.as_mut_ptr().cast(), size, &mut count) };
        // Some streams do not report the count.
        let taken = if count > 0 { count } else { size };
        if result != kResultOk {
            return false;
        }
        rest = &mut rest[(taken as usize).min(size as usize)..];
    }
    true
}
