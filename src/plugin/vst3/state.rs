//! The saved state: that of the CLAP, and the chosen program after it.

use std::ffi::c_void;

use clap_sys::stream::{clap_istream, clap_ostream};
use vst3::ComRef;
use vst3::Steinberg::*;

use super::core::{Core, work};

/// Before the chosen program in a state, behind the CLAP's part of it.
const STATE_MARK: &[u8] = b"VST3 program\n";
/// Anything larger is no state of ours.
const MAX_STATE_BYTES: usize = 64 << 20;

/// The state of the CLAP, and the chosen program behind it.
pub fn save(core: &Core) -> Option<Vec<u8>> {
    unsafe extern "C" fn write(
        stream: *const clap_ostream,
        buffer: *const c_void,
        size: u64,
    ) -> i64 {
        // SAFETY: the context is the list below; the buffer has so many bytes.
        unsafe {
            let bytes = &mut *(*stream).ctx.cast::<Vec<u8>>();
            bytes.extend_from_slice(std::slice::from_raw_parts(buffer.cast(), size as usize));
        }
        size as i64
    }
    let mut bytes: Vec<u8> = Vec::new();
    let stream = clap_ostream { ctx: (&raw mut bytes).cast(), write: Some(write) };
    let save = core.extensions().state.and_then(|state| state.save)?;
    // SAFETY: called as a host does; the stream lives during the call.
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

/// Takes back a state: ours, one of the CLAP, or one of version 0.1, whose VST3 wrote no
/// length.
pub fn load(core: &Core, bytes: &[u8]) -> bool {
    let (state, program) = split_state(bytes);
    let mut rest = state;
    let stream = clap_istream { ctx: (&raw mut rest).cast(), read: Some(read_slice) };
    let load = core.extensions().state.and_then(|state| state.load);
    // SAFETY: called as a host does; the stream lives during the call.
    let is_taken = load.is_some_and(|load| unsafe { load(core.plugin(), &stream) });
    if is_taken {
        core.keep_program(program);
        core.request_and_drain(work::VALUES | work::CALLBACK);
    }
    is_taken
}

/// The CLAP's part of a state, and the program parameter behind it.
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
    // SAFETY: the context is the slice of `load`; the buffer has room for so many bytes.
    unsafe {
        let rest = &mut *(*stream).ctx.cast::<&[u8]>();
        let (now, later) = rest.split_at(rest.len().min(usize::try_from(size).unwrap_or(0)));
        std::ptr::copy_nonoverlapping(now.as_ptr(), buffer.cast::<u8>(), now.len());
        *rest = later;
        now.len() as i64
    }
}

/// All that a stream gives, unless it is too large.
pub fn read_all(stream: &ComRef<IBStream>) -> Option<Vec<u8>> {
    let (mut bytes, mut piece) = (Vec::new(), vec![0u8; 1 << 16]);
    while bytes.len() <= MAX_STATE_BYTES {
        let mut count = 0;
        // What a stream answers at its end differs; how much it gave does not.
        // SAFETY: the piece has room for so many bytes.
        unsafe { stream.read(piece.as_mut_ptr().cast(), piece.len() as int32, &mut count) };
        match usize::try_from(count) {
            Ok(0) | Err(_) => return Some(bytes),
            Ok(count) => bytes.extend_from_slice(piece.get(..count)?),
        }
    }
    None
}

pub fn write_all(stream: &ComRef<IBStream>, bytes: &mut [u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        let mut count = 0;
        let size = rest.len().min(1 << 20) as int32;
        // SAFETY: there are so many bytes.
        let result = unsafe { stream.write(rest.as_mut_ptr().cast(), size, &mut count) };
        // Some streams do not say how much they took.
        let taken = if count > 0 { count } else { size };
        if result != kResultOk {
            return false;
        }
        rest = &mut rest[(taken as usize).min(size as usize)..];
    }
    true
}
