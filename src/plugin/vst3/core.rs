//! One CLAP instance, and the work queued for the host's main thread.

use std::ffi::CStr;
use std::ptr::null;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use std::thread::ThreadId;

use clap_sys::events::{
    CLAP_EVENT_PARAM_GESTURE_BEGIN, CLAP_EVENT_PARAM_GESTURE_END, CLAP_EVENT_PARAM_VALUE,
    clap_event_param_gesture, clap_event_param_value,
};
use clap_sys::events::{clap_event_header, clap_input_events, clap_output_events};
use clap_sys::ext::audio_ports::{CLAP_EXT_AUDIO_PORTS, clap_plugin_audio_ports};
use clap_sys::ext::audio_ports_config::{
    CLAP_EXT_AUDIO_PORTS_CONFIG, clap_audio_ports_config, clap_plugin_audio_ports_config,
};
use clap_sys::ext::gui::{CLAP_EXT_GUI, clap_plugin_gui};
use clap_sys::ext::latency::{CLAP_EXT_LATENCY, clap_plugin_latency};
use clap_sys::ext::note_ports::{CLAP_EXT_NOTE_PORTS, clap_plugin_note_ports};
use clap_sys::ext::params::{CLAP_EXT_PARAMS, clap_plugin_params};
use clap_sys::ext::preset_load::{CLAP_EXT_PRESET_LOAD, clap_plugin_preset_load};
use clap_sys::ext::render::{CLAP_EXT_RENDER, clap_plugin_render};
use clap_sys::ext::state::{CLAP_EXT_STATE, clap_plugin_state};
use clap_sys::ext::tail::{CLAP_EXT_TAIL, clap_plugin_tail};
use clap_sys::factory::plugin_factory::{CLAP_PLUGIN_FACTORY_ID, clap_plugin_factory};
use clap_sys::host::clap_host;
use clap_sys::plugin::clap_plugin;
use crossbeam_queue::ArrayQueue;
use vst3::ComPtr;
use vst3::Steinberg::Vst::{IComponentHandler, IComponentHandlerTrait, RestartFlags_};

use super::params::Table;
use super::programs::{self, Program};
use super::{host, params, view};
use crate::plugin::clap_entry::clap_entry;
use crate::plugin::clap_entry::extensions::{PLAIN_VALUES_ID, PlainValues};
use crate::shared_state::{catch_panic, lock};

/// Maximum number of the editor's edits that are queued for the host's main thread.
const MAX_EDITS: usize = 4096;

/// Kinds of work for the main thread, one bit each.
pub mod work {
    /// The CLAP requests `on_main_thread`.
    pub const CALLBACK: u32 = 1;
    /// The editor has changed parameters; a flush is needed if no block takes them.
    pub const FLUSH: u32 = 2;
    /// Any parameter value may have changed.
    pub const VALUES: u32 = 4;
    /// The latency has changed.
    pub const LATENCY: u32 = 8;
    /// Automation has chosen a program.
    pub const PROGRAM: u32 = 16;
}

/// One edit of the user in the editor, with values 0…1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    Begin(u32),
    Set(u32, f64),
    End(u32),
}

/// The extensions of the CLAP plug-in. They live as long as it does.
#[derive(Clone, Copy)]
pub struct Extensions {
    pub params: Option<&'static clap_plugin_params>,
    pub state: Option<&'static clap_plugin_state>,
    pub gui: Option<&'static clap_plugin_gui>,
    pub audio_ports: Option<&'static clap_plugin_audio_ports>,
    pub note_ports: Option<&'static clap_plugin_note_ports>,
    pub latency: Option<&'static clap_plugin_latency>,
    pub tail: Option<&'static clap_plugin_tail>,
    pub render: Option<&'static clap_plugin_render>,
    pub preset_load: Option<&'static clap_plugin_preset_load>,
    pub plain_values: Option<&'static PlainValues>,
}

