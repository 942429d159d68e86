//! The plug-in: a thin shell around the engine. Host events in, parameters to a patch, status out.

mod audio_block;
pub mod catch_panic;
mod clap_entry;
pub mod device_block_size;
mod engine_factory;
pub mod extras;
pub mod fx;
pub mod instance_parts;
pub mod latency;
mod layouts;
pub mod notes;
pub mod params;
pub mod preset_loading;
pub mod session;
pub mod state;
pub mod surface_loader;
pub mod telemetry;
pub mod voice_allocator;
mod vst3;

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use nice_plug::editor::dpi::LogicalSize;
use nice_plug::prelude::*;
use nice_plug_egui::{EguiEditorState, EguiNiceSettings, RepaintNotifier, create_egui_editor};

use crate::editor::editor_factory::{EditorFactory, SharedWindowState};
use crate::editor::preferences;
use crate::editor::{self, App};
use crate::engine::{Engine, MAX_VOICES, NoteEnds, VoiceRoom};
use crate::exciter::external::Input;
use crate::params::Patch;
use crate::params::event::EventQueue;
use audio_block::BypassFade;
use catch_panic::catch_panic;
use extras::Extras;
use instance_parts::{InstanceParts, Task};
use latency::Latency;
use params::HostParams;
use surface_loader::SurfaceLoader;
use telemetry::Telemetry;

/// The plug-in as the framework sees it.
pub struct Ictus {
    parts: Arc<InstanceParts>,
    params: Arc<HostParams>,
    telemetry: Arc<Telemetry>,
    extras: Arc<Extras>,
    surfaces: SurfaceLoader,
    editor_state: Arc<EguiEditorState>,
    repaint: RepaintNotifier,
    engine: Engine,
    latency: Arc<Latency>,
    patch: Patch,
    queue: EventQueue,
    /// Notes for the first sample of the next piece.
    deferred_events: EventQueue,
    /// Those among them that are this piece's, left over by the last one.
    deferred_range: std::ops::Range<usize>,
    ends: NoteEnds,
    /// Keys that the editor was last told to sound.
    shown_keys: u128,
    /// Which outputs the host listens to, one bit each.
    connected_outputs: Arc<AtomicU32>,
    bypass_fade: BypassFade,
}

impl Default for Ictus {
    fn default() -> Self {
        Self::new(Self::NAME, HostParams::new)
    }
}

impl Ictus {
    fn new(title: &str, params: impl Fn(Arc<Extras>) -> HostParams) -> Self {
        let (width, height) = editor::SIZE;
        let extras = Arc::new(Extras::default());
        let params = Arc::new(params(extras.clone()));
        let telemetry = Arc::new(Telemetry::new());
        let editor_state = EguiEditorState::from_size(LogicalSize::new(width, height), 1.0);
        let repaint = RepaintNotifier::new();
        let app = App::new(params.clone(), telemetry.clone(), extras.clone());
        let connected_outputs = Arc::new(AtomicU32::new(u32::MAX));
        let latency = Arc::<Latency>::default();
        let parts = InstanceParts {
            params: params.clone(),
            editor_factory: editor_factory(title, app, &extras, editor_state.clone(), &repaint),
            latency: latency.clone(),
            repaint: repaint.clone(),
            connected_outputs: connected_outputs.clone(),
        };
        Self {
            parts: Arc::new(parts),
            params,
            surfaces: SurfaceLoader::new(extras.clone()),
            extras,
            telemetry,
            editor_state,
            repaint,
            connected_outputs,
            bypass_fade: BypassFade::default(),
            engine: engine_factory::new_engine(VoiceRoom::USUAL),
            latency,
            patch: Patch::default(),
            queue: EventQueue::default(),
            deferred_events: EventQueue::default(),
            deferred_range: 0..0,
            ends: NoteEnds::new(),
            shown_keys: 0,
        }
    }
}

impl Plugin for Ictus {
    const NAME: &'static str = "Ictus";
    const VENDOR: &'static str = "Ictus";
    const URL: &'static str = "https://ictus.audio";
    const EMAIL: &'static str = "hello@ictus.audio";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = layouts::INSTRUMENT;
    const MIDI_INPUT: MidiConfig = MidiConfig::MidiCCs;
    const SAMPLE_ACCURATE_AUTOMATION: bool = true;
    // Twice as many as any dense MIDI file has in a block; beyond it the framework allocates.
    const INPUT_EVENT_CAPACITY: usize = 8192;

    type Editor = EditorFactory;
    type SysExMessage = ();
    type BackgroundTask = Task;

    fn task_executor(&mut self) -> TaskExecutor<Self> {
        instance_parts::executor(self.parts.clone())
    }

    fn params(&self) -> Arc<dyn Params> {
        self.params.clone()
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

/// The editor, not yet open.
fn editor_factory(
    title: &str,
    app: App,
    extras: &Arc<Extras>,
    state: Arc<EguiEditorState>,
    repaint: &RepaintNotifier,
) -> Option<EditorFactory> {
    let (width, height) = editor::MIN_SIZE;
    let shared = SharedWindowState {
        window_thread: app.window_thread(),
        extras: extras.clone(),
        scale: app.scale(),
    };
    if let Some(look) = preferences::load() {
        extras.change_window_settings(|shown| *shown = look);
    }
    let settings = EguiNiceSettings::new().with_tile(title).with_resize_hint(
        ResizeHint::RESIZABLE.with_min_logical_size(LogicalSize::new(width, height)),
    );
    let editor = create_egui_editor(state, repaint.clone(), settings, app)?;
    Some(EditorFactory::new(editor, shared, repaint.clone(), title))
}

impl Ictus {
    /// Resets to silence.
    fn silence(&mut self) {
        catch_panic((), || {
            self.engine.reset();
            self.release();
        });
    }

    fn prepare(&mut self, config: &BufferConfig) {
        let sample_rate_hz = f64::from(config.sample_rate);
        self.params.write_to(&mut self.patch);
        let room = VoiceRoom::of(&self.patch).max(self.engine.room());
        if room != self.engine.room() {
            self.engine = engine_factory::new_engine(room);
        }
        self.engine.prepare(sample_rate_hz);
        self.extras.voices().prepare(&self.engine, sample_rate_hz);
        self.telemetry.set_sample_rate(sample_rate_hz);
        let is_offline = config.process_mode == ProcessMode::Offline;
        self.latency.set(self.engine.latency_samples(&self.patch));
        self.bypass_fade.prepare(self.engine.look_ahead_samples());
        self.surfaces.prepare(&self.patch, &mut self.engine, sample_rate_hz, is_offline);
        self.release();
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

/// The classes that hosts of VST3 see. Their ids never change: projects name them.
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
