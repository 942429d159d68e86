//! A small CLAP host: it loads a built bundle and plays a [`Score`] through it, block by block, on
//! an audio thread.
//!
//! ```ignore
//! let mut host = ClapHost::load(&path)?;
//! let level = host.param("Level")?;
//! host.activate(48_000.0, 512)?;
//! let score = Score::new().note(100, 24_000, 69, 0.8).param(600, level.id, level.min);
//! let heard = host.render(&score, &fixed_blocks(48_000, 512))?;
//! assert!(heard.peak() > 0.0);
//! ```
//! `render` continues where the last one stopped: notes ring on into the next call, until
//! [`ClapHost::reset`].

// Each user of the host needs its own part of it; the paths make it loadable from the tests and
// from xtask alike.
#![allow(dead_code, unused_imports)]

#[path = "clap_handlers.rs"]
pub mod handlers;
#[path = "clap_run.rs"]
mod run;
#[path = "score.rs"]
pub mod score;

use clack_extensions::latency::PluginLatency;
use clack_extensions::params::{ParamInfoBuffer, ParamInfoFlags, PluginParams};
use clack_extensions::render::{PluginRender, RenderMode};
use clack_extensions::state::PluginState;
use clack_extensions::tail::{PluginTail, TailLength};
use clack_host::prelude::*;
use clack_host::process::StartedPluginAudioProcessor;
use clack_host::utils::ClapId;
use handlers::{Handlers, MainThread, Shared};
pub use run::{Output, Rendered};
use run::{push, run};
pub use score::{Event, NoteOf, Score, Spoken, fixed_blocks, random_blocks};
use std::ffi::CString;
use std::path::Path;
use std::sync::atomic::Ordering;

/// Why the plug-in could not be loaded or failed a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostError(String);

impl std::fmt::Display for HostError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HostError {}

fn error(text: impl Into<String>) -> HostError {
    HostError(text.into())
}

/// One parameter as the plug-in declares it. Values are in CLAP's range, `min..=max`.
#[derive(Clone, Debug)]
pub struct Param {
    /// The number in events.
    pub id: u32,
    /// The name shown to the user.
    pub name: String,
    /// The group it is shown in, parts separated by `/`.
    pub module: String,
    pub min: f64,
    pub max: f64,
    pub default: f64,
    pub flags: ParamInfoFlags,
}

/// One instance of a plug-in in a bundle.
pub struct ClapHost {
    // The processor must be dropped before its instance.
    processor: Option<StartedPluginAudioProcessor<Handlers>>,
    instance: PluginInstance<Handlers>,
    max_block: u32,
    clock: u64,
    /// Number of stereo outputs.
    outputs: usize,
}

impl ClapHost {
    /// Loads the bundle (on macOS the library inside it) and creates an instance, not yet active.
    pub fn load(bundle: &Path) -> Result<Self, HostError> {
        Self::load_number(bundle, 0)
    }

    /// The same with another plug-in than the first of the bundle, counted from 0.
    pub fn load_number(bundle: &Path, number: usize) -> Result<Self, HostError> {
        let shown = bundle.display();
        let info = HostInfo::new("Ictus test host", "Ictus", "https://example.invalid", "1.0")
            .map_err(|e| error(format!("the host cannot describe itself: {e}")))?;
        // SAFETY: the file is a plug-in that this repository has just built; nothing else runs on
        // loading it.
        #[allow(unsafe_code)]
        let entry = unsafe { PluginEntry::load(bundle) }
            .map_err(|e| error(format!("cannot load {shown}: {e}")))?;
        let factory = entry
            .get_plugin_factory()
            .ok_or_else(|| error(format!("{shown} has no plug-in factory")))?;
        let plugin = factory
            .plugin_descriptors()
            .nth(number)
            .ok_or_else(|| error(format!("{shown} has no plug-in")))?;
        let id = plugin.id().ok_or_else(|| error(format!("the plug-in in {shown} has no id")))?;
        let instance = PluginInstance::<Handlers>::new(
            |_| Shared::default(),
            |shared| MainThread(shared),
            &entry,
            id,
            &info,
        )
        .map_err(|e| error(format!("cannot make an instance of {shown}: {e}")))?;
        Ok(Self { processor: None, instance, max_block: 0, clock: 0, outputs: 1 })
    }

    /// Sets the number of stereo outputs: more than one in some layouts.
    pub fn set_outputs(&mut self, outputs: usize) {
        self.outputs = outputs.max(1);
    }

