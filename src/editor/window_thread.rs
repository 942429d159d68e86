//! The thread of a window, and how to wait for its end.
//!
//! On X11 the framework runs every window on its own thread, and does not wait for that thread when
//! it closes the window. The thread then releases its graphics context while the host destroys the
//! parent window, opens the next one or ends the process, and the graphics libraries crash.
//!
//! So the plug-in first asks the window to close, as a window manager does, waits for the thread to
//! end, and only then lets the framework close the window.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use super::x11::Address;

/// On other systems windows have no threads of their own.
#[cfg(not(target_os = "linux"))]
pub type Address = std::convert::Infallible;

/// Bounds the wait for a thread that does not end, so that the host does not hang.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// The thread of the open window. Clones share their state.
#[derive(Clone, Default)]
pub struct WindowThread(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// The thread's entry in `/proc`, which exists as long as the thread.
    thread: Option<PathBuf>,
    /// The X11 windows by which the thread can be reached.
    address: Option<Address>,
    /// The thread sleeps forever.
    is_lost: bool,
    /// The host is closing the window and must not be notified of its end.
    is_closing: bool,
}

impl WindowThread {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers the calling thread as the window's thread.
    pub fn register(&self, address: Option<Address>) {
        // Other systems have neither `/proc` nor window threads.
        let own = std::fs::read_link("/proc/thread-self").ok();
        let thread = own.map(|own| Path::new("/proc").join(own));
        *self.state() = State { thread, address, ..State::default() };
    }

    /// Suppresses the notification of the host about the window's end.
    pub fn begin_closing(&self) {
        self.state().is_closing = true;
    }

    /// True once the host has started to close the window.
    pub fn is_closing(&self) -> bool {
        self.state().is_closing
    }

    /// Marks the thread as asleep forever, so that nothing waits for it.
    pub fn mark_lost(&self) {
        self.state().is_lost = true;
    }

    /// Asks the window to close, if its thread can be reached.
    pub fn request_close(&self) {
        let address = self.state().address.take();
        #[cfg(target_os = "linux")]
        if let Some(Err(error)) = address.map(super::x11::request_close) {
            nice_plug::nice_warn!("The editor's window cannot be asked to close: {error}");
        }
        #[cfg(not(target_os = "linux"))]
        let _ = address;
    }

    /// Waits until the thread has ended, including its destructors. Returns false on a timeout.
    pub fn wait(&self) -> bool {
        let Some(thread) = self.state().thread.take() else { return true };
        let start = Instant::now();
        while thread.exists() {
            if self.state().is_lost || start.elapsed() > MAX_WAIT {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn it_waits_for_a_detached_thread() {
        let (window_thread, done) = (WindowThread::default(), Arc::new(AtomicBool::new(false)));
        let (sender, receiver) = std::sync::mpsc::channel();
        let (thread, thread_done) = (window_thread.clone(), done.clone());
        drop(std::thread::spawn(move || {
            thread.register(None);
            sender.send(()).expect("the receiver waits");
            std::thread::sleep(Duration::from_millis(50));
            thread_done.store(true, Ordering::SeqCst);
        }));
        receiver.recv().expect("the thread starts");
        assert!(window_thread.wait() && done.load(Ordering::SeqCst));
        assert!(window_thread.wait(), "a second wait returns at once");
    }
}
