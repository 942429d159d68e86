//! The host's side of an editor: frames with and without a run loop, and the run loop itself, which
//! a test runs on any thread.

use super::objects::lock;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use vst3::Steinberg::Linux::{
    FileDescriptor, IEventHandler, IEventHandlerTrait, IRunLoop, IRunLoopTrait, ITimerHandler,
    ITimerHandlerTrait, TimerInterval,
};
use vst3::Steinberg::Vst::IEditControllerTrait;
use vst3::Steinberg::{
    IPlugFrame, IPlugFrameTrait, IPlugView, IPlugViewTrait, ViewRect, kInvalidArgument,
    kPlatformTypeX11EmbedWindowID, kResultOk, tresult,
};
use vst3::{Class, ComPtr, ComRef, ComWrapper};

/// `pollfd` of the C library.
#[repr(C)]
struct Polled {
    fd: i32,
    wanted: i16,
    found: i16,
}

const READABLE: i16 = 1;
/// Readable, an error, or hung up; not a descriptor that was closed without being unregistered.
const ANYTHING: i16 = 1 | 8 | 16;

unsafe extern "C" {
    fn poll(polled: *mut Polled, count: std::ffi::c_ulong, milliseconds: i32) -> i32;
}

struct Timer {
    handler: ComPtr<ITimerHandler>,
    every: Duration,
    next: Instant,
}

/// Timers and file descriptors of plug-ins.
#[derive(Default)]
pub struct RunLoop {
    timers: Mutex<Vec<Timer>>,
    descriptors: Mutex<Vec<(ComPtr<IEventHandler>, FileDescriptor)>>,
    calls: AtomicUsize,
}

impl RunLoop {
    /// Serves all pending timers and descriptors, for this long.
    pub fn run_for(&self, time: Duration) {
        let end = Instant::now() + time;
        loop {
            self.turn();
            if Instant::now() >= end {
                return;
            }
        }
    }

    /// Handlers called so far.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// Handlers that are registered.
    pub fn registered(&self) -> usize {
        lock(&self.timers).len() + lock(&self.descriptors).len()
    }

    /// Waits for a few milliseconds and calls all pending handlers. Nothing is locked during a
    /// call: handlers register and unregister others.
    fn turn(&self) {
        let watched = lock(&self.descriptors).clone();
        let mut polled: Vec<_> =
            watched.iter().map(|(_, fd)| Polled { fd: *fd, wanted: READABLE, found: 0 }).collect();
        // SAFETY: the count is that of the list.
        unsafe { poll(polled.as_mut_ptr(), polled.len() as std::ffi::c_ulong, 2) };
        for ((handler, fd), polled) in watched.into_iter().zip(polled) {
            let is_registered = || {
                lock(&self.descriptors).iter().any(|(known, _)| known.as_ptr() == handler.as_ptr())
            };
            if polled.found & ANYTHING != 0 && is_registered() {
                self.calls.fetch_add(1, Ordering::SeqCst);
                unsafe { handler.onFDIsSet(fd) };
            }
        }
        let now = Instant::now();
        let mut due = Vec::new();
        for timer in lock(&self.timers).iter_mut().filter(|timer| timer.next <= now) {
            timer.next = now + timer.every;
            due.push(timer.handler.clone());
        }
        for handler in due {
            if lock(&self.timers).iter().any(|timer| timer.handler.as_ptr() == handler.as_ptr()) {
                self.calls.fetch_add(1, Ordering::SeqCst);
                unsafe { handler.onTimer() };
            }
        }
    }
}

/// A thread that runs a run loop until it is dropped.
pub struct LoopThread {
    ends: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl LoopThread {
    pub fn start(run_loop: Arc<RunLoop>) -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let seen = ends.clone();
        let work = move || {
            while !seen.load(Ordering::SeqCst) {
                run_loop.turn();
            }
        };
        Self { ends, thread: Some(std::thread::spawn(work)) }
    }
}

impl Drop for LoopThread {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A frame without a run loop.
struct Frame;

impl Class for Frame {
    type Interfaces = (IPlugFrame,);
}

impl IPlugFrameTrait for Frame {
    unsafe fn resizeView(&self, view: *mut IPlugView, size: *mut ViewRect) -> tresult {
        let Some(view) = (unsafe { ComRef::from_raw(view) }) else { return kInvalidArgument };
        unsafe { view.onSize(size) }
    }
}

/// A frame with a run loop.
struct LoopFrame(Arc<RunLoop>);

impl Class for LoopFrame {
    type Interfaces = (IPlugFrame, IRunLoop);
}

impl IPlugFrameTrait for LoopFrame {
    unsafe fn resizeView(&self, view: *mut IPlugView, size: *mut ViewRect) -> tresult {
        unsafe { Frame.resizeView(view, size) }
    }
}

impl IRunLoopTrait for LoopFrame {
    unsafe fn registerEventHandler(
        &self,
        handler: *mut IEventHandler,
        fd: FileDescriptor,
    ) -> tresult {
        let Some(handler) = (unsafe { ComRef::from_raw(handler) }) else { return kInvalidArgument };
        lock(&self.0.descriptors).push((handler.to_com_ptr(), fd));
        kResultOk
    }

