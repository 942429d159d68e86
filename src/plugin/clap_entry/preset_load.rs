//! A host's browser hands a preset to an instance.

use std::ffi::{c_char, c_void};

use anyhow::{Context, Result, bail};
use clap_sys::ext::preset_load::{
    CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT, clap_host_preset_load, clap_plugin_preset_load,
};
use clap_sys::factory::preset_discovery::{
    CLAP_PRESET_DISCOVERY_LOCATION_FILE, CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN, clap_preset_discovery_location_kind,
};
use clap_sys::host::clap_host;
use clap_sys::plugin::clap_plugin;

use super::metadata::os_error;
use super::{instance, text};
use crate::plugin::loading::{self, Task};
use crate::presets::{Preset, factory};

/// What hosts ask an instance for.
pub static EXTENSION: clap_plugin_preset_load = clap_plugin_preset_load { from_location: Some(from_location) };

unsafe extern "C" fn from_location(
    plugin: *const clap_plugin,
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    key: *const c_char,
) -> bool {
    // SAFETY: a host passes an instance of its own, and texts that end in zero or null.
    let (wrapper, preset) = unsafe { (instance::wrapper(plugin), read(kind, location, key)) };
    let Some(wrapper) = wrapper else {
        return false;
    };
    let answer = Answer { host: instance::host(plugin), kind, location, key };
    match preset {
        Ok(preset) => {
            let mut state = loading::state(&preset.sound);
            (wrapper.task_executor.lock())(Task::Begin);
            let taken = wrapper.set_state_inner(&mut state);
            (wrapper.task_executor.lock())(Task::End(Box::new(preset)));
            // SAFETY: called on the host's main thread, during its call.
            unsafe { answer.loaded() };
            taken
        }
        Err(error) => {
            // SAFETY: as above.
            unsafe { answer.failed(&error) };
            false
        }
    }
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
            let key = unsafe { text::from_c(key) }.context("a preset of the instrument has a key")?;
            factory::load(key)
        }
        CLAP_PRESET_DISCOVERY_LOCATION_FILE => {
            // SAFETY: promised by the caller.
            let path = unsafe { text::path_from_c(location) }.context("a preset file has a path")?;
            Preset::load(&path)
        }
        kind => bail!("presets of kind {kind} are not known"),
    }
}

/// What the host is told.
struct Answer {
    host: *const clap_host,
    kind: clap_preset_discovery_location_kind,
    location: *const c_char,
    key: *const c_char,
}

impl Answer {
    /// The host's side of the extension, if it has one.
    ///
    /// # Safety
    /// On the host's main thread, while the instance lives.
    unsafe fn extension(&self) -> Option<&clap_host_preset_load> {
        // SAFETY: the host outlives its instances.
        let get = unsafe { self.host.as_ref() }?.get_extension?;
        [CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT].iter().find_map(|id| {
            // SAFETY: an extension is null, or stays for as long as the host; this name stands for this type.
            unsafe {
                let extension: *const c_void = get(self.host, id.as_ptr());
                extension.cast::<clap_host_preset_load>().as_ref()
            }
        })
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
        if let Some(on_error) = unsafe { self.extension() }.and_then(|extension| extension.on_error) {
            let message = text::to_c(&format!("{error:#}"));
            // SAFETY: the host gets back what it passed, and a text that lives during the call.
            unsafe { on_error(self.host, self.kind, self.location, self.key, os_error(error), message.as_ptr()) };
        }
    }
}
