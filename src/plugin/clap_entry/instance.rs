//! One instance as a CLAP host sees it: the framework's instance behind guards.
//!
//! The framework trusts its host. If a host processes before it activates, passes null or mono
//! buffers, sends events out of order or calls on an unexpected thread, the framework panics inside
//! a C function, and that aborts the host. This function table therefore wraps the framework's: it
//! checks each call, repairs its arguments where possible and otherwise returns an error.
//!
//! The instance also owns the editor ([`super::gui`]): the framework's own window may only be used
//! on the thread that opened it, and panics elsewhere.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap_sys::ext::audio_ports_config::CLAP_EXT_AUDIO_PORTS_CONFIG;
use clap_sys::ext::gui::CLAP_EXT_GUI;
use clap_sys::ext::latency::CLAP_EXT_LATENCY;
use clap_sys::ext::params::CLAP_EXT_PARAMS;
use clap_sys::ext::preset_load::{CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT};
use clap_sys::ext::state::CLAP_EXT_STATE;
use clap_sys::host::clap_host;
use clap_sys::plugin::clap_plugin;
use clap_sys::process::{CLAP_PROCESS_ERROR, clap_process, clap_process_status};
use nice_plug::prelude::ClapPlugin;
use nice_plug::wrapper::clap::Wrapper;

use super::edits::Edits;
use super::gui::Gui;
use super::process::Ports;
use super::{extensions, gui, load};
use crate::plugin::instance_parts::{InstanceParts, Task};
use crate::shared_state::{catch_panic, lock};

/// Accepted sample rates, Hz: beyond any host's, but finite and positive.
const RATES_HZ: std::ops::RangeInclusive<f64> = 100.0..=1e7;
/// Longest accepted block, samples. Bounds the memory that `activate` allocates.
const MAX_BLOCK: u32 = 1 << 20;
/// How often a block polls for the end of a flush, which takes some microseconds.
const SPINS: usize = 10_000;
/// How long a call on another thread waits for the audio thread.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// One instance. Its table is the first field, so that the host's pointer to the table is a pointer
/// to the instance.
#[repr(C)]
pub struct Instance {
    /// The functions that the host calls. `plugin_data` belongs to the framework, whose extensions
    /// read it.
    table: clap_plugin,
    /// The framework's function table.
    framework: *const clap_plugin,
    pub host: *const clap_host,
    pub parts: Arc<InstanceParts>,
    /// The user's edits, queued for host and parameters.
    pub edits: Arc<Edits>,
    pub gui: Gui,
    /// The latency at the last activation; negative before the first.
    pub last_latency: AtomicI64,
    is_active: AtomicBool,
    /// Set while a call uses [`ports`](Self::ports) or the framework's event queue, which allow one
    /// user at a time.
    is_busy: AtomicBool,
    ports: UnsafeCell<Ports>,
}

/// Exclusive use of an instance's ports and event queue until dropped.
pub struct Busy<'a>(&'a Instance);

impl Busy<'_> {
    /// The ports.
    #[allow(clippy::mut_from_ref)]
    pub fn ports(&mut self) -> &mut Ports {
        // SAFETY: `is_busy` allows one `Busy` per instance at a time.
        unsafe { &mut *self.0.ports.get() }
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.is_busy.store(false, Ordering::Release);
    }
}