    /// Sets whether the host renders offline; takes effect at the next activation.
    pub fn set_offline(&mut self, is_offline: bool) -> Result<(), HostError> {
        let render = self.extension::<PluginRender>("render")?;
        let mode = if is_offline { RenderMode::Offline } else { RenderMode::Realtime };
        render.set(&self.instance.plugin_handle(), mode).map_err(|e| error(e.to_string()))
    }

    /// Prepares playing at `rate` with blocks of up to `max_block`; an active instance is
    /// deactivated first.
    pub fn activate(&mut self, rate: f64, max_block: u32) -> Result<(), HostError> {
        self.deactivate();
        let config = PluginAudioConfiguration {
            sample_rate: rate,
            min_frames_count: 1,
            max_frames_count: max_block,
        };
        let stopped = self.instance.activate(|_, _| (), config).map_err(|e| {
            error(format!("cannot activate at {rate} Hz with blocks of {max_block}: {e}"))
        })?;
        let started = on_audio_thread(|| stopped.start_processing())
            .map_err(|e| error(format!("cannot start processing: {e}")))?;
        self.processor = Some(started);
        self.max_block = max_block;
        self.answer_requests();
        Ok(())
    }

    /// Ends playing; does nothing when not active.
    pub fn deactivate(&mut self) {
        if let Some(started) = self.processor.take() {
            self.instance.deactivate(on_audio_thread(|| started.stop_processing()));
        }
    }

    /// Silences all notes, as a host does when the transport jumps.
    pub fn reset(&mut self) -> Result<(), HostError> {
        let processor = self.processor.as_mut().ok_or_else(not_active)?;
        on_audio_thread(|| processor.reset());
        self.clock = 0;
        Ok(())
    }

    /// Plays the score in the given blocks and returns their stereo samples.
    pub fn render(&mut self, score: &Score, blocks: &[u32]) -> Result<Rendered, HostError> {
        self.render_with(score, blocks, &[])
    }

    /// The same with an input, alike on both channels of the main input; `None`: there is no input.
    pub fn render_with(
        &mut self,
        score: &Score,
        blocks: &[u32],
        input: &[f32],
    ) -> Result<Rendered, HostError> {
        let processor = self.processor.as_mut().ok_or_else(not_active)?;
        let total: u64 = blocks.iter().map(|b| u64::from(*b)).sum();
        if let Some(block) = blocks.iter().find(|b| **b > self.max_block) {
            return Err(error(format!(
                "a block of {block} is larger than the {} it was activated for",
                self.max_block
            )));
        }
        if score.end() >= total && !score.events().is_empty() {
            return Err(error(format!(
                "the event at sample {} lies behind the last block, which ends at {total}",
                score.end()
            )));
        }
        if !input.is_empty() && input.len() as u64 != total {
            return Err(error(format!("{} samples come in, and {total} go out", input.len())));
        }
        let clock = self.clock;
        let outputs = self.outputs;
        let rendered = on_audio_thread(|| run(processor, score, blocks, clock, input, outputs))?;
        self.clock += total;
        self.answer_requests();
        Ok(rendered)
    }

    /// Sets parameters without playing: CLAP's flush, in any state of the instance.
    pub fn set(&mut self, values: &[(u32, f64)]) -> Result<(), HostError> {
        let params = self.extension::<PluginParams>("parameters")?;
        let mut events = EventBuffer::new();
        for (id, value) in values {
            push(&mut events, 0, &Event::Param { id: *id, value: *value });
        }
        let mut out = EventBuffer::new();
        match &mut self.processor {
            Some(processor) => on_audio_thread(|| {
                params.flush_active(
                    &mut processor.plugin_handle(),
                    &events.as_input(),
                    &mut out.as_output(),
                );
            }),
            None => {
                let mut handle = self
                    .instance
                    .inactive_plugin_handle()
                    .ok_or_else(|| error("the instance is active"))?;
                params.flush(&mut handle, &events.as_input(), &mut out.as_output());
            }
        }
        self.answer_requests();
        Ok(())
    }

    /// Every parameter, in the plug-in's order.
    pub fn params(&mut self) -> Result<Vec<Param>, HostError> {
        let params = self.extension::<PluginParams>("parameters")?;
        let handle = self.instance.plugin_handle();
        let mut buffer = ParamInfoBuffer::new();
        (0..params.count(&handle))
            .map(|index| {
                let info = params
                    .get_info(&handle, index, &mut buffer)
                    .ok_or_else(|| error(format!("no info on parameter {index}")))?;
                Ok(Param {
                    id: info.id.get(),
                    name: text(info.name),
                    module: text(info.module),
                    min: info.min_value,
                    max: info.max_value,
                    default: info.default_value,
                    flags: info.flags,
                })
            })
            .collect()
    }

