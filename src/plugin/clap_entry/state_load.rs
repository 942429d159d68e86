//! A saved state is looked at before the framework reads it: of two entries of one name its reader lets the last win without a
//! word, and such a state is no project that this instrument has saved. It is refused, and what was playing plays on.

use std::ffi::c_void;

use clap_sys::ext::state::{CLAP_EXT_STATE, clap_plugin_state};
use clap_sys::plugin::clap_plugin;
use clap_sys::stream::{clap_istream, clap_ostream};

use super::instance;
use crate::plugin::loading::Task;
use crate::presets::format::repeated;

/// What hosts ask an instance for.
pub static EXTENSION: clap_plugin_state = clap_plugin_state { save: Some(save), load: Some(load) };

/// Bytes before the text of a state, which say how long it is.
const HEAD: usize = 8;
/// Anything larger is something else.
const LARGEST_BYTES: usize = 64 << 20;

/// The framework's own.
///
/// # Safety
/// The pointer is an instance.
unsafe fn framework(plugin: *const clap_plugin) -> Option<clap_plugin_state> {
    // SAFETY: promised by the caller; this name stands for this type, which stays for as long as the library.
    unsafe { instance::framework_extension(plugin, CLAP_EXT_STATE).cast::<clap_plugin_state>().as_ref().copied() }
}

unsafe extern "C" fn save(plugin: *const clap_plugin, stream: *const clap_ostream) -> bool {
    // SAFETY: called as the host would have called it.
    unsafe { framework(plugin).and_then(|own| own.save).is_some_and(|save| save(plugin, stream)) }
}

unsafe extern "C" fn load(plugin: *const clap_plugin, stream: *const clap_istream) -> bool {
    // SAFETY: a host passes an instance of its own, and a stream that is good during the call.
    let (wrapper, bytes, own) = unsafe { (instance::wrapper(plugin), read_all(stream), framework(plugin)) };
    let (Some(wrapper), Some(bytes), Some(load)) = (wrapper, bytes, own.and_then(|own| own.load)) else {
        return false;
    };
    let text = bytes.get(HEAD..).and_then(|text| std::str::from_utf8(text).ok());
    if let Some(fault) = text.and_then(repeated) {
        nice_plug::nice_log!("The saved state was refused: {fault}");
        (wrapper.task_executor.lock())(Task::Refuse(fault));
        return false;
    }
    let mut kept = Kept { bytes, at: 0 };
    let stream = clap_istream { ctx: (&raw mut kept).cast(), read: Some(read_kept) };
    // SAFETY: called as the host would have called it, with a stream that outlives the call.
    unsafe { load(plugin, &stream) }
}

/// All that a stream gives, unless it fails or is too large.
///
/// # Safety
/// The stream is good.
unsafe fn read_all(stream: *const clap_istream) -> Option<Vec<u8>> {
    // SAFETY: promised by the caller.
    let read = unsafe { stream.as_ref() }?.read?;
    let (mut bytes, mut piece) = (Vec::new(), vec![0u8; 1 << 16]);
    while bytes.len() <= LARGEST_BYTES {
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
struct Kept {
    bytes: Vec<u8>,
    at: usize,
}

unsafe extern "C" fn read_kept(stream: *const clap_istream, buffer: *mut c_void, size: u64) -> i64 {
    // SAFETY: the stream is the one that `load` has made, and its context is alive during the call.
    let Some(kept) = (unsafe { stream.as_ref().and_then(|stream| stream.ctx.cast::<Kept>().as_mut()) }) else {
        return -1;
    };
    let rest = &kept.bytes[kept.at..];
    let count = usize::try_from(size).unwrap_or(usize::MAX).min(rest.len());
    // SAFETY: the buffer has room for `size` bytes, and is not what was read.
    unsafe { std::ptr::copy_nonoverlapping(rest.as_ptr(), buffer.cast::<u8>(), count) };
    kept.at += count;
    count as i64
}
