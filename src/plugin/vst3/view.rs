//! The editor's view: VST3's interface to the CLAP window.

use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

use clap_sys::ext::gui::{
    CLAP_WINDOW_API_COCOA, CLAP_WINDOW_API_WIN32, CLAP_WINDOW_API_X11, clap_plugin_gui,
    clap_window, clap_window_handle,
};
use clap_sys::plugin::clap_plugin;
use vst3::Steinberg::*;
use vst3::{Class, ComPtr, ComRef};

use super::core::Core;
use super::text;
use crate::shared_state::{catch_panic, lock};

#[cfg(target_os = "linux")]
use vst3::{
    ComWrapper,
    Steinberg::Linux::{IRunLoop, IRunLoopTrait, ITimerHandler, ITimerHandlerTrait},
};

/// Interval at which the host's run loop performs queued work, ms.
#[cfg(target_os = "linux")]
const TIMER_MS: u64 = 20;

/// The window systems by their names in VST3 and CLAP.
const APIS: [(&str, &CStr); 3] = [
    ("X11EmbedWindowID", CLAP_WINDOW_API_X11),
    ("NSView", CLAP_WINDOW_API_COCOA),
    ("HWND", CLAP_WINDOW_API_WIN32),
];

/// A view in a host's window.
pub struct Attached {
    pub thread: ThreadId,
    /// The view's interface, which the host's functions take.
    pub pointer: *mut IPlugView,
    frame: Option<ComPtr<IPlugFrame>>,
}

/// The editor's view.
pub struct View {
    core: Arc<Core>,
    pointer: AtomicPtr<IPlugView>,
    frame: Mutex<Option<ComPtr<IPlugFrame>>>,
    is_attached: AtomicBool,
    #[cfg(target_os = "linux")]
    timer: Mutex<Option<(ComPtr<IRunLoop>, ComPtr<ITimerHandler>)>>,
}

// SAFETY: pointers to the host's interfaces are kept under locks, and used as VST3 allows.
unsafe impl Send for View {}
// SAFETY: as above.
unsafe impl Sync for View {}

impl Class for View {
    type Interfaces = (IPlugView, IPlugViewContentScaleSupport);
}

/// A timer of the host's run loop. It keeps the instance alive, but not the view.
#[cfg(target_os = "linux")]
struct Timer(Arc<Core>);

#[cfg(target_os = "linux")]
impl Class for Timer {
    type Interfaces = (ITimerHandler,);
}

#[cfg(target_os = "linux")]
impl ITimerHandlerTrait for Timer {
    unsafe fn onTimer(&self) {
        // Kept alive during the call, because the host may release the timer and its instance
        // meanwhile.
        let core = self.0.clone();
        catch_panic((), || core.drain());
    }
}

/// Resizes the host's window for the editor. Main thread.
///
/// # Safety
/// The core's view is attached or absent.
pub unsafe fn resize(core: &Core, width: u32, height: u32) -> bool {
    let view = lock(&core.view).as_ref().map(|view| (view.pointer, view.frame.clone()));
    let Some((pointer, Some(frame))) = view else { return false };
    let mut rect = ViewRect { left: 0, top: 0, right: width as i32, bottom: height as i32 };
    // SAFETY: the frame is the host's, and counted; the view is attached.
    let is_resized = unsafe { frame.resizeView(pointer, &mut rect) == kResultOk };
    if is_resized {
        *lock(&core.view_size) = Some((width, height));
    }
    is_resized
}

impl View {
    /// Creates a detached view.
    pub fn new(core: Arc<Core>) -> Self {
        *lock(&core.view_size) = None;
        Self {
            core,
            pointer: AtomicPtr::default(),
            frame: Mutex::default(),
            is_attached: AtomicBool::new(false),
            #[cfg(target_os = "linux")]
            timer: Mutex::default(),
        }
    }

    /// Sets the pointer to the view's own interface.
    pub fn set_pointer(&self, pointer: *mut IPlugView) {
        self.pointer.store(pointer, Ordering::Release);
    }

    /// Calls a function of the CLAP's editor; false if it is missing.
    fn gui(&self, call: impl FnOnce(&clap_plugin_gui, *const clap_plugin) -> Option<bool>) -> bool {
        let gui = self.core.extensions().gui;
        gui.and_then(|gui| call(gui, self.core.plugin())).unwrap_or(false)
    }

