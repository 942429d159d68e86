//! The thread that serves a window, and its end.
//!
//! On X11 the framework gives every window a thread. To close a window it stops the loop of that
//! thread, asks the loop to show the window, logs a warning if there is no answer, and then does not
//! wait for the thread. The thread is still giving back its graphics context while the host destroys
//! the window around it, opens the next one or ends the process, and the drawing libraries crash.
//!
//! So the window is asked to close first, as a window manager would ask it, and the framework closes
//! what is left when its thread has ended.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use super::x11::Address;

/// Elsewhere windows have no threads of their own.
#[cfg(not(target_os = "linux"))]
pub type Address = std::convert::Infallible;

/// The longest wait for a thread that does not end: the host's own window must not hang.
const PATIENCE: Duration = Duration::from_secs(3);

/// The thread that serves the window now. Clones are the same.
#[derive(Clone, Default)]
pub struct Server(Arc<Mutex<Served>>);

#[derive(Default)]
struct Served {
    /// Where the system shows the thread for as long as it lives.
    thread: Option<PathBuf>,
    /// Where the thread can be reached.
    address: Option<Address>,
    /// The thread sleeps for ever.
    is_lost: bool,
    /// The host closes the window, and needs not be told of its end.
    is_closing: bool,
}

impl Server {
    fn served(&self) -> MutexGuard<'_, Served> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The calling thread serves the window from now on.
    pub fn begin(&self, address: Option<Address>) {
        // Systems other than Linux have no such place, nor threads of windows.
        let own = std::fs::read_link("/proc/thread-self").ok();
        let thread = own.map(|own| Path::new("/proc").join(own));
        *self.served() = Served { thread, address, ..Served::default() };
    }

    /// Keeps the host from being told of the end of the window.
    pub fn begin_closing(&self) {
        self.served().is_closing = true;
    }

    /// True from the time at which the host closes the window.
    pub fn is_closing(&self) -> bool {
        self.served().is_closing
    }

    /// The thread sleeps for ever: nobody is to wait for it.
    pub fn give_up(&self) {
        self.served().is_lost = true;
    }

    /// Asks the window to close, if its thread can be reached.
    pub fn ask_to_close(&self) {
        let address = self.served().address.take();
        #[cfg(target_os = "linux")]
        if let Some(Err(error)) = address.map(super::x11::ask_to_close) {
            nice_plug::nice_warn!("The editor's window cannot be asked to close: {error}");
        }
        #[cfg(not(target_os = "linux"))]
        let _ = address;
    }

    /// Waits until the thread has ended, and all that it does at its end. Returns whether it has.
    pub fn wait(&self) -> bool {
        let Some(thread) = self.served().thread.take() else { return true };
        let start = Instant::now();
        while thread.exists() {
            if self.served().is_lost || start.elapsed() > PATIENCE {
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
        let (server, done) = (Server::default(), Arc::new(AtomicBool::new(false)));
        let (begun, is_begun) = std::sync::mpsc::channel();
        let (its_server, its_done) = (server.clone(), done.clone());
        drop(std::thread::spawn(move || {
            its_server.begin(None);
            begun.send(()).expect("it is waited for");
            std::thread::sleep(Duration::from_millis(50));
            its_done.store(true, Ordering::SeqCst);
        }));
        is_begun.recv().expect("it begins");
        assert!(server.wait() && done.load(Ordering::SeqCst));
        assert!(server.wait(), "once is enough");
    }
}
