//! The thread that serves a window, and its end.
//!
//! On X11 the framework gives every window a thread, tells it to stop when the window is closed, asks it once more to show
//! the window, and goes on without waiting for it if there is no answer. The thread is then still giving back its graphics
//! context while the host destroys the window around it, makes the next one or ends the process, and the drawing libraries
//! crash. Here the closing waits until that thread is gone.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A thread that does not end is not waited for longer than this: the host's own window must not hang.
const PATIENCE: Duration = Duration::from_secs(3);

/// Which thread serves the window now. Clones are the same.
#[derive(Clone, Default)]
pub struct Server {
    /// Where the system shows the thread for as long as it lives.
    thread: Arc<Mutex<Option<PathBuf>>>,
}

impl Server {
    /// It is the one that calls.
    pub fn begin(&self) {
        // Systems other than Linux have no such place, nor threads of windows.
        let place = std::fs::read_link("/proc/thread-self").ok().map(|own| Path::new("/proc").join(own));
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = place;
    }

    /// Wait until it has ended, with all that it leaves to do at its end. Whether it has.
    pub fn wait(&self) -> bool {
        let Some(place) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() else { return true };
        let start = Instant::now();
        while place.exists() {
            if start.elapsed() > PATIENCE {
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
            its_server.begin();
            begun.send(()).expect("it is waited for");
            std::thread::sleep(Duration::from_millis(50));
            its_done.store(true, Ordering::SeqCst);
        }));
        is_begun.recv().expect("it begins");
        assert!(server.wait() && done.load(Ordering::SeqCst));
        assert!(server.wait(), "once is enough");
    }
}
