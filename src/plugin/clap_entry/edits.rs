//! The user's edits in the editor, queued for the host and the parameters.
//!
//! On Linux the editor runs on a thread of its own. It queues its requests here; the next block or
//! flush takes the edits, and the host's main thread opens menus.

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::ptr::null;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap_sys::ext::context_menu::{
    CLAP_CONTEXT_MENU_TARGET_KIND_PARAM, CLAP_EXT_CONTEXT_MENU, CLAP_EXT_CONTEXT_MENU_COMPAT,
    clap_context_menu_target, clap_host_context_menu,
};
use clap_sys::ext::params::{CLAP_EXT_PARAMS, clap_host_params};
use clap_sys::ext::preset_load::{
    CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT, clap_host_preset_load,
};
use clap_sys::factory::preset_discovery::{
    CLAP_PRESET_DISCOVERY_LOCATION_FILE, CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN,
};
use clap_sys::host::clap_host;
use clap_sys::id::clap_id;
use crossbeam_queue::ArrayQueue;
use nice_plug::context::PluginApi;
use nice_plug::context::gui::GuiContextInner;
use nice_plug::params::internals::ParamPtr;
use nice_plug::plugin::PluginState;
use parking_lot::RwLock;

use super::c_string;
use crate::io::presets::Origin;
use crate::shared_state::params::HostLink;

/// Capacity of the queue: several whole presets.
const MAX_QUEUED: usize = 4096;
/// How long `destroy` waits for calls into the host to return.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// One edit of the user.
pub enum Edit {
    /// Begins a gesture on a parameter.
    Begin(clap_id),
    /// Sets a parameter, in CLAP's range.
    Set(clap_id, f64),
    /// Ends the gesture.
    End(clap_id),
}

/// The host, while the instance lives.
struct HostPointer(*const clap_host);

// SAFETY: only functions that CLAP allows on any thread are called through it.
unsafe impl Send for HostPointer {}

/// The queue of edits and requests of one instance.
pub struct Edits {
    host: RwLock<Option<HostPointer>>,
    ids: HashMap<ParamPtr, clap_id>,
    queue: ArrayQueue<Edit>,
    /// The parameter whose menu is requested, and the position.
    menu: ArrayQueue<(clap_id, i32, i32)>,
    has_menu: AtomicBool,
    /// The loaded preset, if the host has not been notified yet.
    loaded: ArrayQueue<Origin>,
}

// SAFETY: pointers to parameters are only compared and queried for their number of steps; they live
// as long as the plug-in's parameters, which the editor holds.
unsafe impl Send for Edits {}
// SAFETY: as above.
unsafe impl Sync for Edits {}

impl Edits {
    /// Creates an empty queue.
    pub fn new(host: *const clap_host, ids: HashMap<ParamPtr, clap_id>) -> Self {
        Self {
            host: RwLock::new(Some(HostPointer(host))),
            ids,
            queue: ArrayQueue::new(MAX_QUEUED),
            menu: ArrayQueue::new(1),
            has_menu: AtomicBool::new(false),
            loaded: ArrayQueue::new(1),
        }
    }

    /// The parameter with an id.
    pub fn param(&self, id: clap_id) -> Option<ParamPtr> {
        self.ids.iter().find(|(_, known)| **known == id).map(|(param, _)| *param)
    }

    /// Takes the next edit. Audio thread or flush.
    pub fn pop(&self) -> Option<Edit> {
        self.queue.pop()
    }

    /// Forgets the host, which is not called afterwards. Waits for calls on other threads, but not
    /// forever: a host may delete the instance inside a call of this thread.
    pub fn disconnect(&self) {
        if let Some(mut host) = self.host.try_write_for(MAX_WAIT) {
            *host = None;
        }
    }

    /// Calls the host, unless it was disconnected. Calls may nest.
    fn with_host<T>(&self, act: impl FnOnce(*const clap_host) -> T) -> Option<T> {
        let host = self.host.read_recursive();
        host.as_ref().map(|host| act(host.0))
    }

    fn push(&self, param: ParamPtr, edit: impl FnOnce(clap_id) -> Edit) {
        let Some(id) = self.ids.get(&param) else { return };
        if self.queue.push(edit(*id)).is_err() {
            nice_plug::nice_error!("The host takes no edits; one was lost");
        }
        self.with_host(|host| {
            // SAFETY: the host is connected, and this function is allowed on any thread but the
            // audio thread.
            unsafe {
                if let Some(request) = extension::<clap_host_params>(host, CLAP_EXT_PARAMS)
                    .and_then(|ext| ext.request_flush)
                {
                    request(host);
                }
            }
        });
    }

    /// Requests a callback on the host's main thread.
    pub fn request_callback(&self) {
        self.with_host(|host| {
            // SAFETY: the host is connected, and this function is allowed on any thread.
            unsafe {
                if let Some(request) = (*host).request_callback {
                    request(host);
                }
            }
        });
    }