/// One instance of a CLAP plug-in.
pub struct Core {
    host: clap_host,
    plugin: AtomicPtr<clap_plugin>,
    extensions: OnceLock<Extensions>,
    table: OnceLock<Table>,
    pub programs: Vec<Program>,
    /// The program parameter, 0…1, as bits: as the host last set or restored it.
    program: AtomicU64,
    /// The program parameter that automation requests, as bits.
    pub requested_program: AtomicU64,
    work: AtomicU32,
    edits: ArrayQueue<Edit>,
    handler: Mutex<Option<ComPtr<IComponentHandler>>>,
    /// The editor's view, while it is attached.
    pub view: Mutex<Option<view::Attached>>,
    /// The size that the host has set.
    pub view_size: Mutex<Option<(u32, u32)>>,
    /// Whether the host's run loop calls the editor's timer on its main thread.
    pub has_run_loop: AtomicBool,
    creator: ThreadId,
    is_draining: AtomicBool,
    /// Whether blocks are being processed, which deliver the parameters.
    pub is_processing: AtomicBool,
    /// Whether the host renders offline.
    pub is_offline: AtomicBool,
    /// Number of blocks so far.
    pub blocks: AtomicU32,
    blocks_at_flush: AtomicU32,
}

// SAFETY: the CLAP instance accepts calls from any thread; pointers to the host's interfaces are
// used under their locks and only as VST3 allows.
unsafe impl Send for Core {}
// SAFETY: as above.
unsafe impl Sync for Core {}

/// The plug-in factory of the CLAP entry.
pub fn plugin_factory() -> Option<&'static clap_plugin_factory> {
    static INIT: std::sync::Once = std::sync::Once::new();
    // SAFETY: called as a CLAP host does; a factory lives as long as the library.
    unsafe {
        INIT.call_once(|| _ = clap_entry.init.map(|init| init(c"".as_ptr())));
        let get = clap_entry.get_factory?;
        get(CLAP_PLUGIN_FACTORY_ID.as_ptr()).cast::<clap_plugin_factory>().as_ref()
    }
}

impl Core {
    /// Creates an instance.
    pub fn new(clap_id: &CStr) -> Option<Arc<Self>> {
        let factory = plugin_factory()?;
        let create = factory.create_plugin?;
        // The host needs its own address before it creates the plug-in.
        let core = Arc::new_cyclic(|core| Self {
            host: host::new(core.as_ptr()),
            plugin: AtomicPtr::default(),
            extensions: OnceLock::new(),
            table: OnceLock::new(),
            programs: programs::list(clap_id),
            program: AtomicU64::new(0),
            requested_program: AtomicU64::new(0),
            work: AtomicU32::new(0),
            edits: ArrayQueue::new(MAX_EDITS),
            handler: Mutex::default(),
            view: Mutex::default(),
            view_size: Mutex::default(),
            // On other systems the editor runs on the main thread and needs no run loop.
            has_run_loop: AtomicBool::new(!cfg!(target_os = "linux")),
            creator: std::thread::current().id(),
            is_draining: AtomicBool::new(false),
            is_processing: AtomicBool::new(false),
            is_offline: AtomicBool::new(false),
            blocks: AtomicU32::new(0),
            blocks_at_flush: AtomicU32::new(0),
        });
        // SAFETY: called as a CLAP host does; the host lives as long as the plug-in.
        unsafe {
            let plugin = create(factory, &core.host, clap_id.as_ptr());
            core.plugin.store(plugin.cast_mut(), Ordering::Release);
            if plugin.is_null() || !(*plugin).init.is_some_and(|init| init(plugin)) {
                return None;
            }
            let _ = core.extensions.set(Extensions::of(plugin));
            select_all_ports(plugin);
        }
        let _ = core.table.set(Table::new(&core));
        Some(core)
    }

    pub fn plugin(&self) -> *const clap_plugin {
        self.plugin.load(Ordering::Acquire)
    }