impl Instance {
    /// Creates an instance of `P`.
    ///
    /// # Safety
    /// The host outlives the instance.
    pub unsafe fn create<P>(host: *const clap_host) -> *const clap_plugin
    where
        P: ClapPlugin<BackgroundTask = Task>,
    {
        // SAFETY: guaranteed by the caller.
        let wrapper = unsafe { Wrapper::<P>::new(host) };
        let parts: Arc<Mutex<Option<Arc<InstanceParts>>>> = Arc::default();
        let slot = parts.clone();
        (wrapper.task_executor.lock())(Box::new(move |parts| {
            *lock(&slot) = Some(parts.clone());
        }));
        let Some(parts) = lock(&parts).take() else {
            return null();
        };
        let ids = wrapper.param_ptr_to_hash.clone();
        // The framework's `destroy` drops this count of the `Arc`.
        // SAFETY: the pointer comes from an `Arc` whose count was just leaked.
        let wrapper = unsafe { &*Arc::into_raw(wrapper) };
        let framework: *const clap_plugin = wrapper.clap_plugin.as_ptr();
        // SAFETY: the framework has filled its table.
        let (desc, plugin_data) = unsafe { ((*framework).desc, (*framework).plugin_data) };
        let table = clap_plugin {
            desc,
            plugin_data,
            init: Some(init),
            destroy: Some(destroy),
            activate: Some(activate),
            deactivate: Some(deactivate),
            start_processing: Some(start_processing),
            stop_processing: Some(stop_processing),
            reset: Some(reset),
            process: Some(process),
            get_extension: Some(get_extension),
            on_main_thread: Some(on_main_thread),
        };
        let edits = Arc::new(Edits::new(host, ids));
        parts.params.set_host(edits.clone());
        let instance = Self {
            table,
            framework,
            host,
            gui: Gui::default(),
            edits,
            parts,
            last_latency: AtomicI64::new(-1),
            is_active: AtomicBool::new(false),
            is_busy: AtomicBool::new(false),
            ports: UnsafeCell::default(),
        };
        Box::into_raw(Box::new(instance)).cast()
    }

    /// The instance behind a host's pointer.
    ///
    /// # Safety
    /// The pointer is null, or came from [`create`](Self::create) and has not been destroyed.
    pub unsafe fn of<'a>(plugin: *const clap_plugin) -> Option<&'a Self> {
        // SAFETY: guaranteed by the caller; the table is the first field.
        unsafe { plugin.cast::<Self>().as_ref() }
    }

    /// An extension of the framework, if it has it.
    ///
    /// # Safety
    /// The name denotes this type.
    pub unsafe fn framework_extension<T>(&self, name: &CStr) -> Option<&T> {
        // SAFETY: the framework's table and extensions are valid while the instance lives.
        unsafe {
            let get = (*self.framework).get_extension?;
            get(self.framework, name.as_ptr()).cast::<T>().as_ref()
        }
    }

    /// The framework's function table.
    pub fn framework(&self) -> *const clap_plugin {
        self.framework
    }

    /// Whether the host has activated the instance.
    pub fn is_active(&self) -> bool {
        self.is_active.load(Ordering::Acquire)
    }

