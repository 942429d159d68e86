//! The CLAP entry point. Unlike the framework's own (`nice_export_clap!`), it also lists the
//! presets for a host's browser, and guards every instance.
//!
//! Everything here is called by a host through C, on its main thread, with pointers that the
//! standard guarantees to be valid.

#![allow(unsafe_code)]

mod discovery;
mod edits;
pub mod extensions;
mod gui;
mod instance;
mod load;
mod process;

use std::ffi::{CStr, CString, c_char, c_void};
use std::path::PathBuf;
use std::ptr::null;
use std::sync::OnceLock;

use clap_sys::entry::clap_plugin_entry;
use clap_sys::factory::plugin_factory::{CLAP_PLUGIN_FACTORY_ID, clap_plugin_factory};
use clap_sys::factory::preset_discovery::{
    CLAP_PRESET_DISCOVERY_FACTORY_ID, CLAP_PRESET_DISCOVERY_FACTORY_ID_COMPAT,
};
use clap_sys::host::clap_host;
use clap_sys::plugin::{clap_plugin, clap_plugin_descriptor};
use clap_sys::version::CLAP_VERSION;
use nice_plug::wrapper::clap::PluginDescriptor;
use nice_plug::wrapper::setup_logger;

use super::Ictus;
use super::fx::IctusFx;
use crate::shared_state::catch_panic;
use instance::Instance;

/// The symbol that hosts look for in the library.
#[allow(non_upper_case_globals, missing_docs)]
#[unsafe(no_mangle)]
#[used]
pub static clap_entry: clap_plugin_entry = clap_plugin_entry {
    clap_version: CLAP_VERSION,
    init: Some(init),
    deinit: Some(deinit),
    get_factory: Some(get_factory),
};

static PLUGINS: clap_plugin_factory = clap_plugin_factory {
    get_plugin_count: Some(get_plugin_count),
    get_plugin_descriptor: Some(get_plugin_descriptor),
    create_plugin: Some(create_plugin),
};

/// The descriptors of the instrument and the effect.
fn descriptors() -> &'static [PluginDescriptor; 2] {
    static DESCRIPTORS: OnceLock<[PluginDescriptor; 2]> = OnceLock::new();
    DESCRIPTORS.get_or_init(|| {
        [PluginDescriptor::for_plugin::<Ictus>(), PluginDescriptor::for_plugin::<IctusFx>()]
    })
}

unsafe extern "C" fn init(_path: *const c_char) -> bool {
    setup_logger::<Ictus>();
    true
}

unsafe extern "C" fn deinit() {}

unsafe extern "C" fn get_factory(id: *const c_char) -> *const c_void {
    if id.is_null() {
        return null();
    }
    // SAFETY: the host passes a NUL-terminated string.
    let id = unsafe { CStr::from_ptr(id) };
    if id == CLAP_PLUGIN_FACTORY_ID {
        (&raw const PLUGINS).cast()
    } else if id == CLAP_PRESET_DISCOVERY_FACTORY_ID
        || id == CLAP_PRESET_DISCOVERY_FACTORY_ID_COMPAT
    {
        (&raw const discovery::FACTORY).cast()
    } else {
        null()
    }
}

unsafe extern "C" fn get_plugin_count(_factory: *const clap_plugin_factory) -> u32 {
    descriptors().len() as u32
}

unsafe extern "C" fn get_plugin_descriptor(
    _factory: *const clap_plugin_factory,
    index: u32,
) -> *const clap_plugin_descriptor {
    descriptors()
        .get(index as usize)
        .map_or(null(), |descriptor| descriptor.clap_plugin_descriptor())
}

unsafe extern "C" fn create_plugin(
    _factory: *const clap_plugin_factory,
    host: *const clap_host,
    id: *const c_char,
) -> *const clap_plugin {
    if host.is_null() || id.is_null() {
        return null();
    }
    // SAFETY: the host passes a NUL-terminated string.
    let id = unsafe { CStr::from_ptr(id) };
    let [instrument, effect] = descriptors();
    // SAFETY: the host outlives the plug-ins that it creates.
    catch_panic(null(), || unsafe {
        if id == instrument.clap_id() {
            Instance::create::<Ictus>(host)
        } else if id == effect.clap_id() {
            Instance::create::<IctusFx>(host)
        } else {
            null()
        }
    })
}

/// Converts a text for C. A text with a NUL ends there.
fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Borrows a C string, if it is not null and valid UTF-8.
///
/// # Safety
/// The pointer is null, or points to a NUL-terminated string that outlives the result.
pub unsafe fn str_from_c<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// A path from a C string, if it is not empty.
///
/// # Safety
/// As for [`str_from_c`].
unsafe fn path_from_c(text: *const c_char) -> Option<PathBuf> {
    // SAFETY: promised by the caller.
    unsafe { str_from_c(text) }.filter(|text| !text.is_empty()).map(PathBuf::from)
}
