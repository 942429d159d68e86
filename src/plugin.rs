//! The plug-in: a thin shell around the engine. Host events in, parameters to a patch, status out.

mod clap_entry;
pub mod extras;
pub mod fx;
mod layouts;
pub mod loading;
mod made;
pub mod notes;
pub mod params;
pub mod period;
mod run;
pub mod session;
pub mod state;
pub mod surface_loader;
pub mod telemetry;

use std::sync::Arc;

use nice_plug::editor::dpi::LogicalSize;
use nice_plug::prelude::*;
use nice_plug_egui::{EguiEditorState, EguiNiceSettings, RepaintNotifier, create_egui_editor};

use crate::editor::remembered;
use crate::editor::shell::{Around, Shell};
use crate::editor::{self, App};
use crate::engine::{Engine, MOST_VOICES, NoteEnds};
use crate::event::EventQueue;
use crate::external::Input;
use crate::patch::Patch;
use extras::Extras;
use params::HostParams;
use surface_loader::SurfaceLoader;
use telemetry::Telemetry;

/// The plug-in as the framework sees it.
pub struct Ictus {
    params: Arc<HostParams>,
    telemetry: Arc<Telemetry>,
    extras: Arc<Extras>,
    surfaces: SurfaceLoader,
    editor_state: Arc<EguiEditorState>,
    repaint: RepaintNotifier,
    engine: Engine,
    patch: Patch,
    queue: EventQueue,
    /// Notes for the first sample of the next piece.
    held: EventQueue,
    /// Those among them that are this piece's, left over by the last one.
    due: std::ops::Range<usize>,
    ends: NoteEnds,
    /// Keys that the editor was last told to sound.
    shown_keys: u128,
}

impl Default for Ictus {
    fn default() -> Self {
        Self::new(HostParams::new)
    }
}

impl Ictus {
    fn new(params: impl Fn(Arc<Extras>) -> HostParams) -> Self {
        let (width, height) = editor::SIZE;
        let extras = Arc::new(Extras::default());
        Self {
            params: Arc::new(params(extras.clone())),
            surfaces: SurfaceLoader::new(extras.clone()),
            extras,
            telemetry: Arc::new(Telemetry::new()),
            editor_state: EguiEditorState::from_size(LogicalSize::new(width, height), 1.0),
            repaint: RepaintNotifier::new(),
            engine: made::engine(),
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
    const URL: &'static str = "";
    const EMAIL: &'static str = "";
    const VERSION: &'static str = env!("CARGO_PKG_VERSION");

    const AUDIO_IO_LAYOUTS: &'static [AudioIOLayout] = layouts::OF_THE_INSTRUMENT;
    // In the VST3 each controller of each channel is a hidden parameter, two thousand in all: the format has no other
    // way to a pedal or a wheel.
    const MIDI_INPUT: MidiConfig = MidiConfig::MidiCCs;
    const SAMPLE_ACCURATE_AUTOMATION: bool = true;
    // Twice as many as any dense MIDI file has in a block; beyond it the framework allocates.
    const INPUT_EVENT_CAPACITY: usize = 8192;

    type Editor = Shell;
    type SysExMessage = ();
    type BackgroundTask = loading::Task;

    fn task_executor(&mut self) -> TaskExecutor<Self> {
        loading::executor(self.params.clone())
    }

    fn params(&self) -> Arc<dyn Params> {
        self.params.clone()
    }

    fn filter_state(state: &mut PluginState) {
        state::filter(state, HostParams::default_of);
    }

    fn editor(&mut self, _executor: AsyncExecutor<Self>) -> Option<Self::Editor> {
        self.window(Self::NAME)
    }

    fn activate(
        &mut self,
        _layout: &AudioIOLayout,
        config: &BufferConfig,
        context: &mut impl ActivateContext<Self>,
    ) -> bool {
        self.prepare(config);
        context.set_current_voice_capacity(self.patch.voices() as u32);
        true
    }

    fn reset(&mut self) {
        self.engine.reset();
        self.let_go();
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
        self.run(buffer, &input, aux.outputs, context)
    }
}

impl Ictus {
    fn window(&self, title: &str) -> Option<Shell> {
        let (width, height) = editor::MIN_SIZE;
        let app = App::new(self.params.clone(), self.telemetry.clone(), self.extras.clone());
        let around = Around { server: app.server(), extras: self.extras.clone(), scale: app.scale() };
        if let Some(look) = remembered::look() {
            self.extras.change_look(|shown| *shown = look);
        }
        let editor = create_egui_editor(
            self.editor_state.clone(),
            self.repaint.clone(),
            EguiNiceSettings::new()
                .with_tile(title)
                .with_resize_hint(ResizeHint::RESIZABLE.with_min_logical_size(LogicalSize::new(width, height))),
            app,
        )?;
        Some(Shell::new(editor, around, self.repaint.clone(), title))
    }

    fn prepare(&mut self, config: &BufferConfig) {
        let sample_rate_hz = f64::from(config.sample_rate);
        self.engine.prepare(sample_rate_hz);
        self.telemetry.set_sample_rate(sample_rate_hz);
        self.params.write_to(&mut self.patch);
        let is_offline = config.process_mode == ProcessMode::Offline;
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

impl Vst3Plugin for Ictus {
    const VST3_CLASS_ID: [u8; 16] = *b"IctusImpactSynth";
    const VST3_SUBCATEGORIES: &'static [Vst3SubCategory] =
        &[Vst3SubCategory::Instrument, Vst3SubCategory::Synth, Vst3SubCategory::Drum, Vst3SubCategory::Stereo];
}

/// The symbols that hosts of VST3 look for; those of CLAP are in [`clap_entry`].
#[allow(unsafe_code, missing_docs)]
mod export {
    use super::Ictus;
    use super::fx::IctusFx;
    use nice_plug::prelude::*;

    nice_export_vst3!(Ictus, IctusFx);
}