    fn open(&self, window: &clap_window) -> bool {
        // SAFETY: called as a CLAP host does.
        unsafe {
            if !self.gui(|gui, plugin| Some(gui.create?(plugin, window.api, false))) {
                return false;
            }
            if let Some((width, height)) = *lock(&self.core.view_size) {
                self.gui(|gui, plugin| Some(gui.set_size?(plugin, width, height)));
            }
            let is_open = self.gui(|gui, plugin| Some(gui.set_parent?(plugin, window)))
                && self.gui(|gui, plugin| Some(gui.show?(plugin)));
            if !is_open {
                self.close();
            }
            is_open
        }
    }

    fn close(&self) {
        // SAFETY: called as a CLAP host does.
        self.gui(|gui, plugin| {
            unsafe { gui.destroy?(plugin) };
            Some(true)
        });
    }

    /// Registers a timer with the host's run loop, if it has one.
    #[cfg(target_os = "linux")]
    fn start_timer(&self) {
        let frame = lock(&self.frame).clone();
        let run_loop = frame.and_then(|frame| frame.cast::<IRunLoop>());
        let Some(run_loop) = run_loop else { return };
        let timer = ComWrapper::new(Timer(self.core.clone())).to_com_ptr::<ITimerHandler>();
        let Some(timer) = timer else { return };
        // SAFETY: the run loop is the host's, and counted, and so is the timer.
        let is_on = unsafe { run_loop.registerTimer(timer.as_ptr(), TIMER_MS) } == kResultOk;
        if is_on {
            self.core.has_run_loop.store(true, Ordering::Release);
            *lock(&self.timer) = Some((run_loop, timer));
        }
    }

    fn detach(&self) {
        if !self.is_attached.swap(false, Ordering::AcqRel) {
            return;
        }
        #[cfg(target_os = "linux")]
        {
            let timer = lock(&self.timer).take();
            if let Some((run_loop, timer)) = timer {
                // SAFETY: as above.
                unsafe { run_loop.unregisterTimer(timer.as_ptr()) };
                self.core.has_run_loop.store(false, Ordering::Release);
            }
        }
        self.close();
        let attached = lock(&self.core.view).take();
        drop(attached);
        self.core.idle();
    }
}

impl Drop for View {
    fn drop(&mut self) {
        catch_panic((), || self.detach());
    }
}

impl IPlugViewTrait for View {
    unsafe fn isPlatformTypeSupported(&self, kind: FIDString) -> tresult {
        catch_panic(kResultFalse, || {
            // SAFETY: the host passes a NUL-terminated string or null.
            let kind = unsafe { text(kind) };
            let api = APIS.iter().find(|(name, _)| *name == kind).map(|(_, api)| api);
            let is_supported = api.is_some_and(|api| {
                // SAFETY: called as a CLAP host does.
                self.gui(|gui, plugin| unsafe {
                    Some(gui.is_api_supported?(plugin, api.as_ptr(), false))
                })
            });
            if is_supported { kResultTrue } else { kResultFalse }
        })
    }

