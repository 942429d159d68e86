//! Surfaces on their way to the audio thread and back.
//!
//! A thread of the instance's own builds them. (The framework's ends for good when a task of an instance that has gone
//! reaches it, and takes the host with it when the next one goes.)

mod passage;

use std::sync::Arc;
use std::thread::JoinHandle;

use nice_plug::util::permit_alloc;

use super::extras::Extras;
use crate::engine::Engine;
use crate::gesture::surface::SurfaceTable;
use crate::patch::Patch;
use crate::surfaces::Request;
use passage::{Passage, Rack, Taker};

impl Rack<SurfaceTable> for Engine {
    fn offer(&mut self, new: Arc<SurfaceTable>) -> Result<(), Arc<SurfaceTable>> {
        self.set_surface(new)
    }

    fn take_retired(&mut self) -> Option<Arc<SurfaceTable>> {
        self.take_retired_surface()
    }
}

/// Shared by the audio thread and the builder.
struct Ground {
    extras: Arc<Extras>,
    passage: Passage<Request, SurfaceTable>,
}

impl Ground {
    fn make(&self, request: Request) -> Arc<SurfaceTable> {
        request.build(self.extras.surface().as_deref())
    }

    fn build(&self, (number, request): (u64, Request)) {
        self.passage.send(number, self.make(request));
    }
}

/// The plug-in's side.
pub struct Builder {
    ground: Arc<Ground>,
    thread: Option<JoinHandle<()>>,
    asked: Option<(Request, u64)>,
    /// Requests so far.
    requests: u64,
    taker: Taker<SurfaceTable>,
}

impl Builder {
    /// Nothing is asked for, and nobody works.
    pub fn new(extras: Arc<Extras>) -> Self {
        let ground = Ground { extras, passage: Passage::new() };
        Self { ground: Arc::new(ground), thread: None, asked: None, requests: 0, taker: Taker::new() }
    }

    /// Before anything sounds: build what the patch wants at once, and see to it that somebody builds what it will want.
    pub fn prepare(&mut self, patch: &Patch, engine: &mut Engine) {
        Request::prepare();
        match self.wants(patch) {
            Some(asked) => self.ground.build(asked),
            // Nothing rolls yet. Should that change, there is something to roll over until the right surface is made.
            None if self.asked.is_none() => self.ground.passage.ask((0, Request::in_case(patch))),
            None => {}
        }
        self.taker.pass_on(&self.ground.passage, engine);
        if self.thread.is_none() {
            let ground = self.ground.clone();
            let work = move || ground.passage.work(|request| ground.make(request));
            // Without a thread the surface stays what it is; nothing else is lost.
            self.thread = std::thread::Builder::new().name("ictus-surfaces".into()).spawn(work).ok();
        }
    }

    /// Audio thread: ask for the surface that the patch wants, and hand on what is ready. Where time waits for the sound
    /// (`offline`: a host that renders) it is made in between, so that nothing depends on how fast another thread is.
    pub fn follow(&mut self, patch: &Patch, engine: &mut Engine, offline: bool) {
        if let Some(asked) = self.wants(patch) {
            if offline {
                permit_alloc(|| self.ground.build(asked));
            } else {
                self.ground.passage.ask(asked);
            }
        }
        self.taker.pass_on(&self.ground.passage, engine);
    }

    fn wants(&mut self, patch: &Patch) -> Option<(u64, Request)> {
        let wanted = (Request::of(patch)?, self.ground.extras.surfaces());
        if self.asked.replace(wanted) == Some(wanted) {
            return None;
        }
        self.requests += 1;
        Some((self.requests, wanted.0))
    }
}

impl Drop for Builder {
    fn drop(&mut self) {
        self.ground.passage.close();
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}
