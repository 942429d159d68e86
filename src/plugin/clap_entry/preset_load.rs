//! A host's browser hands a preset to an instance.

use std::ffi::c_char;

use anyhow::{Context, Result, bail};
use clap_sys::ext::preset_load::{
    CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT, clap_host_preset_load,
    clap_plugin_preset_load,
};
use clap_sys::factory::preset_discovery::{
    CLAP_PRESET_DISCOVERY_LOCATION_FILE, CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN,
    clap_preset_discovery_location_kind,
};
use clap_sys::host::clap_host;
use clap_sys::plugin::clap_plugin;

use super::edits::extension;
use super::instance::Instance;
use super::metadata::os_error;
use super::{state_load, text};
use crate::io::presets::{Preset, factory};
use crate::plugin::catch_panic::catch_panic;
use crate::plugin::preset_loading;

/// What hosts ask an instance for.
pub static EXTENSION: clap_plugin_preset_load =
    clap_plugin_preset_load { from_location: Some(from_location) };

unsafe extern "C" fn from_location(
    plugin: *const clap_plugin,
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    key: *const c_char,
) -> bool {
    // SAFETY: a host passes an instance of its own, and texts that end in zero or null.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else {
        return false;
    };
    catch_panic(false, || {
        let answer = LoadReply { host: instance.host, kind, location, key };
        // SAFETY: as above.
        match unsafe { read(kind, location, key) } {
            Ok(preset) => {
                let restore = |state: &_| state_load::restore(instance, state);
                let is_taken = preset_loading::load(&instance.parts.params, &preset, restore);
                instance.parts.repaint.request_repaint();
                if is_taken {
                    // SAFETY: called on the host's main thread, during its call.
                    unsafe { answer.loaded() };
                }
                is_taken
            }
            Err(error) => {
                // SAFETY: as above.
                unsafe { answer.failed(&error) };
                false
            }
        }
    })
}

/// The whole preset, before anything changes.
///
/// # Safety
/// Texts end in zero or are null.
unsafe fn read(
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    key: *const c_char,
) -> Result<Preset> {
    match kind {
        CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN => {
            // SAFETY: promised by the caller.
            let key =
                unsafe { text::from_c(key) }.context("a preset of the instrument has a key")?;
            factory::load(key)
        }
        CLAP_PRESET_DISCOVERY_LOCATION_FILE => {
            // SAFETY: promised by the caller.
            let path =
                unsafe { text::path_from_c(location) }.context("a preset file has a path")?;
            Preset::load(&path)
        }
        kind => bail!("presets of kind {kind} are not known"),
    }
}

/// What the host is told.
struct LoadReply {
    host: *const clap_host,
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    key: *const c_char,
}

impl LoadReply {
    /// The host's side of the extension, if it has one.
    ///
    /// # Safety
    /// On the host's main thread, while the instance lives.
    unsafe fn extension(&self) -> Option<&clap_host_preset_load> {
        [CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT]
            .into_iter()
            // SAFETY: the host outlives its instances; this name stands for this type.
            .find_map(|name| unsafe { extension(self.host, name) })
    }

    unsafe fn loaded(&self) {
        // SAFETY: promised by the caller.
        if let Some(loaded) = unsafe { self.extension() }.and_then(|extension| extension.loaded) {
            // SAFETY: the host gets back what it passed.
            unsafe { loaded(self.host, self.kind, self.location, self.key) };
        }
    }

    unsafe fn failed(&self, error: &anyhow::Error) {
        nice_plug::nice_log!("A preset was refused: {error:#}");
        // SAFETY: promised by the caller.
        if let Some(on_error) = unsafe { self.extension() }.and_then(|extension| extension.on_error)
        {
            let message = text::to_c(&format!("{error:#}"));
            // SAFETY: the host gets back what it passed, and a text that lives during the call.
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