    pub fn extensions(&self) -> &Extensions {
        static NONE: Extensions = Extensions::NONE;
        self.extensions.get().unwrap_or(&NONE)
    }

    pub fn table(&self) -> &Table {
        static EMPTY: LazyLock<Table> = LazyLock::new(Table::default);
        self.table.get().unwrap_or(&EMPTY)
    }

    /// Queues work for the main thread. Any thread, including the audio thread.
    pub fn request_work(&self, what: u32) {
        self.work.fetch_or(what, Ordering::AcqRel);
    }

    /// Cancels queued work that a newer request replaces.
    pub fn cancel_work(&self, what: u32) {
        self.work.fetch_and(!what, Ordering::AcqRel);
    }

    /// Queues work, and performs it at once if this is the main thread.
    pub fn request_and_drain(&self, what: u32) {
        self.request_work(what);
        self.idle();
    }

    /// Queues an edit for the main thread.
    pub fn push_edit(&self, edit: Edit) {
        let _ = self.edits.push(edit);
    }

    /// Takes the next edit that the host has not been notified of.
    pub fn pop_edit(&self) -> Option<Edit> {
        self.edits.pop()
    }

    /// Sets the host's component handler.
    pub fn set_handler(&self, handler: Option<ComPtr<IComponentHandler>>) {
        let before = std::mem::replace(&mut *lock(&self.handler), handler);
        drop(before);
    }

    /// The host's component handler.
    pub fn handler(&self) -> Option<ComPtr<IComponentHandler>> {
        lock(&self.handler).clone()
    }

    /// Performs the queued work on the main thread: the one that opened the editor, or else the one
    /// that created the instance. Does nothing on other threads.
    pub fn idle(&self) {
        if self.is_main_thread() {
            self.drain();
        }
    }

    fn is_main_thread(&self) -> bool {
        let view_thread = lock(&self.view).as_ref().map(|view| view.thread);
        std::thread::current().id() == view_thread.unwrap_or(self.creator)
    }

    /// Notifies the host of edits at once, if this is its main thread.
    pub fn report_edits(&self) {
        if self.is_main_thread() && !self.is_draining.swap(true, Ordering::AcqRel) {
            catch_panic((), || {
                self.flush_if_idle(self.work.fetch_and(!work::FLUSH, Ordering::AcqRel));
                if let Some(handler) = self.handler() {
                    self.report(&handler, 0);
                }
            });
            self.is_draining.store(false, Ordering::Release);
        }
    }

    /// Flushes if no block has been processed since the last request. Blocks take the edits
    /// themselves, and a concurrent flush could delay one.
    fn flush_if_idle(&self, wanted: u32) {
        if wanted & work::FLUSH == 0 {
            return;
        }
        let blocks = self.blocks.load(Ordering::Acquire);
        let is_playing = self.blocks_at_flush.swap(blocks, Ordering::AcqRel) != blocks;
        if is_playing && self.is_processing.load(Ordering::Acquire) {
            self.request_work(work::FLUSH);
        } else {
            self.flush(None);
        }
    }

    /// Performs the queued work. Main thread, or the thread that the host treats as such.
    pub fn drain(&self) {
        if !self.is_draining.swap(true, Ordering::AcqRel) {
            catch_panic((), || self.do_work());
            self.is_draining.store(false, Ordering::Release);
        }
    }

    fn do_work(&self) {
        let wanted = self.work.swap(0, Ordering::AcqRel);
        let plugin = self.plugin();
        self.flush_if_idle(wanted);
        if wanted & work::CALLBACK != 0 {
            // SAFETY: called as a CLAP host does.
            unsafe {
                if let Some(call) = (*plugin).on_main_thread {
                    call(plugin);
                }
            }
        }
        if wanted & work::PROGRAM != 0 {
            self.load_program(f64::from_bits(self.requested_program.load(Ordering::Acquire)));
        }
        match self.handler() {
            Some(handler) => self.report(&handler, wanted),
            // Keep it until there is a handler.
            None => self.request_work(wanted & (work::VALUES | work::LATENCY)),
        }
    }

