//! Loading of saved states and of presets from a host's browser.
//!
//! A saved state is checked before the framework reads it. If two entries have one name, the
//! framework silently uses the last; this instrument never saves such a state, so it is refused and
//! the current sound stays. A state of the VST3 of version 0.1 lacks the length in front; it is
//! added.

use std::ffi::{c_char, c_void};

use anyhow::{Context, Result, bail};
use clap_sys::ext::preset_load::{
    CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT, clap_host_preset_load,
    clap_plugin_preset_load,
};
use clap_sys::ext::state::{CLAP_EXT_STATE, clap_plugin_state};
use clap_sys::factory::preset_discovery::{
    CLAP_PRESET_DISCOVERY_LOCATION_FILE, CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN,
    clap_preset_discovery_location_kind,
};
use clap_sys::host::clap_host;
use clap_sys::plugin::clap_plugin;
use clap_sys::stream::{clap_istream, clap_ostream};
use nice_plug::plugin::PluginState;

use super::discovery::os_error;
use super::edits::extension;
use super::instance::Instance;
use super::{c_string, path_from_c, str_from_c};
use crate::io::presets::format::duplicate_key;
use crate::io::presets::{Preset, factory};
use crate::shared_state::{catch_panic, state};

/// The state extension: saves as the framework does, and loads after a check.
pub static STATE: clap_plugin_state = clap_plugin_state { save: Some(save), load: Some(load) };

/// Bytes of the length before the text of a state.
const LENGTH_BYTES: usize = 8;
/// Largest accepted state, bytes: above any that this instrument saves.
const MAX_BYTES: usize = 64 << 20;

/// The framework's extension.
fn framework_state(instance: &Instance) -> Option<&clap_plugin_state> {
    // SAFETY: this name denotes this type.
    unsafe { instance.framework_extension(CLAP_EXT_STATE) }
}

unsafe extern "C" fn save(plugin: *const clap_plugin, stream: *const clap_ostream) -> bool {
    // SAFETY: the host passes an instance of ours.
    let save = unsafe { Instance::of(plugin) }.and_then(|instance| framework_state(instance)?.save);
    // SAFETY: called as the host would have called it.
    save.is_some_and(|save| unsafe { save(plugin, stream) })
}

unsafe extern "C" fn load(plugin: *const clap_plugin, stream: *const clap_istream) -> bool {
    // SAFETY: the host passes an instance of ours, and a stream that is valid during the call.
    let (instance, bytes) =
        unsafe { (Instance::of(plugin), catch_panic(None, || read_all(stream))) };
    let (Some(instance), Some(bytes)) = (instance, bytes) else { return false };
    catch_panic(false, || restore_bytes(instance, bytes))
}

/// Whether a state begins with its length. Eight characters of text, read as a number, are far
/// above any length.
fn begins_with_length(bytes: &[u8]) -> bool {
    bytes
        .first_chunk::<LENGTH_BYTES>()
        .is_some_and(|head| u64::from_le_bytes(*head) <= MAX_BYTES as u64)
}

/// Sets all parameters from a state.
fn restore(instance: &Instance, state: &PluginState) -> bool {
    serde_json::to_vec(state).is_ok_and(|text| restore_bytes(instance, text))
}

fn restore_bytes(instance: &Instance, mut bytes: Vec<u8>) -> bool {
    if !begins_with_length(&bytes) {
        let length = (bytes.len() as u64).to_le_bytes();
        bytes.splice(0..0, length);
    }
    let text = bytes.get(LENGTH_BYTES..).and_then(|text| std::str::from_utf8(text).ok());
    if let Some(fault) = text.and_then(duplicate_key) {
        nice_plug::nice_log!("The saved state was refused: {fault}");
        let mut session = instance.parts.params.session();
        session.set_message(format!("The saved state was refused: {fault}"), false);
        return false;
    }
    let Some(load) = framework_state(instance).and_then(|state| state.load) else { return false };
    let mut saved = SavedBytes { bytes, position: 0 };
    let stream = clap_istream { ctx: (&raw mut saved).cast(), read: Some(read_saved) };
    // SAFETY: called as the host would have called it, with a stream that outlives the call.
    let is_loaded = unsafe { load(instance.framework(), &stream) };
    instance.parts.repaint.request_repaint();
    is_loaded
}

/// Reads a stream to its end, unless it fails or is too large.
///
/// # Safety
/// The stream is null or valid.
unsafe fn read_all(stream: *const clap_istream) -> Option<Vec<u8>> {
    // SAFETY: guaranteed by the caller.
    let read = unsafe { stream.as_ref() }?.read?;
    let (mut bytes, mut buffer) = (Vec::new(), vec![0u8; 1 << 16]);
    while bytes.len() <= MAX_BYTES {
        // SAFETY: the buffer has the requested size.
        let count = unsafe { read(stream, buffer.as_mut_ptr().cast(), buffer.len() as u64) };
        match usize::try_from(count).ok()? {
            0 => return Some(bytes),
            count => bytes.extend_from_slice(buffer.get(..count)?),
        }
    }
    None
}

