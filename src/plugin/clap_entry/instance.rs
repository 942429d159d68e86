//! An instance as the framework makes it, with one extension more and one that is looked at.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::null;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use clap_sys::ext::preset_load::{CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT};
use clap_sys::ext::state::CLAP_EXT_STATE;
use clap_sys::host::clap_host;
use clap_sys::plugin::clap_plugin;
use nice_plug::wrapper::clap::Wrapper;

use super::{preset_load, state_load};
use crate::plugin::Ictus;
use crate::plugin::fx::IctusFx;

type GetExtension = unsafe extern "C" fn(*const clap_plugin, *const c_char) -> *const c_void;
type Destroy = unsafe extern "C" fn(*const clap_plugin);

/// The framework's own functions, the same for every instance.
static FRAMEWORK: OnceLock<(Option<GetExtension>, Option<Destroy>)> = OnceLock::new();

/// Which host an instance belongs to, by their addresses: the framework keeps that to itself.
static HOSTS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// Make an instance.
///
/// # Safety
/// The host outlives it.
pub unsafe fn create(host: *const clap_host) -> *const clap_plugin {
    // SAFETY: promised by the caller.
    let wrapper = unsafe { Wrapper::<Ictus>::new(host) };
    // The framework takes this count of the `Arc` back in its `destroy`.
    // SAFETY: the pointer has just come from an `Arc` that is still counted.
    let wrapper = unsafe { &*Arc::into_raw(wrapper) };
    {
        let mut plugin = wrapper.clap_plugin.borrow_mut();
        FRAMEWORK.get_or_init(|| (plugin.get_extension, plugin.destroy));
        plugin.get_extension = Some(get_extension);
        plugin.destroy = Some(destroy);
    }
    let plugin: *const clap_plugin = wrapper.clap_plugin.as_ptr();
    HOSTS.lock().unwrap_or_else(PoisonError::into_inner).push((plugin as usize, host as usize));
    plugin
}

/// Make an instance of the effect, which is as the framework makes it.
///
/// # Safety
/// The host outlives it.
pub unsafe fn create_effect(host: *const clap_host) -> *const clap_plugin {
    // SAFETY: promised by the caller; the framework takes this count of the `Arc` back in its `destroy`.
    let wrapper = unsafe { &*Arc::into_raw(Wrapper::<IctusFx>::new(host)) };
    wrapper.clap_plugin.as_ptr()
}

/// The host of an instance.
pub fn host(plugin: *const clap_plugin) -> *const clap_host {
    let hosts = HOSTS.lock().unwrap_or_else(PoisonError::into_inner);
    hosts.iter().find(|(known, _)| *known == plugin as usize).map_or(null(), |(_, host)| *host as *const clap_host)
}

/// The framework's side of an instance.
///
/// # Safety
/// The pointer came from [`create`], and the instance has not been destroyed for as long as the result is used.
pub unsafe fn wrapper<'a>(plugin: *const clap_plugin) -> Option<&'a Wrapper<Ictus>> {
    if plugin.is_null() {
        return None;
    }
    // SAFETY: the framework keeps a pointer to the wrapper there for as long as the instance lives.
    unsafe { (*plugin).plugin_data.cast::<Wrapper<Ictus>>().as_ref() }
}

unsafe extern "C" fn get_extension(plugin: *const clap_plugin, id: *const c_char) -> *const c_void {
    if plugin.is_null() || id.is_null() {
        return null();
    }
    // SAFETY: a host passes a text that ends in zero.
    let name = unsafe { CStr::from_ptr(id) };
    if name == CLAP_EXT_PRESET_LOAD || name == CLAP_EXT_PRESET_LOAD_COMPAT {
        return (&raw const preset_load::EXTENSION).cast();
    }
    if name == CLAP_EXT_STATE {
        return (&raw const state_load::EXTENSION).cast();
    }
    // SAFETY: promised by the host.
    unsafe { framework_extension(plugin, name) }
}

/// An extension as the framework has it; null if it does not.
///
/// # Safety
/// The pointer is an instance.
pub unsafe fn framework_extension(plugin: *const clap_plugin, name: &CStr) -> *const c_void {
    match FRAMEWORK.get() {
        // SAFETY: called as the host would have called it.
        Some((Some(get_extension), _)) => unsafe { get_extension(plugin, name.as_ptr()) },
        _ => null(),
    }
}

unsafe extern "C" fn destroy(plugin: *const clap_plugin) {
    HOSTS.lock().unwrap_or_else(PoisonError::into_inner).retain(|(known, _)| *known != plugin as usize);
    if let Some((_, Some(destroy))) = FRAMEWORK.get() {
        // SAFETY: called as the host would have called it.
        unsafe { destroy(plugin) };
    }
}