    unsafe fn unregisterEventHandler(&self, handler: *mut IEventHandler) -> tresult {
        // Released after the lock.
        let _gone = extract(&mut lock(&self.0.descriptors), |(known, _)| known.as_ptr() == handler);
        kResultOk
    }

    unsafe fn registerTimer(
        &self,
        handler: *mut ITimerHandler,
        milliseconds: TimerInterval,
    ) -> tresult {
        let Some(handler) = (unsafe { ComRef::from_raw(handler) }) else { return kInvalidArgument };
        let every = Duration::from_millis(milliseconds.max(1));
        let next = Instant::now() + every;
        lock(&self.0.timers).push(Timer { handler: handler.to_com_ptr(), every, next });
        kResultOk
    }

    unsafe fn unregisterTimer(&self, handler: *mut ITimerHandler) -> tresult {
        let _gone = extract(&mut lock(&self.0.timers), |timer| timer.handler.as_ptr() == handler);
        kResultOk
    }
}

fn extract<T>(list: &mut Vec<T>, is_meant: impl Fn(&T) -> bool) -> Vec<T> {
    let (gone, kept) = list.drain(..).partition(|entry| is_meant(entry));
    *list = kept;
    gone
}

/// An editor, attached to a window or not.
pub struct View {
    view: ComPtr<IPlugView>,
    /// The object passed to the view, which may use it until it is released.
    _frame: ComPtr<IPlugFrame>,
    is_attached: AtomicBool,
}

impl View {
    /// Makes the editor of a controller; without a run loop the frame has none.
    pub(super) fn new(
        controller: &impl IEditControllerTrait,
        run_loop: Option<&Arc<RunLoop>>,
    ) -> Option<Self> {
        // SAFETY: the name is a zero-terminated text, and the view belongs to the caller.
        let view = unsafe { ComPtr::from_raw(controller.createView(c"editor".as_ptr())) }?;
        let frame = match run_loop {
            Some(run_loop) => {
                ComWrapper::new(LoopFrame(run_loop.clone())).to_com_ptr::<IPlugFrame>()
            }
            None => ComWrapper::new(Frame).to_com_ptr::<IPlugFrame>(),
        }?;
        unsafe { view.setFrame(frame.as_ptr()) };
        Some(Self { view, _frame: frame, is_attached: AtomicBool::new(false) })
    }

    /// Puts it in a window.
    pub fn attach(&self, window: u32) -> tresult {
        let answer = unsafe {
            self.view.attached(window as usize as *mut c_void, kPlatformTypeX11EmbedWindowID)
        };
        self.is_attached.store(answer == kResultOk, Ordering::SeqCst);
        answer
    }

    pub fn remove(&self) -> tresult {
        self.is_attached.store(false, Ordering::SeqCst);
        unsafe { self.view.removed() }
    }

    pub fn size(&self) -> (u16, u16) {
        let mut rect = ViewRect { left: 0, top: 0, right: 0, bottom: 0 };
        assert_eq!(unsafe { self.view.getSize(&mut rect) }, kResultOk, "it has a size");
        ((rect.right - rect.left) as u16, (rect.bottom - rect.top) as u16)
    }

    pub fn set_size(&self, (width, height): (i32, i32)) -> tresult {
        let mut rect = ViewRect { left: 0, top: 0, right: width, bottom: height };
        unsafe {
            self.view.checkSizeConstraint(&mut rect);
            self.view.onSize(&mut rect)
        }
    }

    /// Presses a key by its character or VST3's code; returns whether the editor used it.
    pub fn press_key(&self, character: u16, code: i16) -> bool {
        let taken = unsafe { self.view.onKeyDown(character, code, 0) } == kResultOk;
        taken | (unsafe { self.view.onKeyUp(character, code, 0) } == kResultOk)
    }
}

impl Drop for View {
    fn drop(&mut self) {
        if self.is_attached.load(Ordering::SeqCst) {
            self.remove();
        }
        unsafe { self.view.setFrame(std::ptr::null_mut()) };
    }
}