    /// Performs the requests for the host's main thread. Holds no lock, because other calls arrive
    /// while a menu is open.
    ///
    /// # Safety
    /// Called on the main thread of this host, which is alive.
    pub unsafe fn main_thread_callback(&self, host: *const clap_host) {
        if let Some(origin) = self.loaded.pop() {
            notify_preset_loaded(host, &origin);
        }
        let Some((id, x, y)) = self.menu.pop() else { return };
        let target = clap_context_menu_target { kind: CLAP_CONTEXT_MENU_TARGET_KIND_PARAM, id };
        // SAFETY: guaranteed by the caller.
        unsafe {
            if let Some(popup) = menu_of(host).and_then(|menu| menu.popup) {
                popup(host, &target, 0, x, y);
            }
        }
    }

    /// Queries whether the host has menus.
    ///
    /// # Safety
    /// Called on the main thread of this host, which is alive.
    pub unsafe fn update_has_menu(&self, host: *const clap_host) {
        // SAFETY: guaranteed by the caller.
        let has_menu = unsafe { menu_of(host) }.is_some();
        self.has_menu.store(has_menu, Ordering::Relaxed);
    }
}

impl HostLink for Edits {
    fn has_menu(&self) -> bool {
        self.has_menu.load(Ordering::Relaxed)
    }

    fn open_menu(&self, param: ParamPtr, x: i32, y: i32) {
        let Some(id) = self.ids.get(&param) else { return };
        self.menu.force_push((*id, x, y));
        self.request_callback();
    }

    fn preset_loaded(&self, origin: &Origin) {
        self.loaded.force_push(origin.clone());
        self.request_callback();
    }
}

/// Notifies the host of a loaded preset. Main thread.
fn notify_preset_loaded(host: *const clap_host, origin: &Origin) {
    let (kind, location, key) = match origin {
        Origin::Factory(key) => (CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN, None, Some(c_string(key))),
        Origin::User(path) => {
            let path = path.to_str().map(c_string);
            (CLAP_PRESET_DISCOVERY_LOCATION_FILE, path, None)
        }
    };
    let pointer = |text: &Option<CString>| text.as_ref().map_or(null(), |text| text.as_ptr());
    // SAFETY: the host is alive; each name denotes this type, and the strings live during the call.
    unsafe {
        let presets = [CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT]
            .into_iter()
            .find_map(|name| extension::<clap_host_preset_load>(host, name));
        if let Some(loaded) = presets.and_then(|presets| presets.loaded) {
            loaded(host, kind, pointer(&location), pointer(&key));
        }
    }
}

/// The host's menu extension, if it can open menus.
///
/// # Safety
/// The host is alive, and this is its main thread.
unsafe fn menu_of<'a>(host: *const clap_host) -> Option<&'a clap_host_context_menu> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let menu = [CLAP_EXT_CONTEXT_MENU, CLAP_EXT_CONTEXT_MENU_COMPAT]
            .into_iter()
            .find_map(|name| extension::<clap_host_context_menu>(host, name))?;
        menu.can_popup?(host).then_some(menu)
    }
}

/// An extension of the host, if it has it.
///
/// # Safety
/// The host is alive, and the name denotes this type.
pub unsafe fn extension<'a, T>(host: *const clap_host, name: &CStr) -> Option<&'a T> {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let get = host.as_ref()?.get_extension?;
        get(host, name.as_ptr()).cast::<T>().as_ref()
    }
}

/// The editor's access to the parameters.
pub struct Context(pub Arc<Edits>);

impl GuiContextInner for Context {
    fn plugin_api(&self) -> PluginApi {
        PluginApi::Clap
    }

    unsafe fn raw_begin_set_parameter(&self, param: ParamPtr) {
        self.0.push(param, Edit::Begin);
    }

    unsafe fn raw_set_parameter_normalized(&self, param: ParamPtr, normalized: f32) {
        // SAFETY: the parameters outlive the editor.
        let steps = unsafe { param.step_count() }.unwrap_or(1) as f64;
        self.0.push(param, |id| Edit::Set(id, f64::from(normalized) * steps));
    }

    unsafe fn raw_end_set_parameter(&self, param: ParamPtr) {
        self.0.push(param, Edit::End);
    }

    // Unused: the editor has its own functions for states and presets.
    fn get_state(&self) -> PluginState {
        PluginState {
            version: String::new(),
            params: Default::default(),
            fields: Default::default(),
        }
    }

    fn set_state(&self, _state: PluginState) {}

    fn request_restart(&self) {
        self.0.with_host(|host| {
            // SAFETY: as above.
            unsafe {
                if let Some(request) = (*host).request_restart {
                    request(host);
                }
            }
        });
    }
}
