//! Delivers surface tables to the audio thread.
//!
//! Building a table takes tens of milliseconds, too long for `process` in real time. There are
//! three paths, and on each of them the sound depends only on the host's calls, not on thread
//! timing:
//!
//! - [`SurfaceLoader::prepare`] builds the table of the patch for any gesture, so that the engine
//!   always has a surface.
//! - The thread that loads a preset or a state builds its table before the load returns. The audio
//!   thread takes the table together with the parameters ([`Extras::load_surface`]).
//! - A single parameter change (a knob, automation) changes the surface `SWITCH_DELAY_S` later,
//!   counted in samples. A worker thread builds the table in the meantime.
//!
//! If the worker has not finished by then, the audio thread builds the table itself, unless the
//! host plays in real time. Only in real time does a late worker delay the change: the surface then
//! changes when the table arrives.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_queue::ArrayQueue;
use nice_plug::util::permit_alloc;

use crate::engine::Engine;
use crate::exciter::surface::SurfaceTable;
use crate::io::surfaces::SurfaceRequest;
use crate::params::Patch;
use crate::shared_state::extras::{BuiltSurface, Extras, SurfaceSource};

/// Time from a change of parameters to the change of the surface, s: two and a half times the
/// worker's worst case on an idle machine (it polls every 40 ms and builds in at most 60 ms).
const SWITCH_DELAY_S: f64 = 0.25;

/// A host that is ahead of the clock by this time, s, either does not play in real time or has that
/// much audio buffered. In both cases it can wait for a table.
const LOOK_AHEAD_S: f64 = 0.1;

/// Polling interval of the worker. The audio thread does not wake it, because that is a system
/// call.
const POLL_INTERVAL: Duration = Duration::from_millis(40);

/// Capacity of the queue of tables that the worker is to free.
const MAX_RETIRED: usize = 8;

/// Tables that one call on the audio thread may retire in addition to those of the engine.
const SPARE_RETIRED: usize = 2;

/// State shared by the audio thread and the worker.
struct Shared {
    extras: Arc<Extras>,
    /// The newest request.
    requested: ArrayQueue<SurfaceRequest>,
    /// The newest table.
    built: ArrayQueue<BuiltSurface>,
    retired: ArrayQueue<Arc<SurfaceTable>>,
    is_closing: AtomicBool,
}

impl Shared {
    fn build(&self, request: SurfaceRequest) -> BuiltSurface {
        BuiltSurface::new(request, self.extras.surface().as_deref())
    }

    fn free_retired(&self) {
        while self.retired.pop().is_some() {}
    }

    /// The worker's loop.
    fn work(&self) {
        while !self.is_closing.load(Ordering::Acquire) {
            self.free_retired();
            self.extras.voices().work();
            match self.requested.pop() {
                Some(request) => drop(self.built.force_push(self.build(request))),
                None => std::thread::park_timeout(POLL_INTERVAL),
            }
        }
    }
}

/// A pending change of the surface.
#[derive(Clone, Copy)]
struct Pending {
    source: SurfaceSource,
    /// Samples until the surface changes. 0: the delay has passed, but the table has not arrived.
    samples_left: usize,
    since: Instant,
}

/// The audio thread's side of the loader.
pub struct SurfaceLoader {
    shared: Arc<Shared>,
    worker: Option<JoinHandle<()>>,
    delay_samples: usize,
    /// The host has announced offline rendering.
    is_offline: bool,
    /// The source of the engine's table.
    current: Option<SurfaceSource>,
    /// The source of the table that the patch needs; `None` if its gesture needs none.
    wanted: Option<SurfaceSource>,
    /// A table that waits for its parameters, or for space in the engine.
    loaded: Option<BuiltSurface>,
    pending: Option<Pending>,
}

impl SurfaceLoader {
    /// Creates a loader without a worker and a surface; [`prepare`](Self::prepare) adds both.
    pub fn new(extras: Arc<Extras>) -> Self {
        let shared = Shared {
            extras,
            requested: ArrayQueue::new(1),
            built: ArrayQueue::new(1),
            retired: ArrayQueue::new(MAX_RETIRED),
            is_closing: AtomicBool::new(false),
        };
        Self {
            shared: Arc::new(shared),
            worker: None,
            delay_samples: 0,
            is_offline: false,
            current: None,
            wanted: None,
            loaded: None,
            pending: None,
        }
    }

    /// Gives the engine the surface of the patch, for any gesture, and starts the worker. Not for
    /// the audio thread.
    pub fn prepare(
        &mut self,
        patch: &Patch,
        engine: &mut Engine,
        sample_rate_hz: f64,
        is_offline: bool,
    ) {
        self.install_surface_of(patch, engine);
        self.delay_samples = (SWITCH_DELAY_S * sample_rate_hz).max(1.0) as usize;
        self.is_offline = is_offline;
        if self.worker.is_none() {
            let shared = self.shared.clone();
            let worker = std::thread::Builder::new().name("ictus-surfaces".into());
            // If the thread cannot be started, surfaces change late in real time; nothing else is
            // affected.
            self.worker = worker.spawn(move || shared.work()).ok();
        }
    }

