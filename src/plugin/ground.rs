//! Surfaces on their way to the audio thread and back.
//!
//! A thread of the instance's own builds them. (The framework's ends for good when a task of an instance that has gone
//! reaches it, and takes the host with it when the next one goes.)

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_queue::ArrayQueue;
use nice_plug::util::permit_alloc;

use super::extras::Extras;
use crate::engine::Engine;
use crate::gesture::surface::SurfaceTable;
use crate::patch::Patch;
use crate::surfaces::Request;

/// Tables on their way, either way.
const QUEUE: usize = 8;
/// How often the builder looks whether there is anything to do. The audio thread wakes nobody up.
const LOOK: Duration = Duration::from_millis(40);

/// Shared by the audio thread and the builder.
struct Ground {
    extras: Arc<Extras>,
    /// The newest surface that is wanted.
    asked: ArrayQueue<(u64, Request)>,
    ready: ArrayQueue<(u64, Arc<SurfaceTable>)>,
    retired: ArrayQueue<Arc<SurfaceTable>>,
    closing: AtomicBool,
}

impl Ground {
    fn build(&self, (number, request): (u64, Request)) {
        self.ready.force_push((number, request.build(self.extras.surface().as_deref())));
    }

    fn work(&self) {
        while !self.closing.load(Ordering::Acquire) {
            while self.retired.pop().is_some() {}
            match self.asked.pop() {
                Some(asked) => self.build(asked),
                None => std::thread::park_timeout(LOOK),
            }
        }
    }
}

/// The plug-in's side.
pub struct Builder {
    ground: Arc<Ground>,
    thread: Option<JoinHandle<()>>,
    asked: Option<(Request, u64)>,
    /// Requests so far, and the newest that has been answered: a slow answer to an old one is not wanted.
    requests: u64,
    answered: u64,
    /// A table that the engine had no room for yet.
    waiting: Option<(u64, Arc<SurfaceTable>)>,
}

impl Builder {
    /// Nothing is asked for, and nobody works.
    pub fn new(extras: Arc<Extras>) -> Self {
        let ground = Ground {
            extras,
            asked: ArrayQueue::new(1),
            ready: ArrayQueue::new(QUEUE),
            retired: ArrayQueue::new(QUEUE),
            closing: AtomicBool::new(false),
        };
        Self { ground: Arc::new(ground), thread: None, asked: None, requests: 0, answered: 0, waiting: None }
    }

    /// Before anything sounds: build what the patch wants at once, and see to it that somebody builds what it will want.
    pub fn prepare(&mut self, patch: &Patch, engine: &mut Engine) {
        Request::prepare();
        match self.wants(patch) {
            Some(asked) => self.ground.build(asked),
            // Nothing rolls yet. Should that change, there is something to roll over until the right surface is made.
            None if self.asked.is_none() => {
                let _ = self.ground.asked.force_push((0, Request::in_case(patch)));
            }
            None => {}
        }
        self.pass_on(engine);
        if self.thread.is_none() {
            let ground = self.ground.clone();
            // Without a thread the surface stays what it is; nothing else is lost.
            self.thread = std::thread::Builder::new().name("ictus-surfaces".into()).spawn(move || ground.work()).ok();
        }
    }

    /// Audio thread: ask for the surface that the patch wants, and hand on what is ready. Where time waits for the sound
    /// (`offline`: a host that renders) it is made in between, so that nothing depends on how fast another thread is.
    pub fn follow(&mut self, patch: &Patch, engine: &mut Engine, offline: bool) {
        if let Some(asked) = self.wants(patch) {
            if offline {
                permit_alloc(|| self.ground.build(asked));
            } else {
                self.ground.asked.force_push(asked);
            }
        }
        self.pass_on(engine);
    }

    fn wants(&mut self, patch: &Patch) -> Option<(u64, Request)> {
        let wanted = (Request::of(patch)?, self.ground.extras.surfaces());
        if self.asked.replace(wanted) == Some(wanted) {
            return None;
        }
        self.requests += 1;
        Some((self.requests, wanted.0))
    }

    /// Hand new tables to the engine, and back what it no longer needs.
    fn pass_on(&mut self, engine: &mut Engine) {
        while !self.ground.retired.is_full()
            && let Some(table) = engine.take_retired_surface()
        {
            let _ = self.ground.retired.push(table);
        }
        while let Some((number, table)) = self.waiting.take().or_else(|| self.ground.ready.pop()) {
            // What comes too late goes back as if it had been used, unless there is no room to send it.
            if number < self.answered && self.ground.retired.push(table.clone()).is_ok() {
                continue;
            }
            if let Err(table) = engine.set_surface(table) {
                self.waiting = Some((number, table));
                return;
            }
            self.answered = number;
        }
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        self.ground.closing.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}