/// Bytes that the framework reads again.
struct SavedBytes {
    bytes: Vec<u8>,
    position: usize,
}

unsafe extern "C" fn read_saved(
    stream: *const clap_istream,
    buffer: *mut c_void,
    size: u64,
) -> i64 {
    // SAFETY: the stream is that of `restore_bytes`, and its context is alive during the call.
    let saved =
        unsafe { stream.as_ref().and_then(|stream| stream.ctx.cast::<SavedBytes>().as_mut()) };
    let Some(saved) = saved else { return -1 };
    let rest = &saved.bytes[saved.position..];
    let count = usize::try_from(size).unwrap_or(usize::MAX).min(rest.len());
    // SAFETY: the buffer has room for `size` bytes and does not overlap the source.
    unsafe { std::ptr::copy_nonoverlapping(rest.as_ptr(), buffer.cast::<u8>(), count) };
    saved.position += count;
    count as i64
}

/// The preset-load extension: presets from a host's browser.
pub static PRESET_LOAD: clap_plugin_preset_load =
    clap_plugin_preset_load { from_location: Some(from_location) };

unsafe extern "C" fn from_location(
    plugin: *const clap_plugin,
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    key: *const c_char,
) -> bool {
    // SAFETY: the host passes an instance of ours, and strings that are NUL-terminated or null.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else {
        return false;
    };
    catch_panic(false, || {
        let reply = LoadReply { host: instance.host, kind, location, key };
        // SAFETY: as above.
        match unsafe { read_preset(kind, location, key) } {
            Ok(preset) => {
                let restore = |state: &_| restore(instance, state);
                let is_loaded = state::load_preset(&instance.parts.params, &preset, restore);
                instance.parts.repaint.request_repaint();
                if is_loaded {
                    // SAFETY: called on the host's main thread, during its call.
                    unsafe { reply.loaded() };
                }
                is_loaded
            }
            Err(error) => {
                // SAFETY: as above.
                unsafe { reply.failed(&error) };
                false
            }
        }
    })
}

/// Reads the whole preset before anything changes.
///
/// # Safety
/// Strings are NUL-terminated or null.
unsafe fn read_preset(
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    key: *const c_char,
) -> Result<Preset> {
    match kind {
        CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN => {
            // SAFETY: guaranteed by the caller.
            let key = unsafe { str_from_c(key) }.context("a preset of the instrument has a key")?;
            factory::load(key)
        }
        CLAP_PRESET_DISCOVERY_LOCATION_FILE => {
            // SAFETY: guaranteed by the caller.
            let path = unsafe { path_from_c(location) }.context("a preset file has a path")?;
            Preset::load(&path)
        }
        kind => bail!("presets of kind {kind} are not known"),
    }
}

/// The reply to the host.
struct LoadReply {
    host: *const clap_host,
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    key: *const c_char,
}

impl LoadReply {
    /// The host's side of the extension, if any.
    ///
    /// # Safety
    /// Called on the host's main thread, while the instance lives.
    unsafe fn extension(&self) -> Option<&clap_host_preset_load> {
        [CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT]
            .into_iter()
            // SAFETY: the host outlives its instances; this name denotes this type.
            .find_map(|name| unsafe { extension(self.host, name) })
    }

    unsafe fn loaded(&self) {
        // SAFETY: guaranteed by the caller.
        if let Some(loaded) = unsafe { self.extension() }.and_then(|extension| extension.loaded) {
            // SAFETY: the host gets back the pointers that it passed.
            unsafe { loaded(self.host, self.kind, self.location, self.key) };
        }
    }

    unsafe fn failed(&self, error: &anyhow::Error) {
        nice_plug::nice_log!("A preset was refused: {error:#}");
        // SAFETY: guaranteed by the caller.
        if let Some(on_error) = unsafe { self.extension() }.and_then(|extension| extension.on_error)
        {
            let message = c_string(&format!("{error:#}"));
            // SAFETY: the host gets back the pointers that it passed, and a string that lives
            // during the call.
            unsafe {
                on_error(
                    self.host,
                    self.kind,
                    self.location,
                    self.key,
                    os_error(error),
                    message.as_ptr(),
                )
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_distinguished_from_text() {
        assert!(!begins_with_length(br#"{"version":"0.1.0"}"#) && !begins_with_length(b"{}"));
        // 123 is the code of the opening brace.
        for length in [0u64, 123, 0x227b, 7803, MAX_BYTES as u64] {
            let state = [&length.to_le_bytes()[..], b"{}"].concat();
            assert!(begins_with_length(&state), "{length}");
        }
    }
}