    fn install_surface_of(&mut self, patch: &Patch, engine: &mut Engine) {
        SurfaceRequest::prepare();
        self.shared.free_retired();
        while engine.take_retired_surface().is_some() {}
        (self.wanted, self.pending) = (None, None);
        let source = SurfaceSource::new(
            SurfaceRequest::for_any_gesture(patch),
            self.shared.extras.surface_id(),
        );
        if self.current != Some(source) {
            let loaded = self.shared.extras.take_surface().or(self.loaded.take());
            let loaded = loaded.filter(|loaded| loaded.source == source);
            self.install(loaded.unwrap_or_else(|| self.shared.build(source.request)), engine);
        }
    }

    /// Whether the host has announced offline rendering.
    pub fn is_offline(&self) -> bool {
        self.is_offline
    }

    /// Takes a surface that was loaded with the patch, or starts a change. Audio thread, before
    /// each block.
    pub fn update(&mut self, patch: &Patch, engine: &mut Engine) {
        while self.shared.retired.len() + SPARE_RETIRED < MAX_RETIRED
            && let Some(old) = engine.take_retired_surface()
        {
            let _ = self.shared.retired.push(old);
        }
        let file_id = self.shared.extras.surface_id();
        self.wanted = SurfaceRequest::of(patch).map(|request| SurfaceSource::new(request, file_id));
        if self.can_retire() {
            self.take_loaded(engine);
        }
        if self.pending.is_some_and(|pending| pending.samples_left == 0) {
            self.finish_change(engine);
        }
        self.start_change();
    }

    /// Takes a loaded surface once its parameters have arrived.
    fn take_loaded(&mut self, engine: &mut Engine) {
        if let Some(loaded) = self.shared.extras.take_surface() {
            let old = self.loaded.replace(loaded);
            self.retire(old);
        }
        match self.loaded.take_if(|loaded| Some(loaded.source) == self.wanted) {
            Some(loaded) if self.current == Some(loaded.source) => self.retire(Some(loaded)),
            Some(loaded) => self.install(loaded, engine),
            None => {}
        }
    }

    /// Samples until the surface changes; the block must be split there. Audio thread.
    pub fn samples_to_change(&self) -> Option<usize> {
        self.pending.map(|pending| pending.samples_left).filter(|samples| *samples > 0)
    }

    /// Counts down by `samples`, and changes the surface at the end of the delay. Audio thread.
    pub fn advance(&mut self, samples: usize, engine: &mut Engine) {
        let Some(pending) = self.pending.as_mut().filter(|pending| pending.samples_left > 0) else {
            return;
        };
        pending.samples_left = pending.samples_left.saturating_sub(samples);
        if pending.samples_left == 0 {
            self.finish_change(engine);
            self.start_change();
        }
    }

    /// Requests the surface that the patch needs. Changes are serialised: a request during a change
    /// starts after it, so that the worker has the full delay for each table.
    fn start_change(&mut self) {
        let Some(source) = self.wanted else { return };
        if self.current == Some(source) {
            self.pending = None;
        } else if self.pending.is_none() {
            self.shared.requested.force_push(source.request);
            let samples_left = self.delay_samples;
            self.pending = Some(Pending { source, samples_left, since: Instant::now() });
        }
    }

    fn finish_change(&mut self, engine: &mut Engine) {
        let Some(pending) = self.pending else { return };
        let is_real_time = !self.is_offline
            && pending.since.elapsed().as_secs_f64() + LOOK_AHEAD_S > SWITCH_DELAY_S;
        let built = self.take_built(pending.source).or_else(|| {
            // Not real time: allocating and freeing are allowed here.
            (!is_real_time).then(|| {
                permit_alloc(|| {
                    self.shared.free_retired();
                    self.shared.build(pending.source.request)
                })
            })
        });
        if let Some(built) = built {
            self.install(built, engine);
            self.pending = None;
        } else if self.wanted.is_some_and(|wanted| wanted != pending.source) {
            // The late table is no longer needed.
            self.pending = None;
        }
    }

    /// Takes the worker's table if it has the right source.
    fn take_built(&mut self, source: SurfaceSource) -> Option<BuiltSurface> {
        let built = if self.can_retire() { self.shared.built.pop() } else { None }?;
        if built.source == source {
            return Some(built);
        }
        self.retire(Some(built));
        None
    }

    fn install(&mut self, built: BuiltSurface, engine: &mut Engine) {
        let BuiltSurface { source, table } = built;
        match engine.set_surface(table) {
            Ok(()) => self.current = Some(source),
            // Too many older tables are still in use; try again later.
            Err(table) => {
                let old = self.loaded.replace(BuiltSurface { source, table });
                self.retire(old);
            }
        }
    }

    /// Whether the queue has space for all tables that one call may retire. The worker empties it.
    fn can_retire(&self) -> bool {
        self.shared.retired.len() + SPARE_RETIRED <= MAX_RETIRED
    }

    fn retire(&self, surface: Option<BuiltSurface>) {
        if let Some(surface) = surface {
            let _ = self.shared.retired.push(surface.table);
        }
    }
}

impl Drop for SurfaceLoader {
    fn drop(&mut self) {
        self.shared.is_closing.store(true, Ordering::Release);
        if let Some(worker) = self.worker.take() {
            worker.thread().unpark();
            let _ = worker.join();
        }
    }
}

#[cfg(test)]
mod tests;