    /// Notifies the host of edits and other changes.
    fn report(&self, handler: &ComPtr<IComponentHandler>, wanted: u32) {
        // SAFETY: the handler is the host's, and counted.
        unsafe {
            for _ in 0..MAX_EDITS {
                match self.edits.pop() {
                    Some(Edit::Begin(id)) => handler.beginEdit(id),
                    Some(Edit::Set(id, value)) => handler.performEdit(id, value),
                    Some(Edit::End(id)) => handler.endEdit(id),
                    None => break,
                };
            }
            let mut flags = 0;
            // The plug-in may have requested either in the meantime.
            let wanted =
                wanted | self.work.fetch_and(!(work::VALUES | work::LATENCY), Ordering::AcqRel);
            if wanted & work::VALUES != 0 {
                flags |= RestartFlags_::kParamValuesChanged;
            }
            if wanted & work::LATENCY != 0 {
                flags |= RestartFlags_::kLatencyChanged;
            }
            if flags != 0 {
                handler.restartComponent(flags as i32);
            }
        }
    }

    /// Passes values to the plug-in without a block: the host's `value`, if any, and the editor's
    /// edits. Not for the audio thread.
    pub fn flush(&self, value: Option<clap_event_param_value>) {
        unsafe extern "C" fn size(list: *const clap_input_events) -> u32 {
            // SAFETY: the context is the one below.
            unsafe { u32::from(!(*list).ctx.is_null()) }
        }
        unsafe extern "C" fn get(
            list: *const clap_input_events,
            _index: u32,
        ) -> *const clap_event_header {
            // SAFETY: as above.
            unsafe { (*list).ctx.cast::<clap_event_header>() }
        }
        let ctx = value.as_ref().map_or(null(), |value| &raw const value.header);
        let input =
            clap_input_events { ctx: ctx.cast_mut().cast(), size: Some(size), get: Some(get) };
        if let Some(flush) = self.extensions().params.and_then(|params| params.flush) {
            // SAFETY: called as a CLAP host does; the lists live during the call.
            unsafe { flush(self.plugin(), &input, &self.edit_list()) };
        }
    }

    /// An output list that receives the editor's edits from the CLAP.
    pub fn edit_list(&self) -> clap_output_events {
        clap_output_events { ctx: (&raw const *self).cast_mut().cast(), try_push: Some(take_edit) }
    }

    /// The program parameter, 0…1.
    pub fn program(&self) -> f64 {
        f64::from_bits(self.program.load(Ordering::Acquire))
    }

    /// The index of a program parameter's position; 0 is no program.
    pub fn program_index(&self, normalized: f64) -> usize {
        self.table().find(params::PROGRAM).map_or(0, |param| param.plain(normalized) as usize)
    }

    /// Sets the program parameter without loading the program.
    pub fn set_program(&self, index: usize) {
        self.restore_program(self.table().normalized(params::PROGRAM, index as f64));
    }

    /// Restores the program parameter of a state, without loading the program.
    pub fn restore_program(&self, normalized: f64) {
        let normalized = if (0.0..=1.0).contains(&normalized) { normalized } else { 0.0 };
        self.program.store(normalized.to_bits(), Ordering::Release);
    }

