//! A saved state is checked before the framework reads it.
//!
//! Of two entries of one name the framework lets the last win without a word; such a state is no
//! project that this instrument has saved. It is refused, and what was playing plays on. A state of
//! the VST3 of version 0.1 has no length in front; it gets one.

use std::ffi::c_void;

use clap_sys::ext::state::{CLAP_EXT_STATE, clap_plugin_state};
use clap_sys::plugin::clap_plugin;
use clap_sys::stream::{clap_istream, clap_ostream};
use nice_plug::plugin::PluginState;

use super::instance::Instance;
use crate::io::presets::format::duplicate_key;
use crate::plugin::catch_panic::catch_panic;

/// What hosts ask an instance for.
pub static EXTENSION: clap_plugin_state = clap_plugin_state { save: Some(save), load: Some(load) };

/// Bytes before the text of a state, which say how long it is.
const HEAD: usize = 8;
/// Anything larger is something else.
const MAX_BYTES: usize = 64 << 20;

/// The framework's own.
fn framework(instance: &Instance) -> Option<&clap_plugin_state> {
    // SAFETY: this name stands for this type.
    unsafe { instance.framework_extension(CLAP_EXT_STATE) }
}

unsafe extern "C" fn save(plugin: *const clap_plugin, stream: *const clap_ostream) -> bool {
    // SAFETY: a host passes an instance of its own.
    let save = unsafe { Instance::of(plugin) }.and_then(|instance| framework(instance)?.save);
    // SAFETY: called as the host would have called it.
    save.is_some_and(|save| unsafe { save(plugin, stream) })
}

unsafe extern "C" fn load(plugin: *const clap_plugin, stream: *const clap_istream) -> bool {
    // SAFETY: a host passes an instance of its own, and a stream that is good during the call.
    let (instance, bytes) =
        unsafe { (Instance::of(plugin), catch_panic(None, || read_all(stream))) };
    let (Some(instance), Some(bytes)) = (instance, bytes) else { return false };
    catch_panic(false, || restore_bytes(instance, bytes))
}

/// Whether a state begins with its length. Eight letters, read as a number, are far above any.
fn begins_with_length(bytes: &[u8]) -> bool {
    bytes.first_chunk::<HEAD>().is_some_and(|head| u64::from_le_bytes(*head) <= MAX_BYTES as u64)
}

/// Sets all parameters from a state.
pub fn restore(instance: &Instance, state: &PluginState) -> bool {
    serde_json::to_vec(state).is_ok_and(|text| restore_bytes(instance, text))
}

fn restore_bytes(instance: &Instance, mut bytes: Vec<u8>) -> bool {
    if !begins_with_length(&bytes) {
        let length = (bytes.len() as u64).to_le_bytes();
        bytes.splice(0..0, length);
    }
    let text = bytes.get(HEAD..).and_then(|text| std::str::from_utf8(text).ok());
    if let Some(fault) = text.and_then(duplicate_key) {
        nice_plug::nice_log!("The saved state was refused: {fault}");
        let mut session = instance.parts.params.session();
        session.set_message(format!("The saved state was refused: {fault}"), false);
        return false;
    }
    let Some(load) = framework(instance).and_then(|own| own.load) else { return false };
    let mut kept = SavedBytes { bytes, at: 0 };
    let stream = clap_istream { ctx: (&raw mut kept).cast(), read: Some(read_saved) };
    // SAFETY: called as the host would have called it, with a stream that outlives the call.
    let is_taken = unsafe { load(instance.framework(), &stream) };
    instance.parts.repaint.request_repaint();
    is_taken
}

/// All that a stream gives, unless it fails or is too large.
///
/// # Safety
/// The stream is null or good.
unsafe fn read_all(stream: *const clap_istream) -> Option<Vec<u8>> {
    // SAFETY: promised by the caller.
    let read = unsafe { stream.as_ref() }?.read?;
    let (mut bytes, mut piece) = (Vec::new(), vec![0u8; 1 << 16]);
    while bytes.len() <= MAX_BYTES {
        // SAFETY: the piece has room for as many bytes as are asked for.
        let count = unsafe { read(stream, piece.as_mut_ptr().cast(), piece.len() as u64) };
        match usize::try_from(count).ok()? {
            0 => return Some(bytes),
            count => bytes.extend_from_slice(piece.get(..count)?),
        }
    }
    None
}

/// What has been read, to be read again.
struct SavedBytes {
    bytes: Vec<u8>,
    at: usize,
}

unsafe extern "C" fn read_saved(
    stream: *const clap_istream,
    buffer: *mut c_void,
    size: u64,
) -> i64 {
    // SAFETY: the stream is the one that was made above, and its context is alive during the call.
    let kept =
        unsafe { stream.as_ref().and_then(|stream| stream.ctx.cast::<SavedBytes>().as_mut()) };
    let Some(kept) = kept else { return -1 };
    let rest = &kept.bytes[kept.at..];
    let count = usize::try_from(size).unwrap_or(usize::MAX).min(rest.len());
    // SAFETY: the buffer has room for `size` bytes, and is not what was read.
    unsafe { std::ptr::copy_nonoverlapping(rest.as_ptr(), buffer.cast::<u8>(), count) };
    kept.at += count;
    count as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_reported_from_text_whatever_its_bytes_are() {
        assert!(!begins_with_length(br#"{"version":"0.1.0"}"#) && !begins_with_length(b"{}"));
        // 123 is the number of the opening brace.
        for length in [0u64, 123, 0x227b, 7803, MAX_BYTES as u64] {
            let state = [&length.to_le_bytes()[..], b"{}"].concat();
            assert!(begins_with_length(&state), "{length}");
        }
    }
}