    unsafe fn attached(&self, parent: *mut std::ffi::c_void, kind: FIDString) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: as above.
            if unsafe { self.isPlatformTypeSupported(kind) } != kResultTrue || parent.is_null() {
                return kInvalidArgument;
            }
            // Only one editor at a time: the CLAP has one window.
            if lock(&self.core.view).is_some() || self.is_attached.load(Ordering::Acquire) {
                return kResultFalse;
            }
            // SAFETY: as above.
            let kind = unsafe { text(kind) };
            let Some((_, api)) = APIS.iter().find(|(name, _)| *name == kind) else {
                return kInvalidArgument;
            };
            let window =
                clap_window { api: api.as_ptr(), specific: clap_window_handle { ptr: parent } };
            *lock(&self.core.view) = Some(Attached {
                thread: std::thread::current().id(),
                pointer: self.pointer.load(Ordering::Acquire),
                frame: lock(&self.frame).clone(),
            });
            if !self.open(&window) {
                lock(&self.core.view).take();
                return kResultFalse;
            }
            self.is_attached.store(true, Ordering::Release);
            #[cfg(target_os = "linux")]
            self.start_timer();
            kResultOk
        })
    }

    unsafe fn removed(&self) -> tresult {
        catch_panic(kInternalError, || {
            self.detach();
            kResultOk
        })
    }

    unsafe fn onWheel(&self, _distance: f32) -> tresult {
        kResultFalse
    }

    // While text is typed, keys reach the editor through its window; all other keys belong to the
    // host.
    unsafe fn onKeyDown(&self, _key: char16, _code: int16, _modifiers: int16) -> tresult {
        kResultFalse
    }

    unsafe fn onKeyUp(&self, _key: char16, _code: int16, _modifiers: int16) -> tresult {
        kResultFalse
    }

    unsafe fn getSize(&self, size: *mut ViewRect) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: the host passes a pointer to write to.
            let Some(size) = (unsafe { size.as_mut() }) else { return kInvalidArgument };
            let host_size = *lock(&self.core.view_size);
            let (width, height) = host_size.unwrap_or_else(|| {
                let (mut width, mut height) = (0, 0);
                // SAFETY: called as a CLAP host does.
                self.gui(|gui, plugin| unsafe {
                    Some(gui.get_size?(plugin, &mut width, &mut height))
                });
                (width, height)
            });
            *size = ViewRect { left: 0, top: 0, right: width as i32, bottom: height as i32 };
            kResultOk
        })
    }

    unsafe fn onSize(&self, size: *mut ViewRect) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: the host passes a size that is valid during the call.
            let Some(size) = (unsafe { size.as_ref() }) else { return kInvalidArgument };
            let side = |from: i32, to: i32| u32::try_from(to.saturating_sub(from)).unwrap_or(0);
            let (width, height) = (side(size.left, size.right), side(size.top, size.bottom));
            if width == 0 || height == 0 {
                return kInvalidArgument;
            }
            *lock(&self.core.view_size) = Some((width, height));
            if self.is_attached.load(Ordering::Acquire) {
                // SAFETY: called as a CLAP host does.
                self.gui(|gui, plugin| unsafe { Some(gui.set_size?(plugin, width, height)) });
            }
            kResultOk
        })
    }

    unsafe fn onFocus(&self, _state: TBool) -> tresult {
        kResultFalse
    }

    unsafe fn setFrame(&self, frame: *mut IPlugFrame) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: the host passes its frame or null.
            let frame = unsafe { ComRef::from_raw(frame) }.map(|frame| frame.to_com_ptr());
            let before = std::mem::replace(&mut *lock(&self.frame), frame.clone());
            drop(before);
            let is_ours = self.is_attached.load(Ordering::Acquire);
            if let Some(view) = lock(&self.core.view).as_mut().filter(|_| is_ours) {
                view.frame = frame;
            }
            kResultOk
        })
    }

    unsafe fn canResize(&self) -> tresult {
        catch_panic(kResultFalse, || {
            // SAFETY: called as a CLAP host does.
            let can = self.gui(|gui, plugin| unsafe { Some(gui.can_resize?(plugin)) });
            if can { kResultTrue } else { kResultFalse }
        })
    }

    unsafe fn checkSizeConstraint(&self, rect: *mut ViewRect) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: the host passes a size to read and write.
            let Some(rect) = (unsafe { rect.as_mut() }) else { return kInvalidArgument };
            let side = |from: i32, to: i32| u32::try_from(to.saturating_sub(from)).unwrap_or(1);
            let (mut width, mut height) =
                (side(rect.left, rect.right), side(rect.top, rect.bottom));
            // SAFETY: called as a CLAP host does.
            let is_adjusted = self.gui(|gui, plugin| unsafe {
                Some(gui.adjust_size?(plugin, &mut width, &mut height))
            });
            if is_adjusted {
                rect.right = rect.left.saturating_add(width as i32);
                rect.bottom = rect.top.saturating_add(height as i32);
            }
            kResultTrue
        })
    }
}

impl IPlugViewContentScaleSupportTrait for View {
    unsafe fn setContentScaleFactor(
        &self,
        factor: IPlugViewContentScaleSupport_::ScaleFactor,
    ) -> tresult {
        catch_panic(kInternalError, || {
            // SAFETY: called as a CLAP host does.
            self.gui(|gui, plugin| unsafe { Some(gui.set_scale?(plugin, f64::from(factor))) });
            kResultOk
        })
    }
}
