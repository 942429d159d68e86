//! Surfaces on their way to the audio thread and back.

use std::sync::Arc;

use crossbeam_queue::ArrayQueue;
use nice_plug::util::permit_alloc;

use super::extras::Extras;
use crate::engine::Engine;
use crate::gesture::surface::SurfaceTable;
use crate::patch::Patch;
use crate::surfaces::Request;

/// Tables on their way, either way.
const QUEUE: usize = 8;

/// What the background thread is asked for.
pub enum Task {
    /// Make a table.
    Build(Request),
}

/// Shared by the audio thread and the one in the background.
pub struct Ground {
    extras: Arc<Extras>,
    ready: ArrayQueue<Arc<SurfaceTable>>,
    retired: ArrayQueue<Arc<SurfaceTable>>,
}

impl Ground {
    /// Nothing is asked for.
    pub fn new(extras: Arc<Extras>) -> Self {
        Self { extras, ready: ArrayQueue::new(QUEUE), retired: ArrayQueue::new(QUEUE) }
    }

    /// Background: do what was asked for, and free what came back.
    pub fn carry_out(&self, task: &Task) {
        while self.retired.pop().is_some() {}
        let Task::Build(request) = task;
        self.ready.force_push(request.build(self.extras.surface().as_deref()));
    }
}

/// The audio thread's side.
#[derive(Default)]
pub struct Rolled {
    asked: Option<(Request, u64)>,
    /// A table that the engine had no room for yet.
    waiting: Option<Arc<SurfaceTable>>,
}

impl Rolled {
    /// What is to be asked for, if the patch wants another surface than before.
    pub fn wants(&mut self, patch: &Patch, ground: &Ground) -> Option<Request> {
        let wanted = (Request::of(patch)?, ground.extras.surfaces());
        (self.asked.replace(wanted) != Some(wanted)).then_some(wanted.0)
    }

    /// Before anything sounds: build what the patch wants at once.
    pub fn prepare(&mut self, patch: &Patch, ground: &Ground, engine: &mut Engine) {
        Request::prepare();
        if let Some(request) = self.wants(patch, ground) {
            ground.carry_out(&Task::Build(request));
        }
        self.pass_on(ground, engine);
    }

    /// Where time waits for the sound (a host that renders), the table is made in between: so the sound does not depend
    /// on how fast a thread in the background is.
    pub fn build_now(&mut self, request: &Request, ground: &Ground) {
        permit_alloc(|| ground.carry_out(&Task::Build(*request)));
    }

    /// Hand new tables to the engine, and back what it no longer needs.
    pub fn pass_on(&mut self, ground: &Ground, engine: &mut Engine) {
        while !ground.retired.is_full()
            && let Some(table) = engine.take_retired_surface()
        {
            let _ = ground.retired.push(table);
        }
        while let Some(table) = self.waiting.take().or_else(|| ground.ready.pop()) {
            if let Err(table) = engine.set_surface(table) {
                self.waiting = Some(table);
                return;
            }
        }
    }
}
