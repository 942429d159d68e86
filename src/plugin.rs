//! The plug-in: a thin shell around the engine. It translates host events, copies the parameters
//! into a patch, and reports the engine's status.

mod audio_block;
mod clap_entry;
mod fx;
mod instance_parts;
mod surface_loader;
mod vst3;

use std::sync::Arc;
use std::thread::Builder;

use nice_plug::prelude::*;

use crate::engine::{Engine, MAX_VOICES, NoteEnds, VoiceRoom};
use crate::exciter::external::Input;
use crate::params::event::EventQueue;
use crate::params::{KEY_GROUPS, Patch};
use crate::shared_state::extras::Extras;
use crate::shared_state::params::HostParams;
use crate::shared_state::{catch_panic, state};
use audio_block::BypassFade;
use instance_parts::{EditorFactory, InstanceParts, Task};
use surface_loader::SurfaceLoader;

/// Stack of the thread that constructs an engine, bytes. Voices are constructed on the stack, and
/// hosts create instances on threads whose stacks may be as small as 512 kB.
const ENGINE_STACK: usize = 4 << 20;

/// Constructs an engine on a thread with a sufficient stack.
fn new_engine(room: VoiceRoom) -> Engine {
    let construct = move || Engine::with_room(room);
    let engine = Builder::new()
        .stack_size(ENGINE_STACK)
        .spawn(construct)
        .ok()
        .and_then(|thread| thread.join().ok());
    // If no thread can be started, use the host's.
    engine.unwrap_or_else(construct)
}

/// The port layouts of the instrument.
///
/// The first one has no input, because CLAP hosts treat instruments with an input too differently.
/// Hosts that let the user choose a layout also offer the others. VST3 hosts get the last one, with
/// all buses but the main output off (`vst3/core.rs`).
const LAYOUTS: &[AudioIOLayout] = &[
    AudioIOLayout {
        main_input_channels: None,
        main_output_channels: NonZeroU32::new(2),
        ..AudioIOLayout::const_default()
    },
    AudioIOLayout {
        main_input_channels: None,
        main_output_channels: NonZeroU32::new(2),
        aux_input_ports: &[new_nonzero_u32(2)],
        names: PortNames {
            layout: Some("Stereo with external strike"),
            aux_inputs: &["External strike"],
            ..PortNames::const_default()
        },
        ..AudioIOLayout::const_default()
    },
    AudioIOLayout {
        main_input_channels: None,
        main_output_channels: NonZeroU32::new(2),
        aux_input_ports: &[new_nonzero_u32(2)],
        aux_output_ports: &[new_nonzero_u32(2); KEY_GROUPS],
        names: PortNames {
            layout: Some("Key groups on outputs of their own"),
            aux_inputs: &["External strike"],
            aux_outputs: &["Key group 1", "Key group 2", "Key group 3", "Key group 4"],
            ..PortNames::const_default()
        },
    },
];

/// The instrument, as the framework uses it.
pub struct Ictus {
    parts: Arc<InstanceParts>,
    surfaces: SurfaceLoader,
    engine: Engine,
    patch: Patch,
    queue: EventQueue,
    /// Notes for the first sample of the next sub-block.
    deferred_events: EventQueue,
    /// The deferred notes that the current sub-block has not yet taken.
    deferred_range: std::ops::Range<usize>,
    ends: NoteEnds,
    /// Sounding keys that the editor was last notified of, one bit each.
    shown_keys: u128,
    bypass_fade: BypassFade,
}

impl Default for Ictus {
    fn default() -> Self {
        Self::new(Self::NAME, HostParams::new)
    }
}

impl Ictus {
    fn new(title: &str, params: impl Fn(Arc<Extras>) -> HostParams) -> Self {
        let parts = InstanceParts::new(title, params);
        Self {
            surfaces: SurfaceLoader::new(parts.extras.clone()),
            parts: Arc::new(parts),
            engine: new_engine(VoiceRoom::USUAL),
            patch: Patch::default(),
            queue: EventQueue::default(),
            deferred_events: EventQueue::default(),
            deferred_range: 0..0,
            ends: NoteEnds::new(),
            shown_keys: 0,
            bypass_fade: BypassFade::default(),
        }
    }
}

