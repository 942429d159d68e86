//! The plug-in: a thin shell around the engine. Host events in, parameters to a patch, status out.

mod clap_entry;
pub mod contained;
pub mod extras;
pub mod fx;
pub mod latency;
mod layouts;
pub mod loading;
mod made;
pub mod notes;
pub mod params;
pub mod parts;
pub mod period;
mod run;
pub mod session;
pub mod state;
pub mod surface_loader;
pub mod telemetry;
pub mod voice_supply;
mod vst3;

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use nice_plug::editor::dpi::LogicalSize;
use nice_plug::prelude::*;
use nice_plug_egui::{EguiEditorState, EguiNiceSettings, RepaintNotifier, create_egui_editor};

use crate::editor::remembered;
use crate::editor::shell::{Around, Shell};
use crate::editor::{self, App};
use crate::engine::{Engine, MOST_VOICES, NoteEnds, VoiceRoom};
use crate::event::EventQueue;
use crate::external::Input;
use crate::patch::Patch;
use contained::contain;
use extras::Extras;
use latency::Latency;
use params::HostParams;
use parts::{Parts, Task};
use run::Mute;
use surface_loader::SurfaceLoader;
use telemetry::Telemetry;

/// The plug-in as the framework sees it.
pub struct Ictus {
    parts: Arc<Parts>,
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
    held: EventQueue,
    /// Those among them that are this piece's, left over by the last one.
    due: std::ops::Range<usize>,
    ends: NoteEnds,
    /// Keys that the editor was last told to sound.
    shown_keys: u128,
    /// Which outputs the host listens to, one bit each.
    connected_outputs: Arc<AtomicU32>,
    mute: Mute,
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
        let parts = Parts {
            params: params.clone(),
            shell: shell(title, app, &extras, editor_state.clone(), &repaint),
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
            mute: Mute::default(),
            engine: made::engine(VoiceRoom::USUAL),
            latency,
            patch: Patch::default(),
            queue: EventQueue::default(),
            held: EventQueue::default(),
            due: 0..0,
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

    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = layouts::OF_THE_INSTRUMENT;
    const MIDI_INPUT: MidiConfig = MidiConfig::MidiCCs;
    const SAMPLE_ACCURATE_AUTOMATION: bool = true;
    // Twice as many as any dense MIDI file has in a block; beyond it the framework allocates.
    const INPUT_EVENT_CAPACITY: usize = 8192;

    type Editor = Shell;
    type SysExMessage = ();
    type BackgroundTask = Task;

    fn task_executor(&mut self) -> TaskExecutor<Self> {
        parts::executor(self.parts.clone())
    }

    fn params(&self) -> Arc<dyn Params> {
        self.params.clone()
    }

    fn filter_state(state: &mut PluginState) {
        contain((), || state::filter(state, HostParams::default_of));
    }

    fn editor(&mut self, _executor: AsyncExecutor<Self>) -> Option<Self::Editor> {
        self.parts.shell.clone()
    }

    fn activate(
        &mut self,
        _layout: &AudioIOLayout,
        config: &BufferConfig,
        context: &mut impl ActivateContext<Self>,
    ) -> bool {
        let is_ready = contain(false, || {
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
        self.run(buffer, (&input, false), aux.outputs, context)
    }
}

/// The editor, not yet open.
fn shell(
    title: &str,
    app: App,
    extras: &Arc<Extras>,
    state: Arc<EguiEditorState>,
    repaint: &RepaintNotifier,
) -> Option<Shell> {
    let (width, height) = editor::MIN_SIZE;
    let around = Around { server: app.server(), extras: extras.clone(), scale: app.scale() };
    if let Some(look) = remembered::look() {
        extras.change_look(|shown| *shown = look);
    }
    let settings = EguiNiceSettings::new()
        .with_tile(title)
        .with_resize_hint(ResizeHint::RESIZABLE.with_min_logical_size(LogicalSize::new(width, height)));
    let editor = create_egui_editor(state, repaint.clone(), settings, app)?;
    Some(Shell::new(editor, around, repaint.clone(), title))
}

impl Ictus {
    /// Resets to silence.
    fn silence(&mut self) {
        contain((), || {
            self.engine.reset();
            self.let_go();
        });
    }

    fn prepare(&mut self, config: &BufferConfig) {
        let sample_rate_hz = f64::from(config.sample_rate);
        self.params.write_to(&mut self.patch);
        let room = VoiceRoom::of(&self.patch).and(self.engine.room());
        if room != self.engine.room() {
            self.engine = made::engine(room);
        }
        self.engine.prepare(sample_rate_hz);
        self.extras.voices().prepare(&self.engine, sample_rate_hz);
        self.telemetry.set_sample_rate(sample_rate_hz);
        let is_offline = config.process_mode == ProcessMode::Offline;
        self.latency.set(self.engine.latency_samples(&self.patch));
        self.mute.prepare(self.engine.look_ahead_samples());
        self.surfaces.prepare(&self.patch, &mut self.engine, sample_rate_hz, is_offline);
        self.let_go();
    }
}

impl ClapPlugin for Ictus {
    const CLAP_ID: &'static str = "audio.ictus.ictus";
    const CLAP_DESCRIPTION: Option<&'static str> = Some("The sound of things hitting things");
    const CLAP_MANUAL_URL: Option<&'static str> = None;
    const CLAP_SUPPORT_URL: Option<&'static str> = None;
    const CLAP_FEATURES: &'static [ClapFeature] =
        &[ClapFeature::Instrument, ClapFeature::Synthesizer, ClapFeature::Drum, ClapFeature::Stereo];
    const CLAP_POLY_MODULATION_CONFIG: Option<PolyModulationConfig> =
        Some(PolyModulationConfig { max_voice_capacity: MOST_VOICES as u32, supports_overlapping_voices: true });
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
