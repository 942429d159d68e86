//! The thread that serves a window, and its end.
//!
//! On X11 the framework gives every window a thread. To close a window it stops the loop of that
//! thread, asks the loop to show the window, logs a warning if there is no answer, and then does
//! not wait for the thread. The thread is still giving back its graphics context while the host
//! destroys the window around it, opens the next one or ends the process, and the drawing libraries
//! crash.
//!
//! So the window is asked to close first, as a window manager would ask it, and the framework
//! closes what is left when its thread has ended.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use super::x11::Address;

/// Elsewhere windows have no threads of their own.
#[cfg(not(target_os = "linux"))]
pub type Address = std::convert::Infallible;

/// The longest wait for a thread that does not end: the host's own window must not hang.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// The thread that serves the window now. Clones are the same.
#[derive(Clone, Default)]
pub struct WindowThread(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// Where the system shows the thread for as long as it lives.
    thread: Option<PathBuf>,
    /// Where the thread can be reached.
    address: Option<Address>,
    /// The thread sleeps for ever.
    is_lost: bool,
    /// The host closes the window, and needs not be told of its end.
    is_closing: bool,
}

impl WindowThread {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The calling thread serves the window from now on.
    pub fn begin(&self, address: Option<Address>) {
        // Systems other than Linux have no such place, nor threads of windows.
        let own = std::fs::read_link("/proc/thread-self").ok();
        let thread = own.map(|own| Path::new("/proc").join(own));
        *self.state() = State { thread, address, ..State::default() };
    }

    /// Keeps the host from being told of the end of the window.
    pub fn begin_closing(&self) {
        self.state().is_closing = true;
    }

    /// True from the time at which the host closes the window.
    pub fn is_closing(&self) -> bool {
        self.state().is_closing
    }

    /// The thread sleeps for ever: nobody is to wait for it.
    pub fn mark_lost(&self) {
        self.state().is_lost = true;
    }

    /// Asks the window to close, if its thread can be reached.
    pub fn ask_to_close(&self) {
        let address = self.state().address.take();
        #[cfg(target_os = "linux")]
        if let Some(Err(error)) = address.map(super::x11::ask_to_close) {
            nice_plug::nice_warn!("The editor's window cannot be asked to close: {error}");
        }
        #[cfg(not(target_os = "linux"))]
        let _ = address;
    }

    /// Waits until the thread has ended, and all that it does at its end. Returns whether it has.
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
    fn a_thread_that_nobody_joins_is_waited_for() {
        let (window_thread, done) = (WindowThread::default(), Arc::new(AtomicBool::new(false)));
        let (begun, is_begun) = std::sync::mpsc::channel();
        let (its_server, its_done) = (window_thread.clone(), done.clone());
        drop(std::thread::spawn(move || {
            its_server.begin(None);
            begun.send(()).expect("it is waited for");
            std::thread::sleep(Duration::from_millis(50));
            its_done.store(true, Ordering::SeqCst);
        }));
        is_begun.recv().expect("it begins");
        assert!(window_thread.wait() && done.load(Ordering::SeqCst));
        assert!(window_thread.wait(), "once is enough");
    }
}