    /// Loads a program if the parameter has changed. Hosts send the parameter again after they
    /// restore a project, and that must not overwrite the project, even if the number of presets
    /// has changed.
    pub fn load_program(&self, normalized: f64) {
        let before = self.program.swap(normalized.to_bits(), Ordering::AcqRel);
        if before == normalized.to_bits() {
            return;
        }
        let index = self.program_index(normalized).checked_sub(1);
        let program = index.and_then(|index| self.programs.get(index));
        if program.is_some_and(|program| !program.load(self)) {
            self.program.store(before, Ordering::Release);
        }
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        let plugin = self.plugin();
        self.set_handler(None);
        // SAFETY: called as a CLAP host does, once; no other reference to the instance exists.
        unsafe {
            if let Some(destroy) = plugin.as_ref().and_then(|plugin| plugin.destroy) {
                destroy(plugin);
            }
        }
    }
}

unsafe extern "C" fn take_edit(
    list: *const clap_output_events,
    event: *const clap_event_header,
) -> bool {
    // SAFETY: the context is the core that created the list; the event is valid during the call.
    unsafe {
        let core = &*(*list).ctx.cast::<Core>();
        let edit = match (*event).type_ {
            CLAP_EVENT_PARAM_VALUE => {
                let event = &*event.cast::<clap_event_param_value>();
                Edit::Set(event.param_id, core.table().normalized(event.param_id, event.value))
            }
            CLAP_EVENT_PARAM_GESTURE_BEGIN => {
                Edit::Begin((*event.cast::<clap_event_param_gesture>()).param_id)
            }
            CLAP_EVENT_PARAM_GESTURE_END => {
                Edit::End((*event.cast::<clap_event_param_gesture>()).param_id)
            }
            _ => return true,
        };
        core.push_edit(edit);
        true
    }
}

impl Extensions {
    const NONE: Self = Self {
        params: None,
        state: None,
        gui: None,
        audio_ports: None,
        note_ports: None,
        latency: None,
        tail: None,
        render: None,
        preset_load: None,
        plain_values: None,
    };

    /// # Safety
    /// The plug-in is alive and initialised.
    unsafe fn of(plugin: *const clap_plugin) -> Self {
        // SAFETY: guaranteed by the caller; each name denotes its type.
        unsafe {
            Self {
                params: extension(plugin, CLAP_EXT_PARAMS),
                state: extension(plugin, CLAP_EXT_STATE),
                gui: extension(plugin, CLAP_EXT_GUI),
                audio_ports: extension(plugin, CLAP_EXT_AUDIO_PORTS),
                note_ports: extension(plugin, CLAP_EXT_NOTE_PORTS),
                latency: extension(plugin, CLAP_EXT_LATENCY),
                tail: extension(plugin, CLAP_EXT_TAIL),
                render: extension(plugin, CLAP_EXT_RENDER),
                preset_load: extension(plugin, CLAP_EXT_PRESET_LOAD),
                plain_values: extension(plugin, PLAIN_VALUES_ID),
            }
        }
    }
}

/// An extension of the CLAP plug-in, if it has it.
unsafe fn extension<T>(plugin: *const clap_plugin, name: &CStr) -> Option<&'static T> {
    // SAFETY: guaranteed by the caller. The extensions are statics or live as long as the plug-in.
    unsafe {
        (*plugin).get_extension.and_then(|get| get(plugin, name.as_ptr()).cast::<T>().as_ref())
    }
}

/// Selects the layout with the most ports, because VST3 hosts activate single buses instead.
unsafe fn select_all_ports(plugin: *const clap_plugin) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        let layouts =
            extension::<clap_plugin_audio_ports_config>(plugin, CLAP_EXT_AUDIO_PORTS_CONFIG);
        let Some((count, get, select)) =
            layouts.and_then(|layouts| Some((layouts.count?, layouts.get?, layouts.select?)))
        else {
            return;
        };
        let ports = |index| {
            let mut layout: clap_audio_ports_config = std::mem::zeroed();
            let exists = get(plugin, index, &mut layout);
            exists.then_some((layout.input_port_count + layout.output_port_count, layout.id))
        };
        if let Some((_, id)) = (0..count(plugin)).filter_map(ports).max_by_key(|(ports, _)| *ports)
        {
            select(plugin, id);
        }
    }
}