impl Plugin for Ictus {
    const NAME: &'static str = "Ictus";
    const VENDOR: &'static str = "Ictus";
    const URL: &'static str = "https://ictus.audio";
    const EMAIL: &'static str = "hello@ictus.audio";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = LAYOUTS;
    const MIDI_INPUT: MidiConfig = MidiConfig::MidiCCs;
    const SAMPLE_ACCURATE_AUTOMATION: bool = true;
    // Twice the number of events per block in the densest MIDI files; beyond it the framework
    // allocates.
    const INPUT_EVENT_CAPACITY: usize = 8192;

    type Editor = EditorFactory;
    type SysExMessage = ();
    type BackgroundTask = Task;

    fn task_executor(&mut self) -> TaskExecutor<Self> {
        instance_parts::executor(self.parts.clone())
    }

    fn params(&self) -> Arc<dyn Params> {
        self.parts.params.clone()
    }

    fn filter_state(state: &mut PluginState) {
        catch_panic((), || state::filter(state, HostParams::default_of));
    }

    fn editor(&mut self, _executor: AsyncExecutor<Self>) -> Option<Self::Editor> {
        self.parts.editor_factory.clone()
    }

    fn activate(
        &mut self,
        _layout: &AudioIOLayout,
        config: &BufferConfig,
        context: &mut impl ActivateContext<Self>,
    ) -> bool {
        let is_ready = catch_panic(false, || {
            self.prepare(config);
            true
        });
        context.set_current_voice_capacity(self.patch.voices() as u32);
        is_ready
    }

    fn reset(&mut self) {
        self.silence();
    }

    fn process(
        &mut self,
        buffer: &mut Buffer,
        aux: &mut AuxiliaryBuffers,
        context: &mut impl ProcessContext<Self>,
    ) -> ProcessStatus {
        let input = match aux.inputs.first().map(|side_chain| side_chain.as_slice_immutable()) {
            Some([left, right]) => Input { left, right },
            _ => Input::default(),
        };
        self.process_guarded(buffer, (&input, false), aux.outputs, context)
    }
}

impl Ictus {
    /// Resets to silence.
    fn silence(&mut self) {
        catch_panic((), || {
            self.engine.reset();
            self.clear_deferred_events();
        });
    }

    fn prepare(&mut self, config: &BufferConfig) {
        let sample_rate_hz = f64::from(config.sample_rate);
        self.parts.params.write_to(&mut self.patch);
        let room = VoiceRoom::of(&self.patch).max(self.engine.room());
        if room != self.engine.room() {
            self.engine = new_engine(room);
        }
        self.engine.prepare(sample_rate_hz);
        self.parts.extras.voices().prepare(&self.engine, sample_rate_hz);
        self.parts.telemetry.set_sample_rate(sample_rate_hz);
        let is_offline = config.process_mode == ProcessMode::Offline;
        self.parts.latency.set(self.engine.latency_samples(&self.patch));
        self.bypass_fade.prepare(self.engine.look_ahead_samples());
        self.surfaces.prepare(&self.patch, &mut self.engine, sample_rate_hz, is_offline);
        self.clear_deferred_events();
    }
}

impl ClapPlugin for Ictus {
    const CLAP_ID: &'static str = "audio.ictus.ictus";
    const CLAP_DESCRIPTION: Option<&'static str> = Some("The sound of things hitting things");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] = &[
        ClapFeature::Instrument,
        ClapFeature::Synthesizer,
        ClapFeature::Drum,
        ClapFeature::Stereo,
    ];
    const CLAP_POLY_MODULATION_CONFIG: Option<PolyModulationConfig> = Some(PolyModulationConfig {
        max_voice_capacity: MAX_VOICES as u32,
        supports_overlapping_voices: true,
    });
}

/// The classes that VST3 hosts see. Their ids never change, because projects contain them.
static VST3_CLASSES: [vst3::ClassSpec; 2] = [
    vst3::ClassSpec {
        cid: *b"IctusImpactSynth",
        clap_id: c"audio.ictus.ictus",
        subcategories: "Instrument|Synth|Drum|Stereo",
        email: Ictus::EMAIL,
    },
    vst3::ClassSpec {
        cid: *b"IctusImpactFxOne",
        clap_id: c"audio.ictus.ictus-fx",
        subcategories: "Fx|Stereo",
        email: Ictus::EMAIL,
    },
];