    /// Exclusive use, if it is free now.
    pub fn try_busy(&self) -> Option<Busy<'_>> {
        let taken = self.is_busy.swap(true, Ordering::Acquire);
        // Created only if free, because dropping a `Busy` releases it.
        (!taken).then(|| Busy(self))
    }

    /// Exclusive use as soon as it is free. Not for the audio thread.
    pub fn wait_busy(&self) -> Option<Busy<'_>> {
        let start = Instant::now();
        loop {
            if let Some(busy) = self.try_busy() {
                return Some(busy);
            }
            if start.elapsed() > MAX_WAIT {
                nice_plug::nice_error!("The audio thread does not return");
                return None;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// Calls a function of the framework's table.
macro_rules! framework {
    ($instance:expr, $name:ident $(, $argument:expr)*) => {
        // SAFETY: called as the host would have called it, on a live instance.
        unsafe {
            let table = $instance.framework();
            (*table).$name.map(|call| call(table $(, $argument)*))
        }
    };
}
pub(super) use framework;

unsafe extern "C" fn init(plugin: *const clap_plugin) -> bool {
    // SAFETY: the host passes an instance of ours.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return false };
    framework!(instance, init).unwrap_or(false)
}

unsafe extern "C" fn destroy(plugin: *const clap_plugin) {
    // SAFETY: as above.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return };
    catch_panic((), || {
        instance.gui.close();
        instance.edits.disconnect();
        // A host may delete an instance while a block is in progress.
        drop(instance.wait_busy());
    });
    framework!(instance, destroy);
    // SAFETY: the pointer came from `Box::into_raw`, and a host destroys an instance once.
    let instance = unsafe { Box::from_raw(plugin.cast_mut().cast::<Instance>()) };
    catch_panic((), || drop(instance));
}

unsafe extern "C" fn activate(
    plugin: *const clap_plugin,
    rate_hz: f64,
    min: u32,
    max: u32,
) -> bool {
    // SAFETY: as above.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return false };
    if !RATES_HZ.contains(&rate_hz) || max == 0 || max > MAX_BLOCK {
        nice_plug::nice_error!("Cannot play at {rate_hz} Hz in blocks of {max}");
        return false;
    }
    catch_panic(false, || {
        let Some(mut busy) = instance.wait_busy() else { return false };
        instance.is_active.store(false, Ordering::Release);
        let is_ready = framework!(instance, activate, rate_hz, min, max).unwrap_or(false);
        if is_ready {
            *busy.ports() = Ports::new(instance, max as usize);
            // SAFETY: the host activates the instance.
            unsafe { instance.report_latency() };
            instance.is_active.store(true, Ordering::Release);
        }
        is_ready
    })
}

unsafe extern "C" fn deactivate(plugin: *const clap_plugin) {
    // SAFETY: as above.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return };
    catch_panic((), || {
        let _busy = instance.wait_busy();
        if instance.is_active.swap(false, Ordering::AcqRel) {
            framework!(instance, deactivate);
        }
    });
}

unsafe extern "C" fn start_processing(plugin: *const clap_plugin) -> bool {
    // SAFETY: as above.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return false };
    instance.is_active.load(Ordering::Acquire)
        && framework!(instance, start_processing).unwrap_or(false)
}

unsafe extern "C" fn stop_processing(plugin: *const clap_plugin) {
    // SAFETY: as above.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return };
    framework!(instance, stop_processing);
}

unsafe extern "C" fn reset(plugin: *const clap_plugin) {
    // SAFETY: as above.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return };
    framework!(instance, reset);
}

unsafe extern "C" fn process(
    plugin: *const clap_plugin,
    process: *const clap_process,
) -> clap_process_status {
    // SAFETY: the host passes an instance of ours, and a block that is valid during the call.
    let (Some(instance), Some(block)) = (unsafe { (Instance::of(plugin), process.as_ref()) })
    else {
        return CLAP_PROCESS_ERROR;
    };
    let busy = (0..SPINS).find_map(|_| {
        std::hint::spin_loop();
        instance.is_active.load(Ordering::Acquire).then(|| instance.try_busy())?
    });
    let status = busy.and_then(|mut busy| busy.ports().process(instance, block));
    instance.follow_latency();
    status.unwrap_or_else(|| {
        // SAFETY: the block is valid during the call.
        unsafe { super::process::clear_outputs(block) };
        CLAP_PROCESS_ERROR
    })
}

unsafe extern "C" fn on_main_thread(plugin: *const clap_plugin) {
    // SAFETY: as above.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return };
    framework!(instance, on_main_thread);
    catch_panic((), || {
        instance.gui.main_thread_callback();
        instance.restart_for_latency();
        // SAFETY: called by the host, on its main thread.
        unsafe { instance.edits.main_thread_callback(instance.host) };
    });
}

unsafe extern "C" fn get_extension(plugin: *const clap_plugin, id: *const c_char) -> *const c_void {
    // SAFETY: as above.
    let Some(instance) = (unsafe { Instance::of(plugin) }) else { return null() };
    if id.is_null() {
        return null();
    }
    // SAFETY: the host passes a NUL-terminated string.
    let name = unsafe { CStr::from_ptr(id) };
    if name == CLAP_EXT_PRESET_LOAD || name == CLAP_EXT_PRESET_LOAD_COMPAT {
        (&raw const load::PRESET_LOAD).cast()
    } else if name == CLAP_EXT_STATE {
        (&raw const load::STATE).cast()
    } else if name == CLAP_EXT_GUI {
        (&raw const gui::EXTENSION).cast()
    } else if name == CLAP_EXT_LATENCY {
        (&raw const extensions::LATENCY).cast()
    } else if name == CLAP_EXT_PARAMS {
        (&raw const extensions::PARAMS).cast()
    } else if name == extensions::PLAIN_VALUES_ID {
        (&raw const extensions::PLAIN_VALUES).cast()
    } else if name == CLAP_EXT_AUDIO_PORTS_CONFIG {
        (&raw const extensions::AUDIO_PORTS_CONFIG).cast()
    } else {
        framework!(instance, get_extension, id).unwrap_or(null())
    }
}