    /// The parameter with this name.
    pub fn param(&mut self, name: &str) -> Result<Param, HostError> {
        let all = self.params()?;
        let names: Vec<_> = all.iter().map(|p| p.name.clone()).collect();
        let found = all.into_iter().find(|p| p.name == name);
        found.ok_or_else(|| {
            error(format!("no parameter is called {name:?}; there are {}", names.join(", ")))
        })
    }

    /// The current value of a parameter.
    pub fn value(&mut self, id: u32) -> Result<f64, HostError> {
        let params = self.extension::<PluginParams>("parameters")?;
        let value = params.get_value(&self.instance.plugin_handle(), ClapId::new(id));
        value.ok_or_else(|| error(format!("parameter {id} has no value")))
    }

    /// A value as shown to the user.
    pub fn text(&mut self, id: u32, value: f64) -> Result<String, HostError> {
        let params = self.extension::<PluginParams>("parameters")?;
        let mut buffer = [0; 256];
        let written = params.value_to_text(
            &self.instance.plugin_handle(),
            ClapId::new(id),
            value,
            &mut buffer,
        );
        written
            .map(|bytes| text(bytes))
            .map_err(|_| error(format!("parameter {id} has no text for {value}")))
    }

    /// The value of a text; `None` when the plug-in refuses it.
    pub fn parse(&mut self, id: u32, text: &str) -> Result<Option<f64>, HostError> {
        let params = self.extension::<PluginParams>("parameters")?;
        let text = CString::new(text).map_err(|_| error("the text holds a zero byte"))?;
        Ok(params.text_to_value(&self.instance.plugin_handle(), ClapId::new(id), &text))
    }

    /// The plug-in's state as stored in a project.
    pub fn save(&mut self) -> Result<Vec<u8>, HostError> {
        let state = self.extension::<PluginState>("state")?;
        let mut bytes = Vec::new();
        state
            .save(&self.instance.plugin_handle(), &mut bytes)
            .map_err(|e| error(format!("cannot save the state: {e}")))?;
        Ok(bytes)
    }

    /// Restores a saved state; an error when the plug-in refuses it.
    pub fn restore(&mut self, mut bytes: &[u8]) -> Result<(), HostError> {
        let state = self.extension::<PluginState>("state")?;
        let result = state.load(&self.instance.plugin_handle(), &mut bytes);
        self.answer_requests();
        result.map_err(|e| error(format!("the state was refused: {e}")))
    }

    /// The tail after the end of the input, as reported with the last block.
    pub fn tail(&mut self) -> Result<TailLength, HostError> {
        let tail = self.extension::<PluginTail>("tail")?;
        let processor = self.processor.as_mut().ok_or_else(not_active)?;
        Ok(on_audio_thread(|| tail.get(&processor.plugin_handle())))
    }

    /// The latency in samples.
    pub fn latency(&mut self) -> Result<u32, HostError> {
        let latency = self.extension::<PluginLatency>("latency")?;
        Ok(latency.get(&self.instance.plugin_handle()))
    }

    /// The clack instance, for extensions that this host does not wrap.
    pub fn instance(&mut self) -> &mut PluginInstance<Handlers> {
        &mut self.instance
    }

    fn extension<
        E: clack_host::extensions::Extension<
                ExtensionSide = clack_host::extensions::PluginExtensionSide,
            >,
    >(
        &mut self,
        name: &str,
    ) -> Result<E, HostError> {
        self.instance
            .plugin_handle()
            .get_extension()
            .ok_or_else(|| error(format!("the plug-in has no {name} extension")))
    }

    /// Performs requested calls on the main thread; without them work would pile up.
    pub fn answer_requests(&mut self) {
        if self
            .instance
            .access_shared_handler(|shared| shared.callback.swap(false, Ordering::SeqCst))
        {
            self.instance.call_on_main_thread_callback();
        }
    }
}

impl Drop for ClapHost {
    fn drop(&mut self) {
        self.deactivate();
    }
}

fn not_active() -> HostError {
    error("the plug-in is not active: call activate first")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs `work` on a thread that is not the main one, as every host does; plug-ins distinguish the
/// two.
fn on_audio_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| match scope.spawn(work).join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
